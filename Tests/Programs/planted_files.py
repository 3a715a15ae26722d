# SPDX-License-Identifier: Apache-2.0
"""Files that another program or another user put beside a keychain's database, before the service opens it.

SQLite plays back a rollback journal, and deletes the file that the journal names as its super-journal with the rights of the process
that opens the database. A write-ahead log is taken into the database. See Documentation/Attacks.md, "Files"."""

import datetime
import glob
import os
import shutil
import sqlite3
import subprocess
import sys

import pytest

from support.instance import is_root, ordinary_user, read_text
from support.journals import plant
from support.migration import migrate, own_keychain, use_system
from support.sentences import both, cases, contains, equal
from support.system import SystemService, ann, bob

secret = b"the victim"


def victim_in(folder, owner=None):
    """A file that a journal names; its content is no list of journals."""
    path = os.path.join(folder, "victim")
    with open(path, "wb") as file:
        file.write(secret)
    if owner is not None:
        os.chown(path, owner, owner)
    return path


def is_there(path):
    with open(path, "rb") as file:
        return file.read() == secret


@both
def test_sqlite_itself_deletes_the_file_that_such_a_journal_names(it):
    """Shows that the journals of these tests are real: without the service, SQLite deletes the victim."""
    database = os.path.join(it.scratch, "other.db")
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    victim = victim_in(it.scratch)
    journal = plant(database, victim)
    # Another process: this one has the locks of the connection above.
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM t').fetchall()"
    subprocess.run([sys.executable, "-c", code, database], check=True)
    equal((os.path.exists(victim), os.path.exists(journal)), (False, False))


@both
def test_a_journal_beside_the_database_is_refused_and_deletes_nothing(it):
    it.start()
    it.set("name", "s3cret")
    equal(it.stop(), 0)
    victim = victim_in(it.data)
    journal = plant(it.database, victim)
    before = read_text(journal)
    contains(it.start_in_vain().err, f"error: {journal} was not made by the keychain service", f"hint: move {journal} away")
    assert is_there(victim)
    equal(read_text(journal), before)
    # As the hint says.
    os.unlink(journal)
    it.start()
    equal(it.get("name"), b"s3cret")


@both
@cases("suffix", ["-journal", "-wal", "-shm"])
def test_a_file_of_another_user_beside_the_database_is_refused(it, suffix):
    if not is_root:
        pytest.skip("only root can make a file of another user")
    it.start()
    it.set("name", "s3cret")
    equal(it.stop(), 0)
    # Empty, so that SQLite itself would not mind.
    path = it.database + suffix
    with open(path, "wb"):
        pass
    os.chmod(path, 0o666)
    os.chown(path, ordinary_user + 1, ordinary_user + 1)
    contains(it.start_in_vain().err, f"error: {path} ", f"hint: move {path} away")
    os.unlink(path)
    it.start()
    equal(it.get("name"), b"s3cret")


@both
def test_a_link_in_the_place_of_the_database_is_refused(it):
    it.start()
    it.set("name", "s3cret")
    equal(it.stop(), 0)
    elsewhere = os.path.join(it.scratch, "elsewhere.db")
    shutil.move(it.database, elsewhere)
    os.symlink(elsewhere, it.database)
    contains(it.start_in_vain().err, f"error: {it.database} is a link", "hint: ")
    os.unlink(it.database)
    shutil.move(elsewhere, it.database)
    it.start()
    equal(it.get("name"), b"s3cret")


@both
def test_a_journal_beside_a_keychain_file_is_refused_and_deletes_nothing(it):
    it.start()
    it.run("security", "create-keychain", "-p", "p", "k", check=0)
    equal(it.stop(), 0)
    database = os.path.join(it.data, "keychains", "k-db")
    victim = victim_in(it.data)
    journal = plant(database, victim)
    it.start()
    done = it.run("security", "unlock-keychain", "-p", "p", "k")
    assert done.returncode != 0
    assert is_there(victim) and os.path.exists(journal)
    # The keychain of the user goes on.
    it.set("name", "s3cret")
    os.unlink(journal)
    it.run("security", "unlock-keychain", "-p", "p", "k", check=0)


@both
def test_a_journal_of_another_user_beside_a_keychain_file_elsewhere_deletes_nothing(it):
    """The folder is one in which all users make files, such as /tmp."""
    if not is_root:
        pytest.skip("only root can make a file of another user")
    it.start()
    folder = os.path.join(it.scratch, "everyone")
    os.mkdir(folder)
    os.chmod(folder, 0o1777)
    database = os.path.join(folder, "k.keychain")
    it.run("security", "create-keychain", "-p", "p", database, check=0)
    equal(it.stop(), 0)
    victim = victim_in(it.data)
    plant(database, victim, owner=ordinary_user + 1)
    os.chmod(database + "-journal", 0o666)
    it.start()
    assert it.run("security", "unlock-keychain", "-p", "p", database).returncode != 0
    assert is_there(victim)


@both
def test_a_journal_beside_a_snapshot_deletes_nothing(it):
    it.start()
    it.set("name", "s3cret")
    equal(it.stop(), 0)
    # Yesterday's, so that the snapshot of the next start has another name.
    today = glob.glob(os.path.join(it.data, "snapshots", "keychain-*.db"))[0]
    moment = datetime.datetime.strptime(os.path.basename(today), "keychain-%Y%m%d%H%M%SZ.db") - datetime.timedelta(days=1)
    snapshot = os.path.join(os.path.dirname(today), moment.strftime("keychain-%Y%m%d%H%M%SZ.db"))
    os.rename(today, snapshot)
    victim = victim_in(it.data)
    plant(snapshot, victim)
    it.start()
    # Each snapshot gets the new keybag; this one cannot be opened and goes.
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
    assert is_there(victim)
    assert not os.path.exists(snapshot)
    equal(it.get("name"), b"s3cret")


# MARK: The system service


@cases("place", ["keychain.db", "keychains/k-db", "snapshots"])
def test_a_folder_that_is_migrated_into_the_system_service_deletes_no_file_of_another_user(it, place):
    with SystemService(it) as service:
        first, second = service.user(ann), service.user(bob)
        try:
            service.start()
            second.set("name", "bob's")
            equal(service.stop(), 0)
            first.environment.pop("CHATELAINE_SERVICE", None)
            first.start()
            first.run("security", "create-keychain", "-p", "p", "k", check=0)
            equal(first.stop(), 0)
            own_keychain(first)
            database = os.path.join(first.data, place)
            if place == "snapshots":
                database = sorted(glob.glob(os.path.join(database, "keychain-*.db")))[-1]
            victim = os.path.join(service.store(bob), "device.key")
            journal = plant(database, victim)
            done = migrate(it, service, "to-system", ann, first.data)
            assert os.path.exists(victim), "the migration deleted the device key of another user"
            contains(done.out, "with 2 items")
            service.start(sandboxed=False)
            use_system(first, service)
            equal(first.get("first"), b"one")
            first.run("security", "unlock-keychain", "-p", "p", "k", check=0)
            first.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
            first.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
            assert os.path.exists(victim), "the service deleted the device key of another user"
            equal(second.get("name"), b"bob's")
            found = [name for _, _, names in os.walk(service.store(ann)) for name in names]
            equal([name for name in found if name.endswith("-journal")], [])
            contains(done.out, "Not copied, because no service uses it: " + os.path.relpath(journal, first.data))
        finally:
            first.remove()
            second.remove()
