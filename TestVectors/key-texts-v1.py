#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes key-texts-v1.json: recovery keys and credentials, and the texts that stand for them.

Written from Documentation/Formats/key-texts.md, not with the Swift code that the vectors check. Run it only to compare:
the vectors of a released version are never changed.
"""

import hashlib
import json
import sys

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def checksum(data, width, polynomial, start):
    remainder = start
    for bit in "".join(f"{byte:08b}" for byte in data):
        divides = (remainder >> (width - 1)) ^ int(bit)
        remainder = (remainder << 1) & ((1 << width) - 1)
        if divides:
            remainder ^= polynomial
    return remainder


def characters(data, width, polynomial, start):
    bits = "".join(f"{byte:08b}" for byte in data) + f"{checksum(data, width, polynomial, start):0{width}b}"
    assert len(bits) % 5 == 0
    return "".join(ALPHABET[int(bits[place : place + 5], 2)] for place in range(0, len(bits), 5))


def recovery_key(data):
    text = characters(data, 12, 0x80F, 0)
    return "-".join(text[place : place + 4] for place in range(0, 28, 4))


def credential(data):
    return "chatelaine-credential-1-" + characters(data, 24, 0x864CFB, 0xB704CE)


cases = []
for kind, size, text in [("recovery-key", 16, recovery_key), ("credential", 32, credential)]:
    keys = [bytes(size), b"\xff" * size, bytes(range(size))]
    keys += [hashlib.sha256(f"{kind} {number}".encode()).digest()[:size] for number in range(5)]
    cases += [{"kind": kind, "key": key.hex(), "text": text(key)} for key in keys]
json.dump(cases, sys.stdout, indent=1)
print()
