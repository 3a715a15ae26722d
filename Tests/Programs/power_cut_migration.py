# SPDX-License-Identifier: Apache-2.0
"""A keychain that moves into the system service, or out of it, after a power cut at any moment of the move.

As power_cut.py, with CHATELAINE_ROUNDS (2 for each way to move) and CHATELAINE_SEED."""

import contextlib
import os

from support.disk import RENAMED, records
from support.migration import look, migrate, own_keychain, use_system
from support.power import Recording, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import cases, equal
from support.system import SystemService, ann, needs_root, service_user

ROUNDS = rounds(2)
OTHER = {"to-system": "to-user", "to-user": "to-system"}


@contextlib.contextmanager
def machine(it):
    """A system service and a user, both with their files on the disk of the instance: the files that a power cut left are theirs."""
    disk = it.directories["data"]
    os.chmod(disk, 0o755)
    with SystemService(it) as service:
        user = service.user(ann)
        service.state = os.path.join(disk, "state")
        user.directories["data"] = user.environment["XDG_DATA_HOME"] = os.path.join(disk, "ann")
        for path, owner in [(service.state, service_user), (user.directories["data"], ann)]:
            os.makedirs(path, mode=0o700, exist_ok=True)
            for folder, _, files in os.walk(path):
                for one in [folder, *(os.path.join(folder, name) for name in files)]:
                    os.chown(one, owner, owner)
        try:
            yield service, user
        finally:
            user.remove()


def folder_of(service, user, direction):
    """Where a keychain is that moved so."""
    return service.store(ann) if direction == "to-system" else user.data


def is_there(folder):
    return os.path.exists(folder)


def look_at_none(user, service, direction):
    """The first look at the place where nothing has been makes a keychain there."""
    if direction == "to-system":
        service.start(sandboxed=False)
        use_system(user, service)
        equal(user.status()["items"], 0)
        equal(service.stop(), 0)
    else:
        user.environment["CHATELAINE_SERVICE"] = "user"
        user.start()
        equal(user.status()["items"], 0)
        equal(user.stop(), 0)


def check(it, dice, direction, is_done):
    with machine(it) as (service, user):
        source, target = (folder_of(service, user, way) for way in (OTHER[direction], direction))
        if is_done:
            equal((is_there(source), is_there(target)), (False, True))
        # A user who does not know about the begun move uses the existing keychain.
        elif dice.random() < 0.5:
            if is_there(source):
                look(user, service, OTHER[direction])
        if is_there(source):
            migrate(it, service, direction, ann, user.data)
        equal((is_there(source), is_there(target)), (False, True))
        look(user, service, direction)
        is_whole(os.path.join(target, "keychain.db"))
        leftovers = [name for name in os.listdir(os.path.dirname(target)) if "migration" in name]
        equal(leftovers, [])


@cases("direction, where", [(way, where) for way in OTHER for where in ("where nothing is", "in place of an empty one")])
def test_whenever_the_power_is_cut_while_a_keychain_moves_one_of_its_places_has_all_of_it(it, direction, where):
    """Whenever the power is cut while a keychain moves … …, one of its places has all of it, and the move carries on."""
    needs_root()
    dice = dice_for("migration", direction, where)
    with machine(it) as (service, user):
        own_keychain(user, "1234")
        if direction == "to-user":
            migrate(it, service, "to-system", ann, user.data)
        if where == "in place of an empty one":
            look_at_none(user, service, direction)
        recording = Recording(it)
        migrate(it, service, direction, ann, user.data, env=recording.environment(it))
    end = recording.now()
    # Most of the move is copying; the important changes are few steps at its end.
    put_in_place = next(record.end for record in records(recording.log) if record.kind == RENAMED)
    for since in (0, put_in_place):
        cut_everywhere(it, recording, dice, ROUNDS // 2, lambda other, moment: check(other, dice, direction, moment >= end),
                       f"{direction}-{where[:2]}-{since}", since)
