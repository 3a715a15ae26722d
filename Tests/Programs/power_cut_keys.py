# SPDX-License-Identifier: Apache-2.0
"""The protectors of the keychain, after a power cut at any moment of their change: passcode, recovery key, the device key with a PIN or
sealed to a TPM, and the login keychain that follows the passcode.

As power_cut.py, with CHATELAINE_ROUNDS (2) and CHATELAINE_SEED."""

import collections
import contextlib
import json
import os
import shutil
import struct
import subprocess

from support.instance import built_programs, wait_until
from support.owner import (
    ADD_PROTECTOR, PASSCODE, RECOVERY_KEY, REMOVE_PASSCODE, SET_PASSCODE, UNLOCK, VERIFY, entered, secret)
from support.power import Recording, all_rows_open, allowed, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds
from support.sentences import equal
from support.wire import ADMINISTER, Client, block, optional

ROUNDS = rounds(2)
WRONG_SECRET, NO_PASSCODE, NO_SUCH_PROTECTOR = 11, 15, 16
WRONG_PASSWORD = 51


def ask(it, action, payload=b""):
    """The reason of a refusal; 0 for success."""
    with Client(it.socket_path, timeout=60) as client:
        answer = client.request(ADMINISTER, struct.pack(">B", action) + payload)
        assert answer.status == 0 or answer.reason, answer.status
        return answer.reason


class Life:
    """Changes in sequence: the requested values with their times, and when each was acknowledged."""

    def __init__(self, it, recording, first):
        self.it, self.recording, self.first, self.history = it, recording, first, []
        self.items = {}

    @property
    def value(self):
        return self.history[-1][2] if self.history else self.first

    def change(self, value, make):
        before = self.recording.now()
        answer = make()
        assert answer == 0 or getattr(answer, "returncode", None) == 0, answer
        self.history.append((before, self.recording.now(), value))

    def add(self):
        """An item, so that there is one from before and one from after each change."""
        name = f"name {len(self.items)}"
        before = self.recording.now()
        self.it.set(name, f"secret of {name}")
        self.items[name] = (before, self.recording.now())

    def allowed(self, moment):
        return allowed(self.history, moment, self.first)

    def check_items(self, it, moment):
        """Each that was acknowledged is there and opens; each other one does or is not there."""
        for name, (before, after) in self.items.items():
            done = it.run("chatelaine", "get", name, "--no-newline")
            if after <= moment or done.returncode == 0:
                assert before < moment, f"{name} is from the future"
                equal((done.returncode, done.out), (0, f"secret of {name}"))
            else:
                equal(done.returncode, 3)

    def end(self, it, moment):
        self.check_items(it, moment)
        all_rows_open(it)
        equal(it.stop(), 0)
        is_whole(it.database)


# MARK: The passcode

# The secrets that open the keychain, and the login keychain, which follows if it had the passcode.
Opened = collections.namedtuple("Opened", "passcode recovery login")


def changes_of_the_passcode(life, dice, count):
    it = life.it
    for number in range(count):
        life.add()
        passcode, recovery, login = now = life.value
        new, key = f"passcode {number}", bytes([number % 256]) * 16
        if passcode is None:
            life.change(now._replace(passcode=new), lambda: entered(it, "passcode", "set", passcode=new))
            if login is None:
                life.change(now._replace(passcode=new, login=new),
                            lambda: entered(it, "keychains", "create", "login.keychain", password=new))
            continue
        proof, choice = secret(PASSCODE, passcode), dice.random()
        if choice < 0.5:
            follows = new if login == passcode else login
            life.change(now._replace(passcode=new, login=follows), lambda: ask(it, SET_PASSCODE, optional(proof) + block(new)))
        elif choice < 0.8:
            life.change(now._replace(recovery=key),
                        lambda: ask(it, ADD_PROTECTOR, proof + block("") + secret(RECOVERY_KEY, key)))
        else:
            life.change(now._replace(passcode=None, recovery=None), lambda: ask(it, REMOVE_PASSCODE, proof))


def what_opens(it, values):
    """The one of the values' passcodes and recovery keys that opens the running service's keychain, and the login keychain's password."""
    passcodes = {value.passcode for value in values} - {None}
    reasons = {passcode: ask(it, VERIFY, secret(PASSCODE, passcode)) for passcode in sorted(passcodes) or ["none"]}
    opening = [passcode for passcode, reason in reasons.items() if reason == 0]
    if opening:
        equal((len(opening), {*reasons.values()} - {0, WRONG_SECRET}), (1, set()))
    else:
        equal({*reasons.values()}, {NO_PASSCODE})
    passcode = opening[0] if opening else None
    recoveries = []
    for key in sorted({value.recovery for value in values} - {None}):
        reason = ask(it, VERIFY, secret(RECOVERY_KEY, key))
        assert reason in (0, WRONG_SECRET, NO_SUCH_PROTECTOR, NO_PASSCODE), reason
        recoveries += [key] * (reason == 0)
    assert len(recoveries) <= 1, "two recovery keys open it"
    # First, as the passcode would open it along.
    logins = []
    if os.path.exists(os.path.join(it.data, "keychains", "login.keychain-db")):
        for login in sorted({value.login for value in values} - {None}):
            status = it.run("security", "unlock-keychain", "-p", login, "login.keychain").returncode
            assert status in (0, WRONG_PASSWORD), status
            logins += [login] * (status == 0)
        equal(len(logins), 1)
    if passcode is not None:
        equal(ask(it, UNLOCK, secret(PASSCODE, passcode)), 0)
    return Opened(passcode, recoveries[0] if recoveries else None, logins[0] if logins else None)


