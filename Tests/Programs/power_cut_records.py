# SPDX-License-Identifier: Apache-2.0
"""The data of a keychain besides passwords, after a power cut at any moment of its change: settings, the count of wrong
passcodes, identities, items restored from a backup, and snapshots. The log can be read.

As power_cut.py, with CHATELAINE_ROUNDS (2) and CHATELAINE_SEED."""

import contextlib
import os
import shutil
import sqlite3
import struct

from support.owner import PASSCODE, UNLOCK, VERIFY, entered, secret
from support.power import Histories, Recording, all_rows_open, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import equal
from support.wire import ADD, ADMINISTER, COPY, DELETE, Client, attributes, block, optional, query

ROUNDS = rounds(2)
RIGHT, WRONG = b"correct horse", b"battery staple"
WRONG_SECRET = 11
CERTIFICATE, KEY, IDENTITY = 3, 4, 5
SETTING = "audit-log-files"
BACKED_UP = [f"name {number}" for number in range(4)]


def ask(client, action, passcode):
    """The reason of a refusal."""
    return client.request(ADMINISTER, struct.pack(">B", action) + secret(PASSCODE, passcode)).reason


def about(item_class, values):
    """A search for items of a class."""
    return attributes(values, item_class) + query()[len(attributes()):]


def prepare(it):
    """A keychain with a passcode and a backup, at rest; the next start makes a snapshot, and the log is short."""
    it.start()
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "settings", "set", "audit-log-size", "64KiB", check=0)
    it.run("chatelaine", "settings", "set", SETTING, "2", check=0)
    entered(it, "passcode", "set", passcode=RIGHT, check=0)
    for name in BACKED_UP:
        it.set(name, "secret of " + name)
    path = os.path.join(it.scratch, "backup")
    entered(it, "backup", path, passphrase=b"passphrase", passcode=RIGHT, check=0)
    equal(it.stop(), 0)
    shutil.rmtree(os.path.join(it.data, "snapshots"))
    return path


class Life(Histories):
    """Of a keychain with a backup."""

    def __init__(self, it, recording, dice, backup):
        super().__init__(recording, {"setting": 2, "failed": 0, **dict.fromkeys(BACKED_UP, True)})
        self.it, self.dice, self.backup = it, dice, backup

    def prove(self, values, make):
        """A change that requires the passcode, which is counted before it is checked."""
        self.try_to("failed", self.value("failed") + 1)
        self.change({**values, "failed": 0}, make)

    def steps(self, client, count):
        self.prove({}, lambda: equal(ask(client, UNLOCK, RIGHT), 0))
        for number in range(count):
            change = self.dice.choice([self.set, self.mistype, self.identify, self.identify, self.remove_or_restore])
            change(client, number)

    def set(self, _, number):
        value = self.dice.choice([value for value in range(2, 9) if value != self.value("setting")])
        self.prove({"setting": value}, lambda: entered(
            self.it, "settings", "set", SETTING, str(value), passcode=RIGHT, check=0))

    def mistype(self, client, _):
        failed = self.value("failed")
        if failed < 2:
            self.change({"failed": failed + 1}, lambda: equal(ask(client, VERIFY, WRONG), WRONG_SECRET))
        else:
            self.prove({}, lambda: equal(ask(client, VERIFY, RIGHT), 0))

    def identify(self, client, number):
        """A certificate and a key come one after the other, and go as one."""
        whole = [what for what in self.histories if isinstance(what, bytes) and self.value(what) == (True, True)]
        if whole and self.dice.random() < 0.5:
            digest = self.dice.choice(whole)
            self.change({digest: (False, False)}, lambda: equal(
                client.request(DELETE, about(IDENTITY, {"pkhh": digest})).status, 0))
            return
        digest = self.dice.randbytes(20)
        self.histories[digest] = [(-1, -1, (False, False))]
        certificate = {"pkhh": digest, "issr": b"issuer", "slnr": digest, "labl": "name"}
        key = {"klbl": digest, "kcls": 1, "type": 73, "labl": "name"}
        for values, item_class, now in [(certificate, CERTIFICATE, (True, False)), (key, KEY, (True, True))]:
            self.change({digest: now}, lambda: equal(client.request(
                ADD, attributes(values, item_class) + b"\0" + optional(block(digest * 30))).status, 0))

    def remove_or_restore(self, _, number):
        present = [name for name in BACKED_UP if self.value(name)]
        if len(present) < 2:
            self.prove({name: True for name in BACKED_UP if name not in present}, lambda: entered(
                self.it, "restore", self.backup, passphrase=b"passphrase", passcode=RIGHT, check=0))
            return
        name = self.dice.choice(present)
        self.change({name: False}, lambda: self.it.run("chatelaine", "remove", name, check=0))

    # MARK: Afterwards

    def check(self, it, moment):
        it.start()
        with contextlib.closing(sqlite3.connect(f"file:{it.database}?mode=ro", uri=True)) as database:
            found = {"failed": database.execute("SELECT failed FROM guesses WHERE secret = x'02'").fetchone()[0]}
        with Client(it.socket_path) as client:
            equal(ask(client, UNLOCK, RIGHT), 0)
            halves = [{item[1][key]: item[2] for item in client.request(
                COPY, about(item_class, {}) + struct.pack(">IB", 0, 3)).items}
                for item_class, key in [(CERTIFICATE, "pkhh"), (KEY, "klbl")]]
        for half in halves:
            for digest, data in half.items():
                equal(data, digest * 30)
        found["setting"] = int(it.run("chatelaine", "settings", "get", SETTING, check=0).out)
        names = {item["name"] for item in it.list()}
        for name in BACKED_UP:
            found[name] = name in names
            if found[name]:
                equal(it.get(name), f"secret of {name}".encode())
        found.update({what: tuple(what in half for half in halves) for what in self.histories if what not in found})
        self.are_kept(found, moment)
        all_rows_open(it)
        # Lines that were not synced may be lost, and of several lines an earlier one; then verification reports it like
        # lines that an attacker removed.
        assert it.run("chatelaine", "log", "verify").returncode in (0, 1)
        it.run("chatelaine", "log", check=0)
        equal(it.stop(), 0)
        is_whole(it.database)
        folder = os.path.join(it.data, "snapshots")
        for name in os.listdir(folder):
            is_whole(os.path.join(folder, name))


def test_whenever_the_power_is_cut_settings_counts_identities(it):
    """Whenever the power is cut, settings, counts, identities, restored items and snapshots are as acknowledged."""
    dice = dice_for("records")
    backup = prepare(it)
    recording = Recording(it)
    life = Life(it, recording, dice, backup)
    with recording.service(it), Client(it.socket_path) as client:
        life.steps(client, max(40, min(300, ROUNDS // 2)))
    cut_everywhere(it, recording, dice, ROUNDS, life.check, "records")
