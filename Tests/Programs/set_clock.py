# SPDX-License-Identifier: Apache-2.0
"""A clock that is set back or forward, while the service runs and between two runs: waits after wrong entries become neither shorter nor
longer than an hour, the keychain locks itself in its time, and the audit log keeps its order and shows all of its lines."""

import datetime
import json
import os
import sqlite3

import pytest

from log import log, verify
from passcode import attempts, given, state
from support.instance import read_text, wait_until
from support.sentences import cases, contains, equal
from support.set_clock import Clock
from support.system import SystemService, ann
from support.tokens import NoTPM, install
from tokens import enter

YEARS = 10 * 365 * 24 * 3600
HOUR = 3600
TOO_MANY = "too many attempts in a row failed"


@pytest.fixture
def clock(it):
    return Clock(it)


def start(it, clock):
    it.start(env={**it.environment, **clock.environment})


def with_passcode(it):
    it.set("name", "s3cret")
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)


def guess(it):
    return given(it, "unlock", passcode_fd="wrong", check=4)


def wrong_until_an_hour(it, database, start, stop):
    """A passcode that is the ninth wrong one in a row."""
    stop()
    counts = sqlite3.connect(database)
    with counts:
        equal(counts.execute("UPDATE guesses SET failed = 8 WHERE secret = x'02'").rowcount, 1)
    counts.close()
    start()
    guess(it)
    wait = attempts(it)[1]
    assert HOUR - 120 <= wait <= HOUR, wait


def is_refused(it):
    contains(given(it, "unlock", passcode_fd="hunter2", check=4).err, TOO_MANY)
    wait = attempts(it)[1]
    assert 0 < wait <= HOUR, wait


def waits_by_a_clock_that_is_not_set(it, clock, database, start, stop):
    with_passcode(it)
    wrong_until_an_hour(it, database, start, stop)
    for added in (YEARS, -YEARS, 2 * HOUR):
        clock.set(added)
        is_refused(it)
    clock.set(-YEARS)
    clock.sleep(HOUR)
    given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(attempts(it), (0, 0))


def test_a_clock_that_is_set_while_the_service_runs_shortens_and_lengthens_no_wait(it, clock):
    start(it, clock)
    waits_by_a_clock_that_is_not_set(it, clock, it.database, lambda: start(it, clock), it.stop)


def test_nor_does_it_in_the_system_service(it, clock):
    with SystemService(it) as service:
        user = service.user(ann)
        try:
            service.environment.update(clock.environment)
            service.start(sandboxed=False)
            database = os.path.join(service.store(ann), "keychain.db")
            waits_by_a_clock_that_is_not_set(user, clock, database, lambda: service.start(sandboxed=False), service.stop)
        finally:
            user.remove()


def test_a_clock_that_is_set_forward_after_a_restart_shortens_no_wait_that_the_service_has_told(it, clock):
    start(it, clock)
    with_passcode(it)
    wrong_until_an_hour(it, it.database, lambda: start(it, clock), it.stop)
    it.stop()
    start(it, clock)
    is_refused(it)
    clock.set(YEARS)
    is_refused(it)
    clock.sleep(HOUR)
    given(it, "unlock", passcode_fd="hunter2", check=0)


def test_a_clock_that_was_ahead_at_the_wrong_entries_locks_the_user_out_for_an_hour_at_most(it, clock):
    clock.set(YEARS)
    start(it, clock)
    with_passcode(it)
    wrong_until_an_hour(it, it.database, lambda: start(it, clock), it.stop)
    # Now it is right.
    clock.set(0)
    for _ in range(2):
        it.stop()
        start(it, clock)
        is_refused(it)
    clock.sleep(HOUR)
    given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(attempts(it), (0, 0))


def test_nor_does_it_lock_the_owner_of_a_pin_out(it, clock):
    install(it)
    with NoTPM(it):
        clock.set(YEARS)
        start(it, clock)
        it.set("name", "s3cret")
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        enter(it, "setup", "2468", "--device-key", "software", check=0)
        it.stop()
        start(it, clock)
        for _ in range(5):
            contains(enter(it, "unlock", "1111").err, "the PIN of the device key is wrong")
        contains(enter(it, "unlock", "2468").err, "too many")
        it.stop()
        clock.set(0)
        start(it, clock)
        contains(enter(it, "unlock", "2468").err, "too many")
        clock.sleep(61)
        enter(it, "unlock", "2468", check=0)
        equal(it.get("name"), b"s3cret")


def test_the_keychain_locks_itself_in_its_time_whatever_the_clock_says(it, clock):
    start(it, clock)
    with_passcode(it)
    given(it, "settings", "set", "idle-lock", "1h", passcode_fd="hunter2", check=0)
    for added in (YEARS, -YEARS):
        clock.set(added)
        equal((state(it), it.get("name")), ("unlocked", b"s3cret"))
    clock.sleep(HOUR + 1)
    # It looks when something wakes it.
    wait_until(lambda: state(it) == "locked", what="locking")


# MARK: The audit log


def moment(line):
    return datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))


@cases("added", [-2 * 24 * HOUR, -YEARS, YEARS])
def test_lines_of_a_clock_that_was_set_keep_their_order_and_hide_no_others(it, clock, added):
    start(it, clock)
    it.set("before", "s3cret")
    clock.set(added)
    it.set("meanwhile", "s3cret")
    clock.set(0)
    it.set("after", "s3cret")

    def additions(*words):
        return [line["references"] for line in log(it, "--action", "add", *words)]

    everything = log(it)
    equal([line["seq"] for line in everything], list(range(1, len(everything) + 1)))
    before, meanwhile, after = additions()
    apart = moment(log(it, "--action", "add")[1]) - datetime.datetime.now(datetime.timezone.utc)
    assert abs(apart.total_seconds() - added) < 3600, apart
    # All and only those of the last hour, with a limit and without.
    for words in [["--since", "1h"], ["--since", "1h", "--limit", "100"]]:
        equal([found for found in additions(*words) if found != meanwhile], [before, after])
        equal(meanwhile in additions(*words), added > 0)
    item = json.loads(it.run("chatelaine", "show", "before", "--json", check=0).out)
    contains(item["lastUsed"]["program"], "chatelaine")
    equal(verify(it)[0], 0)
    it.stop()
    start(it, clock)
    equal(verify(it)[0], 0)
    equal(additions(), [before, meanwhile, after])


def test_a_log_of_a_clock_that_stands_years_apart_at_each_start_is_right(it, clock):
    for added in (0, -YEARS, YEARS, 0):
        clock.set(added)
        start(it, clock)
        it.run("chatelaine", "list", check=0)
        equal(it.stop(), 0)
    start(it, clock)
    status, text = verify(it)
    equal(status, 0)
    equal(text.count("missing"), 0)
    lines = log(it)
    equal([line["seq"] for line in lines], list(range(1, len(lines) + 1)))
    assert sorted(moment(line) for line in lines) != [moment(line) for line in lines]
    contains(read_text(os.path.join(it.data, "audit.log")), '"event":"begin"')
