# SPDX-License-Identifier: Apache-2.0
"""A FIFO, a socket or a folder in the place of a file that the service opens: the service never waits for it."""

import os
import socket

from support.sentences import cases, contains, equal


def fifo(path):
    os.mkfifo(path, 0o600)


def listening(path):
    # A socket has a short path only relative to its folder.
    here = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.basename(path))
    finally:
        os.chdir(here)


KINDS = {"a FIFO": fifo, "a socket": listening, "a folder": lambda path: os.mkdir(path, 0o700)}
KEYCHAIN_FILES = ["k-db", "k-db-wal"]
FILES = ["keychain.db", "keychain.db-wal", "keychain.db-shm", "device.key", "audit.log", "store.lock"]


@cases("name, kind", [(name, kind) for name in FILES for kind in KINDS])
def test_a_service_with_another_kind_of_file_among_its_own_ends_or_serves_and_never_waits(it, name, kind):
    it.start()
    it.set("name", "secret")
    it.stop()
    path = os.path.join(it.data, name)
    if os.path.exists(path):
        os.rename(path, path + ".kept")
    KINDS[kind](path)
    # An answer or an error, within the limit of any client.
    done = it.run("chatelaine", "get", "name", timeout=60)
    if done.returncode == 0:
        contains(done.out, "secret")
    it.end_services()
    if os.path.isdir(path):
        os.rmdir(path)
    elif os.path.exists(path):
        os.unlink(path)
    if os.path.exists(path + ".kept"):
        os.rename(path + ".kept", path)
    it.start()
    equal(it.get("name"), b"secret")


@cases("name, kind", [(name, kind) for name in KEYCHAIN_FILES for kind in KINDS])
def test_another_kind_of_file_in_the_place_of_a_keychain_file_is_refused_at_once_and_others_are_served(it, name, kind):
    it.start()
    it.run("security", "create-keychain", "-p", "sesame", "k", check=0)
    it.stop()
    path = os.path.join(it.data, "keychains", name)
    if os.path.exists(path):
        os.rename(path, path + ".kept")
    KINDS[kind](path)
    it.start()
    done = it.run("security", "unlock-keychain", "-p", "sesame", "k", timeout=60)
    assert done.returncode != 0, done
    it.set("name", "secret")
    equal(it.get("name"), b"secret")


@cases("name, kind", [(name, kind) for name in KEYCHAIN_FILES for kind in KINDS])
def test_a_salvage_of_another_kind_of_file_fails_at_once_and_names_it(it, name, kind):
    it.start()
    it.run("security", "create-keychain", "-p", "sesame", "k", check=0)
    it.stop()
    path = os.path.join(it.data, "keychains", name)
    if os.path.exists(path):
        os.unlink(path)
    KINDS[kind](path)
    done = it.run("chatelaine", "salvage", "--keychain", "k", check=1, timeout=60)
    contains(done.err, f"{path} is not a regular file")
    equal([left for left in os.listdir(os.path.dirname(path)) if "salvage" in left], [])
