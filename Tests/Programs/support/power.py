# SPDX-License-Identifier: Apache-2.0
"""A service whose files are written down, and the disks that a power cut may leave of them."""

import contextlib
import copy
import os
import random
import sqlite3

from .disk import Disk, build, records
from .instance import Instance, wait_until
from .seeds import SEED, finding
from .sentences import equal


class Recording:
    """An operation on an instance's data folder, which may contain data. Its length stands for the time."""

    def __init__(self, it):
        self.log = os.path.join(it.scratch, "disk.log")
        self.root = it.directories["data"]
        self.before = Disk.holding(self.root)
        self.more = {"LD_PRELOAD": build(it.scratch), "DISK_LOG": self.log, "DISK_LOG_ROOT": self.root}

    def now(self):
        return os.path.getsize(self.log)

    def environment(self, it):
        """For programs that are recorded."""
        return {**it.environment, **self.more}

    @contextlib.contextmanager
    def service(self, it):
        """A service that is recorded; other programs of the instance are not."""
        it.start(env=self.environment(it))
        yield
        equal(it.stop(), 0)


def cut_everywhere(it, recording, dice, rounds, check, name, since=0):
    """Cuts the power at `rounds` moments and has each disk checked, with its moment. Keeps a disk whose check fails.

    name: of the test, for the disks that are kept.
    check: gets another instance, with the disk as its data folder and no service, and the moment."""
    ends = [record.end for record in records(recording.log) if record.end >= since]
    disk, at = copy.deepcopy(recording.before), iter(records(recording.log))
    for number, moment in enumerate(sorted(dice.choice(ends) for _ in range(rounds))):
        while disk.length < moment:
            disk.add(next(at))
        other = Instance(it.programs)
        try:
            data = other.directories["data"]
            os.rmdir(data)
            state = dice.getstate()
            disk.cut_power(dice, data)
            try:
                check(other, moment)
            except Exception as error:
                # The check may have changed the disk: make it once more.
                again, kept = random.Random(), finding(f"power-cut-{name}-{SEED}-{number}")
                again.setstate(state)
                disk.cut_power(again, kept)
                raise AssertionError(
                    f"cut {number}, after {moment} bytes (CHATELAINE_SEED={SEED}, its disk: {kept}): {error}") from error
        finally:
            other.remove()


def allowed(history, moment, first=None):
    """Returns the possible values at the moment of the power cut: the last acknowledged value, or a value that was requested since.

    history: (the time of the request, the time of the acknowledgement or None for never, the value), in sequence."""
    values = [first]
    for before, after, value in history:
        if after is not None and after <= moment:
            values = [value]
        elif before < moment:
            values.append(value)
    return values


class Histories:
    """Changes in sequence: the requested values with their times, and when each was acknowledged. By the changed object."""

    def __init__(self, recording, first):
        """first: what each thing is before."""
        self.recording = recording
        self.histories = {what: [(-1, -1, value)] for what, value in first.items()}

    def value(self, what):
        return self.histories[what][-1][2]

    def change(self, values, make):
        """Has `make` give these things these values; what it returned."""
        before = self.recording.now()
        result = make()
        after = self.recording.now()
        for what, value in values.items():
            self.histories[what].append((before, after, value))
        return result

    def try_to(self, what, value):
        """Records values that are requested in between, and never acknowledged."""
        self.histories[what].append((self.recording.now(), None, value))

    def are_kept(self, found, moment):
        """Each thing is as it may be when the power is cut at that moment."""
        equal(set(found), set(self.histories))
        for what, history in self.histories.items():
            values = allowed(history, moment)
            assert found[what] in values, f"{what} is {found[what]} instead of one of {values}"


def all_rows_open(it):
    """The running service has looked at all rows, and each opens and is what it left."""

    def looked_at():
        status = it.status()
        return status["contents"] != "not-looked-at" and status
    status = wait_until(looked_at, what="the look at all rows")
    equal((status["unreadable"], status["contents"]), (0, "as-left"))


def is_whole(path):
    """SQLite itself finds nothing wrong with it."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        equal(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
