#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of keys and certificates as other programs write them: transfer-v1.json.

    transfer.py make     writes the file anew, with new keys
    transfer.py check    reads with `cryptography` what that can read, and compares

Each vector has a `file`, its `passphrase` (or none), and its `outcome`: `read`, or why it is not. What was read are `items`:
PKCS #8, SubjectPublicKeyInfo or a certificate, each in DER, in the order of the file (of PKCS #12 the keys first). Written by
OpenSSL, ssh-keygen, Java's keytool and `cryptography`; what none of them writes is put together here.
"""

import datetime
import hashlib
import hmac
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import PrivateFormat, pkcs12
from cryptography.x509.oid import NameOID

PATH = pathlib.Path(__file__).resolve().parent / "transfer-v1.json"
DER, PEM = serialization.Encoding.DER, serialization.Encoding.PEM
PLAIN = serialization.NoEncryption()
SECRET = "correct horse"
vectors = []
# Where other programs find and leave their files.
scratch = tempfile.TemporaryDirectory()


def tlv(tag, *parts):
    content = b"".join(parts)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*parts):
    return tlv(0x30, *parts)


def oid(text):
    numbers = [int(part) for part in text.split(".")]
    content = b""
    for number in [numbers[0] * 40 + numbers[1]] + numbers[2:]:
        groups = [number & 0x7F]
        while number > 0x7F:
            number >>= 7
            groups.insert(0, number & 0x7F | 0x80)
        content += bytes(groups)
    return tlv(6, content)


def split(content):
    """The first value's tag and content, and what is behind it."""
    tag, length, rest = content[0], content[1], content[2:]
    if length >= 0x80:
        count = length & 0x7F
        length, rest = int.from_bytes(rest[:count], "big"), rest[count:]
    return tag, rest[:length], rest[length:]


def values(content):
    while content:
        rest = split(content)[2]
        yield content[: len(content) - len(rest)]
        content = rest


def replaced(content, old, new):
    """A value with other bytes somewhere inside, and the lengths around them right."""
    assert content.count(old) == 1
    tag, body, _ = split(content)
    if any(part[0] & 0x20 and old in split(part)[1] for part in values(body)):
        return tlv(tag, *(replaced(part, old, new) if old in part else part for part in values(body)))
    return tlv(tag, body.replace(old, new))


def indefinite(content, depth):
    """A value with the lengths of the outer ones at their ends."""
    tag, body, _ = split(content)
    if not depth or not tag & 0x20:
        return content
    return bytes([tag, 0x80]) + b"".join(indefinite(part, depth - 1) for part in values(body)) + b"\0\0"


def run(*command, given=b""):
    environment = {"PATH": os.environ["PATH"], "HOME": scratch.name, "RANDFILE": "/dev/null"}
    return subprocess.run(
        command, input=given, capture_output=True, check=True, cwd=scratch.name, env=environment).stdout


def file(name, content):
    path = pathlib.Path(scratch.name) / name
    path.write_bytes(content)
    path.chmod(0o600)
    return str(path)


def openssl(*words, given=b""):
    return run("openssl", *words, given=given)


def pkcs8(key):
    return key.private_bytes(DER, PrivateFormat.PKCS8, PLAIN)


def info(key):
    return key.public_key().public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def item(thing):
    if isinstance(thing, x509.Certificate):
        return {"certificate": thing.public_bytes(DER).hex()}
    if hasattr(thing, "private_bytes"):
        return {"privateKey": pkcs8(thing).hex()}
    return {"publicKey": thing.public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo).hex()}


def vector(about, content, items=(), passphrase=None, outcome="read", format=None, **more):
    vectors.append({
        "about": about, "file": content.hex(), "passphrase": passphrase, "outcome": outcome, "format": format,
        "items": [item(one) for one in items], **more})


