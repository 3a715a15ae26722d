# SPDX-License-Identifier: Apache-2.0
"""Keys in memory, used by Apple's functions, against two other implementations: Python's cryptography and OpenSSL's command.

Each reads the other's output, in both directions, for every algorithm and format. And private keys in the keychain that
no program gets, and the programs that may use them."""

import base64
import hashlib
import os

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

from support.instance import is_root, is_waiting, wait_until
from support.key_tool import KeyTool, written
from support.sentences import cases, contains, equal, lacks

curves = {"P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(), "P-521": ec.SECP521R1()}
kinds = ["RSA 1024", "RSA 2048", *curves, "Ed25519", "X25519"]
carried = {"SHA1": hashes.SHA1(), "SHA256": hashes.SHA256(), "SHA384": hashes.SHA384(), "SHA512": hashes.SHA512()}
# Those of RSA, of which swift-crypto lacks some: chatelaine-crypto has them.
rsa_hashes = dict(carried, SHA224=hashes.SHA224())
message = b"a message for everybody"
der, traditional = serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL
raw, plain = serialization.Encoding.Raw, serialization.NoEncryption()


# The formats, written and read here.


def type_of(kind):
    return "rsa" if kind.startswith("RSA") else "ec" if kind in curves else kind.lower()


def bits(kind):
    return int(kind.split()[1]) if kind.startswith("RSA") else curves[kind].key_size if kind in curves else 256


def new_key(kind):
    if kind.startswith("RSA"):
        return rsa.generate_private_key(65537, bits(kind))
    if kind in curves:
        return ec.generate_private_key(curves[kind])
    return (ed25519.Ed25519PrivateKey if kind == "Ed25519" else x25519.X25519PrivateKey).generate()


def public_bytes(key):
    if isinstance(key, rsa.RSAPublicKey):
        return key.public_bytes(der, serialization.PublicFormat.PKCS1)
    if isinstance(key, ec.EllipticCurvePublicKey):
        return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return key.public_bytes(raw, serialization.PublicFormat.Raw)


def private_bytes(key):
    if isinstance(key, rsa.RSAPrivateKey):
        return key.private_bytes(der, traditional, plain)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        scalar = key.private_numbers().private_value.to_bytes((key.curve.key_size + 7) // 8, "big")
        return public_bytes(key.public_key()) + scalar
    return key.private_bytes(raw, serialization.PrivateFormat.Raw, plain)


def read_public(kind, data):
    if kind.startswith("RSA"):
        return serialization.load_der_public_key(data)
    if kind in curves:
        return ec.EllipticCurvePublicKey.from_encoded_point(curves[kind], data)
    return (ed25519.Ed25519PublicKey if kind == "Ed25519" else x25519.X25519PublicKey).from_public_bytes(data)


def read_private(kind, data):
    if kind.startswith("RSA"):
        return serialization.load_der_private_key(data, None)
    if kind in curves:
        size = (bits(kind) + 7) // 8
        equal(len(data), 1 + 3 * size)
        key = ec.derive_private_key(int.from_bytes(data[-size:], "big"), curves[kind])
        equal(public_bytes(key.public_key()), data[:-size])
        return key
    return (ed25519.Ed25519PrivateKey if kind == "Ed25519" else x25519.X25519PrivateKey).from_private_bytes(data)


def pair(tool, kind):
    """Returns a key of the program's, and Python's form of it."""
    private, public = tool.ask("new", type_of(kind), bits(kind)).split()
    return read_private(kind, base64.b64decode(private)), read_public(kind, base64.b64decode(public))


@cases("kind", kinds)
def test_keys_on_and_for_are_read_on_both_sides_as_they_are_written(it, kind):
    with KeyTool(it) as tool:
        for _ in range(2 if kind.startswith("RSA") else 100):
            private, public = pair(tool, kind)
            equal(public_bytes(private.public_key()), public_bytes(public))
            key = new_key(kind)
            equal(tool.data("public", type_of(kind), private_bytes(key)), public_bytes(key.public_key()))


@cases("kind", list(curves))
def test_keys_of_with_the_halves_of_others_are_refused(it, kind):
    with KeyTool(it) as tool:
        for _ in range(20):
            one, other = private_bytes(new_key(kind)), private_bytes(new_key(kind))
            size = (bits(kind) + 7) // 8
            tool.refuses(-50, "public", "ec", one[:-size] + other[-size:])


# Signatures: the name of the algorithm, the input, and how Python signs and verifies.


def signatures(kind):
    if kind.startswith("RSA"):
        for name, function in rsa_hashes.items():
            size = function.digest_size
            schemes = [("PKCS1v15", padding.PKCS1v15(), "")]
            if bits(kind) >= 8 * (2 * size + 2):
                schemes.append(("PSS", padding.PSS(padding.MGF1(function), size), f":{name}:{size}"))
            for scheme, pad, more in schemes:
                for given in ["digest", "message"]:
                    data = hashlib.new(name, message).digest() if given == "digest" else message
                    yield f"algid:sign:RSA:{given}-{scheme}:{name}{more}", data, (pad, function), None
    elif kind in curves:
        for encoding in ["X962", "RFC4754"]:
            for name, function in dict(carried, SHA224=hashes.SHA224()).items():
                digest = hashlib.new(name, message).digest()
                names = [(f"digest-{encoding}:{name}", digest), (f"digest-{encoding}", digest)]
                if name != "SHA224":
                    names.append((f"message-{encoding}:{name}", message))
                if encoding == "RFC4754":
                    names.append(("RFC4754", digest))
                for text, data in names:
                    yield f"algid:sign:ECDSA:{text}", data, (ec.ECDSA(function),), encoding
    elif kind == "Ed25519":
        yield "algid:sign:EdDSA:message-Curve25519:SHA512", message, (), None


def side_by_side(signature, kind):
    size = (bits(kind) + 7) // 8
    return b"".join(number.to_bytes(size, "big") for number in utils.decode_dss_signature(signature))


def in_der(signature):
    half = len(signature) // 2
    return utils.encode_dss_signature(*(int.from_bytes(part, "big") for part in (signature[:half], signature[half:])))


@cases("kind", [kind for kind in kinds if kind != "X25519"])
def test_signatures_with_are_good_on_the_other_side(it, kind):
    count = 0
    with KeyTool(it) as tool:
        for _ in range(1 if kind.startswith("RSA") else 5):
            private, public = pair(tool, kind)
            ours = private_bytes(private)
            for algorithm, data, how, encoding in signatures(kind):
                count += 1
                made = tool.data("sign", type_of(kind), ours, algorithm, data)
                public.verify(in_der(made) if encoding == "RFC4754" else made, message, *how)
                theirs = private.sign(message, *how)
                if encoding == "RFC4754":
                    theirs = side_by_side(theirs, kind)
                verify = ("verify", type_of(kind), public_bytes(public), algorithm)
                equal(tool.ask(*verify, data, theirs), "yes")
                changed = bytearray(theirs)
                changed[-1] ^= 1
                tool.refuses(-67808, *verify, data, bytes(changed))
                try:
                    public.verify(made[:-1] + bytes([made[-1] ^ 1]), message, *how)
                    raise AssertionError("Python verifies everything")
                except InvalidSignature:
                    pass
    assert count, "no algorithm was tried"


# Encryption.


def aes_gcm(key, vector, aad, data, opening=False):
    if opening:
        worker = Cipher(algorithms.AES(key), modes.GCM(vector, data[-16:])).decryptor()
        worker.authenticate_additional_data(aad)
        return worker.update(data[:-16]) + worker.finalize()
    worker = Cipher(algorithms.AES(key), modes.GCM(vector)).encryptor()
    worker.authenticate_additional_data(aad)
    return worker.update(data) + worker.finalize() + worker.tag


@cases("kind", ["RSA 1024", "RSA 2048"])
def test_what_encrypts_the_other_side_decrypts(it, kind):
    with KeyTool(it) as tool:
        private, public = pair(tool, kind)
        encrypt = ("encrypt", "rsa", public_bytes(public))
        decrypt = ("decrypt", "rsa", private_bytes(private))
        pads = {"PKCS1": padding.PKCS1v15()}
        for name, function in rsa_hashes.items():
            # The block has room for the message and for a key of AES.
            if bits(kind) // 8 >= len(message) + 2 * function.digest_size + 2:
                pads[f"OAEP:{name}"] = padding.OAEP(padding.MGF1(function), function, None)
        for name, pad in pads.items():
            for data in [b"", message]:
                equal(private.decrypt(tool.data(*encrypt, f"algid:encrypt:RSA:{name}", data), pad), data)
                equal(tool.data(*decrypt, f"algid:encrypt:RSA:{name}", public.encrypt(data, pad)), data)
            if name == "PKCS1":
                continue
            algorithm, size = f"algid:encrypt:RSA:{name}:AESGCM", bits(kind) // 8
            sealed = tool.data(*encrypt, algorithm, message * 50)
            key = private.decrypt(sealed[:size], pad)
            equal(len(key), 16)
            equal(aes_gcm(key, bytes(16), public_bytes(public), sealed[size:], opening=True), message * 50)
            key = os.urandom(16)
            sealed = public.encrypt(key, pad) + aes_gcm(key, bytes(16), public_bytes(public), message)
            equal(tool.data(*decrypt, algorithm, sealed), message)


@cases("kind", ["RSA 1024", "RSA 2048"])
def test_the_bare_operations_of_rsa_are_powers(it, kind):
    with KeyTool(it) as tool:
        private, public = pair(tool, kind)
        numbers, size = private.private_numbers(), bits(kind) // 8
        n, e, d = numbers.public_numbers.n, numbers.public_numbers.e, numbers.d

        def power(data, exponent):
            return pow(int.from_bytes(data, "big"), exponent, n).to_bytes(size, "big")

        ours, theirs = private_bytes(private), public_bytes(public)
        full = bytes(1) + os.urandom(size - 1)
        for data in [b"", b"\0\1", message, full]:
            equal(tool.data("encrypt", "rsa", theirs, "algid:encrypt:RSA:raw", data), power(data, e))
            equal(tool.data("decrypt", "rsa", ours, "algid:encrypt:RSA:raw", data), power(data, d))
            made = tool.data("sign", "rsa", ours, "algid:sign:RSA:raw", data)
            equal(made, power(data, d))
            equal(tool.ask("verify", "rsa", theirs, "algid:sign:RSA:raw", data, made), "yes")
            other = data[:-1] + bytes([(data[-1] if data else 0) ^ 1])
            tool.refuses(-67808, "verify", "rsa", theirs, "algid:sign:RSA:raw", other, made)
        for data in [n.to_bytes(size, "big"), bytes(size + 1)]:
            tool.refuses(-50, "encrypt", "rsa", theirs, "algid:encrypt:RSA:raw", data)
            tool.refuses(-50, "sign", "rsa", ours, "algid:sign:RSA:raw", data)
        # The padding of PKCS #1 around the data as it is (RFC 8017, 9.2).
        made = tool.data("sign", "rsa", ours, "algid:sign:RSA:digest-PKCS1v15", message)
        equal(power(made, e), b"\0\1" + b"\xff" * (size - 3 - len(message)) + b"\0" + message)
        equal(tool.ask("verify", "rsa", theirs, "algid:sign:RSA:digest-PKCS1v15", message, made), "yes")
        tool.refuses(-50, "sign", "rsa", ours, "algid:sign:RSA:digest-PKCS1v15", bytes(size - 10))


@cases("answer", ["exit 1", "printf nonsense", "cat >/dev/null; printf '\\001\\005\\000\\000\\000\\000\\000\\001\\011'"])
def test_a_helper_with_an_invalid_answer_is_an_error_and_never_a_valid_signature(it, answer):
    folder = os.path.join(it.scratch, "helpers")
    os.mkdir(folder)
    path = os.path.join(folder, "chatelaine-crypto")
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{answer}\n")
    os.chmod(path, 0o755)
    it.environment["CHATELAINE_HELPERS"] = folder
    with KeyTool(it) as tool:
        private, public = pair(tool, "RSA 1024")
        algorithm = "algid:sign:RSA:message-PKCS1v15:SHA224"
        signature = private.sign(message, padding.PKCS1v15(), hashes.SHA224())
        tool.refuses(-2070, "verify", "rsa", public_bytes(public), algorithm, message, signature)
        tool.refuses(-2070, "sign", "rsa", private_bytes(private), algorithm, message)


def derived(private, public, name, size, info):
    secret = private.exchange(public) if isinstance(private, x25519.X25519PrivateKey) else private.exchange(ec.ECDH(), public)
    return X963KDF(carried[name], size, info).derive(secret) if name else secret


@cases("kind", list(curves))
def test_what_ecies_on_encrypts_the_other_side_decrypts(it, kind):
    key_size, point_size = (16 if bits(kind) == 256 else 32), 1 + 2 * ((bits(kind) + 7) // 8)

    def secrets(private, public, name, point, variable):
        both = derived(private, public, name, key_size + (16 if variable else 0), point)
        return both[:key_size], both[key_size:] if variable else bytes(16)

    with KeyTool(it) as tool:
        private, public = pair(tool, kind)
        for mode in ["ECDH", "ECDHC"]:
            for name in carried:
                for variable in [False, True] if name != "SHA1" else [False]:
                    algorithm = f"algid:encrypt:ECIES:{mode}:KDFX963:{name}:AESGCM{'-KDFIV' if variable else ''}"
                    for data in [b"", message]:
                        sealed = tool.data("encrypt", "ec", public_bytes(public), algorithm, data)
                        point = sealed[:point_size]
                        key, vector = secrets(private, read_public(kind, point), name, point, variable)
                        equal(aes_gcm(key, vector, b"", sealed[point_size:], opening=True), data)
                        new = new_key(kind)
                        point = public_bytes(new.public_key())
                        key, vector = secrets(new, public, name, point, variable)
                        sealed = point + aes_gcm(key, vector, b"", data)
                        equal(tool.data("decrypt", "ec", private_bytes(private), algorithm, sealed), data)


@cases("kind", [*curves, "X25519"])
def test_both_sides_agree_on_secrets_with(it, kind):
    with KeyTool(it) as tool:
        for _ in range(5):
            private, _ = pair(tool, kind)
            other = new_key(kind)
            for mode in ["ECDH", "ECDHC"]:
                for name in ["", *carried]:
                    for size, info in [(16, b""), (100, message)]:
                        algorithm = f"algid:keyexchange:{mode}" + (f":KDFX963:{name}" if name else "")
                        equal(
                            tool.data(
                                "agree", type_of(kind), private_bytes(private), algorithm,
                                public_bytes(other.public_key()), size, info),
                            derived(other, private.public_key(), name, size, info))


# OpenSSL's command.


def openssl(it, *words, check=0, **files):
    """Runs OpenSSL; the words that name files are replaced by their paths."""
    paths = {}
    for name, content in files.items():
        paths[name] = os.path.join(it.scratch, name)
        with open(paths[name], "wb") as file:
            file.write(content)
    done = it.run("openssl", *(paths.get(word, word) for word in words), check=check)
    return done.stdout


def pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)


def public_pem(key):
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


@cases("kind", kinds)
def test_openssls_keys_for_are_read_and_it_reads_ours(it, kind):
    names = {"P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1"}
    if kind in curves:
        how = ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{names[kind]}"]
    elif kind.startswith("RSA"):
        how = ["-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits(kind)}"]
    else:
        how = ["-algorithm", kind.upper() if kind == "X25519" else "ED25519"]
    with KeyTool(it) as tool:
        theirs = serialization.load_pem_private_key(openssl(it, "genpkey", *how), None)
        equal(tool.data("public", type_of(kind), private_bytes(theirs)), public_bytes(theirs.public_key()))
        ours, _ = pair(tool, kind)
        openssl(it, "pkey", "-in", "key", "-noout", *(["-check"] if kind in curves or kind.startswith("RSA") else []), key=pem(ours))


@cases("kind", ["RSA 2048", *curves])
def test_openssl_verifies_our_signatures_with_and_we_verify_its(it, kind):
    with KeyTool(it) as tool:
        private, public = pair(tool, kind)
        for name in rsa_hashes if kind.startswith("RSA") else carried:
            schemes = {f"algid:sign:ECDSA:message-X962:{name}": []}
            if kind.startswith("RSA"):
                size = rsa_hashes[name].digest_size
                pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", f"rsa_pss_saltlen:{size}"]
                schemes = {
                    f"algid:sign:RSA:message-PKCS1v15:{name}": [],
                    f"algid:sign:RSA:message-PSS:{name}:{name}:{size}": pss,
                }
            for algorithm, options in schemes.items():
                made = tool.data("sign", type_of(kind), private_bytes(private), algorithm, message)
                verified = openssl(
                    it, "dgst", f"-{name.lower()}", "-verify", "key", *options, "-signature", "signature", "text",
                    key=public_pem(public), signature=made, text=message)
                contains(verified.decode(), "Verified OK")
                theirs = openssl(
                    it, "dgst", f"-{name.lower()}", "-sign", "key", *options, "text", key=pem(private), text=message)
                equal(tool.ask("verify", type_of(kind), public_bytes(public), algorithm, message, theirs), "yes")


def test_openssl_signs_and_verifies_with_ed25519_as_we_do(it):
    with KeyTool(it) as tool:
        private, public = pair(tool, "Ed25519")
        algorithm = "algid:sign:EdDSA:message-Curve25519:SHA512"
        made = tool.data("sign", "ed25519", private_bytes(private), algorithm, message)
        # There is one signature of a message with Ed25519.
        theirs = openssl(it, "pkeyutl", "-sign", "-rawin", "-inkey", "key", "-in", "text", key=pem(private), text=message)
        equal(made, theirs)
        equal(tool.ask("verify", "ed25519", public_bytes(public), algorithm, message, theirs), "yes")


def test_openssl_decrypts_what_we_encrypt_with_rsa_and_we_what_it_does(it):
    with KeyTool(it) as tool:
        private, public = pair(tool, "RSA 2048")
        oaep = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt"]
        for name, options in {
            "PKCS1": [], **{f"OAEP:{name}": [*oaep, f"rsa_oaep_md:{name.lower()}"] for name in rsa_hashes},
        }.items():
            sealed = tool.data("encrypt", "rsa", public_bytes(public), f"algid:encrypt:RSA:{name}", message)
            equal(openssl(it, "pkeyutl", "-decrypt", "-inkey", "key", "-in", "text", *options, key=pem(private), text=sealed), message)
            theirs = openssl(
                it, "pkeyutl", "-encrypt", "-pubin", "-inkey", "key", "-in", "text", *options, key=public_pem(public), text=message)
            equal(tool.data("decrypt", "rsa", private_bytes(private), f"algid:encrypt:RSA:{name}", theirs), message)


@cases("kind", [*curves, "X25519"])
def test_openssl_agrees_on_our_secret_with(it, kind):
    with KeyTool(it) as tool:
        private, _ = pair(tool, kind)
        other = new_key(kind)
        theirs = openssl(
            it, "pkeyutl", "-derive", "-inkey", "key", "-peerkey", "peer", key=pem(other), peer=public_pem(private.public_key()))
        ours = tool.data(
            "agree", type_of(kind), private_bytes(private), "algid:keyexchange:ECDH", public_bytes(other.public_key()), 0, b"")
        equal(ours, theirs)


# Keys that stay in the keychain.


def memory(pid):
    """All that can be written of a process's memory, while it waits for a command."""
    parts = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        for line in maps:
            addresses, access = line.split()[:2]
            if not access.startswith("rw"):
                continue
            start, end = (int(text, 16) for text in addresses.split("-"))
            file.seek(start)
            left = end - start
            while left:
                try:
                    part = file.read(min(left, 1 << 20))
                except OSError:
                    # Pages of memfd_secret, which no process can read.
                    break
                if not part:
                    break
                parts.append(part)
                left -= len(part)
    return b"\0".join(parts)


@cases("kind", ["P-256", "Ed25519", "RSA 2048"])
def test_openssl_verifies_what_a_key_signs_that_was_made_in_the_keychain_and_never_left_it(it, kind):
    algorithm = {
        "P-256": "algid:sign:ECDSA:message-X962:SHA256", "Ed25519": "algid:sign:EdDSA:message-Curve25519:SHA512",
        "RSA 2048": "algid:sign:RSA:message-PKCS1v15:SHA256",
    }[kind]
    with KeyTool(it) as tool:
        public = read_public(kind, tool.data("keychain", "make", "t", type_of(kind), bits(kind)))
        signature = tool.data("keychain", "sign", "t", algorithm, message)
        words = ["pkeyutl", "-verify", "-pubin", "-inkey", "key", "-sigfile", "signature", "-rawin", "-in", "text"]
        if kind != "Ed25519":
            words = ["dgst", "-sha256", "-verify", "key", "-signature", "signature", "text"]
        openssl(it, *words, key=public_pem(public), signature=signature, text=message)
        for words in ["export", "data"]:
            tool.refuses(-25316, "keychain", words, "t")
        tool.refuses(-50, "keychain", "let-go", "t")
        tool.refuses(-25316, "keychain", "data", "t")


def test_the_program_that_uses_a_key_in_the_keychain_does_not_have_it(it):
    key, peer = new_key("P-256"), new_key("P-256")
    with KeyTool(it) as tool:
        equal(tool.ask("keychain", "store", "t", "ec", private_bytes(key)), "yes")
        # The positive control of the search.
        assert private_bytes(key)[-32:] in memory(tool.process.pid), "the search does not see the program's memory"
    with KeyTool(it) as tool:
        algorithm = "algid:sign:ECDSA:message-X962:SHA256"
        key.public_key().verify(tool.data("keychain", "sign", "t", algorithm, message), message, ec.ECDSA(hashes.SHA256()))
        secret = tool.data("keychain", "agree", "t", "algid:keyexchange:ECDH", "ec", public_bytes(peer.public_key()))
        equal(secret, peer.exchange(ec.ECDH(), key.public_key()))
        sealed = tool.data("encrypt", "ec", public_bytes(key.public_key()), "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM", message)
        equal(tool.data("keychain", "decrypt", "t", "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM", sealed), message)
        for word in ["export", "data"]:
            tool.refuses(-25316, "keychain", word, "t")
        everything = memory(tool.process.pid)
        assert b"algid:encrypt:ECIES" in everything, "the search does not see the program's memory"
        private = private_bytes(key)[-32:]
        forms = [private, private[::-1], private[:16], private[::-1][:16], written(private_bytes(key))[-40:].encode()]
        lacks(everything, *forms)
        if is_root:
            # No other process may look. Nor does the service, once it has answered and waits for the next request.
            wait_until(lambda: is_waiting(it.pid()) and is_waiting(it.pid()), what="the service's rest")
            everything = memory(it.pid())
            assert b"algid:encrypt:ECIES" in everything, "the search does not see the service's memory"
            lacks(everything, *forms)


def test_another_program_cannot_use_a_key_and_does_not_learn_that_it_is_there(it):
    other = it.programs.copy(it.programs.example("KeyTool"), os.path.join(it.programs.folder, "OtherTool"))
    with open(other, "ab") as file:
        file.write(b"another program")
    with KeyTool(it) as tool, KeyTool(it, other) as thief:
        tool.ask("keychain", "make", "t", "ec", 256)
        for words in [["sign", "t", "algid:sign:ECDSA:message-X962:SHA256", message], ["public", "t"], ["export", "t"], ["data", "t"]]:
            thief.refuses(-25300, "keychain", *words)
        # Of its own it may have one of the same tag.
        thief.ask("keychain", "make", "t", "ec", 256)
