#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes access-objects-v1.json: access objects and trusted applications as bytes, and what they say.

Written from Documentation/Formats/access-object.md, not with the Swift code that the vectors check. Run it only to compare:
the vectors of a released version are never changed.
"""

import json
import struct
import sys

AUTHORIZATIONS = (
    "Any Login GenKey Delete ExportWrapped ExportClear ImportWrapped ImportClear Sign Encrypt Decrypt MAC Derive KeychainCreate"
    " KeychainDelete KeychainItemRead KeychainItemInsert KeychainItemModify KeychainItemDelete ChangeACL ChangeOwner PartitionID"
    " Integrity"
).split()
RESTRICTED = ["ExportWrapped", "ExportClear", "Sign", "Decrypt", "MAC", "Derive"]


def text(value):
    return struct.pack(">H", len(value.encode())) + value.encode()


def listed(members):
    return struct.pack(">H", len(members)) + b"".join(members)


def application(kind, *values):
    """The bytes; the last value is the path for people, but of a group."""
    number = ["command", "signed", "installed", "unsigned", "group"].index(kind) + 1
    return bytes([number]) + b"".join(value if isinstance(value, bytes) else text(value) for value in values)


def entry(authorizations, subject, description="", prompt=0):
    bits = sum(1 << AUTHORIZATIONS.index(name) for name in authorizations)
    return struct.pack(">IH", bits, prompt) + text(description) + subject


def applications(*members):
    return b"\1" + listed(list(members))


def process(user, group, kind):
    return b"\2" + struct.pack(">III", user, group, kind)


def access(owner, entries, partitions=None):
    end = b"\0" if partitions is None else b"\1" + listed([text(name) for name in partitions])
    return b"CHTLACC\1" + owner + listed(entries) + end


ANYONE = b"\0"
COMMAND = application("command", "/usr/bin/chatelaine")
SIGNED = application("signed", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "org.example.mail", "/home/ann/bin/mail")
INSTALLED = application("installed", "/usr/bin/mutt", "/usr/bin/mutt")
UNSIGNED = application("unsigned", bytes(range(32)), "/home/ann/tür")
GROUP = application("group", "ABCDEFGHIJKLMNOPQRSTUVWXYZ.org.example.suite")

OWNER = entry(["ChangeACL"], applications(), "mail")
PLAIN = access(
    OWNER,
    [entry(["Encrypt"], ANYONE, "mail"), entry(RESTRICTED, applications(INSTALLED), "mail")],
    ["apple:"],
)
FULL = access(
    OWNER,
    [
        entry(["Any"], applications(COMMAND, SIGNED, INSTALLED, UNSIGNED, GROUP), "ключ", 0xF1),
        entry(AUTHORIZATIONS, ANYONE),
        entry([], process(1000, 100, 0x103)),
    ],
    ["apple-tool:", "teamid:ABCDEFGHIJKLMNOPQRSTUVWXYZ", "cdhash:" + bytes(range(32)).hex(), "codesign:"],
)

cases = [
    ("what SecAccessCreate makes, with a partition list", "object", PLAIN, "reads"),
    ("everything that there is", "object", FULL, "reads"),
    ("no entries and no partition list", "object", access(OWNER, []), "reads"),
    ("an empty partition list is not a missing one", "object", access(OWNER, [], []), "reads"),
    ("an owner by number", "object", access(entry(["ChangeACL"], process(0, 0, 1)), []), "reads"),
    ("the command", "application", b"CHTLAPP\1" + COMMAND, "reads"),
    ("a signed program", "application", b"CHTLAPP\1" + SIGNED, "reads"),
    ("an installed program", "application", b"CHTLAPP\1" + INSTALLED, "reads"),
    ("an unsigned program", "application", b"CHTLAPP\1" + UNSIGNED, "reads"),
    ("an application group", "application", b"CHTLAPP\1" + GROUP, "reads"),
    ("nothing", "object", b"", "foreign"),
    ("an application is no access object", "object", b"CHTLAPP\1" + COMMAND, "foreign"),
    ("an access object is no application", "application", PLAIN, "foreign"),
    ("a later version", "object", b"CHTLACC\2" + PLAIN[8:], "unsupported-version"),
    ("the version is missing", "object", PLAIN[:7], "truncated"),
    ("the end is missing", "object", PLAIN[:-1], "truncated"),
    ("a byte too many", "object", PLAIN + b"\0", "trailing-bytes"),
    ("an owner that may do something else", "object", access(entry(["Decrypt"], ANYONE), []), "malformed"),
    ("an owner that may do more", "object", access(entry(["ChangeACL", "Any"], ANYONE), []), "malformed"),
    ("an authorization that nobody knows", "object", access(OWNER, [struct.pack(">IH", 1 << 23, 0) + text("") + ANYONE]), "malformed"),
    ("a bit of the prompt selector that nobody knows", "object", access(OWNER, [entry([], ANYONE, "", 2)]), "malformed"),
    ("an entry for nobody knows whom", "object", access(OWNER, [entry([], b"\3")]), "malformed"),
    ("an owner of a kind that nobody knows", "object", access(OWNER, [entry([], process(0, 0, 4))]), "malformed"),
    ("neither with a partition list nor without", "object", access(OWNER, [])[:-1] + b"\2", "malformed"),
    ("a partition with a comma", "object", access(OWNER, [], ["apple:,unsigned:"]), "malformed"),
    ("a partition without a name", "object", access(OWNER, [], [""]), "malformed"),
    ("a description with a zero byte", "object", access(OWNER, [entry([], ANYONE, "a\0b")]), "malformed"),
    ("a description that is no UTF-8", "object", access(OWNER, [entry([], ANYONE, "é")]).replace(b"\xc3\xa9", b"\xc3\x28"), "malformed"),
    ("a description that is too long", "object", access(OWNER, [entry([], ANYONE, "a" * 4097)]), "too-large"),
    ("an application of a kind that nobody knows", "application", b"CHTLAPP\1\0", "malformed"),
    ("an application without a path", "application", b"CHTLAPP\1\1" + text(""), "malformed"),
    ("65 entries", "object", access(OWNER, [entry([], ANYONE)] * 65), "too-large"),
    ("257 applications", "object", access(OWNER, [entry([], applications(*[COMMAND] * 257))]), "too-large"),
    ("257 partitions", "object", access(OWNER, [], ["apple:"] * 257), "too-large"),
]
vectors = [{"about": about, kind: data.hex(), "outcome": outcome} for about, kind, data, outcome in cases]
json.dump(vectors, sys.stdout, indent=1, ensure_ascii=False)
print()
