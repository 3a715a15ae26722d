#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens constrained-items-v2.json without any of the code that made it.

Written from Documentation/Formats/sealed-item.md, "Version 2". Run: python3 TestVectors/constrained-items.py
"""

import json
import struct
import sys
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap

import verify

CURRENT_SET, PASSWORD = 1 << 3, 1 << 31


def open_item(vector, keybag, class_key, metadata_key):
    """The secret; None where it does not open."""
    column = bytes.fromhex(vector["itemKey"])
    head, wrapped = column[:-40], column[-40:]
    if len(head) not in (5, 14) or head[0] != 2:
        return None
    (flags,) = struct.unpack(">I", head[1:5])
    material = class_key
    if flags & CURRENT_SET:
        material += bytes.fromhex(vector["enrolmentSecret"])
    if flags & PASSWORD:
        log_n, r, p = struct.unpack(">BII", head[5:])
        salt = b"chatelaine application password v1" + keybag[24:56]
        material += Scrypt(salt=salt, length=32, n=1 << log_n, r=r, p=p).derive(bytes.fromhex(vector["password"]))
    item = bytes.fromhex(vector["item"]) + struct.pack(">Q", vector["rowVersion"])
    info = b"chatelaine item access v2" + head + item
    wrapping = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(material)

    def authenticated(part):
        data = b"chatelaine item" + bytes([2, part, 1, 1, 0]) + item + bytes.fromhex(vector["accessGroup"])
        data += bytes([len(vector["uniqueness"])])
        return data + b"".join(bytes.fromhex(digest) or bytes(16) for digest in vector["uniqueness"]) + head

    def open_box(box, key):
        assert box[0] == 2
        return AESGCM(key).decrypt(box[2:14], box[14:], authenticated(box[1]))

    try:
        attributes = open_box(bytes.fromhex(vector["attributes"]), metadata_key)
        assert any(entry["key"] == "acct" for entry in verify.decode_attributes(attributes))
        return open_box(bytes.fromhex(vector["data"]), aes_key_unwrap(wrapping, wrapped)).hex()
    except (InvalidTag, InvalidUnwrap):
        return None


def main():
    file = json.loads((Path(__file__).parent / "constrained-items-v2.json").read_text(encoding="utf-8"))
    keybag = bytes.fromhex(file["keybag"])
    classes = verify.open_keybag(keybag, bytes.fromhex(file["deviceKey"]), None)[2]
    failures = 0
    for vector in file["vectors"]:
        opened = open_item(vector, keybag, *classes["ak"])
        if opened != vector.get("secret"):
            failures += 1
            print("FAILED: %s" % vector["name"])
    print("%d constrained items, %d failed" % (len(file["vectors"]), failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
