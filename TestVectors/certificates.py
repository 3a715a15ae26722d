#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Certificates of all kinds and what they say: certificates-v1.json.

    certificates.py make     writes the file anew, with new keys
    certificates.py check    reads each certificate again, and asks `cryptography` and `openssl x509` too

The facts are read by the few lines of DER below, not by the Swift code that the vectors check. Where `cryptography` or OpenSSL
refuses a certificate, `check` says so; what they read must be the same.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.name import _ASN1Type
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PATH = pathlib.Path(__file__).resolve().parent / "certificates-v1.json"
UTC = datetime.timezone.utc


# Writing DER.

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


def attribute(kind, tag, content):
    return sequence(oid(kind), tlv(tag, content.encode() if isinstance(content, str) else content))


def name(*sets):
    """Each set is an attribute, or a list of them."""
    return sequence(*(tlv(0x31, *(one if isinstance(one, list) else [one])) for one in sets))


def extension(kind, value, critical=None):
    return sequence(oid(kind), b"" if critical is None else tlv(1, critical), tlv(4, value))


COMMON, COUNTRY, ORGANIZATION, UNIT, DESCRIPTION = "2.5.4.3", "2.5.4.6", "2.5.4.10", "2.5.4.11", "2.5.4.13"
EMAIL = "1.2.840.113549.1.9.1"
PLAIN = name(attribute(COMMON, 0x0C, "Plain"))
KEY = ec.derive_private_key(0x1234567, ec.SECP256R1()).public_key().public_bytes(
    serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def certificate(
        version=b"\xa0\x03\x02\x01\x02", serial=b"\x01", issuer=PLAIN, subject=PLAIN,
        begins=(0x17, "200101000000Z"), ends=(0x17, "300101000000Z"), key=KEY, extensions=(), unique=b""):
    """A certificate whose signature nobody made."""
    algorithm = sequence(oid("1.2.840.10045.4.3.2"))
    signed = sequence(
        version, tlv(2, serial), algorithm, issuer, sequence(*(tlv(tag, text.encode()) for tag, text in (begins, ends))),
        subject, key, unique, tlv(0xA3, sequence(*extensions)) if extensions else b"")
    return sequence(signed, algorithm, tlv(3, b"\0" + bytes(70)))


# Reading DER.

def read(data):
    """The values in a content: tag, content, and the whole of each."""
    values = []
    while data:
        length, header = data[1], 2
        if length > 0x7F:
            header += length & 0x7F
            length = int.from_bytes(data[2:header], "big")
        values.append((data[0], data[header:header + length], data[:header + length]))
        data = data[header + length:]
    return values


def dotted(content):
    numbers, number = [], 0
    for byte in content:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, [first, numbers[0] - 40 * first] + numbers[1:]))


ENCODINGS = {12: "utf-8", 18: "ascii", 19: "ascii", 20: "latin-1", 22: "ascii", 26: "latin-1", 28: "utf-32-be", 30: "utf-16-be"}


def attributes(content):
    found = []
    for _, members, _ in read(content):
        for _, pair, _ in read(members):
            kind, value = read(pair)
            text = value[1].decode(ENCODINGS[value[0]])
            found.append((dotted(kind[1]), text))
    return found


def normalized(content):
    sets = []
    for _, members, _ in read(content):
        pairs = []
        for _, pair, _ in read(members):
            kind, (tag, value, whole) = read(pair)
            if tag == 19:
                value = re.sub(rb"[ \t]+", b" ", value).strip(b" ").upper()
                whole = tlv(19, value)
            pairs.append(sequence(kind[2], whole))
        sets.append(tlv(0x31, *pairs))
    return b"".join(sets)


def seconds(tag, content):
    text = content.decode()
    if tag == 0x17:
        text = ("20" if int(text[:2]) < 50 else "19") + text
    match = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(\.\d+)?(Z|[+-]\d{4})", text)
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    zone = match.group(8)
    offset = 0 if zone == "Z" else int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[3:]))
    moment = datetime.datetime(year, month, day, hour, minute, tzinfo=UTC)
    since = moment - datetime.datetime(1970, 1, 1, tzinfo=UTC)
    return since.days * 86400 + since.seconds + second - offset * 60 + float(match.group(7) or 0)


