# SPDX-License-Identifier: Apache-2.0
"""Requests that are right, and what a hostile client makes of them."""

import struct

from .wire import ADD, COPY, DELETE, STATUS, UPDATE, Closed, Reader, attributes, block, frame, optional, query


def good_requests(nonce):
    item = {"svce": "service", "acct": "account", "labl": "label", "gena": b"generic", "crtr": 7}
    yield frame(ADD, nonce + attributes(item) + b"\x0f" + optional(block(b"secret")))
    yield frame(COPY, nonce + query({"svce": "service"}) + struct.pack(">IB", 1, 15))
    yield frame(COPY, nonce + query({}, reference=b"genp" + bytes(16)) + struct.pack(">IB", 0, 1))
    yield frame(UPDATE, nonce + query({"svce": "service"}) + attributes({"labl": "new"}) + optional(block(b"new")))
    yield frame(DELETE, nonce + query({"svce": "nothing"}, synchronizable=2))
    yield frame(STATUS, nonce)


def changed_request(nonce, dice):
    """One of these with one to three changed bytes. Behind the nonce, or anything would be refused there."""
    request = bytearray(dice.choice(list(good_requests(nonce))))
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(24, len(request)) if len(request) > 24 else dice.randrange(8)
        request[place] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
    return request


def ends(client):
    """Reads to the end of the connection; the last answer's status, if there was one."""
    status = None
    try:
        while True:
            kind, payload = client.receive()
            if kind == 3:
                status = Reader(payload).take("i")
    except (Closed, AssertionError):
        return status
    finally:
        client.close()
