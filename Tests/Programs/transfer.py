# SPDX-License-Identifier: Apache-2.0
"""Files of keys and certificates, read and written by Apple's functions, against Python's cryptography, OpenSSL and ssh-keygen.

What one writes the others read, in both directions, for every format."""

import base64
import datetime
import math
import os
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import PrivateFormat, PublicFormat, pkcs12
from cryptography.x509.oid import NameOID

from support import key_tool
from support.seeds import dice
from support.sentences import cases, contains, equal

OPENSSL, BSAFE, WRAPPED, X509, SEQUENCE, PKCS7, PKCS12, SSH = 1, 3, 5, 9, 10, 11, 12, 14
der, pem, plain = serialization.Encoding.DER, serialization.Encoding.PEM, serialization.NoEncryption()
curves = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1}
kinds = ["RSA", *curves, "Ed25519", "X25519"]
secret = "korrektes Pferd 🐴".encode()
rsa_keys = []


class KeyTool(key_tool.KeyTool):
    """It reads and writes files."""

    def read(self, file, passphrase="-"):
        """The format, and the items as pairs of a kind and its bytes."""
        words = self.ask("import", passphrase, file).split()
        return int(words[0]), [word.replace("identity:certificate:", "identity:") for word in words[2:]]

    def write(self, number, armour, key, passphrase="-", certificates=(), half="private"):
        data = external(key) if half == "private" else external_public(key.public_key())
        chain = [one.public_bytes(der) for one in certificates]
        return self.data("export", number, "pem" if armour else "der", passphrase, type_of(key), half, data, *chain)


def new_key(kind, choices):
    """A key that random choices determine."""
    if kind == "RSA":
        # Making one takes longer than all the rest.
        if not rsa_keys:
            # Not of these choices: the key is the same whichever test needs it first.
            rsa_keys.append(new_rsa_key(dice("RSA key")))
        return rsa_keys[0]
    if kind in curves:
        curve = curves[kind]()
        # Each of these curves has an order of more than that.
        return ec.derive_private_key(1 + choices.randrange(2 ** curve.key_size - 2 ** (curve.key_size - 31)), curve)
    return (ed25519.Ed25519PrivateKey if kind == "Ed25519" else x25519.X25519PrivateKey).from_private_bytes(choices.randbytes(32))