def summary(names, emails, hosts):
    for kind in (COMMON, UNIT, ORGANIZATION):
        texts = [text for found, text in names if found == kind]
        if texts:
            break
    else:
        kind, texts = None, [text for _, text in names]
    line = ", ".join(reversed(texts))
    about = ", ".join(reversed([text for found, text in names if found == DESCRIPTION]))
    if kind == COMMON and about:
        line += f" ({about})"
    return line if texts else (emails + hosts + [None])[0]


def facts(der):
    fields = read(read(read(der)[0][1])[0][1])
    result = {"version": 1}
    if fields[0][0] == 0xA0:
        result["version"] = read(fields.pop(0)[1])[0][1][0] + 1
    serial, _, issuer, validity, subject, key = fields[:6]
    extensions = {}
    for tag, content, _ in fields[6:]:
        if tag == 0xA3:
            for _, one, _ in read(read(content)[0][1]):
                parts = read(one)
                extensions[dotted(parts[0][1])] = parts[-1][1]
    result |= {
        "serialNumber": serial[1].hex(),
        "issuer": issuer[2].hex(),
        "subject": subject[2].hex(),
        "normalizedIssuer": normalized(issuer[1]).hex(),
        "normalizedSubject": normalized(subject[1]).hex(),
        "notBefore": seconds(*read(validity[1])[0][:2]),
        "notAfter": seconds(*read(validity[1])[1][:2]),
        "publicKeyInfo": key[2].hex(),
        "publicKeyHash": hashlib.sha1(read(key[1])[1][1][1:]).hexdigest(),
        "sha256": hashlib.sha256(der).hexdigest(),
        "extensions": list(extensions),
    }
    if "2.5.29.14" in extensions:
        result["subjectKeyIdentifier"] = read(extensions["2.5.29.14"])[0][1].hex()
    if "2.5.29.35" in extensions:
        for tag, content, _ in read(read(extensions["2.5.29.35"])[0][1]):
            if tag == 0x80:
                result["authorityKeyIdentifier"] = content.hex()
    if "2.5.29.19" in extensions:
        constraints = read(read(extensions["2.5.29.19"])[0][1])
        result["isAuthority"] = any(tag == 1 and content == b"\xff" for tag, content, _ in constraints)
        for tag, content, _ in constraints:
            if tag == 2:
                result["pathLength"] = int.from_bytes(content, "big")
    if "2.5.29.15" in extensions:
        bits = read(extensions["2.5.29.15"])[0][1][1:]
        result["keyUsage"] = [n for n in range(len(bits) * 8) if bits[n // 8] & 0x80 >> n % 8]
    if "2.5.29.37" in extensions:
        result["extendedKeyUsage"] = [dotted(content) for _, content, _ in read(read(extensions["2.5.29.37"])[0][1])]
    alternatives = read(read(extensions["2.5.29.17"])[0][1]) if "2.5.29.17" in extensions else []
    names = attributes(subject[1])

    def texts(number):
        return [content.decode() for tag, content, _ in alternatives if tag == 0x80 + number]

    common = [text for kind, text in names if kind == COMMON]
    result["emailAddresses"] = texts(1) + [text for kind, text in names if kind == EMAIL]
    host = re.compile(r"(?:(?!-)[A-Za-z0-9_*-]{1,63}(?<!-)\.)*(?!-)(?=[A-Za-z0-9_*-]*[A-Za-z*])[A-Za-z0-9_*-]{1,63}(?<!-)")
    result["dnsNames"] = ([text for text in texts(2) if host.fullmatch(text)]
                          or [text for text in common if host.fullmatch(text)])
    result["uris"] = texts(6)
    result["ipAddresses"] = [".".join(map(str, content)) if len(content) == 4
                             else ":".join(content[n:n + 2].hex().upper() for n in range(0, 16, 2))
                             for tag, content, _ in alternatives if tag == 0x87]
    result["commonName"] = common[-1] if common else None
    result["subjectSummary"] = summary(names, result["emailAddresses"], result["dnsNames"])
    return result


# The certificates.

def made_by_cryptography():
    now, later = datetime.datetime(2024, 2, 29, 12, 0, 1), datetime.datetime(2044, 2, 29, 12, 0, 1)

    def build(key, subject, issuer=None, extensions=(), digest=hashes.SHA256(), signer=None, begins=now, ends=later):
        builder = x509.CertificateBuilder(
            issuer or subject, subject, key.public_key(), 0x1122334455667788, begins, ends)
        for value, critical in extensions:
            builder = builder.add_extension(value, critical)
        return builder.sign(signer or key, digest).public_bytes(serialization.Encoding.DER)

    def called(*pairs):
        return x509.Name([x509.NameAttribute(kind, text) for kind, text in pairs])

    person = called((NameOID.COUNTRY_NAME, "GB"), (NameOID.ORGANIZATION_NAME, "Mice Ltd"), (NameOID.COMMON_NAME, "Ann Mouse"),
                    (NameOID.EMAIL_ADDRESS, "ann@example.com"))
    authority = called((NameOID.COMMON_NAME, "MouseCA"), (NameOID.COUNTRY_NAME, "GB"))
    rsa_key, ec_key = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    usage = dict.fromkeys(["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                           "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"], False)
    yield "an authority, on P-256, with a limit of the path", build(ec_key, authority, extensions=[
        (x509.BasicConstraints(True, 3), True),
        (x509.KeyUsage(**usage | {"key_cert_sign": True, "crl_sign": True}), True),
        (x509.SubjectKeyIdentifier.from_public_key(ec_key.public_key()), False)])
    yield "a person's certificate for RSA with most extensions", build(rsa_key, person, authority, signer=ec_key, extensions=[
        (x509.BasicConstraints(False, None), True),
        (x509.KeyUsage(**usage | {"digital_signature": True, "key_agreement": True, "decipher_only": True}), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.EMAIL_PROTECTION]), False),
        (x509.SubjectKeyIdentifier.from_public_key(rsa_key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(ec_key.public_key()), False),
        (x509.SubjectAlternativeName([
            x509.RFC822Name("mouse@example.org"), x509.DNSName("*.example.org"), x509.DNSName("10.1.2.3"),
            x509.UniformResourceIdentifier("https://example.org/mouse"),
            x509.IPAddress(__import__("ipaddress").ip_address("192.0.2.1")),
            x509.IPAddress(__import__("ipaddress").ip_address("2001:db8::1")), x509.DirectoryName(person),
            x509.RegisteredID(x509.ObjectIdentifier("1.2.3.4")),
            x509.OtherName(x509.ObjectIdentifier("1.3.6.1.4.1.311.20.2.3"), tlv(12, b"ann@mice"))]), False)])
    for about, key, digest in [
            ("P-384", ec.generate_private_key(ec.SECP384R1()), hashes.SHA384()),
            ("P-521", ec.generate_private_key(ec.SECP521R1()), hashes.SHA512()),
            ("Ed25519", ed25519.Ed25519PrivateKey.generate(), None),
            ("Ed448, which is not known here", ed448.Ed448PrivateKey.generate(), None),
            ("secp256k1, which is not known here", ec.generate_private_key(ec.SECP256K1()), hashes.SHA256()),
            ("RSA with 1024 bits", rsa.generate_private_key(65537, 1024), hashes.SHA256()),
            ("RSA with 4096 bits", rsa.generate_private_key(65537, 4096), hashes.SHA512())]:
        yield about, build(key, called((NameOID.COMMON_NAME, about)), digest=digest)
    yield "no subject, and an e-mail address as the only name", build(ec_key, x509.Name([]), authority, extensions=[
        (x509.SubjectAlternativeName([x509.RFC822Name("only@example.org")]), True)])
    yield "no subject, and a host as the only name", build(ec_key, x509.Name([]), authority, extensions=[
        (x509.SubjectAlternativeName([x509.DNSName("only.example.org")]), True)])
    yield "two thousand names", build(ec_key, person, authority, extensions=[
        (x509.SubjectAlternativeName([x509.DNSName(f"host-{n}.example.org") for n in range(2000)]), False)])
    yield "valid until 9999", build(ec_key, person, ends=datetime.datetime(9999, 12, 31, 23, 59, 59))
    yield "names in BMPString and T61String", build(ec_key, x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Müller", _type=_ASN1Type.BMPString),
        x509.NameAttribute(NameOID.COMMON_NAME, "Plain T61", _type=_ASN1Type.T61String)]))


def made_by_openssl():
    with tempfile.TemporaryDirectory() as folder:
        def openssl(*arguments):
            return subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True).stdout

        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "request.pem", "-utf8",
                "-subj", "/C=de/O=Mäuse  GmbH/OU=One/OU=Two/CN=Anna Maus")
        yield "version 1, by OpenSSL", openssl(
            "x509", "-req", "-in", "request.pem", "-key", "key.pem", "-days", "3650", "-set_serial", "0", "-outform", "DER")
        yield "a multi-valued name and a serial number of 20 bytes, by OpenSSL", openssl(
            "req", "-x509", "-key", "key.pem", "-multivalue-rdn", "-subj", "/O=Mice+OU=Cellar/CN=Bob+emailAddress=bob@example.com",
            "-set_serial", "0x7fffffffffffffffffffffffffffffffffffffff", "-days", "9000", "-outform", "DER",
            "-addext", "subjectAltName=email:copy,DNS:bob.example.com")


