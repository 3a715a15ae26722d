# SPDX-License-Identifier: Apache-2.0
"""Acknowledged data stays: through kills, full disks, and files that are damaged, foreign or missing.

CHATELAINE_ROUNDS is the number of kills during writing (6); Tools/crash takes thousands. CHATELAINE_SEED selects
their times (support/seeds.py)."""

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import threading

import pytest

from support.disk import build
from support.instance import Instance, digest, is_root, wait_until
from support.seeds import dice as dice_for, rounds
from support.sentences import both, cases, contains, equal, lacks, ordinary
from support.wire import DISK_FULL, NOT_FOUND, Client, Closed


ROUNDS = rounds(6)


def secret_of(name):
    """Returns a secret that shows whether it is complete, of various sizes up to some pages of the database."""
    seed = hashlib.sha256(name.encode()).digest()
    return seed * (1 + seed[0] * 2)


class Writer(threading.Thread):
    """Adds items until the service has ended; records the acknowledged ones."""

    def __init__(self, path, name):
        super().__init__()
        self.path, self.name_of_writer = path, name
        self.acknowledged, self.changed, self.deleted, self.unknown = [], {}, set(), set()
        self.failure = None

    def run(self):
        current = None
        try:
            with Client(self.path) as client:
                for number in range(100000):
                    name = current = f"{self.name_of_writer}.{number}"
                    expect(client.add({"svce": name, "acct": "a"}, secret_of(name)))
                    self.acknowledged.append(name)
                    if number % 3 == 1:
                        self.unknown.add(name)
                        expect(client.update({"svce": name}, {"labl": "changed"}, secret_of(name + "'")))
                        self.changed[name] = True
                        self.unknown.discard(name)
                    if number % 5 == 4:
                        self.unknown.add(name)
                        expect(client.delete({"svce": name}))
                        self.deleted.add(name)
                        self.unknown.discard(name)
        except (Closed, OSError):
            self.unknown.add(current)
        except AssertionError as error:
            self.failure = error


def digests(folder):
    """Of the files that lie directly in it."""
    paths = {name: os.path.join(folder, name) for name in os.listdir(folder)}
    return {name: digest(path) for name, path in paths.items() if os.path.isfile(path)}


def expect(answer):
    assert answer.status == 0, answer.status


def test_after_each_kill_during_writing_all_that_was_acknowledged_is_there_and_whole(it):
    dice = dice_for("kills")
    # In keychains of some hundreds of items each.
    for first in range(0, ROUNDS, 10):
        other = Instance(it.programs)
        try:
            kill_while_writing(other, dice, range(first, min(first + 10, ROUNDS)))
        finally:
            other.remove()


def kill_while_writing(it, dice, rounds):
    writers = []
    for round in rounds:
        it.start()
        running = [Writer(it.socket_path, f"{round}.{n}") for n in range(4)]
        for writer in running:
            writer.start()
        # Killed somewhere in the stream: when a number of items has been acknowledged.
        goal = dice.randint(5, 60)
        wait_until(lambda: sum(len(writer.acknowledged) for writer in running) >= goal, what="some items")
        it.stop(signal.SIGKILL)
        for writer in running:
            writer.join()
            assert writer.failure is None, writer.failure
        writers += running
    it.start()
    with Client(it.socket_path) as client:
        found = {item[1]["svce"].decode(): item[2] for item in client.copy({}, limit=0, returning=3).items}
    allowed = set()
    for writer in writers:
        for name in writer.acknowledged:
            if name in writer.deleted:
                assert name not in found, f"{name} was deleted"
            elif name in writer.unknown:
                assert found.get(name) in (None, secret_of(name), secret_of(name + "'")), f"{name} is half of something"
            else:
                expected = secret_of(name + "'") if name in writer.changed else secret_of(name)
                assert found.get(name) == expected, f"{name} is lost or not whole"
        allowed.update(writer.acknowledged)
        allowed.update(writer.unknown)
    assert set(found) <= allowed
    for name, secret in found.items():
        assert secret in (secret_of(name), secret_of(name + "'")), f"{name} is half of something"
    listed = it.list()
    equal(sorted(item["name"] for item in listed), sorted(found))
    status = it.status()
    equal((status["items"], status["unreadable"]), (len(found), 0))
    # SQLite itself finds nothing wrong with it either.
    it.stop()
    with sqlite3.connect(f"file:{it.database}?mode=ro", uri=True) as database:
        equal(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])