def certificate(subject, key, issuer=None, issuer_key=None, authority=False, serial=1):
    def name(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = x509.CertificateBuilder(
        issuer_name=name(issuer or subject), subject_name=name(subject), public_key=key.public_key(),
        serial_number=serial, not_valid_before=datetime.datetime(2026, 1, 1),
        not_valid_after=datetime.datetime(2046, 1, 1))
    builder = builder.add_extension(x509.BasicConstraints(authority, None), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    if issuer_key:
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    return builder.sign(issuer_key or key, hashes.SHA256())


def make():
    rsa_key = rsa.generate_private_key(65537, 2048)
    p256, p384, p521 = (ec.generate_private_key(curve()) for curve in (ec.SECP256R1, ec.SECP384R1, ec.SECP521R1))
    ed, x = ed25519.Ed25519PrivateKey.generate(), x25519.X25519PrivateKey.generate()
    keys = {"RSA": rsa_key, "P-256": p256, "P-384": p384, "P-521": p521, "Ed25519": ed, "X25519": x}
    root = certificate("Root", p521, authority=True)
    middle = certificate("Middle", p384, "Root", p521, authority=True, serial=2)
    leaf = certificate("Ann", p256, "Middle", p384, serial=3)
    make_keys(keys)
    make_encrypted_keys(rsa_key, p256)
    make_certificates(root, middle, leaf)
    make_pkcs12(rsa_key, p256, p384, root, middle, leaf)
    PATH.write_text("[\n" + ",\n".join(json.dumps(vector) for vector in vectors) + "\n]\n")


def make_keys(keys):
    for name, key in keys.items():
        vector(f"PKCS #8 of {name}", pkcs8(key), [key], format="openSSL")
        vector(f"SubjectPublicKeyInfo of {name}", info(key), [key.public_key()], format="openSSL")
        if name not in ("X25519",):
            private = key.private_bytes(PEM, PrivateFormat.OpenSSH, PLAIN)
            vector(f"a key of OpenSSH for {name}", private, [key], format="openSSH")
            line = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
            vector(f"a line of OpenSSH for {name}", line + b" ann@example.org\n", [key.public_key()], format="openSSH")
    for name in ("RSA", "P-256", "P-521"):
        key = keys[name]
        traditional = key.private_bytes(DER, PrivateFormat.TraditionalOpenSSL, PLAIN)
        vector(f"the traditional form of {name}", traditional, [key], format="openSSL")
    p256, rsa_key = keys["P-256"], keys["RSA"]
    vector("the traditional form of P-256 in PEM, with the curve's parameters before it",
           openssl("ecparam", "-name", "prime256v1") + p256.private_bytes(PEM, PrivateFormat.TraditionalOpenSSL, PLAIN),
           [p256], format="openSSL")
    vector("a public RSA key of PKCS #1", rsa_key.public_key().public_bytes(DER, serialization.PublicFormat.PKCS1),
           [rsa_key.public_key()], format="openSSL")
    scalar = p256.private_numbers().private_value.to_bytes(32, "big")
    vector("a key of SEC 1 that does not say its curve", sequence(tlv(2, b"\1"), tlv(4, scalar)),
           outcome="unsupported")
    vector("a key of SEC 1 without its public half",
           sequence(tlv(2, b"\1"), tlv(4, scalar), tlv(0xA0, oid("1.2.840.10045.3.1.7"))), [p256], format="openSSL")
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    vector("a key of SEC 1 with another's public half",
           sequence(tlv(2, b"\1"), tlv(4, scalar), tlv(0xA0, oid("1.2.840.10045.3.1.7")), tlv(0xA1, tlv(3, b"\0", point))),
           outcome="malformed")
    vector("a key of SEC 1 with the number zero",
           sequence(tlv(2, b"\1"), tlv(4, bytes(32)), tlv(0xA0, oid("1.2.840.10045.3.1.7"))), outcome="malformed")
    vector("a key of SEC 1 with too large a number",
           sequence(tlv(2, b"\1"), tlv(4, b"\xff" * 32), tlv(0xA0, oid("1.2.840.10045.3.1.7"))), outcome="malformed")
    for curve in (ec.SECP256K1(), ec.SECP224R1(), ec.BrainpoolP256R1()):
        other = ec.generate_private_key(curve)
        vector(f"a key on {curve.name}", pkcs8(other), outcome="unsupported")
    explicit = openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-param_enc", "explicit", "-outform", "DER")
    vector("a key on a curve that is not given by name", explicit, outcome="unsupported")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", SECRET, "-f", "encrypted")
    vector("an encrypted key of OpenSSH", (pathlib.Path(scratch.name) / "encrypted").read_bytes(), passphrase=SECRET,
           outcome="unsupported")


def make_encrypted_keys(rsa_key, p256):
    small, large = file("p256.der", pkcs8(p256)), file("rsa.der", pkcs8(rsa_key))

    def wrapped(path, *words):
        return openssl("pkcs8", "-topk8", "-inform", "DER", "-in", path, "-outform", "DER", "-passout",
                       f"pass:{SECRET}", *words)

    for cipher in ("aes-128-cbc", "aes-192-cbc", "aes-256-cbc"):
        for function in ("SHA1", "SHA224", "SHA256", "SHA384", "SHA512"):
            if cipher == "aes-256-cbc" or function == "SHA256":
                vector(f"PKCS #8 encrypted with {cipher} and PBKDF2 with {function}",
                       wrapped(small, "-v2", cipher, "-v2prf", "hmacWith" + function), [p256], SECRET,
                       format="wrappedPKCS8")
    scrypt = wrapped(small, "-scrypt", "-v2", "aes-256-cbc", "-scrypt_N", "1024")
    vector("PKCS #8 encrypted with scrypt", scrypt, [p256], SECRET, format="wrappedPKCS8")
    vector("an encrypted key and no passphrase", scrypt, outcome="passphraseRequired")
    vector("an encrypted key and another passphrase", scrypt, passphrase="wrong horse", outcome="wrongPassphrase")
    vector("an encrypted key in PEM",
           p256.private_bytes(PEM, PrivateFormat.PKCS8, serialization.BestAvailableEncryption(SECRET.encode())), [p256],
           SECRET, format="wrappedPKCS8")
    vector("PKCS #8 encrypted with scrypt that wants 64 GiB",
           replaced(scrypt, b"\x02\x02\x04\x00\x02\x01\x08", b"\x02\x04\x04\x00\x00\x00\x02\x01\x08"),
           passphrase=SECRET, outcome="tooExpensive")
    common = wrapped(small, "-v2", "aes-256-cbc", "-iter", "2048")
    vector("PKCS #8 encrypted with two thousand million repetitions",
           replaced(common, b"\x02\x02\x08\x00", b"\x02\x04\x7f\xff\xff\xff"), passphrase=SECRET, outcome="tooExpensive")
    vector("PKCS #8 encrypted with no repetitions",
           replaced(common, b"\x02\x02\x08\x00", b"\x02\x01\x00"), passphrase=SECRET, outcome="malformed")
    vector("PKCS #8 of RSA encrypted with Triple DES by PBES2", wrapped(large, "-v2", "des3"), [rsa_key], SECRET,
           format="wrappedPKCS8")
    older = ("-provider", "legacy", "-provider", "default")
    for cipher in ("PBE-SHA1-3DES", "PBE-SHA1-RC2-40"):
        vector(f"PKCS #8 of RSA encrypted with {cipher}", wrapped(large, "-v1", cipher, *older), [rsa_key], SECRET,
               format="wrappedPKCS8")
    vector("PKCS #8 of RSA encrypted with PBE-SHA1-3DES and another passphrase",
           wrapped(large, "-v1", "PBE-SHA1-3DES"), passphrase="wrong horse", outcome="wrongPassphrase")
    vector("PKCS #8 of RSA encrypted with PBE-SHA1-3DES and a passphrase beyond ASCII",
           wrapped(large, "-v1", "PBE-SHA1-3DES"), passphrase="Pferdegespräch", outcome="unsupported")
    for cipher in ("aes128", "aes192", "aes256"):
        vector(f"the traditional form of P-256 encrypted with {cipher}",
               openssl("ec", "-inform", "DER", "-in", small, f"-{cipher}", "-passout", f"pass:{SECRET}"), [p256], SECRET,
               format="wrappedOpenSSL")
    for cipher in ("aes256", "des3"):
        vector(f"the traditional form of RSA encrypted with {cipher}",
               openssl("rsa", "-traditional", "-inform", "DER", "-in", large, f"-{cipher}", "-passout", f"pass:{SECRET}"),
               [rsa_key], SECRET, format="wrappedOpenSSL")
    traditional = openssl("ec", "-inform", "DER", "-in", small, "-des3", "-passout", f"pass:{SECRET}")
    vector("the traditional form of P-256 encrypted with des3", traditional, passphrase=SECRET, outcome="unsupported")


def make_certificates(root, middle, leaf):
    texts = [one.public_bytes(PEM) for one in (leaf, middle, root)]
    vector("a certificate", leaf.public_bytes(DER), [leaf], format="certificate")
    vector("a certificate in PEM", texts[0], [leaf], format="certificate")
    vector("three certificates in PEM, with text between them", b"Ann\n" + b"\nissued by\n".join(texts),
           [leaf, middle, root], format="pemSequence")
    path = file("leaf.pem", texts[0])
    trusted = openssl("x509", "-in", path, "-trustout", "-addtrust", "emailProtection")
    vector("a certificate of OpenSSL's with what it is trusted for", trusted, [leaf], format="certificate")
    bag = openssl("crl2pkcs7", "-nocrl", "-certfile", file("all.pem", b"".join(texts)), "-outform", "DER")
    vector("a bag of PKCS #7", bag, [leaf, middle, root], format="pkcs7")
    vector("a bag of PKCS #7 in PEM", openssl("pkcs7", "-inform", "DER", given=bag), [leaf, middle, root],
           format="pkcs7")
    vector("a bag of PKCS #7 in BER", indefinite(bag, 4), [leaf, middle, root], format="pkcs7")
    netscape = sequence(
        oid("2.16.840.1.113730.2.5"),
        tlv(0xA0, sequence(*(one.public_bytes(DER) for one in (leaf, root)))))
    vector("a sequence of certificates of Netscape's", netscape, [leaf, root], format="netscapeSequence")
    vector("PKCS #7 with data", sequence(oid("1.2.840.113549.1.7.1"), tlv(0xA0, tlv(4, b"data"))), outcome="unsupported")
    vector("text", b"Not a key.\n", outcome="unknownFormat")
    vector("nothing", b"", outcome="unknownFormat")
    vector("a block of PEM that is no key", b"-----BEGIN MESSAGE-----\nAAEC\n-----END MESSAGE-----\n",
           outcome="unknownFormat")
    vector("a value of DER that is no key", sequence(tlv(12, b"text")), outcome="unknownFormat")


def make_pkcs12(rsa_key, p256, p384, root, middle, leaf):
    key = file("key.pem", p256.private_bytes(PEM, PrivateFormat.PKCS8, PLAIN))
    chain = file("chain.pem", b"".join(one.public_bytes(PEM) for one in (leaf, middle, root)))
    only = file("only.pem", leaf.public_bytes(PEM))

    def exported(*words, passphrase=SECRET, pieces=("-inkey", key, "-in", chain)):
        return openssl("pkcs12", "-export", "-passout", f"pass:{passphrase}", *pieces, *words)

    everything = [p256, leaf, middle, root]
    modern = exported("-name", "Ann's identity")
    vector("PKCS #12 as OpenSSL 3 writes it", modern, everything, SECRET, format="pkcs12", names=["Ann's identity"])
    vector("PKCS #12 and no passphrase", modern, outcome="passphraseRequired")
    vector("PKCS #12 and another passphrase", modern, passphrase="wrong horse", outcome="wrongPassphrase")
    vector("PKCS #12 and an empty passphrase", modern, passphrase="", outcome="wrongPassphrase")
    unicode = "Pferdegespräch 😀"
    vector("PKCS #12 with a passphrase beyond ASCII", exported(passphrase=unicode), everything, unicode, format="pkcs12",
           names=[None])
    vector("PKCS #12 with an empty passphrase", exported(passphrase=""), everything, "", format="pkcs12", names=[None])
    vector("PKCS #12 that is not authenticated", exported("-nomac"), everything, SECRET, format="pkcs12", names=[None])
    vector("PKCS #12 that is not authenticated and another passphrase", exported("-nomac"), passphrase="wrong horse",
           outcome="wrongPassphrase")
    clear = exported("-certpbe", "NONE", "-keypbe", "NONE")
    vector("PKCS #12 that is not encrypted", clear, everything, SECRET, format="pkcs12", names=[None])
    for digest in ("sha1", "sha384", "sha512"):
        vector(f"PKCS #12 authenticated with {digest}", exported("-macalg", digest, pieces=("-inkey", key, "-in", only)),
               [p256, leaf], SECRET, format="pkcs12", names=[None])
    vector("PKCS #12 with its certificates alone", exported(pieces=("-nokeys", "-in", chain)), [leaf, middle, root],
           SECRET, format="pkcs12", names=[])
    vector("PKCS #12 with its key alone", exported(pieces=("-nocerts", "-inkey", key)), [p256], SECRET, format="pkcs12",
           names=[])
    vector("PKCS #12 as OpenSSL wrote it before, with RC2", exported("-legacy"), passphrase=SECRET,
           outcome="unsupported")
    vector("PKCS #12 with Triple DES", exported("-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1"),
           passphrase=SECRET, outcome="unsupported")
    vector("PKCS #12 with RC2, and another passphrase", exported("-legacy"), passphrase="wrong horse",
           outcome="wrongPassphrase")
    rsa_path = file("rsa.pem", rsa_key.private_bytes(PEM, PrivateFormat.PKCS8, PLAIN))
    rsa_certificate = certificate("Bob", rsa_key, serial=7)
    bob = file("bob.pem", rsa_certificate.public_bytes(PEM))
    vector("PKCS #12 of RSA with Triple DES for the key and AES for the certificate",
           exported("-keypbe", "PBE-SHA1-3DES", pieces=("-inkey", rsa_path, "-in", bob)), [rsa_key, rsa_certificate],
           SECRET, format="pkcs12", names=[None])
    vector("PKCS #12 with Triple DES for a key that is not RSA's, and AES for the certificate",
           exported("-keypbe", "PBE-SHA1-3DES", pieces=("-inkey", key, "-in", only)), passphrase=SECRET,
           outcome="unsupported")
    builder = PrivateFormat.PKCS12.encryption_builder().kdf_rounds(1000).hmac_hash(hashes.SHA512())
    written = pkcs12.serialize_key_and_certificates(
        "Ann \u2603".encode(), p256, leaf, [root, middle],
        builder.key_cert_algorithm(pkcs12.PBES.PBESv2SHA256AndAES256CBC).build(SECRET.encode()))
    vector("PKCS #12 as cryptography writes it", written, [p256, leaf, root, middle], SECRET, format="pkcs12",
           names=["Ann \u2603"])
    run("keytool", "-importkeystore", "-srckeystore", file("modern.p12", modern), "-srcstoretype", "PKCS12",
        "-srcstorepass", SECRET, "-destkeystore", "java.p12", "-deststoretype", "PKCS12", "-deststorepass", SECRET)
    vector("PKCS #12 as Java writes it", (pathlib.Path(scratch.name) / "java.p12").read_bytes(), everything, SECRET,
           format="pkcs12", names=["ann's identity"])
    make_by_hand(rsa_key, p256, p384, root, middle, leaf, rsa_certificate)


DATA = oid("1.2.840.113549.1.7.1")
BAGS = "1.2.840.113549.1.12.10.1."


def bag(kind, value, key_id=None, name=None):
    attributes = b""
    if name is not None:
        attributes += sequence(oid("1.2.840.113549.1.9.20"), tlv(0x31, tlv(0x1E, name.encode("utf-16-be"))))
    if key_id is not None:
        attributes += sequence(oid("1.2.840.113549.1.9.21"), tlv(0x31, tlv(4, key_id)))
    return sequence(oid(BAGS + str(kind)), tlv(0xA0, value), tlv(0x31, attributes) if attributes else b"")


def certificate_bag(content, key_id=None, name=None):
    if isinstance(content, x509.Certificate):
        content = content.public_bytes(DER)
    return bag(3, sequence(oid("1.2.840.113549.1.9.22.1"), tlv(0xA0, tlv(4, content))), key_id, name)


def key_bag(key, key_id=None, name=None):
    return bag(1, pkcs8(key), key_id, name)


def derived(passphrase, salt, rounds, block=64):
    """RFC 7292, B.2, with SHA-256 and for authentication; one digest long."""
    def filled(text):
        count = -(-len(text) // block) * block
        return (text * count)[:count]

    digest = hashlib.sha256(bytes([3]) * block + filled(salt) + filled(passphrase)).digest()
    for _ in range(rounds - 1):
        digest = hashlib.sha256(digest).digest()
    return digest


SHA256 = sequence(oid("2.16.840.1.101.3.4.2.1"), tlv(5))


def handmade(*bags, passphrase=SECRET.encode("utf-16-be") + b"\0\0", rounds=b"\x08", pieces=False, authentication=None):
    contents = sequence(sequence(DATA, tlv(0xA0, tlv(4, sequence(*bags)))))
    salt = bytes(range(8))
    key = derived(passphrase, salt, int.from_bytes(rounds, "big") if len(rounds) < 3 else 1)
    mac = authentication(contents) if authentication else sequence(
        sequence(SHA256, tlv(4, hmac.new(key, contents, "sha256").digest())), tlv(4, salt), tlv(2, rounds))
    if not pieces:
        return sequence(tlv(2, b"\3"), sequence(DATA, tlv(0xA0, tlv(4, contents))), mac)
    strings = b"".join(tlv(4, contents[at:at + 100]) for at in range(0, len(contents), 100))
    octets = b"\x24\x80" + strings + b"\0\0"
    return b"\x30\x80" + tlv(2, b"\3") + b"\x30\x80" + DATA + b"\xa0\x80" + octets + b"\0\0" * 2 + mac + b"\0\0"


def make_by_hand(rsa_key, p256, p384, root, middle, leaf, rsa_certificate):
    pair = (key_bag(p256, b"1"), certificate_bag(leaf, b"1"))
    vector("PKCS #12 in BER, its contents in pieces", handmade(*pair, pieces=True), [p256, leaf], SECRET, format="pkcs12",
           names=[None])
    vector("PKCS #12 authenticated with no passphrase", handmade(*pair, passphrase=b""), [p256, leaf], "",
           format="pkcs12", names=[None])
    second = certificate("Ann, again", p256, serial=9)
    vector("PKCS #12 with two identities",
           handmade(key_bag(p256, b"1", "first"), key_bag(rsa_key, b"2"), certificate_bag(rsa_certificate, b"2", "second"),
                    certificate_bag(leaf, b"1")),
           [p256, rsa_key, rsa_certificate, leaf], SECRET, format="pkcs12", names=["first", "second"])
    vector("PKCS #12 with two certificates for one key, neither of them named by it",
           handmade(key_bag(p256), certificate_bag(leaf), certificate_bag(second, name="again")), [p256, leaf, second],
           SECRET, format="pkcs12", names=[None, "again"])
    vector("PKCS #12 with two certificates for one key, of which it names one",
           handmade(key_bag(p256, b"x"), certificate_bag(leaf), certificate_bag(second, b"x", "again")),
           [p256, leaf, second], SECRET, format="pkcs12", names=["again"])
    vector("PKCS #12 that says that a key and another's certificate belong together",
           handmade(key_bag(p384, b"1"), certificate_bag(leaf, b"1")), [p384, leaf], SECRET, format="pkcs12", names=[])
    vector("PKCS #12 with the same key and certificate twice", handmade(*pair, *pair), [p256, p256, leaf, leaf], SECRET,
           format="pkcs12", names=[None])
    nested = bag(6, sequence(bag(6, sequence(*pair))))
    vector("PKCS #12 with bags in bags", handmade(nested), [p256, leaf], SECRET, format="pkcs12", names=[None])
    deep = pair[0]
    for _ in range(10):
        deep = bag(6, sequence(deep))
    vector("PKCS #12 with bags in bags, 10 deep", handmade(deep), passphrase=SECRET, outcome="malformed")
    vector("PKCS #12 with a list of revocations and another secret",
           handmade(*pair, bag(4, sequence()), bag(5, sequence())), [p256, leaf], SECRET, format="pkcs12", names=[None])
    vector("PKCS #12 with what is no certificate", handmade(pair[0], certificate_bag(sequence(tlv(2, b"\1")))),
           passphrase=SECRET, outcome="malformed")
    vector("PKCS #12 with a key on secp256k1", handmade(key_bag(ec.generate_private_key(ec.SECP256K1()))),
           passphrase=SECRET, outcome="unsupported")
    vector("PKCS #12 authenticated with two thousand million repetitions", handmade(*pair, rounds=b"\x7f\xff\xff\xff"),
           passphrase=SECRET, outcome="tooExpensive")
    changed = bytearray(handmade(*pair))
    changed[200] ^= 1
    vector("PKCS #12 that was changed", bytes(changed), passphrase=SECRET, outcome="wrongPassphrase")
    vector("PKCS #12 of version 2", sequence(tlv(2, b"\2"), sequence(DATA, tlv(0xA0, tlv(4, b"")))), passphrase=SECRET,
           outcome="unsupported")
    vector("PKCS #12 that is signed", sequence(tlv(2, b"\3"), sequence(oid("1.2.840.113549.1.7.2"), tlv(0xA0, sequence()))),
           passphrase=SECRET, outcome="unsupported")
    envelope = sequence(sequence(oid("1.2.840.113549.1.7.3"), tlv(0xA0, sequence())))
    vector("PKCS #12 that is encrypted for a certificate",
           sequence(tlv(2, b"\3"), sequence(DATA, tlv(0xA0, tlv(4, envelope)))), passphrase=SECRET, outcome="unsupported")

    def pbmac1(contents):
        """RFC 9579."""
        salt, function = bytes(range(16)), sequence(oid("1.2.840.113549.2.9"), tlv(5))
        key = hashlib.pbkdf2_hmac("sha256", SECRET.encode(), salt, 1000, 32)
        derivation = sequence(
            oid("1.2.840.113549.1.5.12"),
            sequence(tlv(4, salt), tlv(2, b"\x03\xe8"), tlv(2, b"\x20"), function))
        algorithm = sequence(oid("1.2.840.113549.1.5.14"), sequence(derivation, function))
        code = hmac.new(key, contents, "sha256").digest()
        return sequence(sequence(algorithm, tlv(4, code)), tlv(4, b"\0" * 8), tlv(2, b"\1"))

    vector("PKCS #12 authenticated as RFC 9579 says", handmade(*pair, authentication=pbmac1), [p256, leaf], SECRET,
           format="pkcs12", names=[None])


def check():
    # It says that it would rather have DER.
    warnings.simplefilter("ignore")
    compared = 0
    for one in json.loads(PATH.read_text()):
        content = bytes.fromhex(one["file"])
        if one["format"] != "pkcs12":
            continue
        passphrase = one["passphrase"].encode()
        try:
            key, leaf, others = pkcs12.load_key_and_certificates(content, passphrase)
        except ValueError as error:
            print(f"cryptography refuses \"{one['about']}\": {error}")
            continue
        found = [item(thing) for thing in [key, leaf, *others] if thing]
        expected = {tuple(thing.items()) for thing in one["items"]}
        assert {tuple(thing.items()) for thing in found} <= expected, one["about"]
        compared += 1
    print(f"{compared} files read as they should")


{"make": make, "check": check}[sys.argv[1]]()
