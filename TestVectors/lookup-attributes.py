#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes lookup-attributes-v1.json: sets of lookup attributes, their encodings, and the digests of their pairs under an index key.

Written from Documentation/Formats/sealed-item.md and database.md, not with the Swift code that the vectors check. Run it only to compare:
the vectors of a released version are never changed.
"""

import hashlib
import hmac
import json
import os
import struct

KEY = bytes(range(32))


def block(text):
    return struct.pack(">I", len(text)) + text


def pair(name, value):
    return block(name.encode()) + block(value.encode())


def encoded(pairs):
    return b"".join(pair(name, pairs[name]) for name in sorted(pairs, key=str.encode))


def digest(name, value):
    # The class of generic passwords, the attribute, and the tag of data.
    return hmac.new(KEY, b"\x01lkup\x01" + pair(name, value), hashlib.sha256).digest()[:16].hex()


def accepted(about, pairs):
    digests = [digest(name, pairs[name]) for name in sorted(pairs, key=str.encode)]
    return {"about": about, "pairs": pairs, "encoded": encoded(pairs).hex(), "digests": digests}


def refused(about, content):
    return {"about": about, "encoded": content.hex()}


A, B = pair("a", "1"), pair("b", "2")
VECTORS = {
    "indexKey": KEY.hex(),
    "accepted": [
        accepted("The empty set.", {}),
        accepted("One pair.", {"user": "ann"}),
        accepted("A search that secret-tool makes.", {"xdg:schema": "org.freedesktop.Secret.Generic", "server": "example.org", "user": "ann"}),
        accepted("Empty texts.", {"": "", "empty": ""}),
        accepted("Names in the order of their bytes.", {"ä": "3", "b": "2", "B": "1", "\U0001F511": "5", "\uFF21": "4"}),
        accepted("Control characters.", {"line": "a\nb", "zero": "a\0b"}),
        accepted("The longest name and the longest value.", {"n" * 1024: "v" * 8192}),
    ],
    "refused": [
        refused("Not ascending.", B + A),
        refused("A name that occurs twice.", A + A),
        refused("A name that occurs twice, with another value.", A + pair("a", "2")),
        refused("Two names that are canonically equivalent.", pair("e\u0301", "") + pair("\u00e9", "")),
        refused("A value is missing.", block(b"a")),
        refused("A byte too many.", A + b"\0"),
        refused("A length beyond the end.", A[:-1]),
        refused("A name that is not UTF-8.", block(b"\xff") + block(b"")),
        refused("A value that is not UTF-8.", block(b"a") + block(b"\xc3")),
        refused("A name that is too long.", pair("n" * 1025, "")),
        refused("A value that is too long.", pair("n", "v" * 8193)),
        refused("257 pairs.", encoded({f"{number}": "" for number in range(257)})),
    ],
}

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lookup-attributes-v1.json")
with open(path, "w", encoding="ascii") as file:
    json.dump(VECTORS, file, indent=1)
    file.write("\n")
