# SPDX-License-Identifier: Apache-2.0
"""`chatelaine salvage` that is killed, or loses its power, at any moment: the keychain that was to be saved is there
with all its files, or the saved one is, and salvaging again saves as much.

As power_cut.py, with CHATELAINE_ROUNDS (2) and CHATELAINE_SEED."""

import os
import shutil
import signal

from support.disk import build
from support.power import Recording, all_rows_open, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import equal

ROUNDS = rounds(2)
ITEMS = {f"name {number}": f"secret {number}" * 20 for number in range(6)}


def prepare(it):
    """A keychain of which a part is in the log alone, as a kill leaves it."""
    it.start()
    for number, (name, secret) in enumerate(ITEMS.items()):
        if number == len(ITEMS) // 2:
            equal(it.stop(), 0)
            it.start()
        it.set(name, secret)
    it.stop(signal.SIGKILL)
    assert os.path.getsize(it.database + "-wal") > 0


def is_all_there(it):
    it.start()
    equal({item["name"]: it.get(item["name"]).decode() for item in it.list()}, ITEMS)
    all_rows_open(it)
    equal(it.stop(), 0)
    is_whole(it.database)


def salvage(it, check=0, **more):
    return it.run("chatelained", "salvage", check=check, **more)


def check(it, dice):
    """Opens the remaining files, or salvages them first."""
    if dice.random() < 0.5:
        salvage(it)
    is_all_there(it)


def test_whenever_the_power_is_cut_salvaging_leaves_all_that_there_was_and_can_be_done_again(it):
    dice = dice_for("salvage")
    prepare(it)
    recording = Recording(it)
    salvage(it, env=recording.environment(it))
    cut_everywhere(it, recording, dice, ROUNDS, lambda other, moment: check(other, dice), "salvage")
    is_all_there(it)


def test_wherever_it_is_killed_salvaging_leaves_all_that_there_was_and_can_be_done_again(it):
    dice = dice_for("killed salvage")
    prepare(it)
    mark, begin = os.path.join(it.scratch, "kill"), shutil.copytree(it.data, os.path.join(it.scratch, "before"))
    environment = {
        **it.environment, "LD_PRELOAD": build(it.scratch), "DISK_LOG_ROOT": it.directories["data"], "DISK_KILL": mark}

    def killed(number):
        shutil.rmtree(it.data)
        shutil.copytree(begin, it.data)
        with open(mark, "w", encoding="utf-8") as file:
            file.write(str(number))
        done = salvage(it, check=None, env=environment)
        assert done.returncode in (0, -signal.SIGKILL), done.err
        return done.returncode != 0

    # How many changes there are: it is killed in place of each of them, and of none beyond.
    first, beyond = 1, 2
    while killed(beyond):
        first, beyond = beyond, beyond * 2
    while beyond - first > 1:
        middle = (first + beyond) // 2
        first, beyond = (middle, beyond) if killed(middle) else (first, middle)
    # All of the last ones, which put the saved keychain in place, and some of those before.
    tried = {number for number in range(1, beyond) if dice.random() < max(ROUNDS, 10) / beyond}
    for number in sorted({*tried, *range(max(1, beyond - 16), beyond + 1)}):
        killed(number)
        try:
            check(it, dice)
        except Exception as error:
            raise AssertionError(f"killed in place of change {number} of {first}: {error}") from error