def made_here():
    shouting = name(attribute(COUNTRY, 0x13, "gb"), attribute(ORGANIZATION, 0x13, "\t Mice  \t and   Men "), attribute(COMMON, 0x0C, "  as It is  "))
    yield "blanks and letters that are normalised", certificate(issuer=shouting, subject=shouting)
    long = name(attribute(UNIT, 0x13, "a" + " " * 130 + "b"), [attribute(COMMON, 0x13, "x" * 120), attribute(UNIT, 0x13, " " * 300)])
    yield "normalising makes lengths shorter", certificate(issuer=long, subject=long)
    yield "the issuer of a forum's example", certificate(issuer=name(
        attribute(COMMON, 0x0C, "MouseCA"), attribute(COUNTRY, 0x13, "GB")))
    yield "every type of string", certificate(subject=name(
        attribute(UNIT, 0x0C, "UTF-8 ä €"), attribute(UNIT, 0x12, "12 34"), attribute(UNIT, 0x13, "Printable"),
        attribute(UNIT, 0x14, "Caf\xe9".encode("latin-1")), attribute(UNIT, 0x16, "IA5"), attribute(UNIT, 0x1A, "Visible"),
        attribute(UNIT, 0x1C, "Universal €".encode("utf-32-be")), attribute(UNIT, 0x1E, "BMP €".encode("utf-16-be"))))
    yield "two common names and two descriptions", certificate(subject=name(
        attribute(DESCRIPTION, 0x0C, "first"), attribute(COMMON, 0x0C, "Outer"), [attribute(COMMON, 0x0C, "Inner"), attribute(ORGANIZATION, 0x0C, "O")],
        attribute(DESCRIPTION, 0x0C, "second")))
    yield "a subject with an organization and a country", certificate(subject=name(
        attribute(ORGANIZATION, 0x0C, "The Organization"), attribute(COUNTRY, 0x13, "GB")))
    yield "a subject with a country and an attribute of another's", certificate(subject=name(
        attribute(COUNTRY, 0x13, "GB"), attribute("2.25.329800735698586629295641978511506172918", 0x0C, "by UUID")))
    yield "a host as the common name", certificate(subject=name(attribute(COMMON, 0x0C, "www.example.org")))
    yield "an address as the common name", certificate(subject=name(attribute(COMMON, 0x0C, "192.0.2.1")))
    yield "a negative serial number", certificate(serial=b"\x80\x01")
    yield "a serial number of 37 bytes", certificate(serial=b"\x01" * 37)
    yield "valid from 1949 until 2050", certificate(begins=(0x18, "19491231235959Z"), ends=(0x18, "20500101000000Z"))
    yield "valid from 1950 until 2049", certificate(begins=(0x17, "500101000000Z"), ends=(0x17, "491231235959Z"))
    yield "valid from the year 1 until a leap day", certificate(begins=(0x18, "00010101000000Z"), ends=(0x18, "20000229000000Z"))
    yield "times without seconds", certificate(begins=(0x17, "2001010000Z"), ends=(0x18, "203001010000Z"))
    yield "times with a zone", certificate(begins=(0x17, "200101000000+0130"), ends=(0x18, "20300101000000-0500"))
    yield "a time with a fraction, and a leap second", certificate(begins=(0x18, "20200101000000.25Z"), ends=(0x18, "20161231235960Z"))
    yield "version 2 with unique identifiers", certificate(
        version=b"\xa0\x03\x02\x01\x01", unique=tlv(0x81, b"\0\1\2") + tlv(0x82, b"\0\3\4"))
    yield "an unknown critical extension", certificate(extensions=[extension("1.2.3.4.5", b"\x05\0", b"\xff")])
    yield "an extension that says that it is not critical", certificate(extensions=[
        extension("2.5.29.19", sequence(), b"\0"), extension("2.5.29.15", b"\x03\x02\x00\xff")])


