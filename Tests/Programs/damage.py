# SPDX-License-Identifier: Apache-2.0
"""Changes any byte of a keychain, or cuts a file off anywhere: the service starts or reports the fault, does not change data that it
cannot read, returns only data that was stored, and all undamaged data can be salvaged.

CHATELAINE_ROUNDS is the number of changes to each kind of file (a sample without it; 0: every byte with another meaning
than its neighbours, and every length). CHATELAINE_SEED selects them (support/seeds.py). A long run: Tools/crash --damage.
"""

import json
import os
import re
import shutil
import signal
import struct
import subprocess

from support.instance import Instance, digest, read_text, wait_until
from support.pages import Database, log_classes
from support.seeds import SEED, dice, rounds
from support.sentences import cases, contains, equal, lacks
from support.wire import ADD, COPY, DATA, IO_FAILURE, NOT_AVAILABLE, NOT_FOUND, Client, attributes, block, lookup, optional

ROUNDS = rounds(1)

# Passwords, passwords of the Internet and keys; enough of them for a tree of two levels.
COUNTS = {1: 24, 2: 5, 4: 3}
NAMES = {1: "genp", 2: "inet", 4: "keys"}
DAMAGED, INTERNAL = -25295, -26275
# The files that the service itself writes at every start, beside the keychain.
OWN = re.compile(r"audit\.log.*|store\.lock|chatelained\.log|.*-shm|snapshots/.*|.*\.lock")


def secret_of(item_class, number):
    # Some go over several pages.
    return f"secret {item_class} {number} ".encode() * (1 if number % 6 else 300)


def values_of(item_class, number):
    key = {1: "svce", 2: "srvr", 4: "atag"}[item_class]
    name = f"name {number}"
    return {key: name.encode() if item_class == 4 else name, **({"acct": "a"} if item_class < 4 else {"kcls": 2})}


def add(client, item_class, number):
    values = {**values_of(item_class, number), "labl": "label"}
    if item_class == 1:
        values["lkup"] = lookup({"kind": "damage", "number": str(number)})
    return client.request(ADD, attributes(values, item_class) + b"\0" + optional(block(secret_of(item_class, number)))).status


def look_up(client, item_class, number):
    values = attributes(values_of(item_class, number), item_class)
    rest = b"\0" + optional(None) + optional(None) + b"\0" + optional(None)
    answer = client.request(COPY, values + rest + struct.pack(">IB", 1, DATA))
    return answer.status, answer.items[0][2] if answer.items else None


def look_up_by_pair(client, item_class, number):
    answer = client.copy({"lkup": lookup({"number": str(number)})})
    return answer.status, answer.items[0][2] if answer.items else None


def searches(item_class):
    return [look_up, look_up_by_pair] if item_class == 1 else [look_up]


def wanted():
    return [(item_class, number) for item_class, count in COUNTS.items() for number in range(1, count + 1)]


def fill(it):
    """A keychain with items of all kinds, some pages that are free, a keychain file and a list."""
    it.start()
    with Client(it.socket_path) as client:
        for item_class, number in wanted():
            equal(add(client, item_class, number), 0)
        for number in range(5):
            equal(client.add({"svce": f"deleted {number}", "acct": "a"}, b"x" * 9000).status, 0)
        for number in range(5):
            equal(client.delete({"svce": f"deleted {number}"}).status, 0)
    it.run("security", "create-keychain", "-p", "sesame", "k", check=0)
    for number in range(6):
        it.run("security", "add-generic-password", "-a", f"a{number}", "-s", "s", "-w", f"p{number}", "k", check=0)
    it.run("security", "list-keychains", "-d", "user", "-s", "k", check=0)


