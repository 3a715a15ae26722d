#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads and checks the code signatures of ELF programs without any of the code that makes them.

Written from Documentation/Formats/code-signature.md; needs Python 3 and the package `cryptography`.

  code-signature.py PROGRAM ...     says who signed each, and fails if one is not as it was signed
  code-signature.py --vectors       checks code-signature-v1.json
  code-signature.py --write         writes those vectors to standard output, to compare: a released version never changes
"""

import base64
import hashlib
import json
import struct
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SECTION = b".chatelaine.signature"
LABEL = b"chatelaine code signature 1\0"
LIMIT = 16_384


class Refused(Exception):
    """An outcome other than "valid"; its text is the outcome's name."""


def raw(key):
    """The 32 bytes of a public key."""
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def need(condition, outcome="damaged"):
    if not condition:
        raise Refused(outcome)


def team_identifier(public_key):
    return base64.b32encode(hashlib.sha256(public_key).digest()).decode()[:26]


def section_range(data):
    """Where the signature is; the ELF file itself is taken to be sound."""
    need(data[:6] == b"\x7fELF\x02\x01", "not-signed")
    table, = struct.unpack_from("<Q", data, 40)
    count, name_index = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * n) for n in range(count)]
    names = data[headers[name_index][4] : headers[name_index][4] + headers[name_index][5]]
    found = [header for header in headers
             if header[1] and names[header[0] : names.index(b"\0", header[0])] == SECTION]
    need(found, "not-signed")
    need(len(found) == 1 and found[0][1] == 1 and not found[0][2] & 2)
    return found[0][4], found[0][4] + found[0][5]


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        need(self.place + count <= len(self.data))
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def text(self, count):
        try:
            text = self.take(count).decode()
        except UnicodeDecodeError:
            raise Refused("damaged")
        need(not any(ord(character) < 32 or ord(character) == 127 for character in text))
        return text


def parse(section):
    """The content of a section with a right signature."""
    reader = Reader(section)
    need(reader.take(7) == b"CHTLSIG")
    need(reader.number(1) == 1, "unsupported-version")
    need(len(section) <= LIMIT and reader.number(4) == len(section))
    public_key = reader.take(32)
    result = {
        "team": team_identifier(public_key), "time": reader.number(8), "fileSize": reader.number(8),
        "earlierTable": [reader.number(8), reader.number(2), reader.number(2)]}
    identifier = reader.text(reader.number(1))
    need(len(identifier) <= 155 and all(
        part and all(c.isascii() and (c.isalnum() or c in "-_") for c in part) for part in identifier.split(".")))
    result["identifier"] = identifier
    entitlements, last, start = {}, b"", reader.place
    count = reader.number(2)
    need(count <= 64)
    for _ in range(count):
        key = reader.take(reader.number(1))
        need(last < key and all(0x21 <= byte <= 0x7E for byte in key))
        last = key
        entitlements[key.decode()] = value(reader)
    need(reader.place - start <= 12_288)
    result["entitlements"] = entitlements
    result["digest"] = reader.take(32).hex()
    end = reader.place
    signature = reader.take(64)
    need(reader.place == len(section))
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, LABEL + section[:end])
    except (InvalidSignature, ValueError):
        raise Refused("wrong-signature")
    return result


def value(reader):
    kind = reader.number(1)
    if kind == 1:
        number = reader.number(1)
        need(number <= 1)
        return number == 1
    if kind == 2:
        return text(reader)
    need(kind == 3)
    count = reader.number(2)
    need(count <= 128)
    return [text(reader) for _ in range(count)]


def text(reader):
    count = reader.number(2)
    need(count <= 1024)
    return reader.text(count)


def verify(data):
    """The content of a program's signature."""
    start, end = section_range(data)
    result = parse(data[start:end])
    zeroed = data[:start] + bytes(end - start) + data[end:]
    need(hashlib.sha256(zeroed).hexdigest() == result["digest"], "changed")
    return result


# MARK: Vectors


