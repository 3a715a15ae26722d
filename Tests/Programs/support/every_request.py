# SPDX-License-Identifier: Apache-2.0
"""A right request of each kind of the client protocol (Documentation/Protocols/client.md), and what a seeded fuzzer makes of them."""

import os
import re
import struct

from .instance import root_of_repository
from .wire import Reader, attributes, block, frame, optional, query

PASSWORD = b"of a keychain file"
# The place of the payload behind the header of a frame and the nonce.
BODY = 24


def path(name):
    return block(name)


def documented_kinds():
    """The kinds of frames that clients send, by the table of the protocol's description."""
    with open(os.path.join(root_of_repository, "Documentation/Protocols/client.md"), encoding="utf-8") as file:
        text = file.read()
    return {int(number, 16) for number in re.findall(r"^\| `([0-9A-F]{2})` \| \w+ \| client to service \|", text, re.M)}


def good_requests():
    """Pairs of a kind and a payload without its nonce. None of them takes the service long."""
    item = {"svce": "service", "acct": "account", "labl": "label", "gena": b"generic", "crtr": 7}
    server = {"srvr": "example.com", "acct": "account", "port": 443, "ptcl": "htps"}
    protected = {"svce": "protected", "acct": "account", "accc": (1, 1 << 30)}
    key = {"kcls": 1, "type": 73, "bsiz": 256, "labl": "key", "atag": b"tag"}
    reference = b"genp" + bytes(16)
    named = bytes([len(reference)]) + reference
    one = struct.pack(">IB", 1, 15)
    passcode = b"\2" + block("1234")
    token = bytes(16)
    no_filter = optional(None) * 7
    moment = struct.pack(">d", 700_000_000.0)

    def authenticated(kind, payload):
        return 0x20, (
            b"\1" + optional(block("reason")) + optional(block("Cancel")) + optional(None) + struct.pack(">I", 0)
            + b"\1" + block(bytes(64)) + optional(block("application")) + b"\1" + bytes([kind]) + payload)

    def in_keychain(kind, payload):
        return 0x23, path("k") + bytes([kind]) + payload

    yield 0x11, attributes(item) + b"\x0f" + optional(block(b"secret"))
    yield 0x11, attributes(server, 2) + b"\0" + optional(block(b"secret"))
    yield 0x11, attributes(protected) + b"\0" + optional(block(b"secret"))
    yield 0x12, query({"svce": "service"}) + one
    yield 0x12, query({}, synchronizable=2, group="unsigned:group") + struct.pack(">IB", 0, 3)
    yield 0x12, query({}, reference=reference) + struct.pack(">IB", 0, 1)
    yield 0x13, query({"svce": "service"}) + attributes({"labl": "new"}) + optional(block(b"new"))
    yield 0x14, query({"svce": "nothing"}, synchronizable=2)
    yield 0x15, b""
    yield 0x16, b""
    yield 0x17, b"\1" + query({"svce": "service"})
    yield 0x17, b"\2" + attributes(item)
    for action in (2, 3, 9, 20, 21, 27, 29):
        yield 0x18, bytes([action])
    yield 0x18, b"\1" + passcode
    yield 0x18, b"\4" + passcode
    yield 0x18, b"\5" + optional(passcode) + block("5678")
    yield 0x18, b"\6" + passcode
    yield 0x18, b"\7" + passcode + block("label") + b"\4" + block("login")
    yield 0x18, b"\x08" + passcode + struct.pack(">I", 1)
    yield 0x18, b"\x0a" + optional(None) + struct.pack(">H", 1) + block("audit-log-files") + struct.pack(">Q", 3)
    yield 0x18, bytes([22]) + optional(None) + b"\1"
    yield 0x18, bytes([25]) + optional(None) + b"\1" + optional(None) + optional(block("1234"))
    yield 0x18, bytes([26]) + block("1234")
    yield 0x18, bytes([28]) + passcode
    yield 0x18, bytes([30]) + optional(None) + block("a" * 26)
    yield 0x18, bytes([31]) + block("a" * 26)
    yield 0x19, b"\1"
    yield 0x19, b"\2" + struct.pack(">i", 1)
    yield 0x19, b"\3" + block("/usr/bin/true")
    yield 0x1A, b"\1" + struct.pack(">Q", 0)
    yield 0x1A, b"\2" + struct.pack(">Q", 1)
    yield 0x1A, b"\3"
    yield 0x1A, b"\4\3" + block("/usr/bin/true")
    yield 0x1B, b"\1" + no_filter + b"\1" + optional(None) + struct.pack(">I", 10)
    yield 0x1B, b"\1" + optional(moment) * 2 + optional(block("true")) * 3 + optional(token) + optional(struct.pack(">I", 0)) + (
        b"\2" + optional(struct.pack(">QQ", 1, 2)) + struct.pack(">I", 10))
    yield 0x1B, b"\2"
    yield 0x1B, b"\3" + no_filter
    yield 0x1C, b"\1\1" + block("passphrase") + optional(passcode)
    yield 0x1C, b"\2" + token
    yield 0x1C, b"\3" + token
    yield 0x1D, b"\1" + block(bytes(128)) + b"\1" + block("passphrase") + optional(None) + b"\1\0"
    yield 0x1D, b"\2" + token + block(bytes(512))
    yield 0x1D, b"\3" + token
    yield 0x1D, b"\4" + token
    yield 0x1E, b""
    yield 0x1F, b"\1" + named + block("algid:sign:ECDSA:digest-X962:SHA256") + block(bytes(32))
    yield 0x1F, b"\2" + named + block("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM") + block(bytes(97))
    yield 0x1F, b"\3" + named + block("algid:keyexchange:ECDH") + block(b"\4" + bytes(64)) + optional(struct.pack(">I", 32)) + block(b"")
    yield 0x1F, b"\4" + attributes(key, 4)
    yield authenticated(0x12, query({"svce": "protected"}) + one)
    yield authenticated(0x11, attributes(protected) + b"\0" + optional(block(b"secret")))
    yield authenticated(0x21, b"\1")
    yield 0x21, b"\1"
    yield 0x21, b"\2\2"
    yield 0x21, b"\3" + struct.pack(">BIB", 1, 1 << 30, 1)
    yield 0x21, b"\4"
    for action in (1, 3, 4):
        yield 0x22, bytes([action]) + path("nothing")
    yield 0x22, b"\5"
    yield 0x22, b"\6" + path("nothing") + optional(block(PASSWORD))
    yield 0x22, b"\7" + path("k") + b"\1" + optional(struct.pack(">I", 300))
    yield 0x22, b"\x08" + path("nothing") + optional(block(PASSWORD)) * 2
    yield 0x22, b"\x09"
    yield 0x22, b"\x0a\0"
    yield 0x22, b"\x0b\0" + optional(path("k"))
    for action in (12, 13, 14):
        yield 0x22, bytes([action]) + b"\0" + struct.pack(">H", 1) + path("k")
    yield 0x22, b"\x0f\0" + path("k") + optional(None)
    yield 0x22, b"\x10" + path("k") + struct.pack(">H", 1) + named + struct.pack(">H", 1) + block("apple-tool:") + optional(block(PASSWORD))
    yield 0x22, b"\x13" + path("k") + path("/nothing/copy")
    yield 0x22, b"\x14" + path("nothing") + path("/nothing/copy")
    yield in_keychain(0x11, attributes(item) + b"\x0f" + optional(block(b"secret")))
    yield in_keychain(0x12, query({"svce": "service"}) + one)
    yield in_keychain(0x14, query({"svce": "service"}))
    yield 0x24, struct.pack(">IB", 0xFFFFFFFF, 3)
    yield 0x25, b""
    yield 0x28, b""
    yield 0x29, struct.pack(">I", 1) + block(bytes(16))


