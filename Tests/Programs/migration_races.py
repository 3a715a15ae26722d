# SPDX-License-Identifier: Apache-2.0
"""A user who changes the folders that root migrates, between any two of root's calls (Documentation/Attacks.md, "A service of the system").

Whatever the user puts there, nothing of other users is read, written, deleted or given away, and the migration ends with an error or
with the complete keychain."""

import contextlib
import hashlib
import os
import socket
import stat
import subprocess

import pytest

from support.migration import check_items, migrate, own_keychain, use_system
from support.race import acting_as, build, run_stopping
from support.seeds import dice, rounds
from support.sentences import cases, contains, equal
from support.system import SystemService, ann, bob

MARK = b"what belongs to others " * 64


def contents(folder):
    """All that is in a folder, with owners, modes and contents."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            path = os.path.join(place, name)
            facts = os.lstat(path)
            digest = None
            if stat.S_ISREG(facts.st_mode):
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
            found[os.path.relpath(path, folder)] = (facts.st_ino, facts.st_mode, facts.st_uid, facts.st_gid, facts.st_nlink, digest)
    return found


def files_with(mark, folder):
    found = []
    for place, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(place, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                with open(path, "rb") as file:
                    if mark in file.read():
                        found.append(path)
    return found


class Race:
    """A keychain that root migrates, what others have beside it, and a user who changes the folder of the keychain meanwhile."""

    def __init__(self, it, service, first, direction):
        self.it, self.service, self.first, self.direction = it, service, first, direction
        self.library = build(it.scratch)
        self.log = os.path.join(it.scratch, "calls")
        # Root's own, which everybody may read: the names are those that a migration copies.
        self.others = os.path.join(it.scratch, "others")
        for name in ("keychain.db", "device.key", "audit.log", "keychains/k-db", "snapshots/keychain-20260101000000Z.db"):
            path = os.path.join(self.others, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(MARK)
            os.chmod(path, 0o644)
        self.folder = first.data
        self.away = first.data + ".away"
        with open(os.path.join(service.store(bob), "device.key"), "rb") as file:
            self.key_of_bob = file.read()
        with open(os.path.join(first.data if direction == "to-system" else service.store(ann), "device.key"), "rb") as file:
            self.key = file.read()
        self.places = [first.directories["data"], service.state]
        self.begin = os.path.join(it.scratch, "begin")
        for number, place in enumerate(self.places):
            subprocess.run(["cp", "-a", place, f"{self.begin}-{number}"], check=True)

    def restore(self):
        for number, place in enumerate(self.places):
            subprocess.run(["rm", "-rf", place], check=True)
            subprocess.run(["cp", "-a", f"{self.begin}-{number}", place], check=True)

    @property
    def words(self):
        return [self.it.program("chatelained"), "migrate", self.direction, str(ann), "--user-directory", self.folder,
                "--system-directory", self.service.state]

    def run(self, swap, is_swapped, root=None, **environment):
        """Migrates, with the folder changed before the calls for which `is_swapped` says so, by their number and their line."""
        self.restore()
        untouched = [self.others, self.service.store(bob)]
        before = [contents(folder) for folder in untouched]
        changed = False

        def at_stop(number, line):
            nonlocal changed
            wanted = is_swapped(number, line)
            if wanted != changed:
                with acting_as(ann), contextlib.suppress(OSError):
                    (swap.begin if wanted else swap.end)(self)
                    changed = wanted

        done = run_stopping(self.words, self.library, root or self.folder, self.log, at_stop, **environment)
        assert done.status in (0, 1), (done.status, done.err)
        equal([contents(folder) for folder in untouched], before)
        read = files_with(MARK, self.service.state) + files_with(self.key_of_bob, self.first.directories["data"])
        equal(read, [])
        store = os.path.join(self.service.store(ann), "device.key")
        if done.status:
            contains(done.err, "error: ")
        if self.direction == "to-system":
            equal(os.path.exists(store), done.status == 0)
            # What was copied until then is removed again.
            self.check_room()
            if done.status == 0:
                with open(store, "rb") as file:
                    equal(file.read(), self.key)
                contains(done.out, "with 2 items")
        # The key of the keychain is somewhere in the two places still.
        assert any(files_with(self.key, place) for place in self.places), "the keychain is lost"
        return done

    def check_room(self):
        """Nothing of an unfinished copy takes room."""
        equal([name for name in os.listdir(os.path.join(self.service.state, "users")) if name.startswith(".migration")], [])


class Swap:
    """What the user puts in the place of a file or folder, and takes away again, with a user's rights."""

    def __init__(self, suffix, put):
        """suffix: behind the path of the folder. put: makes something at a path that is free."""
        self.suffix, self.put = suffix, put

    def begin(self, race):
        path = race.folder + self.suffix
        os.rename(path, race.away)
        self.put(race, path)

    def end(self, race):
        path = race.folder + self.suffix
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        else:
            os.unlink(path)
        os.rename(race.away, path)


def listening_socket(_race, path):
    with socket.socket(socket.AF_UNIX) as listener:
        # The whole path may be longer than an address.
        os.chdir(os.path.dirname(path))
        try:
            listener.bind(os.path.basename(path))
        finally:
            os.chdir("/")


def fifo(_race, path):
    os.mkfifo(path)


def folder(_race, path):
    os.mkdir(path)


def link_to_root(name):
    """A link to what is root's, and everybody may read."""
    return lambda race, path: os.symlink(os.path.join(race.others, name), path)


def link_to_bob(name):
    """A link into the keychain of another user."""
    return lambda race, path: os.symlink(os.path.join(race.service.store(bob), name), path)