def new_rsa_key(choices, exponent=65537):
    small = math.prod(number for number in range(3, 1000) if all(number % divisor for divisor in range(2, number)))

    def prime():
        while True:
            number = choices.getrandbits(1024) | 3 << 1022 | 1
            if math.gcd(number, small) == 1 and number % exponent != 1 and pow(2, number - 1, number) == 1:
                return number

    p, q = sorted([prime(), prime()], reverse=True)
    d = pow(exponent, -1, math.lcm(p - 1, q - 1))
    public = rsa.RSAPublicNumbers(exponent, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


def type_of(key):
    names = {rsa.RSAPrivateKey: "rsa", ec.EllipticCurvePrivateKey: "ec", ed25519.Ed25519PrivateKey: "ed25519"}
    return next((name for kind, name in names.items() if isinstance(key, kind)), "x25519")


def external_public(key):
    if isinstance(key, rsa.RSAPublicKey):
        return key.public_bytes(der, PublicFormat.PKCS1)
    if isinstance(key, ec.EllipticCurvePublicKey):
        return key.public_bytes(serialization.Encoding.X962, PublicFormat.UncompressedPoint)
    return key.public_bytes(serialization.Encoding.Raw, PublicFormat.Raw)


def external(key):
    if isinstance(key, rsa.RSAPrivateKey):
        return key.private_bytes(der, PrivateFormat.TraditionalOpenSSL, plain)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        scalar = key.private_numbers().private_value.to_bytes((key.curve.key_size + 7) // 8, "big")
        return external_public(key.public_key()) + scalar
    return key.private_bytes(serialization.Encoding.Raw, PrivateFormat.Raw, plain)


def private(key):
    return "private:" + base64.b64encode(external(key)).decode()


def public(key):
    return "public:" + base64.b64encode(external_public(key.public_key())).decode()


def in_words(certificate):
    return "certificate:" + base64.b64encode(certificate.public_bytes(der)).decode()


def certificate(subject, key, issuer=None, issuer_key=None):
    def name(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = x509.CertificateBuilder(
        issuer_name=name(issuer or subject), subject_name=name(subject), public_key=key.public_key(),
        serial_number=x509.random_serial_number(), not_valid_before=datetime.datetime(2026, 1, 1),
        not_valid_after=datetime.datetime(2046, 1, 1))
    signer = issuer_key or key
    return builder.sign(signer, None if isinstance(signer, ed25519.Ed25519PrivateKey) else hashes.SHA256())


def openssl(*words, given=b""):
    return subprocess.run(["openssl", *words], input=given, capture_output=True, check=True).stdout


def bag(it, text):
    """The certificates in a text as PKCS #7."""
    path = os.path.join(it.directories["home"], "certificates")
    with open(path, "wb") as file:
        file.write(text)
    return openssl("crl2pkcs7", "-nocrl", "-certfile", path, "-outform", "DER")


@cases("kind", kinds)
def test_keys_of_that_others_wrote_are_read(it, kind):
    choices = dice("keys", kind)
    with KeyTool(it) as tool:
        for number in range(1 if kind == "RSA" else 25):
            key = new_key(kind, choices)
            for encoding in (der, pem):
                equal(tool.read(key.private_bytes(encoding, PrivateFormat.PKCS8, plain)), (OPENSSL, [private(key)]))
                written = key.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
                equal(tool.read(written), (OPENSSL, [public(key)]))
                if kind in ("RSA", *curves):
                    written = key.private_bytes(encoding, PrivateFormat.TraditionalOpenSSL, plain)
                    equal(tool.read(written), (OPENSSL, [private(key)]))
            if kind != "X25519":
                equal(tool.read(key.private_bytes(pem, PrivateFormat.OpenSSH, plain)), (SSH, [private(key)]))
                line = key.public_key().public_bytes(serialization.Encoding.OpenSSH, PublicFormat.OpenSSH)
                equal(tool.read(line), (SSH, [public(key)]))
            if number == 0:
                wrapped = key.private_bytes(der, PrivateFormat.PKCS8, serialization.BestAvailableEncryption(secret))
                equal(tool.read(wrapped, secret), (WRAPPED, [private(key)]))
                tool.refuses(-25264, "import", b"wrong", wrapped)


@cases("kind", kinds)
def test_keys_of_are_written_so_that_others_read_them(it, kind):
    choices = dice("keys", kind)
    with KeyTool(it) as tool:
        for number in range(1 if kind == "RSA" else 25):
            key = new_key(kind, choices)
            numbers = external(key)
            for load, armour in ((serialization.load_der_private_key, False), (serialization.load_pem_private_key, True)):
                equal(external(load(tool.write(OPENSSL, armour, key), None)), numbers)
                if number == 0:
                    equal(external(load(tool.write(WRAPPED, armour, key, secret), secret)), numbers)
            written = tool.write(OPENSSL, False, key, half="public")
            equal(external_public(serialization.load_der_public_key(written)), external_public(key.public_key()))
            if kind != "X25519":
                equal(external(serialization.load_ssh_private_key(tool.write(SSH, False, key), None)), numbers)
                line = tool.write(SSH, False, key, half="public")
                equal(external_public(serialization.load_ssh_public_key(line)), external_public(key.public_key()))
        if kind == "RSA":
            equal(external(serialization.load_der_private_key(tool.write(BSAFE, False, key), None)), numbers)


@cases("kind", [kind for kind in kinds if kind != "X25519"])
def test_openssl_and_ssh_keygen_read_the_files_of_keys_of(it, kind):
    choices = dice("files of keys", kind)
    with KeyTool(it) as tool:
        key = new_key(kind, choices)
        info = key.public_key().public_bytes(der, PublicFormat.SubjectPublicKeyInfo)
        wrapped = tool.write(WRAPPED, True, key, b"horse")
        equal(openssl("pkey", "-pubout", "-outform", "DER", "-passin", "pass:horse", given=wrapped), info)
        equal(openssl("pkey", "-pubout", "-outform", "DER", given=tool.write(OPENSSL, True, key)), info)
        path = os.path.join(it.directories["home"], "key")
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(tool.write(SSH, True, key))
        line = subprocess.run(["ssh-keygen", "-y", "-f", path], capture_output=True, check=True).stdout
        equal(line.split()[:2], tool.write(SSH, False, key, half="public").split()[:2])


@cases("kind", ["RSA", *curves, "Ed25519"])
def test_pkcs_12_files_of_go_both_ways_with_their_chain(it, kind):
    choices = dice("chains", kind)
    with KeyTool(it) as tool:
        authority, key = new_key("P-384", choices), new_key(kind, choices)
        root = certificate("Root", authority)
        leaf = certificate("Ann", key, "Root", authority)
        identity = f"identity:{in_words(leaf).split(':')[1]}:{private(key)}"

        written = tool.write(PKCS12, False, key, secret, [leaf, root])
        found_key, found_leaf, others = pkcs12.load_key_and_certificates(written, secret)
        equal(external(found_key), external(key))
        equal((found_leaf, others), (leaf, [root]))
        equal(tool.read(written, secret), (PKCS12, [identity, in_words(root)]))
        tool.refuses(-25264, "import", b"wrong", written)
        tool.refuses(-25260, "import", "-", written)
        ascii = tool.write(PKCS12, False, key, b"horse", [leaf, root])
        text = openssl("pkcs12", "-nodes", "-passin", "pass:horse", given=ascii)
        equal(text.count(b"BEGIN CERTIFICATE"), 2)
        contains(text.decode(), "friendlyName: Ann")

        pieces = key.private_bytes(pem, PrivateFormat.PKCS8, plain) + leaf.public_bytes(pem) + root.public_bytes(pem)
        theirs = openssl("pkcs12", "-export", "-passout", "pass:horse", given=pieces)
        equal(tool.read(theirs, b"horse"), (PKCS12, [identity, in_words(root)]))


@cases("cipher", ["PBE-SHA1-3DES", "PBE-SHA1-2DES", "PBE-SHA1-RC2-40", "PBE-SHA1-RC2-128", "PBE-SHA1-RC4-128"])
def test_pkcs_12_files_with_older_ciphers_are_read(it, cipher):
    choices = dice("old files", cipher)
    with KeyTool(it) as tool:
        authority = new_key("P-384", choices)
        root = certificate("Root", authority)
        for kind in ["RSA", "P-256"]:
            key = new_key(kind, choices)
            leaf = certificate("Ann", key, "Root", authority)
            pieces = key.private_bytes(pem, PrivateFormat.PKCS8, plain) + leaf.public_bytes(pem) + root.public_bytes(pem)
            identity = f"identity:{in_words(leaf).split(':')[1]}:{private(key)}"
            for passphrase in ["horse", "Überpferd"]:
                theirs = openssl(
                    "pkcs12", "-export", "-legacy", "-keypbe", cipher, "-certpbe", cipher, "-macalg", "sha1",
                    "-passout", "pass:" + passphrase, given=pieces)
                equal(tool.read(theirs, passphrase.encode()), (PKCS12, [identity, in_words(root)]))
                tool.refuses(-25264, "import", b"wrong", theirs)
            wrapped = openssl(
                "pkcs8", "-topk8", "-v1", cipher, "-provider", "legacy", "-provider", "default", "-passout", "pass:horse",
                "-outform", "DER", given=key.private_bytes(pem, PrivateFormat.PKCS8, plain))
            equal(tool.read(wrapped, b"horse"), (WRAPPED, [private(key)]))


def test_bags_and_sequences_of_certificates_go_both_ways(it):
    with KeyTool(it) as tool:
        key = new_key("P-256", dice("bags"))
        chain = [certificate(f"Number {number}", key) for number in range(150)]
        words = [in_words(one) for one in chain]
        text = b"".join(one.public_bytes(pem) for one in chain)
        equal(tool.read(text), (SEQUENCE, words))
        equal(tool.read(bag(it, text)), (PKCS7, words))
        # The tool's export begins with a key: it and the certificates in a sequence.
        sequence = tool.write(SEQUENCE, False, key, certificates=chain[:3])
        equal(tool.read(sequence), (SEQUENCE, [private(key), *words[:3]]))
        equal(tool.read(bag(it, sequence)), (PKCS7, words[:3]))