EDGES = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x10000, 0x100000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def mutated(dice, nonce, requests):
    """A frame that began as a right one. Behind the nonce, or it would be refused there; seldom before it."""
    kind, payload = dice.choice(requests)
    data = bytearray(payload)
    for _ in range(dice.choice([0, 1, 1, 1, 2, 3, 8])):
        place = dice.randrange(len(data) + 1)
        way = dice.randrange(7)
        if way == 0 and data:
            data[place % len(data)] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
        elif way == 1 and len(data) >= 4:
            place %= len(data) - 3
            data[place:place + 4] = struct.pack(">I", dice.choice(EDGES))
        elif way == 2:
            data[place:place] = dice.randbytes(dice.choice([1, 4, 16, 300]))
        elif way == 3:
            del data[place:place + dice.choice([1, 4, 16])]
        elif way == 4:
            piece = data[place:place + dice.choice([4, 32, 256])]
            data[place:place] = piece * dice.choice([1, 2, 100])
        elif way == 5:
            _, other = dice.choice(requests)
            data[place:] = other[dice.randrange(len(other) + 1):]
        else:
            kind = dice.choice([kind, dice.choice(requests)[0], dice.randrange(256)])
    whole = nonce + bytes(data)
    length = dice.choice([None] * 12 + [0, len(whole) - 1, len(whole) + 1, len(whole) + 100, *EDGES])
    header = dict(version=dice.choice([1] * 30 + [0, 2, 255]), reserved=dice.choice([0] * 30 + [1, 0xFFFF]))
    if length is not None:
        header["length"] = max(0, min(length, 0xFFFFFFFF))
    return frame(kind, whole, **header)


def status_of(kind, payload):
    """The status of a reply; None for a frame of another kind."""
    return Reader(payload).take("i") if kind == 3 else None
