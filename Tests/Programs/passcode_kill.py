# SPDX-License-Identifier: Apache-2.0
"""The service is killed instead of a write, sync, truncation or renaming while the keys that open the keychain are changed.
Afterwards either the old or the new secret opens the keychain, and no data is lost.

The kills are one to twelve places apart, as CHATELAINE_SEED selects (support/seeds.py). With CHATELAINE_ROUNDS=0, the
service is killed at each place (Tools/crash passcode)."""

import struct

from support.killing import every_kill
from support.seeds import stride
from support.sentences import equal
from support.wire import ADMINISTER, Client, Closed, block, optional

UNLOCK, VERIFY, SET_PASSCODE, REMOVE_PASSCODE, ADD_PROTECTOR = 1, 4, 5, 6, 7
PASSCODE, RECOVERY_KEY = 2, 3
WRONG_SECRET, NO_PASSCODE, NO_SUCH_PROTECTOR = 11, 15, 16

OLD, NEW = (PASSCODE, b"correct horse"), (PASSCODE, "battery stäple".encode())
RECOVERY = (RECOVERY_KEY, bytes(range(16)))
ITEMS = {name: f"secret of {name}" for name in ("one", "two", "three")}


def secret(of):
    return struct.pack(">B", of[0]) + block(of[1])


def ask(it, action, payload=b""):
    """The reason of a refusal; 0 for success, None if the service was killed meanwhile."""
    try:
        with Client(it.socket_path, timeout=60) as client:
            answer = client.request(ADMINISTER, struct.pack(">B", action) + payload)
            assert answer.status == 0 or answer.reason, answer.status
            return answer.reason
    except (Closed, ConnectionError, FileNotFoundError):
        return None


def set_first(it):
    done = it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=OLD[1])
    return 0 if done.returncode == 0 else None


def prepare(it, protected):
    """A keychain with items, at rest: the files to begin with each time."""
    it.start()
    # Fast, and so that not every unlocking wraps the key anew.
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    for name, value in ITEMS.items():
        it.set(name, value)
    if protected:
        equal(set_first(it), 0)
    equal(it.stop(), 0)


def killed_everywhere(it, change, check):
    results = []

    def note(it, result):
        results.append(result)
        check(it, result == 0)

    points = every_kill(it, change, note, step=stride(12, "kills"))
    equal(results[-1], 0)
    assert points >= 4, f"only {points} places to be killed at"


def all_items_are_there(it):
    for name, value in ITEMS.items():
        equal(it.get(name), value.encode())


def test_a_change_of_the_passcode_that_is_killed_anywhere_leaves_the_old_one_or_the_new_one(it):
    prepare(it, protected=True)

    def check(it, acknowledged):
        reasons = [ask(it, VERIFY, secret(OLD)), ask(it, VERIFY, secret(NEW))]
        assert reasons in ([0, WRONG_SECRET], [WRONG_SECRET, 0]), reasons
        if acknowledged:
            equal(reasons, [WRONG_SECRET, 0])
        equal(ask(it, UNLOCK, secret(OLD if reasons[0] == 0 else NEW)), 0)
        all_items_are_there(it)

    killed_everywhere(it, lambda it: ask(it, SET_PASSCODE, optional(secret(OLD)) + block(NEW[1])), check)


def test_a_first_passcode_that_is_killed_anywhere_is_set_or_none_is(it):
    prepare(it, protected=False)

    def check(it, acknowledged):
        reason = ask(it, UNLOCK, secret(OLD))
        assert reason in (0, NO_PASSCODE), reason
        if acknowledged:
            equal(reason, 0)
        all_items_are_there(it)

    killed_everywhere(it, set_first, check)


def test_a_removal_of_the_passcode_that_is_killed_anywhere_leaves_it_or_leaves_none(it):
    prepare(it, protected=True)

    def check(it, acknowledged):
        reason = ask(it, UNLOCK, secret(OLD))
        assert reason in (0, NO_PASSCODE), reason
        if acknowledged:
            equal(reason, NO_PASSCODE)
        all_items_are_there(it)

    killed_everywhere(it, lambda it: ask(it, REMOVE_PASSCODE, secret(OLD)), check)


def test_a_recovery_key_whose_addition_is_killed_anywhere_works_or_is_not_there_and_the_passcode_works(it):
    prepare(it, protected=True)

    def check(it, acknowledged):
        reason = ask(it, VERIFY, secret(RECOVERY))
        assert reason in (0, NO_SUCH_PROTECTOR), reason
        if acknowledged:
            equal(reason, 0)
        equal(ask(it, UNLOCK, secret(OLD)), 0)
        all_items_are_there(it)

    killed_everywhere(it, lambda it: ask(it, ADD_PROTECTOR, secret(OLD) + block("") + secret(RECOVERY)), check)
