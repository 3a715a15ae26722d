#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""After the power was cut at any moment, on a disk that keeps no more than it promised, all that was acknowledged is there.

What the service does to its files is written down (support/disk_log.c); from that come the disks that a cut may leave
(support/disk.py), and on each of them a service is started. CHATELAINE_ROUNDS says how many (40); a nightly run takes thousands
(Tools/crash). CHATELAINE_SEED repeats a run.
"""

import hashlib
import os
import random
import shutil
import signal
import sqlite3
import threading

from support.disk import Disk, build, records
from support.instance import Instance, wait_until
from support.sentences import contains, equal, run, test
from support.wire import DISK_FULL, INVALID_KEYCHAIN, IO_FAILURE, Client

ROUNDS = int(os.environ.get("CHATELAINE_ROUNDS", "40"))
SEED = os.environ.get("CHATELAINE_SEED") or str(random.SystemRandom().getrandbits(32))


def secret_of(name, version):
    seed = hashlib.sha256(f"{name} {version}".encode()).digest()
    return seed * (1 + seed[0])


class Worker(threading.Thread):
    """Adds, changes and deletes items of its own, and notes the log's length before each request and after its answer."""

    def __init__(self, it, log, name, seed, requests):
        super().__init__()
        self.it, self.log, self.name_of_worker, self.requests = it, log, name, requests
        self.dice = random.Random(seed)
        # By item: (before, after, what it is from then on: a version, or None for one that is not there).
        self.history = {}
        self.failure = None

    def run(self):
        try:
            self.work()
        except Exception as error:
            self.failure = error

    def work(self):
        present, made = {}, 0
        with Client(self.it.socket_path) as client:
            for _ in range(self.requests):
                choice = self.dice.random()
                if choice < 0.5 or not present:
                    made += 1
                    name, version = f"{self.name_of_worker}.{made}", 1
                    def request(): return client.add({"svce": name, "acct": "a"}, secret_of(name, version))
                elif choice < 0.8:
                    name = self.dice.choice(sorted(present))
                    version = present[name] + 1
                    def request(): return client.update({"svce": name}, {"labl": str(version)}, secret_of(name, version))
                else:
                    name, version = self.dice.choice(sorted(present)), None
                    def request(): return client.delete({"svce": name})
                before = os.path.getsize(self.log)
                answer = request()
                assert answer.status == 0, answer.status
                self.history.setdefault(name, []).append((before, os.path.getsize(self.log), version))
                if version is None:
                    del present[name]
                else:
                    present[name] = version


def allowed(history, moment):
    """The versions that an item may have when the power is cut at this length of the log."""
    versions = {None}
    for before, after, version in history:
        if after <= moment:
            versions = {version}
        elif before < moment:
            versions.add(version)
    return versions


def check(it, workers, moment):
    it.start()
    with Client(it.socket_path) as client:
        answer = client.copy({}, limit=0, returning=3)
        found = {item[1]["svce"].decode(): item[2] for item in answer.items}
    for worker in workers:
        for name, history in worker.history.items():
            secret = found.pop(name, None)
            versions = allowed(history, moment)
            secrets = [None if version is None else secret_of(name, version) for version in versions]
            assert secret in secrets, f"{name} is lost, old or half of something; it may be {versions}"
    equal(found, {})
    # All rows are looked at soon after the start.
    def looked_at():
        status = it.status()
        return status["contents"] != "not-looked-at" and status
    status = wait_until(looked_at, what="the look at all rows")
    equal((status["unreadable"], status["contents"]), (0, "as-left"))
    it.stop()
    with sqlite3.connect(f"file:{it.database}?mode=ro", uri=True) as database:
        equal(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])


def recorded(it, requests):
    """A service's whole life: its first start, clients that work at once, a restart, more of them, and its end."""
    library, log = build(it.scratch), os.path.join(it.scratch, "disk.log")
    root = it.directories["data"]
    more = {"LD_PRELOAD": library, "DISK_LOG": log, "DISK_LOG_ROOT": root}
    plain, it.environment = it.environment, {**it.environment, **more}
    workers = []
    for life in range(2):
        it.start()
        running = [Worker(it, log, f"{life}.{n}", f"{SEED}.{life}.{n}", requests) for n in range(3)]
        for worker in running:
            worker.start()
        for worker in running:
            worker.join()
            assert worker.failure is None, worker.failure
        workers += running
        it.stop()
    it.environment = plain
    return workers, log, root


