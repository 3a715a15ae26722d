#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the test vectors into a corpus, so that fuzzing starts from what is well formed: seeds.py TARGET CORPUS"""

import json
import pathlib
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
else:
    for vector in json.loads((vectors / "protocol-v1.json").read_text())["vectors"]:
        put(vector["name"], bytes.fromhex(vector["frame"]))