@both
def test_what_chatelaine_set_and_security_acknowledged_is_there_after_a_kill(it):
    for n in range(5):
        it.set(f"name {n}", f"secret {n}")
        it.run("security", "add-generic-password", "-a", "a", "-s", f"service {n}", "-w", f"password {n}", check=0)
        it.stop_detached(signal.SIGKILL)
    for n in range(5):
        equal(it.get(f"name {n}"), f"secret {n}".encode())
        found = it.run("security", "find-generic-password", "-s", f"service {n}", "-w", check=0)
        equal(found.out, f"password {n}\n")


def test_a_service_that_is_killed_while_it_starts_for_the_first_time_leaves_nothing_that_stops_the_next(it):
    """A service that is killed while it starts for the first time leaves nothing that stops the next one."""
    dice, number, kills = dice_for("first start"), 0, 0
    mark = os.path.join(it.scratch, "kill")
    environment = {
        **it.environment, "LD_PRELOAD": build(it.scratch), "DISK_LOG_ROOT": it.directories["data"], "DISK_KILL": mark}
    is_listening = False
    while not is_listening:
        # In place of this change to a file. From 100 rounds on, in place of each one.
        number += dice.randint(1, 8) if ROUNDS < 100 else 1
        with open(mark, "w", encoding="utf-8") as file:
            file.write(str(number))
        nothing = subprocess.DEVNULL
        process = it.popen("chatelained", stdin=nothing, stdout=nothing, stderr=nothing, env=environment)
        wait_until(lambda: it.is_listening() or process.poll() is not None, what="the start or the end of the service")
        is_listening = process.poll() is None
        process.kill()
        equal(process.wait(timeout=60), -signal.SIGKILL)
        kills += not is_listening
        it.start()
        it.set("name", "secret")
        equal(it.get("name"), b"secret")
        it.stop(signal.SIGKILL)
        shutil.rmtree(it.data)
    assert kills >= 10, f"killed at only {kills} places"


# MARK: Full and read-only disks


class Disk:
    """A small file system in the place of the data directory."""

    def __init__(self, it, size):
        if not is_root:
            pytest.skip("only root may mount")
        self.it, self.path = it, it.directories["data"]
        owner = it.user or 0
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700,uid={owner},gid={owner}", "tmpfs", self.path],
            capture_output=True, text=True)
        if done.returncode:
            pytest.skip("mounting is not allowed here: " + done.stderr.strip())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.it.daemon:
            self.it.stop(signal.SIGKILL)
        subprocess.run(["umount", "--lazy", self.path], check=True)

    @property
    def filler(self):
        return os.path.join(self.path, "filler")

    def fill(self):
        with open(self.filler, "wb", buffering=0) as file:
            size = 1 << 16
            while size:
                try:
                    file.write(b"x" * size)
                except OSError:
                    size //= 2

    def make_room(self):
        os.unlink(self.filler)

    def remount(self, mode):
        subprocess.run(["mount", "-o", f"remount,{mode}", self.path], check=True, capture_output=True)


@both
def test_on_a_full_disk_an_item_is_refused_with_a_clear_message_nothing_is_lost_and_with_room_it_goes_on(it):
    with Disk(it, "2m") as disk:
        it.start()
        for n in range(5):
            it.set(f"name {n}", f"secret {n}" * 100)
        disk.fill()
        stored = None
        for n in range(200):
            done = it.run("chatelaine", "set", f"more {n}", input="y" * 5000)
            if done.returncode:
                break
            stored = n
        equal(done.returncode, 1)
        contains(done.err, "error: the disk that holds the keychain is full", "\nhint: free disk space")
        done = it.run("security", "add-generic-password", "-a", "a", "-s", "s", "-w", "y" * 9000)
        assert done.returncode == (DISK_FULL & 0xFF), done
        contains(done.err, "disk")
        done = it.run("PasswordKeeper", "set", "service", "account", input="y" * 9000 + "\n", check=1)
        contains(done.err.lower(), "disk")
        for n in range(5):
            equal(it.get(f"name {n}"), (f"secret {n}" * 100).encode())
        # Also for a service that starts anew on the full disk after a kill.
        count = len(it.list())
        equal(count, 5 + (0 if stored is None else stored + 1))
        it.stop(signal.SIGKILL)
        disk.make_room()
        it.start()
        equal(len(it.list()), count)
        it.set("after", "y" * 5000)
        equal(it.get("after"), b"y" * 5000)
        equal(it.get("name 3"), b"secret 3" * 100)