@test("whenever the power is cut, all that was acknowledged is there, whole, and nothing else")
def _(it):
    print(f"    CHATELAINE_SEED={SEED} CHATELAINE_ROUNDS={ROUNDS}", flush=True)
    dice = random.Random(SEED)
    workers, log, root = recorded(it, requests=max(30, ROUNDS // 10))
    ends = [record.end for record in records(log)]
    # Of the first start as well, and often in the middle of what the clients did.
    moments = sorted(dice.choice(ends) for _ in range(ROUNDS))
    disk = Disk(root)
    at = iter(records(log))
    for number, moment in enumerate(moments):
        while disk.length < moment:
            disk.add(next(at))
        other = Instance(it.programs)
        try:
            os.rmdir(other.directories["data"])
            disk.cut_power(dice, other.directories["data"])
            try:
                check(other, workers, moment)
            except Exception as error:
                kept = shutil.copytree(other.directories["data"], f"/tmp/power-cut-{SEED}-{number}")
                raise AssertionError(f"cut {number}, after {moment} bytes (its disk: {kept}): {error}") from error
        finally:
            other.remove()


@test("whichever write or sync fails, the request says so, nothing acknowledged is lost, and the next start is well")
def _(it):
    library, root = build(it.scratch), it.directories["data"]
    dice = random.Random(SEED)
    failed = 0
    for number in range(max(24, ROUNDS // 10)):
        other = Instance(it.programs)
        try:
            call = dice.choice(["write", "sync"])
            more = {
                "LD_PRELOAD": library, "DISK_LOG_ROOT": other.directories["data"],
                "DISK_FAIL": f"{call}:{dice.randint(1, 60 if call == 'write' else 40)}"}
            plain, other.environment = other.environment, {**other.environment, **more}
            stored, refused = [], []
            try:
                other.start()
                with Client(other.socket_path) as client:
                    for n in range(12):
                        answer = client.add({"svce": f"name {n}", "acct": "a"}, secret_of("", n))
                        (refused if answer.status else stored).append(n)
                        assert answer.status in (0, IO_FAILURE, DISK_FULL), answer.status
                other.stop(signal.SIGKILL)
            except AssertionError as error:
                # It failed at the start, and said so.
                if "ended at once" not in str(error):
                    raise
                contains(str(error), "error: ")
                failed += 1
            failed += len(refused)
            other.environment, other.daemon = plain, None
            other.start()
            with Client(other.socket_path) as client:
                found = {item[1]["svce"].decode(): item[2] for item in client.copy({}, limit=0, returning=3).items}
            for n in stored:
                equal(found.pop(f"name {n}", None), secret_of("", n))
            for n in refused:
                assert found.pop(f"name {n}", secret_of("", n)) == secret_of("", n), "half of something"
            equal(found, {})
            equal(other.status()["unreadable"], 0)
        except Exception as error:
            raise AssertionError(f"with {more['DISK_FAIL']}: {error}") from error
        finally:
            other.remove()
    assert failed > 0, "no failure was met"


@test("whichever read fails, the answer is right or says so, nothing is changed, and the next start is well")
def _(it):
    library, dice = build(it.scratch), random.Random(SEED)
    it.start()
    with Client(it.socket_path) as client:
        for n in range(12):
            equal(client.add({"svce": f"name {n}", "acct": "a"}, secret_of("", n)).status, 0)
    it.stop()
    failed = 0
    plain = it.environment
    for _ in range(max(24, ROUNDS // 10)):
        more = {
            "LD_PRELOAD": library, "DISK_LOG_ROOT": it.directories["data"], "DISK_FAIL": f"read:{dice.randint(1, 70)}"}
        it.environment = {**plain, **more}
        try:
            try:
                it.start()
                with Client(it.socket_path) as client:
                    for n in range(12):
                        answer = client.copy({"svce": f"name {n}"}, returning=1)
                        # SQLite turns EIO within a statement into SQLITE_CORRUPT (SQLITE_IOERR_CORRUPTFS in vdbe.c).
                        assert answer.status in (0, IO_FAILURE, INVALID_KEYCHAIN), answer.status
                        failed += answer.status != 0
                        if answer.status == 0:
                            equal(answer.items[0][2], secret_of("", n))
                equal(it.stop(), 0)
            except AssertionError as error:
                # It failed at the start, and said so.
                if "ended at once" not in str(error):
                    raise
                contains(str(error), "error: ")
                failed += 1
            it.environment, it.daemon = plain, None
            it.start()
            with Client(it.socket_path) as client:
                found = {item[1]["svce"].decode(): item[2] for item in client.copy({}, limit=0, returning=3).items}
            equal(found, {f"name {n}": secret_of("", n) for n in range(12)})
            equal(it.status()["unreadable"], 0)
            it.stop()
        except Exception as error:
            raise AssertionError(f"with {more['DISK_FAIL']}: {error}") from error
    assert failed > 0, "no failure was met"


run()