def test_whenever_the_power_is_cut_the_passcode_and_the_recovery_key_of_before_or_of_after_open_the(it):
    """Whenever the power is cut, the passcode and the recovery key of before or of after open the keychain, and no others."""
    recording, dice = Recording(it), dice_for("passcode")
    life = Life(it, recording, Opened(None, None, None))
    with recording.service(it):
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        changes_of_the_passcode(life, dice, max(16, min(150, ROUNDS // 20)))

    def check(other, moment):
        other.start()
        values = life.allowed(moment)
        found = what_opens(other, values)
        # Two files, one after the other: the login keychain may not have followed yet.
        assert found[:2] in [value[:2] for value in values], f"{found} opens it instead of one of {values}"
        assert found.login in [value.login for value in values], f"{found} opens the login keychain instead of one of {values}"
        life.end(other, moment)

    cut_everywhere(it, recording, dice, ROUNDS, check, "passcode")


# MARK: The device key

TOKENS = ["chatelaine-token-software", "chatelaine-token-tpm"]
# Where it is, and the PIN that it takes.
Place = collections.namedtuple("Place", "name pin")


class TPM:
    """A TPM in software, which a power cut takes nothing of."""

    def __init__(self, it):
        self.it = it
        self.folder = os.path.join(it.scratch, "tpm")
        self.path = os.path.join(self.folder, "sock")
        os.mkdir(self.folder, 0o700)
        self.process = None

    def start(self):
        self.process = self.it.popen(
            "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--server", f"type=unixio,path={self.path}",
            "--ctrl", f"type=unixio,path={self.folder}/control", "--flags", "not-need-init,startup-clear",
            stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(self.path) or self.process.poll() is not None, what="the start of swtpm")
        equal(self.process.poll(), None)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            for name in ["sock", "control"]:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.folder, name))

    def keep(self):
        self.stop()
        shutil.copytree(self.folder, self.folder + ".kept")

    def go_back(self):
        """Reset to the kept state, because wrong PINs are counted permanently, and after a few of them no PIN is checked."""
        self.stop()
        shutil.rmtree(self.folder)
        shutil.copytree(self.folder + ".kept", self.folder)
        self.start()


@contextlib.contextmanager
def tokens(it):
    """The tokens' programs, and a TPM where there is one; else none."""
    for name in TOKENS:
        folder = os.environ.get("CHATELAINE_HELPERS", built_programs()[0])
        it.programs.copy(os.path.join(folder, name), os.path.join(it.programs.folder, name))
    tpm = TPM(it) if shutil.which("swtpm") else None
    it.environment["CHATELAINE_TPM"] = tpm.path if tpm else "none"
    try:
        if tpm:
            tpm.start()
        yield tpm
    finally:
        if tpm:
            tpm.stop()


def record_tokens(it, recording):
    """Makes the service start the tokens so that their writes are recorded as well, because it gives them no environment."""
    folder = os.path.join(it.scratch, "recorded")
    os.mkdir(folder, 0o755)
    words = " ".join(f"{name}={value}" for name, value in recording.more.items())
    for name in TOKENS:
        place = os.path.join(folder, name)
        with open(place, "w") as file:
            file.write(f'#!/bin/sh\n{words} exec {it.programs.folder}/{name} "$@"\n')
        os.chmod(place, 0o755)
    recording.more["CHATELAINE_HELPERS"] = folder


def state(it):
    return json.loads(it.run("chatelaine", "status", "--json", check=0).out)["state"]


def moves_of_the_device_key(life, dice, count, kinds):
    it = life.it
    for number in range(count):
        life.add()
        now, pin = life.value, f"24{number:04}"
        place = dice.choice([kind for kind in kinds if kind != now.name or now.pin])
        # Without one the token in software would be worth no more than the file.
        gets_pin = place == "software" or place == "tpm" and (place == now.name or dice.random() < 0.5)
        pins = {} if now.pin is None else {"pin": now.pin}
        if gets_pin:
            pins["pin" if now.pin is None else "new_pin"] = pin
        life.change(Place(place, pin if gets_pin else None), lambda: entered(it, "setup", "--device-key", place, **pins))


def test_whenever_the_power_is_cut_while_the_device_key_moves(it):
    """Whenever the power is cut while the device key moves, the keychain opens with the PIN of before or of after, or without."""
    recording, dice = Recording(it), dice_for("device key")
    life = Life(it, recording, Place("file", None))
    with tokens(it) as tpm:
        record_tokens(it, recording)
        with recording.service(it):
            it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
            moves_of_the_device_key(
                life, dice, max(9, min(60, ROUNDS // 40)), ["file", "software", *(["tpm"] if tpm else [])])
        if tpm:
            tpm.keep()

        def check(other, moment):
            if tpm:
                tpm.go_back()
            other.environment["CHATELAINE_TPM"] = it.environment["CHATELAINE_TPM"]
            other.start()
            values = life.allowed(moment)
            pins = [value.pin for value in values if value.pin]
            if state(other) == "awaiting-pin":
                answers = [entered(other, "unlock", pin=pin) for pin in pins]
                opening = [pin for pin, answer in zip(pins, answers) if answer.returncode == 0][:1]
                assert opening, f"none of {values} opens it: {[answer.err for answer in answers]}"
            else:
                opening = [None]
            token = json.loads(other.run("chatelaine", "token", "status", "--json", check=0).out)
            found = Place(token["deviceKey"], opening[0])
            equal(token["deviceKeyHasPIN"], found.pin is not None)
            assert found in values, f"it is {found} instead of one of {values}"
            life.end(other, moment)

        cut_everywhere(it, recording, dice, ROUNDS, check, "device-key")
