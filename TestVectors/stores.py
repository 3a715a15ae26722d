#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the frozen stores in stores-v1: a keychain as each version of the schema left it, with the device key that opens it.

usage: CHATELAINE_PROGRAMS=.build/release TestVectors/stores.py

Only for a version of the schema that has no store yet: files that are there stay as they are. Sealed items and keybags have had one form
since version 1, so stores of versions 1 and 2 are made of one of version 3, by taking away what came later."""

import gzip
import os
import sqlite3
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../Tests/Programs"))

from support.frozen_stores import ITEMS, USER, secret_of  # noqa: E402
from support.instance import Instance, Programs  # noqa: E402

ADDED = {
    6: ["DROP TABLE lookup"],
    5: ["DROP TABLE guesses"],
    4: ["DROP TABLE enforced_groups"],
    3: ["DROP TABLE enrolment"],
    2: ["DROP TABLE cert", "DROP TABLE keys", "DELETE FROM numbering WHERE class IN (3, 4)"],
}


def fill(it):
    it.start()
    for words in ITEMS:
        it.run("chatelaine", "set", *words, "--user", USER, "--label", "label", input=secret_of(words), check=0)
    it.stop()


def make(it, version):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "keychain.db")
        with open(it.database, "rb") as source, open(path, "wb") as target:
            target.write(source.read())
        database = sqlite3.connect(path, isolation_level=None)
        for later in sorted(ADDED, reverse=True):
            for statement in ADDED[later] if later > version else []:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {version}")
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        with open(path, "rb") as file:
            return file.read()


def main():
    target = os.path.join(here, "stores-v1")
    os.makedirs(target, exist_ok=True)
    missing = [version for version in (1, 2, 3, 4, 5, 6) if not os.path.exists(f"{target}/schema-{version}.db.gz")]
    if not missing:
        return
    programs = Programs()
    it = Instance(programs)
    try:
        fill(it)
        for version in missing:
            with open(f"{target}/schema-{version}.db.gz", "wb") as file:
                file.write(gzip.compress(make(it, version), mtime=0))
            with open(os.path.join(it.data, "device.key"), "rb") as key, open(f"{target}/schema-{version}.key", "wb") as file:
                file.write(key.read())
    finally:
        it.remove()
        programs.remove()


main()
