# SPDX-License-Identifier: Apache-2.0
"""Keychains that are files, their copies and the lists of them, after a power cut or a kill at any moment of their changes.

As power_cut.py, with CHATELAINE_ROUNDS (3) and CHATELAINE_SEED."""

import signal

from support.instance import wait_until
from support.keychain_changes import FileChanges, ListChanges, all_are_whole, prepare
from support.power import Recording, all_rows_open, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import equal

ROUNDS = rounds(3)


def workers_of(it, steps, clock):
    workers = [FileChanges(it, f"k{n}", f"{n}", steps, clock) for n in range(3)]
    # Checked first, because reading a copy puts it on the list.
    return [ListChanges(it, "lists", "lists", steps, clock), *workers]


def check(it, workers, moment):
    it.start()
    found = [worker.check(it, moment) for worker in workers]
    all_rows_open(it)
    equal(it.stop(), 0)
    is_whole(it.database)
    all_are_whole(it)
    return found


def test_whenever_the_power_is_cut_keychain_files_copies_and_lists_are_as_they_were_acknowledged(it):
    """Whenever the power is cut, keychain files, copies and lists are as they were acknowledged, and open by one password."""
    recording = Recording(it)
    workers = workers_of(it, max(12, min(60, ROUNDS // 20)), recording.now)
    with recording.service(it):
        prepare(it)
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    for worker in workers:
        assert not worker.error and not worker.failure, worker.error or worker.failure
    cut_everywhere(it, recording, dice_for("files"), ROUNDS, lambda other, moment: check(other, workers, moment), "files")


def test_whenever_the_service_is_killed_keychain_files_copies_and_lists_are_as_they_were_acknowledged(it):
    """Whenever the service is killed, keychain files, copies and lists are as they were acknowledged, and open by one password."""
    dice = dice_for("killed files")
    it.start()
    prepare(it)
    equal(it.stop(), 0)
    moment = [0]

    def clock():
        moment[0] += 1
        return moment[0]

    states, unknown, round = [None] * 4, 0, 0
    # Where a kill lies between two changes, no change is without an answer.
    while round < max(4, ROUNDS // 4) or unknown == 0 and round < 100:
        it.start()
        workers = workers_of(it, 1 << 30, clock)
        for worker, state in zip(workers, states):
            worker.dice = dice_for("killed files", round, worker.name)
            worker.count = round * 10000
            worker.begin_with(state)
            worker.start()
        goal = dice.randint(1, 12)
        wait_until(lambda: sum(worker.done for worker in workers) >= goal or not all(worker.is_alive() for worker in workers),
                   what="some changes")
        it.stop(signal.SIGKILL)
        # A program whose request may be repeated has another service started, which then is not ours to wait for.
        for worker in workers:
            worker.steps = 0
        for worker in workers:
            worker.join()
            assert worker.error is None, worker.error
        it.end_services()
        unknown += sum(worker.failure is not None for worker in workers)
        states = check(it, workers, clock())
        round += 1
    assert unknown > 0, "no change was without an answer"
