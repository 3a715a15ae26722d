#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the test vectors into a corpus, so that fuzzing starts from what is well formed: seeds.py TARGET CORPUS"""

import base64
import json
import pathlib
import struct
import sys

target, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
vectors = pathlib.Path(__file__).resolve().parent.parent / "TestVectors"


def put(name, content):
    (corpus / f"seed-{name}").write_bytes(content)


if target == "fuzz-storage":
    for path in sorted((vectors / "v1").glob("*.json")):
        keybag = json.loads(path.read_text()).get("keybag")
        if isinstance(keybag, str):
            put(path.stem, b"\0" + bytes.fromhex(keybag))
    # Account "ann" and the creator 1: key, type, length, value.
    put("attributes", b"\1acct\1\0\0\0\3anncrtr\3\0\0\0\10" + bytes(7) + b"\1")
elif target == "fuzz-programs":
    vectors_of_signatures = json.loads((vectors / "code-signature-v1.json").read_text())
    for number, vector in enumerate(vectors_of_signatures):
        put(f"section-{number}", b"\0" + bytes.fromhex(vector["section"]))
    # A program with a segment and the sections .shstrtab and .chatelaine.signature, in this order in the file.
    signature = bytes.fromhex(vectors_of_signatures[0]["section"])
    names = b"\0.shstrtab\0.chatelaine.signature\0"
    names_at = 128 + len(signature)
    table = (names_at + len(names) + 7) // 8 * 8
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, table, 0, 64, 56, 1, 64, 3, 1)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 128, 128, 4096)
    sections = bytes(64) + struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)
    sections += struct.pack("<IIQQQQIIQQ", 11, 1, 0, 0, 128, len(signature), 0, 0, 1, 0)
    program = header + segment + bytes(8) + signature + names
    put("program", b"\1" + program + bytes(table - len(program)) + sections)
elif target == "fuzz-certificates":
    for number, vector in enumerate(json.loads((vectors / "certificates-v1.json").read_text())):
        certificate = bytes.fromhex(vector["certificate"])
        if len(certificate) > 4000:
            continue
        put(f"certificate-{number}", b"\0" + certificate)
        put(f"name-{number}", b"\1" + bytes.fromhex(vector["facts"]["subject"]))
    block = b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(certificate) + b"-----END CERTIFICATE-----\n"
    put("text", b"\2# text\r\n" + block + block)
    put("headers", b"\2-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END KEY-----\n")
    put("bytes", b"\3" + certificate)
elif target == "fuzz-bus":
    # The bus's answer to Hello, and a signal whose argument is a dictionary of variants.
    answer = b"l\2\1\1\13\0\0\0\1\0\0\0\75\0\0\0\6\1s\0\6\0\0\0:1.123\0\0\5\1u\0\1\0\0\0\10\1g\0\1s\0\0"
    answer += b"\7\1s\0\24\0\0\0org.freedesktop.DBus\0\0\0\0\6\0\0\0:1.123\0"
    put("answer", b"\0" + answer)
    signal = b"l\4\1\1\22\0\0\0\2\0\0\0\73\0\0\0\1\1o\0\2\0\0\0/a\0\0\0\0\0\0\2\1s\0\3\0\0\0a.b\0\0\0\0\0"
    signal += b"\3\1s\0\4\0\0\0Lock\0\0\0\0\10\1g\0\5a{sv}\0\0\0\0\0\0\12\0\0\0\0\0\0\0\1\0\0\0k\0\1y\0\7"
    put("signal", b"\0" + signal)
    put("lines", b"\1OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n")
    put("address", b"\2unix:path=/run/dbus%20bus,guid=12;tcp:host=a")
    put("signature", b"\3a{sa(yv)}(xas)h")
else:
    for vector in json.loads((vectors / "protocol-v1.json").read_text())["vectors"]:
        put(vector["name"], bytes.fromhex(vector["frame"]))