def test_a_full_disk_stops_neither_reading_nor_the_service_and_it_goes_on_by_itself_when_there_is_room(it):
    with Disk(it, "2m") as disk:
        it.start()
        it.set("name", "secret")
        disk.fill()
        while it.run("chatelaine", "set", "more", input="y" * 50000).returncode == 0:
            pass
        for _ in range(50):
            equal(it.get("name"), b"secret")
        equal(it.daemon.poll(), None)
        disk.make_room()
        it.set("more", "z")
        equal(it.get("more"), b"z")
        equal(it.stop(), 0)


def test_a_service_that_starts_for_the_first_time_on_a_full_disk_says_so_and_starts_when_there_is_room(it):
    with Disk(it, "1m") as disk:
        disk.fill()
        error = it.start_in_vain().err
        assert "full" in error or "No space left on device" in error or "ENOSPC" in error, error
        disk.make_room()
        it.start()
        it.set("name", "secret")
        equal(it.get("name"), b"secret")


def test_on_a_read_only_file_system_the_service_says_that_it_cannot_write_and_changes_nothing(it):
    it.start()
    it.set("name", "secret")
    it.stop()
    saved = os.path.join(it.scratch, "saved")
    shutil.copytree(it.data, saved)
    with Disk(it, "4m") as disk:
        shutil.copytree(saved, it.data)
        before = digests(it.data)
        disk.remount("ro")
        done = it.start_in_vain()
        contains(done.err, "error: ", it.data, "hint: ")
        assert "ead-only" in done.err or "cannot be written" in done.err, done.err
        equal(digests(it.data), before)
        disk.remount("rw")
        it.start()
        equal(it.get("name"), b"secret")


@ordinary
def test_files_and_directories_without_write_permission_are_reported_and_nothing_is_changed(it):
    it.start()
    it.set("name", "secret")
    it.stop()
    for path, mode in [(os.path.join(it.data, "store.lock"), 0o400), (it.data, 0o500)]:
        before = digest(it.database)
        os.chmod(path, mode)
        contains(it.start_in_vain().err, "error: ", it.data, "hint: ")
        equal(digest(it.database), before)
        os.chmod(path, 0o700)
    it.start()
    equal(it.get("name"), b"secret")


@ordinary
def test_a_database_that_cannot_be_written_is_served_for_reading_and_changes_are_refused_with_a_hint(it):
    it.start()
    it.set("name", "secret")
    it.stop()
    os.chmod(it.database, 0o400)
    before = digest(it.database)
    it.start()
    equal(it.get("name"), b"secret")
    for words in [["set", "name"], ["set", "other"], ["remove", "name"]]:
        done = it.run("chatelaine", *words, input="changed", check=1)
        contains(done.err, "error: the keychain's files cannot be written", "\nhint: check the permissions of ")
    equal(it.get("name"), b"secret")
    it.stop()
    equal(digest(it.database), before)


# MARK: Damaged, foreign and lost files


def keychain(it, items=30):
    """A keychain of some items, closed."""
    it.start()
    with Client(it.socket_path) as client:
        for n in range(items):
            expect(client.add({"svce": f"name {n}", "acct": "a"}, secret_of(f"name {n}")))
    it.set("command", "secret")
    equal(it.stop(), 0)