class Model:
    """The files of an undamaged keychain: after a service that ended, or a service that was killed."""

    made = {}

    @classmethod
    def of(cls, it, killed=False):
        if killed not in cls.made:
            other = Instance(it.programs)
            fill(other)
            other.stop(signal.SIGKILL if killed else signal.SIGTERM)
            kept = os.path.join(it.programs.scratch, "killed" if killed else "ended")
            shutil.copytree(other.data, kept)
            shutil.rmtree(os.path.join(kept, "snapshots"), ignore_errors=True)
            for name in os.listdir(kept):
                if name.endswith("-shm"):
                    os.unlink(os.path.join(kept, name))
            other.remove()
            cls.made[killed] = kept
        return cls.made[killed]


def files(it):
    """By path below the data folder: the digest."""
    found = {}
    for folder, _, names in os.walk(it.data):
        for name in names:
            path = os.path.join(folder, name)
            below = os.path.relpath(path, it.data)
            # SQLite makes an empty log when it opens a database.
            if not OWN.fullmatch(below) and (not below.endswith("-wal") or os.path.getsize(path)):
                found[below] = digest(path)
    return found


def begin(it):
    """Starts the service; returns its output if it ends by itself, and otherwise None."""
    log = os.path.join(it.scratch, "said")
    with open(log, "wb") as out:
        it.daemon = it.popen("chatelained", stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    wait_until(lambda: it.daemon.poll() is not None or it.is_listening(), what="the start or the end of the service")
    if it.daemon.poll() is None:
        return None
    equal(it.daemon.returncode, 1)
    it.daemon = None
    return read_text(log)


def says_salvage(it):
    return "`chatelaine salvage`" in read_text(os.path.join(it.scratch, "said"))


def salvage_of_file(it):
    return "`chatelaine salvage --keychain`" in read_text(os.path.join(it.scratch, "said"))


def looked_at(it):
    """Returns the status after all rows were checked, or could not be."""
    status = it.status()
    return (status["contents"] != "not-looked-at" or says_salvage(it)) and status


def served(it, before):
    """Checks that the service returns only stored data. The service counts missing items, or reports that rows are missing."""
    absent = []
    with Client(it.socket_path) as client:
        for item, search in [(item, search) for item in wanted() for search in searches(item[0])]:
            status, secret = search(client, *item)
            if status == 0:
                equal((item, secret), (item, secret_of(*item)))
            else:
                assert status in (NOT_FOUND, DAMAGED, INTERNAL, IO_FAILURE, NOT_AVAILABLE), (item, search, status)
                absent.append((item, search, status))
    if any(status == NOT_FOUND for _, _, status in absent):
        status = it.run("chatelaine", "status", "--json")
        if status.returncode == 0:
            told = wait_until(lambda: looked_at(it), what="the look at all rows")
            # Indices are mended before.
            with Client(it.socket_path) as client:
                absent = [(item, search, status) for item, search, _ in absent for status in [search(client, *item)[0]] if status]
            is_told = told["unreadable"] or told["contents"] != "as-left" or says_salvage(it)
            assert not absent or is_told, f"nobody is told of {len(absent)} missing items: {told}"
        else:
            contains(status.err, "error: ")
    equal(it.daemon.poll(), None)
    return absent


def salvaged(it, intact, spared=0):
    """Salvages the keychain: unchanged data is correct (except for this many items that cannot be named), and the rest is correct or
    reported."""
    before = files(it)
    done = it.run("chatelaine", "salvage")
    lacks(done.err, "Fatal", "Optional(", "SQLITE")
    if done.returncode:
        contains(done.err, "error: ")
        equal(files(it), before)
        return done.err
    equal(begin(it), None)
    absent = set()
    with Client(it.socket_path) as client:
        for item in wanted():
            status, secret = look_up(client, *item)
            assert (status, secret) in [(0, secret_of(*item)), (NOT_FOUND, None)], (item, status)
            if status:
                absent.add(item)
    reported = {tuple(map(str, pair)) for pair in re.findall(r"lost: (\w+), row (\d+)", done.out)}
    for item_class, number in sorted(absent):
        assert "does not show which items existed" in done.out or (NAMES[item_class], str(number)) in reported, (
            f"{NAMES[item_class]} {number} is lost, and nobody is told:\n{done.out}")
    lost = absent & intact
    assert len(lost) <= spared, f"whole items were not saved: {sorted(lost)}\n{done.out}"
    equal(it.stop(), 0)
    return None


class Rounds:
    """Many changes of copies of one keychain; the failures of all of them together."""

    def __init__(self, it, model, *purpose):
        """purpose: the changed object, for the random choices."""
        self.it, self.model, self.failures, self.count = it, model, [], 0
        self.dice = dice("damage", *purpose)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None and self.failures:
            texts = [f"{what}: {error}" for what, error in self.failures]
            raise AssertionError(f"{len(texts)} of {self.count} (CHATELAINE_SEED={SEED}):\n" + "\n".join(texts[:40]))

    def one(self, what, change, check):
        """Makes one change, and checks the result."""
        other = Instance(self.it.programs)
        self.count += 1
        try:
            shutil.copytree(self.model, other.data)
            change(other)
            check(other)
        except Exception as error:
            self.failures.append((what, f"{type(error).__name__ if not isinstance(error, AssertionError) else ''} {error}"))
        finally:
            other.remove()

    def sample(self, offsets, count):
        """Returns so many of the offsets; all of them where CHATELAINE_ROUNDS is 0."""
        offsets = list(offsets)
        return offsets if not ROUNDS or len(offsets) <= count else sorted(self.dice.sample(offsets, count))

    def flip(self, name, offset, check):
        def change(other):
            with open(os.path.join(other.data, name), "r+b") as file:
                file.seek(offset)
                byte = file.read(1)[0]
                file.seek(offset)
                file.write(bytes([byte ^ (1 << self.dice.randrange(8))]))
        self.one(f"byte {offset} of {name}", change, check)

    def cut(self, name, length, check):
        self.one(f"{name} cut to {length}", lambda other: os.truncate(os.path.join(other.data, name), length), check)


def keychain_check(intact, spared=0):
    """For damage of the keychain's own database."""
    def check(it):
        before = files(it)
        said = begin(it)
        if said is not None:
            contains(said, "error: ", it.data, "\nhint: ")
            lacks(said, "Fatal", "Optional(", "SQLITE")
            equal(files(it), before)
        else:
            served(it, before)
            equal(it.stop(), 0)
        error = salvaged(it, intact, spared)
        assert error is None or not intact, f"whole items were not saved: {error}"
    return check


def contents(model, name):
    with open(os.path.join(model, name), "rb") as file:
        return file.read()


def touched(database, offset):
    """The items whose rows have this byte."""
    classes = {name: number for number, name in NAMES.items()}
    return {(classes[table], row) for (table, row), places in database.rows.items()
            if table in classes and offset in places}


def kinds_of_bytes(it):
    return Database(contents(Model.of(it), "keychain.db")).classes


KINDS = ["header", "page header", "cell pointers", "cells of inner pages", "unused space", "cells of indices", "freelist", "free pages",
         "rows of schema", "rows of keybag", "rows of seal", "rows of guesses", "rows of numbering", "rows of genp", "rows of inet",
         "rows of keys"]


def test_the_sample_covers_every_kind_of_byte_of_a_database(it):
    missing = set(KINDS) - {name for name, places in kinds_of_bytes(it).items() if places}
    equal(missing, set())


@cases("kind", KINDS)
def test_a_changed_byte_of_the_database_harms_no_more_than_what_it_is_part_of(it, kind):
    model = Model.of(it)
    database = Database(contents(model, "keychain.db"))
    everything = set(wanted())
    with Rounds(it, model, "database", kind) as changes:
        count = ROUNDS * (3 if kind in ("header", "page header", "rows of genp") else 1)
        for offset in changes.sample(database.classes[kind], count):
            intact = everything - touched(database, offset)
            if kind == "rows of keybag":
                # Without a keybag nothing can ever be opened.
                intact = set()
            changes.flip("keychain.db", offset, keychain_check(intact))


@cases("kind", ["log header", "frame headers", "frame contents"])
def test_a_changed_byte_of_the_write_ahead_log_harms_no_more_than_what_it_is_part_of(it, kind):
    model = Model.of(it, killed=True)
    classes = log_classes(contents(model, "keychain.db-wal"))
    with Rounds(it, model, "log", kind) as changes:
        for offset in changes.sample(classes[kind], ROUNDS * 3):
            # A frame has parts of one item at most that no other frame has as well.
            changes.flip("keychain.db-wal", offset, keychain_check(set(wanted()), spared=1))


def test_a_database_that_is_cut_off_at_whatever_length_is_refused_or_served_as_far_as_it_is_whole(it):
    """A database that is cut off, at any length, is rejected or served as far as it is intact, and the intact items are salvaged."""
    model = Model.of(it)
    database = Database(contents(model, "keychain.db"))
    places = {item: max(database.rows[NAMES[item[0]], item[1]]) for item in wanted()}
    keybag = max(database.rows["keybag", 1])
    with Rounds(it, model, "length of the database") as changes:
        for length in changes.sample(range(1, len(database.data)), ROUNDS * 6):
            intact = {item for item, place in places.items() if place < length} if keybag < length else set()
            changes.cut("keychain.db", length, keychain_check(intact))


def test_a_log_that_is_cut_off_at_whatever_length_is_what_a_power_cut_leaves_an_earlier_moment_whole(it):
    model = Model.of(it, killed=True)

    def check(other):
        equal(begin(other), None)
        with Client(other.socket_path) as client:
            found = [look_up(client, *item) for item in wanted()]
        there = [answer for item, answer in zip(wanted(), found) if answer == (0, secret_of(*item))]
        equal(found, there + [(NOT_FOUND, None)] * (len(found) - len(there)))
        equal(other.stop(), 0)

    with Rounds(it, model, "length of the log") as changes:
        for length in changes.sample(range(len(contents(model, "keychain.db-wal"))), ROUNDS * 4):
            changes.cut("keychain.db-wal", length, check)


@cases("how", ["missing", "empty"])
def test_a_database_that_is_is_not_taken_for_a_keychain_that_was_never_made(it, how):
    fill(it)
    equal(it.stop(), 0)
    it.start()
    equal(it.stop(), 0)
    assert os.listdir(os.path.join(it.data, "snapshots")), "the test needs a snapshot"
    if how == "missing":
        os.unlink(it.database)
    else:
        os.truncate(it.database, 0)
    before = files(it)
    contains(it.start_in_vain().err, f"error: {it.database} is missing or empty, but snapshots of it exist", "no new keychain was created", "hint: copy the newest")
    equal(files(it), before)
    # As the hint says.
    newest = sorted(name for name in os.listdir(os.path.join(it.data, "snapshots")) if not name.startswith("."))[-1]
    shutil.copy(os.path.join(it.data, "snapshots", newest), it.database)
    it.start()


# MARK: Files beside the database


def all_served(it):
    with Client(it.socket_path) as client:
        equal([look_up(client, *item) for item in wanted()], [(0, secret_of(*item)) for item in wanted()])


def refused_or_all_served(it):
    before = files(it)
    said = begin(it)
    if said is not None:
        contains(said, "error: ", it.data, "\nhint: ")
        lacks(said, "Fatal", "Optional(")
    else:
        all_served(it)
        equal(it.stop(), 0)
    equal({name: digest for name, digest in files(it).items() if name != "keychain.db"},
          {name: digest for name, digest in before.items() if name != "keychain.db"})


def harmed(it, name, check):
    model = Model.of(it)
    size = len(contents(model, name))
    with Rounds(it, model, name) as changes:
        for offset in changes.sample(range(size), ROUNDS * 3):
            changes.flip(name, offset, check)
        for length in changes.sample(range(size), ROUNDS * 2):
            changes.cut(name, length, check)


@cases("name", ["device.key", "keychains/lists"])
def test_whatever_is_wrong_with_the_keychain_is_served_or_it_is_said_why_not_and_that_file_stays_as_it_is(it, name):
    harmed(it, name, refused_or_all_served)


@cases("name", ["audit.log", "audit.log.seal"])
def test_whatever_is_wrong_with_the_keychain_is_served_and_checking_the_log_says_so(it, name):
    def check(other):
        equal(begin(other), None)
        all_served(other)
        other.run("chatelaine", "log", "--check")
        told = other.run("chatelaine", "log", "--verify")
        assert told.returncode != 0 or "gap" in told.out, told.out
        equal(other.daemon.poll(), None)
        equal(other.stop(), 0)
    harmed(it, name, check)


def test_whatever_is_wrong_with_a_keychain_file_it_is_served_as_far_as_it_is_whole_or_refused_stays(it):
    """A keychain file with any fault is served as far as it is intact or rejected, stays, and its intact data can be salvaged."""
    name = "keychains/k-db"
    model = Model.of(it)
    database = Database(contents(model, name))

    def right(other, keychain):
        told = [other.run("security", "find-generic-password", "-a", f"a{number}", "-w", keychain) for number in range(6)]
        for number, done in enumerate(told):
            assert (done.returncode, done.out) == (0, f"p{number}\n") or done.returncode and "Fatal" not in done.err, (number, done)
        return {number for number, done in enumerate(told) if done.returncode == 0}

    def without_attempts(other):
        """All bytes but what a failed attempt changes, as each is counted: the page of their table, and the counters of SQLite's header."""
        data = bytearray(contents(other.data, name))
        page = database.rows["attempts", 1][0] // database.size
        for first, after in ((24, 28), (92, 100), (page * database.size, (page + 1) * database.size)):
            data[first:after] = bytes(after - first)
        return data

    def check(intact):
        def check(other):
            before = without_attempts(other)
            equal(begin(other), None)
            opened = other.run("security", "unlock-keychain", "-p", "sesame", "k")
            if opened.returncode:
                contains(opened.err, "security: SecKeychainUnlock k: ")
                assert without_attempts(other) == before, "more was changed than what counts attempts"
            elif intact - right(other, "k"):
                # Told of, or mended.
                wait_until(lambda: salvage_of_file(other) or right(other, "k") >= intact, what="the look at the file")
                if salvage_of_file(other):
                    told = json.loads(other.run("chatelaine", "keychains", "--json", check=0).out)
                    # The model's own path is on the search list, too, and missing.
                    equal([entry["path"] for entry in told if entry["damaged"]], [os.path.join(other.data, name)])
                    contains(other.run("chatelaine", "keychains", check=0).err, "chatelaine salvage --keychain")
            all_served(other)
            equal(other.stop(), 0)
            done = with_password(other, "salvage", "--keychain", "k", password="sesame")
            if done.returncode:
                contains(done.err, "error: ")
                assert not intact, f"whole items were not saved: {done.err}"
                return
            equal(begin(other), None)
            other.run("security", "unlock-keychain", "-p", "sesame", "k.salvaged", check=0)
            lost = intact - right(other, "k.salvaged")
            assert not lost, f"whole items were not saved: {lost}\n{done.out}"
            equal(other.stop(), 0)
        return check

    with Rounds(it, model, name) as changes:
        # Each change takes seconds: one round is for some of the kinds.
        for kind in changes.sample([kind for kind in KINDS if database.classes.get(kind)], ROUNDS * 6):
            for offset in changes.sample(database.classes[kind], max(1, ROUNDS // 3)):
                touched = {row - 1 for (table, row), places in database.rows.items() if table == "genp" and offset in places}
                intact = set(range(6)) - touched if kind != "rows of keybag" else set()
                changes.flip(name, offset, check(intact))


def with_password(it, *words, password):
    read, write = os.pipe()
    os.write(write, password.encode())
    os.close(write)
    try:
        return it.run("chatelaine", *words, "--passcode-fd", str(read), pass_fds=[read])
    finally:
        os.close(read)
