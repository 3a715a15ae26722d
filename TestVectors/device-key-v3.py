#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Device key files of version 3, which are closed in with a PIN, and what a PIN becomes before a token gets it.

Written from Documentation/Formats/device-key.md, "Version 3", without any of the code that reads them. Run:
python3 TestVectors/device-key-v3.py [check]    writes device-key-v3.json, or compares it with what would be written
"""

import hashlib
import json
import struct
import sys
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

FILE = Path(__file__).parent / "device-key-v3.json"
SOFTWARE, TPM = 1, 2


def numbered(about, count):
    """Bytes that look random and are always the same."""
    return hashlib.shake_128(b"chatelaine device key v3 vectors: " + about.encode()).digest(count)


def key_file(kind, cost, salt, blob, magic=b"CHTLDEV", version=3):
    log_n, r, p = cost
    body = magic + bytes([version, kind, log_n]) + struct.pack(">II", r, p) + salt + blob
    return body + hashlib.sha256(body).digest()


def authorization(pin, cost, salt):
    log_n, r, p = cost
    stretched = Scrypt(salt=salt, length=32, n=1 << log_n, r=r, p=p).derive(pin.encode())
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"chatelaine device key PIN v1").derive(stretched)


def reads(about, kind, cost, blob, pins):
    salt = numbered(about, 32)
    return {
        "about": about,
        "file": key_file(kind, cost, salt, blob).hex(),
        "outcome": "reads",
        "token": kind,
        "blob": blob.hex(),
        "authorizations": [{"pin": pin, "authorization": authorization(pin, cost, salt).hex()} for pin in pins],
    }


def damaged(about, data):
    return {"about": about, "file": data.hex(), "outcome": "damaged"}


def vectors():
    cost, salt, blob = (4, 8, 1), numbered("salt", 32), numbered("blob", 100)
    good = key_file(TPM, cost, salt, blob)
    return [
        reads("Sealed to a TPM, with PINs of digits.", TPM, cost, blob, ["2468", "000000"]),
        reads("Sealed to the token without hardware, with PINs that are texts.", SOFTWARE, (5, 4, 2), blob, ["Schlüssel", "鍵", " "]),
        reads("The longest PIN.", TPM, (1, 1, 1), blob, ["x" * 1024]),
        reads("The least blob.", TPM, cost, b"\x00", ["2468"]),
        damaged("One bit of the blob is another.", good[:60] + bytes([good[60] ^ 1]) + good[61:]),
        damaged("One bit of the sum is another.", good[:-1] + bytes([good[-1] ^ 1])),
        damaged("One bit of the salt is another.", good[:20] + bytes([good[20] ^ 128]) + good[21:]),
        damaged("A byte is missing.", good[:-1]),
        damaged("A byte is too many.", good + b"\x00"),
        damaged("Nothing is there.", b""),
        damaged("The file is something else.", key_file(TPM, cost, salt, blob, magic=b"CHTLKEY")),
        damaged("The version is another.", key_file(TPM, cost, salt, blob, version=4)),
        damaged("scrypt with N = 1.", key_file(TPM, (0, 8, 1), salt, blob)),
        damaged("scrypt with r = 0.", key_file(TPM, (4, 0, 1), salt, blob)),
        damaged("scrypt with p = 0.", key_file(TPM, (4, 8, 0), salt, blob)),
        damaged("scrypt that takes more than a gibibyte.", key_file(TPM, (21, 8, 1), salt, blob)),
        damaged("scrypt that takes more memory than there is.", key_file(TPM, (63, 0xFFFFFFFF, 0xFFFFFFFF), salt, blob)),
    ]


def main():
    text = json.dumps(vectors(), indent=2, ensure_ascii=False) + "\n"
    if sys.argv[1:] != ["check"]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit("error: device-key-v3.json is not what its page says")
    else:
        print(f"device-key-v3.json: {len(vectors())} files, as their page says")


main()