def encode_value(value):
    if isinstance(value, bool):
        return bytes([1, value])
    if isinstance(value, str):
        return b"\2" + len(value.encode()).to_bytes(2, "big") + value.encode()
    return b"\3" + len(value).to_bytes(2, "big") + b"".join(
        len(text.encode()).to_bytes(2, "big") + text.encode() for text in value)


def encode(seed, time, size, table, identifier, entitlements, digest, order=None):
    key = Ed25519PrivateKey.from_private_bytes(seed)
    body = raw(key.public_key()) + struct.pack(">QQQHH", time, size, *table)
    body += bytes([len(identifier)]) + identifier.encode() + len(entitlements).to_bytes(2, "big")
    for name in order or sorted(entitlements):
        body += bytes([len(name)]) + name.encode() + encode_value(entitlements[name])
    body += digest
    head = b"CHTLSIG\1" + (12 + len(body) + 64).to_bytes(4, "big") + body
    return head + key.sign(LABEL + head)


def vectors():
    seed = hashlib.sha256(b"team key").digest()
    team = team_identifier(raw(Ed25519PrivateKey.from_private_bytes(seed).public_key()))
    digest = hashlib.sha256(b"program").digest()
    rich = {"keychain-access-groups": [f"{team}.one", f"{team}.two"], "application-identifier": f"{team}.org.example",
            "flag": True, "off": False, "empty": [], "text": "\u00e9<&>"}
    plain = encode(seed, 1_700_000_000, 4096, (4000, 3, 2), "tool", {}, digest)
    full = encode(seed, 1_700_000_000, 8192, (0, 0, 0), "org.example.mail", rich, digest)
    other = hashlib.sha256(b"another key").digest()
    other = raw(Ed25519PrivateKey.from_private_bytes(other).public_key())

    def flipped(data, place):
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]

    cases = [
        ("without entitlements", plain), ("with entitlements of every kind", full),
        ("another format", b"SOMETHING" + plain[9:]), ("version 2", plain[:7] + b"\2" + plain[8:]),
        ("one byte short", plain[:-1]), ("one byte more", plain + b"\0"),
        ("a changed digest", flipped(plain, len(plain) - 70)), ("a changed signature", flipped(plain, len(plain) - 1)),
        ("a changed time", flipped(plain, 51)), ("the public key of another team", plain[:12] + other + plain[44:]),
        ("entitlements that do not ascend",
         encode(seed, 0, 0, (0, 0, 0), "a", {"a": True, "b": True}, digest, order=["b", "a"])),
        ("a blank in the name of an entitlement", encode(seed, 0, 0, (0, 0, 0), "a", {"a b": True}, digest)),
        ("a line end in a text", encode(seed, 0, 0, (0, 0, 0), "a", {"a": "x\ny"}, digest)),
        ("an identifier with an empty part", encode(seed, 0, 0, (0, 0, 0), "a..b", {}, digest)),
        ("no identifier", encode(seed, 0, 0, (0, 0, 0), "", {}, digest)),
    ]
    return [dict(about=about, section=section.hex(), **outcome(section)) for about, section in cases]


def outcome(section):
    try:
        return {"outcome": "valid", "content": parse(section)}
    except Refused as refusal:
        return {"outcome": str(refusal)}


def main(words):
    if words == ["--write"]:
        json.dump(vectors(), sys.stdout, indent=1, ensure_ascii=True)
        print()
        return 0
    if words == ["--vectors"]:
        cases = json.loads((Path(__file__).parent / "code-signature-v1.json").read_text())
        wrong = [case["about"] for case in cases
                 if {key: case[key] for key in ("outcome", "content") if key in case}
                 != outcome(bytes.fromhex(case["section"]))]
        for about in wrong:
            print(f"{about}: another outcome")
        print(f"{len(cases) - len(wrong)} of {len(cases)} code signatures as they should be")
        return 1 if wrong or not cases else 0
    failed = 0
    for path in words:
        try:
            result = verify(Path(path).read_bytes())
            print(f"{path}: {result['team']} {result['identifier']}")
        except Refused as refusal:
            print(f"{path}: {refusal}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
