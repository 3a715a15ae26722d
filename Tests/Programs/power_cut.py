# SPDX-License-Identifier: Apache-2.0
"""After the power was cut at any moment, on a disk that keeps no more than it promised, all acknowledged data is there.

The service's operations on its files are recorded (support/disk_log.c); from them come the disks that a cut may leave
(support/disk.py), and on each of them a service is started. CHATELAINE_ROUNDS is their number (10); Tools/crash takes thousands.
CHATELAINE_SEED selects them (support/seeds.py).
"""

import hashlib
import signal
import threading

from support.disk import build
from support.instance import Instance
from support.power import Recording, all_rows_open, allowed, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import contains, equal
from support.wire import DISK_FULL, INVALID_KEYCHAIN, IO_FAILURE, Client

ROUNDS = rounds(10)


def secret_of(name, version):
    seed = hashlib.sha256(f"{name} {version}".encode()).digest()
    return seed * (1 + seed[0])


class Worker(threading.Thread):
    """Adds, changes and deletes items of its own, and notes the recording's length before each request and after its answer."""

    def __init__(self, it, recording, name, seed, requests):
        super().__init__()
        self.it, self.recording, self.name_of_worker, self.requests = it, recording, name, requests
        self.dice = dice_for("items", seed)
        # By item: (before, after, the new state: a version, or None for a missing item).
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
                before = self.recording.now()
                answer = request()
                assert answer.status == 0, answer.status
                self.history.setdefault(name, []).append((before, self.recording.now(), version))
                if version is None:
                    del present[name]
                else:
                    present[name] = version


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
    all_rows_open(it)
    it.stop()
    is_whole(it.database)


def recorded(it, requests):
    """A service's whole life: its first start, clients that work at once, a restart, more of them, and its end."""
    recording, workers = Recording(it), []
    for life in range(2):
        with recording.service(it):
            running = [Worker(it, recording, f"{life}.{n}", f"{life}.{n}", requests) for n in range(3)]
            for worker in running:
                worker.start()
            for worker in running:
                worker.join()
                assert worker.failure is None, worker.failure
            workers += running
    return workers, recording


def test_whenever_the_power_is_cut_all_that_was_acknowledged_is_there_whole_and_nothing_else(it):
    workers, recording = recorded(it, requests=max(30, ROUNDS // 10))
    # Of the first start as well, and often in the middle of the clients' requests.
    cut_everywhere(
        it, recording, dice_for("items"), ROUNDS, lambda other, moment: check(other, workers, moment), "items")


def test_whichever_write_or_sync_fails_the_request_says_so_nothing_acknowledged_is_lost(it):
    """If any write or sync fails, the request fails, no acknowledged data is lost, and the next start succeeds."""
    library = build(it.scratch)
    dice = dice_for("failing writes")
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
                # The service failed at the start, and reported it.
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


def test_whichever_read_fails_the_answer_is_right_or_says_so_nothing_is_changed(it):
    """If any read fails, the answer is right or an error, nothing is changed, and the next start succeeds."""
    library, dice = build(it.scratch), dice_for("failing reads")
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
                # The service failed at the start, and reported it.
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
