#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes audit-log-v1: lines and checkpoints of an audit log, version 1.

Written from Documentation/Formats/audit-log.md, not with the Swift code that the vectors check. Run it only to compare: the
vectors of a released format are never changed.
"""

import hashlib
import hmac
import json
import struct
from pathlib import Path

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

DEVICE_KEY = bytes(range(0x40, 0x60))


def derived(label):
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=label).derive(DEVICE_KEY)


def link(previous, text):
    return hmac.new(derived(b"chatelaine audit chain v1"), previous + text, hashlib.sha256).digest()[:16]


def chain(texts):
    lines, last = [], bytes(16)
    for number, text in enumerate(texts, 1):
        text = text.replace("PREVIOUS", last.hex()) + ',"seq":%d' % number
        last = link(last, text.encode())
        lines.append(text + ',"chain":"%s"}' % last.hex())
    return lines, last


def checkpoint(sequence, last, starts, version=1):
    head = b"CHTLAUD" + bytes([version]) + struct.pack(">Q", sequence) + last + struct.pack(">H", len(starts))
    head += b"".join(struct.pack(">Q", start) for start in starts)
    return head + hmac.new(derived(b"chatelaine audit checkpoint v1"), head, hashlib.sha256).digest()


LINES, LAST = chain([
    '{"time":"2026-05-09T06:13:20.000Z","action":"audit-log","event":"begin","previous":"PREVIOUS"',
    '{"time":"2026-05-09T06:13:20.001Z","action":"add","class":"genp","outcome":"granted","items":1,'
    '"references":["101112131415161718191a1b1c1d1e1f"],"groups":["a\\"b"],"uid":1000,"pid":7,"tier":"installed",'
    '"program":"/usr/bin/p\u00fc"',
    '{"time":"2026-05-09T06:13:21.000Z","action":"read-data","class":"genp","outcome":"refused","status":-25308,'
    '"reason":"otherProgramsItem","items":1,"references":["101112131415161718191a1b1c1d1e1f"],"uid":1000,"pid":8,'
    '"tier":"unsigned","program":"/home/ann/p"',
    '{"time":"2026-05-09T06:13:22.000Z","action":"audit-log","event":"unwritten-lines","lines":3,"previous":"PREVIOUS"',
])
SEAL = checkpoint(4, LAST, [1])
MANY = checkpoint(900, LAST, [12, 300, 650])


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def exchanged(lines, one, other):
    lines = list(lines)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


VECTORS = {
    "lines": ("Four lines: the beginning, a grant, a refusal, and what could not be written.", "opens", {"lines": LINES}),
    "lines-changed": ("A grant became a refusal.", "damaged", {
        "lines": [LINES[0], LINES[1].replace("granted", "refused")] + LINES[2:]}),
    "lines-changed-link": ("A digit of a link is another.", "damaged", {
        "lines": LINES[:2] + [LINES[2][:-3] + ("1" if LINES[2][-3] == "0" else "0") + LINES[2][-2:]] + LINES[3:]}),
    "lines-missing": ("The second line is gone.", "damaged", {"lines": LINES[:1] + LINES[2:]}),
    "lines-exchanged": ("The second and the third line are exchanged.", "damaged", {"lines": exchanged(LINES, 1, 2)}),
    "checkpoint": ("A checkpoint of one file.", "opens", {
        "checkpoint": SEAL.hex(), "sequence": 4, "link": LAST.hex(), "starts": [1]}),
    "checkpoint-files": ("A checkpoint of three files.", "opens", {
        "checkpoint": MANY.hex(), "sequence": 900, "link": LAST.hex(), "starts": [12, 300, 650]}),
    "checkpoint-changed": ("One bit of the sequence number is not what it was.", "damaged", {
        "checkpoint": flipped(SEAL, 15).hex()}),
    "checkpoint-changed-code": ("One bit of the code is not what it was.", "damaged", {
        "checkpoint": flipped(SEAL, len(SEAL) - 1).hex()}),
    "checkpoint-short": ("The last byte is missing.", "damaged", {"checkpoint": SEAL[:-1].hex()}),
    "checkpoint-longer": ("One byte is left over.", "damaged", {"checkpoint": (SEAL + b"\0").hex()}),
    "checkpoint-newer": ("A version that is not known.", "unsupported-version", {
        "checkpoint": checkpoint(4, LAST, [1], version=2).hex()}),
}

folder = Path(__file__).parent / "audit-log-v1"
folder.mkdir(exist_ok=True)
for name, (about, outcome, fields) in VECTORS.items():
    vector = {"about": about, "deviceKey": DEVICE_KEY.hex(), "format": "audit-log", "outcome": outcome, **fields}
    (folder / (name + ".json")).write_text(json.dumps(vector, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