def refused(it, *parts):
    """The service refuses to start, logs an error, and leaves all files unchanged."""

    def files():
        # SQLite leaves an index and an empty log behind when it opens such a database.
        paths = [path for path in (os.path.join(it.data, name) for name in os.listdir(it.data)) if os.path.isfile(path)]
        ours = ("audit.log", "audit.log.seal", "store.lock", "chatelained.log", "keychain.db-shm")
        return {
            path: digest(path) for path in paths if os.path.basename(path) not in ours
            if not path.endswith("-wal") or os.path.getsize(path)}

    before = files()
    done = it.start_in_vain()
    equal(done.returncode, 1)
    contains(done.err, "error: ", *parts)
    contains(done.err, "\nhint: ")
    lacks(done.err, "Fatal", "Optional(", "SQLITE")
    equal(files(), before)
    # A client gets an error as well, and no file changes.
    contains(it.run("chatelaine", "list", check=5).err, "error: ")
    equal(files(), before)


def test_a_file_of_text_in_place_of_the_database_is_refused_and_left_as_it_is(it):
    keychain(it)
    with open(it.database, "w") as file:
        file.write("my notes\n" * 1000)
    refused(it, it.database, "is not a keychain database; it was not touched")


def test_another_programs_sqlite_database_is_refused_and_left_as_it_is(it):
    keychain(it)
    os.unlink(it.database)
    with sqlite3.connect(it.database) as database:
        database.execute("CREATE TABLE songs (title TEXT)")
        database.execute("INSERT INTO songs VALUES ('Greensleeves')")
    refused(it, it.database, "is not a keychain database; it was not touched")


def test_a_keychain_of_a_newer_version_is_refused_and_left_as_it_is(it):
    keychain(it)
    with sqlite3.connect(it.database) as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    refused(it, it.database, "made by a newer version of chatelaine; it was not touched", "hint: install that version")


@cases("size", [1, 50, 100, 1000, 4096, 5000, 8192, 20000, 50000])
def test_a_database_that_was_cut_off_is_refused_or_served_as_far_as_it_is_whole_and_not_changed(it, size):
    """A database that was cut off is refused or served as far as it is whole, and not changed: … bytes left."""
    keychain(it)
    os.truncate(it.database, size)
    damaged(it)