def check(vectors):
    refused = 0
    for vector in vectors:
        der, expected, about = bytes.fromhex(vector["certificate"]), vector["facts"], vector["about"]
        assert facts(der) == expected, about
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                other = x509.load_der_x509_certificate(der)
                assert other.version.value + 1 == expected["version"], about
                serial = int.from_bytes(bytes.fromhex(expected["serialNumber"]), "big", signed=True)
                assert other.serial_number == serial, about
                assert other.subject.public_bytes().hex() == expected["subject"], about
                # Without a zone, which is UTC: the names with it came in version 42.
                assert other.not_valid_before.replace(tzinfo=UTC).timestamp() == expected["notBefore"], about
                assert other.not_valid_after.replace(tzinfo=UTC).timestamp() == expected["notAfter"], about
                assert [one.oid.dotted_string for one in other.extensions] == expected["extensions"], about
                kinds = {"2.5.29.14": lambda value: value.digest.hex() == expected["subjectKeyIdentifier"],
                         "2.5.29.35": lambda value: value.key_identifier.hex() == expected["authorityKeyIdentifier"],
                         "2.5.29.19": lambda value: (value.ca, value.path_length) == (
                             expected["isAuthority"], expected.get("pathLength")),
                         "2.5.29.37": lambda value: [one.dotted_string for one in value] == expected["extendedKeyUsage"],
                         "2.5.29.17": lambda value: value.get_values_for_type(x509.RFC822Name)
                         == expected["emailAddresses"][:len(value.get_values_for_type(x509.RFC822Name))]}
                for one in other.extensions:
                    assert kinds.get(one.oid.dotted_string, lambda value: True)(one.value), about
        except (ValueError, NotImplementedError, x509.InvalidVersion) as error:
            refused += 1
            print(f"cryptography refuses: {about}: {error}")
        answer = subprocess.run(
            ["openssl", "x509", "-inform", "DER", "-noout", "-serial", "-startdate", "-enddate", "-dateopt", "iso_8601",
             "-email", "-fingerprint", "-sha256"], input=der, capture_output=True)
        if answer.returncode:
            refused += 1
            print(f"openssl refuses: {about}")
            continue
        text = answer.stdout.decode().replace("\\\n", "")
        serial = re.search(r"serial=(-?)([0-9A-F]+)", text)
        number = int(serial.group(2), 16) * (-1 if serial.group(1) else 1)
        assert number == int.from_bytes(bytes.fromhex(expected["serialNumber"]), "big", signed=True), about
        assert re.search("Fingerprint=(.*)", text).group(1).replace(":", "").lower() == expected["sha256"], about
        for field, fact in (("notBefore", "notBefore"), ("notAfter", "notAfter")):
            moment = re.search(rf"{field}=(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)(\.\d+)?Z\n", text)
            if moment and 0 < int(moment.group(1)) and int(moment.group(6)) < 60:
                there = datetime.datetime(*map(int, moment.groups()[:6]), tzinfo=UTC)
                seconds_there = (there - datetime.datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
                assert seconds_there + float(moment.group(7) or 0) == expected[fact], about
            elif "Bad time" not in text and "zone" not in about and "leap" not in about:
                raise AssertionError((about, text))
        emails = sorted(line for line in text.splitlines() if re.fullmatch(r"[^=@ ]+@[^=@ ]+", line))
        assert emails == sorted(set(expected["emailAddresses"])), (about, emails)
    print(f"{len(vectors)} certificates, {refused} refusals by others")


if sys.argv[1:] == ["make"]:
    made = [*made_by_cryptography(), *made_by_openssl(), *made_here()]
    PATH.write_text(json.dumps(
        [{"about": about, "certificate": der.hex(), "facts": facts(der)} for about, der in made], indent=1,
        ensure_ascii=False) + "\n")
elif sys.argv[1:] != ["check"]:
    sys.exit(__doc__)
check(json.loads(PATH.read_text()))