SWAPS = {
    "to-system": {
        "a link to a file of root for the device key": Swap("/device.key", link_to_root("device.key")),
        "a link to the device key of another user for the device key": Swap("/device.key", link_to_bob("device.key")),
        "a link for the database": Swap("/keychain.db", link_to_root("keychain.db")),
        "a FIFO for the device key": Swap("/device.key", fifo),
        "a FIFO for the lock": Swap("/store.lock", fifo),
        "a socket for the database": Swap("/keychain.db", listening_socket),
        "a folder for the database": Swap("/keychain.db", folder),
        "a link for the folder of keychains": Swap("/keychains", link_to_root("keychains")),
        "a link for the folder of snapshots": Swap("/snapshots", link_to_root("snapshots")),
        "a link to a folder of root for all of it": Swap("", link_to_root("")),
        "a link to the keychain of another user for all of it": Swap("", link_to_bob("")),
    },
    "to-user": {
        "a link to a folder of root for the copy": Swap(".migration", link_to_root("")),
        "a link to the keychain of another user for the copy": Swap(".migration", link_to_bob("")),
        "a link for the folder of keychains": Swap(".migration/keychains", link_to_root("keychains")),
        "a link for the device key": Swap(".migration/device.key", link_to_bob("device.key")),
        "a FIFO for the database": Swap(".migration/keychain.db", fifo),
    },
}


@contextlib.contextmanager
def race(it, direction):
    with SystemService(it) as service:
        first, second = service.user(ann), service.user(bob)
        try:
            service.start(sandboxed=False)
            second.set("name", "bob's")
            equal(service.stop(), 0)
            first.environment.pop("CHATELAINE_SERVICE", None)
            first.start()
            first.run("security", "create-keychain", "-p", "p", "k", check=0)
            equal(first.stop(), 0)
            own_keychain(first)
            if direction == "to-user":
                migrate(it, service, "to-system", ann, first.data)
                subprocess.run(["find", first.directories["data"], "-mindepth", "1", "-delete"], check=True)
            yield Race(it, service, first, direction)
        finally:
            first.remove()
            second.remove()


def look(race):
    """The migration that is left alone moves the whole keychain."""
    race.restore()
    migrate(race.it, race.service, race.direction, ann, race.folder)
    if race.direction == "to-system":
        race.service.start(sandboxed=False)
        use_system(race.first, race.service)
        check_items(race.first)
        equal(race.service.stop(), 0)
    else:
        race.first.environment["CHATELAINE_SERVICE"] = "user"
        race.first.start()
        check_items(race.first)
        race.first.stop()


@cases("direction", list(SWAPS))
def test_a_user_who_exchanges_files_and_folders_at_every_second_call_gets_nothing_of_others(it, direction):
    """A user who exchanges files and folders at every second call of a migration gets, changes and deletes nothing of others."""
    with race(it, direction) as racing:
        for name, swap in SWAPS[direction].items():
            changes = 0
            for phase in (0, 1):
                done = racing.run(swap, lambda number, _line: number % 2 == phase)
                changes += len(done.calls)
            assert changes > 2, (name, done.calls)
        look(racing)


@pytest.mark.long
@cases("direction, name", [(direction, name) for direction, swaps in SWAPS.items() for name in swaps])
def test_a_user_who_exchanges_something_at_a_drawn_call_of_a_migration_gets_nothing_of_others(it, direction, name):
    with race(it, direction) as racing:
        swap = SWAPS[direction][name]
        calls = racing.run(swap, lambda _number, _line: False).calls
        assert len(calls) > 10, calls
        for call in dice("migration race", direction, name).sample(range(len(calls)), min(len(calls), rounds(12))):
            # For that call alone, and from then on.
            racing.run(swap, lambda number, _line: number == call)
            racing.run(swap, lambda number, _line: number >= call)
        look(racing)


def test_a_file_that_grows_while_it_is_copied_is_refused_and_takes_no_room(it):
    with race(it, "to-system") as racing:
        for name in ("audit.log", "keychains/k-db"):
            path = os.path.join(racing.folder, name)
            done = racing.run(None, lambda _number, _line: False, root="/nowhere", RACE_GROW=path)
            equal(done.status, 1)
            contains(done.err, f"error: {path} changed while it was copied", "hint: ")
            assert os.lstat(path).st_size < 1 << 20, "it was read to its end"
        look(racing)


def test_a_file_with_holes_that_is_larger_than_the_disk_is_refused_and_takes_no_room(it):
    with race(it, "to-system") as racing:
        disk = os.statvfs(racing.service.state)
        for name in ("audit.log", "device.key", "keychain.db", "keychains/k-db"):
            racing.restore()
            path = os.path.join(racing.folder, name)
            with acting_as(ann):
                os.truncate(path, disk.f_blocks * disk.f_frsize)
            done = migrate(it, racing.service, "to-system", ann, racing.folder, check=1)
            contains(done.err, f"error: {path} ", "hint: ")
            racing.check_room()
        look(racing)


def test_a_device_and_a_second_name_of_a_file_of_another_user_are_not_copied(it):
    with race(it, "to-system") as racing:
        path = os.path.join(racing.folder, "audit.log.3")

        def device():
            os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
            os.chown(path, ann, ann)

        def second_name():
            # As where the kernel's fs.protected_hardlinks is off.
            os.link(os.path.join(racing.others, "audit.log"), path)

        for make in (device, second_name):
            racing.restore()
            make()
            done = migrate(it, racing.service, "to-system", ann, racing.folder, check=1)
            contains(done.err, f"error: {path} ")
            equal(files_with(MARK, racing.service.state), [])
            racing.check_room()
        look(racing)