@cases("place", ["the header", "the first page", "the second page", "the middle", "the end", "everywhere"])
def test_a_database_with_flipped_bytes_is_refused_or_served_as_far_as_it_is_whole_and_not_changed(it, place):
    keychain(it)
    size = os.path.getsize(it.database)
    at = {"the header": range(16, 100), "the first page": range(100, 4096), "the second page": range(4096, 8192),
          "the middle": range(size // 2 - 4096, size // 2 + 4096), "the end": range(size - 3000, size),
          "everywhere": range(100, size, 511)}[place]
    with open(it.database, "r+b") as file:
        for offset in at:
            file.seek(offset)
            byte = file.read(1)
            file.seek(offset)
            file.write(bytes([byte[0] ^ 0x55]))
    damaged(it)


def damaged(it):
    """Refused at the start, or served with right secrets or clear errors only; never changed by that."""
    before = digest(it.database)
    done = it.popen("chatelained", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    it.daemon = done
    wait_until(lambda: it.is_listening() or done.poll() is not None, what="the start or the end of the service")
    if done.poll() is not None:
        error = done.stderr.read().decode()
        equal((done.returncode, digest(it.database)), (1, before))
        contains(error, "error: ", it.database, "\nhint: ")
        lacks(error, "Fatal")
        assert "damaged" in error or "not a keychain" in error or "missing or empty" in error, error
        it.daemon = None
        return
    with Client(it.socket_path) as client:
        for n in range(30):
            name = f"name {n}"
            answer = client.copy({"svce": name})
            if answer.status == 0:
                equal(answer.items[0][2], secret_of(name))
            else:
                assert answer.status in (NOT_FOUND, -25295, -26275, -36), answer.status
    shown = it.run("chatelaine", "get", "command")
    assert shown.out == "secret\n" or shown.err.startswith("error: "), shown
    equal(done.poll(), None)
    it.stop()


def test_a_row_whose_bytes_were_changed_is_set_aside_kept_and_counted_all_others_are_served(it):
    keychain(it)
    with sqlite3.connect(it.database) as database:
        rows = database.execute("SELECT count(*) FROM genp").fetchone()[0]
        database.execute("UPDATE genp SET data = zeroblob(length(data)) WHERE id = 5")
    database.close()
    it.start()
    with Client(it.socket_path) as client:
        statuses = [client.copy({"svce": f"name {n}"}).status for n in range(30)]
    equal(sorted(set(statuses)), [NOT_FOUND, 0])
    equal(statuses.count(NOT_FOUND), 1)
    status = it.status()
    equal((status["items"], status["unreadable"]), (rows - 1, 1))
    contains(it.run("chatelaine", "status", check=0).out, "unreadable  1 (set aside; they are kept")
    it.stop()
    with sqlite3.connect(it.database) as database:
        equal(database.execute("SELECT count(*) FROM genp").fetchone()[0], rows)


@both
def test_a_lost_device_key_is_reported_and_nothing_is_made_in_its_place(it):
    keychain(it) if it.user is None else (it.set("command", "secret"), it.stop_detached())
    key = os.path.join(it.data, "device.key")
    saved = os.path.join(it.scratch, "saved.key")
    os.rename(key, saved)
    refused(it, f"the device key {key} is missing", "nothing was changed", "hint: restore both files")
    assert not os.path.exists(key)
    os.rename(saved, key)
    it.start()
    equal(it.get("command"), b"secret")


@cases("damage", ["empty", "cut off", "flipped", "longer", "text", "large"])
def test_a_damaged_device_key_is_reported_and_left_as_it_is(it, damage):
    keychain(it, items=1)
    key = os.path.join(it.data, "device.key")
    with open(key, "rb") as file:
        content = file.read()
    flipped = content[:-1] + bytes([content[-1] ^ 1])
    changed = {"empty": b"", "cut off": content[:-1], "flipped": flipped, "longer": content + b"\0", "text": b"key\n",
               "large": content * 1000}[damage]
    with open(key, "wb") as file:
        file.write(changed)
    refused(it, key if damage != "flipped" else it.data)
    with open(key, "wb") as file:
        file.write(content)
    it.start()
    equal(it.get("command"), b"secret")


def test_the_device_key_of_another_keychain_is_refused_and_both_files_are_left_as_they_are(it):
    keychain(it, items=1)
    key = os.path.join(it.data, "device.key")
    shutil.move(it.data, it.data + ".other")
    keychain(it, items=1)
    shutil.copyfile(it.data + ".other/device.key", key)
    refused(it, it.database, "was made with another device key; it was not touched")


@cases("how", ["0640", "0604", "0666", "link"])
def test_a_device_key_that_others_can_read_or_that_is_a_link_is_refused(it, how):
    keychain(it, items=1)
    key = os.path.join(it.data, "device.key")
    if how == "link":
        os.rename(key, key + ".target")
        os.symlink(key + ".target", key)
        contains(it.start_in_vain().err, "error: ", key)
    else:
        os.chmod(key, int(how, 8))
        refused(it, key, "can be read by other users", "chmod 600")


def test_a_keychain_that_was_moved_with_its_whole_directory_opens_in_the_new_place(it):
    keychain(it)
    shutil.move(it.data, it.data + ".moved")
    os.mkdir(os.path.join(it.scratch, "place"), 0o700)
    shutil.move(it.data + ".moved", os.path.join(it.scratch, "place/chatelaine"))
    it.directories["data"] = it.environment["XDG_DATA_HOME"] = os.path.join(it.scratch, "place")
    it.start()
    equal(it.get("command"), b"secret")


def test_a_copy_of_all_files_that_was_taken_while_the_service_ran_holds_all_that_was_acknowledged(it):
    it.start()
    for n in range(5):
        it.set(f"name {n}", "secret")
    copy = os.path.join(it.scratch, "backup")
    shutil.copytree(it.data, os.path.join(copy, "chatelaine"))
    it.stop()
    os.chmod(copy, 0o700)
    it.directories["data"] = it.environment["XDG_DATA_HOME"] = copy
    it.start()
    equal(len(it.list()), 5)
