# SPDX-License-Identifier: Apache-2.0
"""The rights to use items, after a power cut at any moment of their change: access objects and partition lists of items in
keychain files. And the count of wrong PINs of the device key.

As power_cut.py, with CHATELAINE_ROUNDS (2 for each) and CHATELAINE_SEED."""

import hashlib
import os
import re

from support.keychain_changes import Changes, all_are_whole, prepare
from support.owner import entered
from support.power import Histories, Recording, all_rows_open, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import equal
from support.tokens import NoTPM, install

ROUNDS = rounds(2)


def end(it):
    all_rows_open(it)
    equal(it.stop(), 0)
    is_whole(it.database)
    all_are_whole(it)


# MARK: Access objects

APPLICATION = re.compile(r"^            \d+: (\S+) \(OK\)$", re.MULTILINE)
PARTITIONS = re.compile(r"partition_id\n.*\n        description: (.*)\n")


class AccessChanges(Changes):
    """Makes items with access objects of their own, changes their partition lists, and deletes them."""

    PROGRAMS = ("/usr/bin/true", "/usr/bin/false", "/usr/bin/env")

    def next(self):
        items = dict(self.state or ())
        account = self.dice.choice(["a", "b", "c"])
        name = self.name
        if account not in items:
            programs = tuple(sorted(self.dice.sample(self.PROGRAMS, self.dice.randrange(3))))
            words = [word for program in programs for word in ("-T", program)] or ["-A"]
            items[account] = (programs, "apple-tool:, apple:" if programs else "apple-tool:, any:")
            words = ("security", "add-generic-password", "-a", account, "-s", account, "-w", "secret", *words, name)
        elif self.dice.random() < 0.7:
            self.count = getattr(self, "count", 0) + 1
            partitions = ", ".join(["apple-tool:", f"teamid:T{self.count}"])
            items[account] = (items[account][0], partitions)
            words = ("security", "set-generic-password-partition-list", "-a", account, "-S", partitions.replace(" ", ""),
                     "-k", "password", name)
        else:
            del items[account]
            words = ("security", "delete-generic-password", "-a", account, name)
        return tuple(sorted(items.items())), *words

    def found(self, it, moment):
        it.run("security", "unlock-keychain", "-p", "password", self.name, check=0)
        listed = it.run("security", "dump-keychain", "-a", self.name, check=0).out.split("keychain: ")[1:]
        items = {}
        for text in listed:
            account = re.search(r'"acct"<blob>="(.*)"', text)[1]
            items[account] = (tuple(sorted(APPLICATION.findall(text))), PARTITIONS.search(text)[1])
        return tuple(sorted(items.items()))


def test_whenever_the_power_is_cut_access_objects_and_partition_lists_of_items_in_a_file_are_as_they(it):
    """Whenever the power is cut, access objects and partition lists of items in a file are as they were acknowledged."""
    dice = dice_for("access objects")
    it.start()
    prepare(it)
    it.run("security", "create-keychain", "-p", "password", "k", check=0)
    equal(it.stop(), 0)
    recording = Recording(it)
    worker = AccessChanges(it, "k", "access", max(12, min(80, ROUNDS // 10)), recording.now)
    worker.begin_with(())
    with recording.service(it):
        it.run("security", "unlock-keychain", "-p", "password", "k", check=0)
        worker.run()
        assert not worker.error and not worker.failure, worker.error or worker.failure

    def check(other, moment):
        other.start()
        worker.check(other, moment)
        end(other)

    cut_everywhere(it, recording, dice, ROUNDS, check, "access")


# MARK: Wrong PINs

RIGHT, WRONG = "2468", "1357"


def test_whenever_the_power_is_cut_the_wrong_pins_of_the_device_key_that_were_refused_are_counted(it):
    dice = dice_for("wrong PINs")
    install(it)
    with NoTPM(it):
        it.start()
        prepare(it)
        it.set("name", "secret")
        entered(it, "setup", "--device-key", "software", pin=RIGHT, check=0)
        equal(it.stop(), 0)
        recording = Recording(it)
        life = Histories(recording, {"wrong": 0})
        for _ in range(max(3, min(12, ROUNDS // 50))):
            with recording.service(it):
                # Five in a row would delay the next one, and the right one counts before it is checked.
                for _ in range(dice.randint(0, 3 - life.value("wrong"))):
                    count = life.value("wrong") + 1
                    equal(life.change({"wrong": count}, lambda: entered(it, "unlock", pin=WRONG)).returncode, 4)
                if life.value("wrong") == 3 or dice.random() < 0.5:
                    life.try_to("wrong", life.value("wrong") + 1)
                    life.change({"wrong": 0}, lambda: entered(it, "unlock", pin=RIGHT, check=0))

        def check(other, moment):
            other.environment["CHATELAINE_TPM"] = "none"
            other.start()
            equal(other.status()["state"], "awaiting-pin")
            life.are_kept({"wrong": wrong_pins(other)}, moment)
            entered(other, "unlock", pin=RIGHT, check=0)
            equal((wrong_pins(other), other.get("name")), (0, b"secret"))
            end(other)

        cut_everywhere(it, recording, dice, ROUNDS, check, "pins")


def wrong_pins(it):
    """By the file beside the key (Documentation/Formats/device-key.md), which is whole."""
    path = os.path.join(it.data, "device.tries")
    if not os.path.exists(path):
        return 0
    with open(path, "rb") as file:
        fields = file.read()
    equal((len(fields), fields[:8], fields[20:]), (52, b"CHTLTRY\1", hashlib.sha256(fields[:20]).digest()))
    return int.from_bytes(fields[8:12], "big")
