# SPDX-License-Identifier: Apache-2.0
"""Fingers: the real service, the real helper, and the real fprintd with the reader that libfprint has for tests."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest

from support import tokens
from support.bus import SystemBus
from support.fingers import FPRINT, Fingers, is_installed
from support.forged_bus import DEVICE, OTHER_READER, REQUEST_NAME_IN_QUEUE, PretendedFprintd, Stranger, forge_matches
from support.instance import read_text, root_of_repository, wait_until
from support.sentences import cases, contains, equal
from support.wire import Client

PASSCODE = b"correct horse"
SECRET = b"of the bank"
HELPER = "chatelaine-fingerprint"

# Simulates the user's screen: reports the prompt that was shown, types the passcode if it is requested, and waits like
# a window if a finger is requested.
PROMPTER = """#!/usr/bin/python3 -I
import os, signal, struct, sys

question = os.read(0, 65536)
purpose = question[8]
with open({log!r}, "a") as log:
    log.write(str(purpose) + "\\n")
if purpose == 4:
    signal.pause()
elif purpose == 2:
    answer = b"\\6" + struct.pack(">I", len({passcode!r})) + {passcode!r}
    os.write(1, struct.pack(">BBHI", 1, 0x40, 0, len(answer)) + answer)
"""


class Keychain:
    """A keychain whose service has the helper, a screen that a script plays, and the bus of the test."""

    def __init__(self, it, address, helper=True):
        self.it = it
        self.helpers = os.path.join(it.scratch, "helpers")
        os.mkdir(self.helpers, 0o755)
        if helper:
            folder = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
            it.programs.copy(os.path.join(folder, HELPER), os.path.join(self.helpers, HELPER))
        self.shown = os.path.join(it.scratch, "shown")
        with open(self.shown, "w", encoding="utf-8"):
            pass
        prompter = os.path.join(self.helpers, "chatelaine-prompt-pinentry")
        with open(prompter, "w", encoding="utf-8") as file:
            file.write(PROMPTER.format(log=self.shown, passcode=PASSCODE))
        os.chmod(prompter, 0o755)
        it.start(env=dict(
            it.environment, CHATELAINE_HELPERS=self.helpers, DBUS_SYSTEM_BUS_ADDRESS=address))
        self.environment = dict(it.environment, DISPLAY=":9")
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        self.with_passcode("passcode", "set")
        it.set("bank", SECRET)

    def with_passcode(self, *words):
        reading, writing = os.pipe()
        os.write(writing, PASSCODE)
        os.close(writing)
        try:
            return self.it.run("chatelaine", *words, "--passcode-fd", str(reading), pass_fds=[reading], check=0)
        finally:
            os.close(reading)

    def protect(self, *flags, check=0):
        return self.it.run("chatelaine", "protect", "bank", *flags, env=self.environment, check=check)

    def get(self):
        """Begins to read the item."""
        return self.it.popen(
            "chatelaine", "get", "bank", "--no-newline", env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def unlock(self):
        """Begins to unlock, without a passcode."""
        return self.it.popen(
            "chatelaine", "unlock", env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def status(self):
        return json.loads(self.it.run("chatelaine", "auth", "status", "--json", check=0).out)

    def biometry(self):
        return self.status()["biometry"]

    def readiness(self):
        return self.status()["unlockByFinger"]

    def looks(self):
        """The numbers of the helpers that run."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read().split(b"\0")[0].decode() == os.path.join(self.helpers, HELPER):
                    found.append(name)
        return found

    def show(self, reader, finger):
        """Shows a finger, and waits for the end of the look that saw it."""
        wait_until(reader.is_claimed, what="the look")
        looks = self.looks()
        reader.show(finger)
        wait_until(lambda: not set(looks) & set(self.looks()), what="the end of the look")

    def prompts(self):
        with open(self.shown, encoding="utf-8") as file:
            return file.read().split()


def succeeds(reading):
    out, err = reading.communicate(timeout=60)
    assert reading.returncode == 0 and out == SECRET, err.decode()


def fails(reading):
    out, err = reading.communicate(timeout=60)
    assert reading.returncode != 0 and out == b"", "it was given out"
    return err.decode()


@contextlib.contextmanager
def keychain(it, *fingers):
    """A keychain and a fprintd that knows these fingers, each by fprintd's name and by the reader's."""
    if not is_installed():
        pytest.skip("fprintd is not installed (Tools/setup test)")
    with Fingers(it) as reader:
        for name, finger in fingers:
            reader.enrol(name, finger)
        yield Keychain(it, reader.address), reader


INDEX = ("right-index-finger", "finger-a")


def test_an_enrolled_finger_opens_what_asks_for_one_and_what_cannot_be_read_of_it_is_shown_again(it):
    with keychain(it, INDEX) as (mine, reader):
        equal(mine.biometry(), "enrolled")
        mine.protect("--biometry")
        reading = mine.get()
        wait_until(lambda: mine.prompts() == ["4"], what="the prompt")
        reader.show("finger-a")
        succeeds(reading)
        reading = mine.get()
        reader.cannot_be_read()
        reader.cannot_be_read()
        reader.show("finger-a")
        succeeds(reading)
        assert not reader.is_claimed(), "the reader is given back"


def test_a_finger_of_another_user_opens_nothing_five_lock_the_reader_out_and_the_passcode_brings_it_back(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--biometry")
        reading = mine.get()
        for _ in range(3):
            mine.show(reader, "finger-b")
        fails(reading)
        equal(mine.biometry(), "enrolled")
        reading = mine.get()
        for _ in range(2):
            mine.show(reader, "finger-b")
        fails(reading)
        equal(mine.biometry(), "locked-out")
        # The service no longer requests a finger.
        before = mine.prompts()
        fails(mine.get())
        equal(mine.prompts(), before)
        mine.with_passcode("passcode", "verify")
        equal(mine.biometry(), "enrolled")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


def test_where_the_passcode_will_do_as_well_it_is_asked_for_when_the_reader_is_locked_out_or_goes_away(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--user-presence")
        reading = mine.get()
        wait_until(lambda: reader.is_claimed() and mine.prompts() == ["4"], what="the look and its prompt")
        reader.kill()
        succeeds(reading)
        equal(mine.prompts(), ["4", "2"])
        succeeds(mine.get())
        equal(mine.prompts(), ["4", "2", "2"])


def test_before_the_passcode_was_given_to_a_service_no_finger_counts(it):
    with keychain(it, INDEX) as (mine, reader):
        it.stop()
        it.start(env=dict(
            it.environment, CHATELAINE_HELPERS=mine.helpers, DBUS_SYSTEM_BUS_ADDRESS=reader.address))
        equal(mine.biometry(), "locked-out")
        mine.with_passcode("unlock")
        equal(mine.biometry(), "enrolled")


@cases("kind", ["a token without hardware", "a TPM"])
def test_a_finger_unlocks_the_keychain_where_its_owner_wants_that_once_the_passcode_was_given_with(it, kind):
    if kind == "a TPM" and not shutil.which("swtpm"):
        pytest.skip("swtpm is not installed (Tools/setup test)")
    with (tokens.TPM if kind == "a TPM" else tokens.NoTPM)(it), keychain(it, INDEX) as (mine, reader):
        for name in ["chatelaine-token-software", "chatelaine-token-tpm"]:
            it.programs.copy(os.path.join(tokens.helpers_folder(), name), os.path.join(mine.helpers, name))
        it.run("chatelaine", "lock", check=0)
        fails(mine.unlock())
        equal((mine.prompts(), mine.readiness()), ([], "off"))
        mine.with_passcode("settings", "set", "unlock-by-finger", "on")
        equal(mine.readiness(), "ready")

        it.run("chatelaine", "lock", check=0)
        fails(mine.get())
        unlocking = mine.unlock()
        wait_until(lambda: mine.prompts() == ["4"], what="the prompt")
        mine.show(reader, "finger-b")
        fails(mine.get())
        mine.show(reader, "finger-a")
        equal(unlocking.communicate(timeout=60), (b"Unlocked.\n", b""))
        succeeds(mine.get())
        contains(it.run("chatelaine", "log", "--action", "unlock", check=0).out, "unlock")

        # With another person's finger enrolled, only the passcode proves that it is the owner's.
        it.run("chatelaine", "lock", check=0)
        reader.enrol("left-index-finger", "finger-b")
        equal(mine.readiness(), "passcode-needed")
        fails(mine.unlock())
        mine.with_passcode("unlock")
        equal(mine.readiness(), "ready")

        # A service that was started anew has nothing that a finger could open.
        it.stop()
        it.start(env=dict(it.environment, CHATELAINE_HELPERS=mine.helpers, DBUS_SYSTEM_BUS_ADDRESS=reader.address))
        equal(mine.readiness(), "passcode-needed")
        mine.with_passcode("unlock")
        equal(mine.readiness(), "ready")
        it.run("chatelaine", "lock", check=0)
        unlocking = mine.unlock()
        mine.show(reader, "finger-a")
        equal(unlocking.communicate(timeout=60), (b"Unlocked.\n", b""))


def test_another_finger_loses_what_was_bound_to_the_fingers_of_before_also_when_it_is_forgotten_again(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--current-biometry")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)
        reader.enrol("left-thumb", "finger-c")
        reading = mine.get()
        reader.show("finger-c")
        fails(reading)
        reader.forget()
        equal(mine.biometry(), "not-enrolled")
        reader.enrol(*INDEX)
        reading = mine.get()
        reader.show("finger-a")
        fails(reading)


def test_a_fprintd_that_ends_and_comes_again_loses_nothing_that_was_bound_to_its_fingers(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--current-biometry")
        reader.kill()
        equal(mine.biometry(), "not-available")
        fails(mine.get())
        reader.start()
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


@cases("case", ["no fprintd", "no bus", "no helper", "no reader"])
def test_without_fprintd_a_bus_or_the_helper_there_is_no_reader_which_is_known_without_waiting(it, case):
    with keychain(it) as (mine, reader):
        if case == "no fprintd":
            reader.kill()
        elif case == "no bus":
            reader.kill()
            reader.bus.stop_bus()
        elif case == "no helper":
            os.unlink(os.path.join(mine.helpers, HELPER))
        equal(mine.biometry(), "not-enrolled" if case == "no reader" else "not-available")
        if case != "no helper":
            equal(waits_of_the_helper(it, reader.address), [])


def waits_of_the_helper(it, address):
    """The waits that end by time in a helper that lists the enrolled fingers: none, because each wait ends with an answer."""
    if not shutil.which("strace"):
        pytest.skip("there is no strace")
    trace = os.path.join(it.scratch, "trace")
    status, answer = Helper(it, frame(0x51, b"\0"), address, wrapped=["strace", "-f", "-o", trace]).end()
    lines = read_text(trace).splitlines()
    if not any("execve(" in line for line in lines):
        pytest.skip("strace may not look at the helper")
    equal((status, answer[1]), (0, 0x41))
    return [call for call in calls(lines) if ends_by_time(call)]


def calls(lines):
    """The calls in the lines of strace, which cuts one in two where another thread says something meanwhile."""
    begun = {}
    for line in lines:
        thread = line.split()[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line.removesuffix("<unfinished ...>")
        else:
            rest = re.sub(r"^.*<\.\.\. \w+ resumed>", "", line)
            yield line if rest == line else begun.pop(thread, "").rstrip() + rest


def ends_by_time(call):
    """Whether a line of strace says that a system call waited until a time was over. A wait of no time only looks."""
    if re.search(r"nanosleep\(|ETIMEDOUT", call):
        return True
    looks_only = re.search(r"poll\(.*, 0\)|poll\(.*\{tv_sec=0, tv_nsec=0\}", call)
    return "(Timeout)" in call and not looks_only


def served_while_fprintd_hangs(mine, reader, owner):
    """Begins to read the item while fprintd hangs, and reads another one meanwhile: whether that was served before the end of the
    first request, which gives nothing out. False as well where this machine was too slow to see it."""
    wait_until(lambda: mine.biometry() == "enrolled", what="the reader's return")
    reader.pause()
    try:
        reading = mine.get()
        wait_until(lambda: mine.looks() or reading.poll() is not None, what="the helper that waits for fprintd")
        before = mine.looks()
        answer = owner.copy({"svce": "own"})
        equal((answer.status, answer.items[0][2]), (0, b"free"))
        was_served = bool(set(before) & set(mine.looks())) and reading.poll() is None
        fails(reading)
    finally:
        reader.go_on()
    return was_served


def test_a_fprintd_that_hangs_counts_as_none_while_others_are_served(it):
    with keychain(it, INDEX) as (mine, reader), Client(it.socket_path) as owner:
        mine.protect("--biometry")
        equal(owner.add({"svce": "own", "acct": "a"}, b"free").status, 0)
        reader.pause()
        assert waits_of_the_helper(it, reader.address), "a wait for a fprintd that hangs ends by time"
        reader.go_on()
        wait_until(lambda: served_while_fprintd_hangs(mine, reader, owner), what="an answer to another request meanwhile")
        # The reader is available again by itself, and reads the item.
        wait_until(lambda: mine.biometry() == "enrolled", what="the reader's return")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


@pytest.mark.long
def test_a_fprintd_that_hangs_is_waited_for_once_and_is_left_alone_then(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--biometry")
        reader.pause()
        begin = time.monotonic()
        fails(mine.get())
        assert time.monotonic() - begin < 30, "it was waited for too long"
        # It is left alone for a while.
        begin = time.monotonic()
        equal(mine.biometry(), "not-available")
        assert time.monotonic() - begin < 1.5, "it was waited for again"
        reader.go_on()
        wait_until(lambda: mine.biometry() == "enrolled", what="the reader's return")


@cases("case", ["killed", "the bus ends"])
def test_when_fprintd_is_killed_or_the_bus_ends_while_a_finger_is_awaited_the_request_ends(it, case):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--biometry")
        reading = mine.get()
        wait_until(reader.is_claimed, what="the look")
        if case == "killed":
            reader.kill()
        else:
            reader.bus.stop_bus()
        fails(reading)
        equal(it.status()["state"], "unlocked")


def test_a_caller_that_dies_takes_its_look_with_it_and_the_reader_is_free_again(it):
    with keychain(it, INDEX) as (mine, reader):
        mine.protect("--biometry")
        reading = mine.get()
        wait_until(reader.is_claimed, what="the look")
        reading.kill()
        reading.communicate()
        wait_until(lambda: not reader.is_claimed(), what="the reader's release")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


# MARK: The helper by itself


def frame(kind, payload=b""):
    return bytes([1, kind, 0, 0]) + len(payload).to_bytes(4, "big") + payload


class Helper:
    """The helper, as the service runs it, with the test at the other end."""

    def __init__(self, it, question, address, wrapped=()):
        folder = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
        self.own, other = socket.socketpair()
        with other:
            self.process = subprocess.Popen(
                [*wrapped, os.path.join(folder, HELPER)], stdin=other, stdout=other, stderr=subprocess.DEVNULL,
                env={"DBUS_SYSTEM_BUS_ADDRESS": address}, cwd=it.scratch)
        self.own.sendall(question)
        self.own.settimeout(60)

    def end(self):
        answer = b""
        # It need not have read all of the question.
        with contextlib.suppress(ConnectionResetError):
            while piece := self.own.recv(4096):
                answer += piece
        self.own.close()
        return self.process.wait(timeout=60), answer


@cases("how", ["SIGTERM", "the end"])
def test_the_helper_gives_the_reader_back_when_it_is_told_to_end_or_its_service_does(it, how):
    with keychain(it, INDEX) as (_, reader):
        helper = Helper(it, frame(0x52, b"\0\0\x1e"), reader.address)
        wait_until(reader.is_claimed, what="the look")
        if how == "SIGTERM":
            helper.process.send_signal(signal.SIGTERM)
        else:
            helper.own.shutdown(socket.SHUT_WR)
        equal(helper.end(), (75, b""))
        assert not reader.is_claimed(), "the reader is given back"


def test_the_helper_answers_what_it_is_asked_and_takes_nothing_else(it):
    with keychain(it, INDEX) as (_, reader):
        status, answer = Helper(it, frame(0x51, b"\0"), reader.address).end()
        equal(status, 0)
        name, finger = b"Virtual device for debugging", INDEX[0].encode()
        equal(answer, frame(
            0x41, b"\0" + len(name).to_bytes(4, "big") + name + b"\2\0\1" + len(finger).to_bytes(4, "big") + finger))
        for question in [b"\2", frame(0x99), frame(0x51, bytes(64)), b"\0" * 8]:
            helper = Helper(it, question, reader.address)
            with contextlib.suppress(OSError):
                helper.own.shutdown(socket.SHUT_WR)
            equal(helper.end(), (65, b""))
        status, answer = Helper(it, frame(0x52, b"\0\0\0"), reader.address).end()
        equal((status, answer[1]), (0, 1))
        # An address that is none is no other bus.
        equal(Helper(it, frame(0x51, b"\0"), "unix:tmpdir=/tmp").end(), (0, frame(0x41, b"\1")))
    program = os.path.join(
        os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release")), HELPER)
    contains(subprocess.run([program, "--help"], capture_output=True, check=True).stdout.decode(), "usage:")
    equal(subprocess.run([program, "now"], capture_output=True, check=False).returncode, 64)


# MARK: Forged

MATCH, NO_MATCH = frame(0x42, b"\1"), frame(0x42, b"\2")
LOOK = frame(0x52, b"\0\0\x1e")


def test_a_match_that_another_program_on_the_bus_sends_opens_nothing_and_a_match_of_fprintd_does(it):
    with keychain(it, INDEX) as (mine, reader), Stranger(reader.address) as stranger:
        mine.protect("--biometry")
        equal(stranger.take_name(FPRINT), REQUEST_NAME_IN_QUEUE)
        device = str(reader.device.object_path)
        reading = mine.get()
        for _ in range(3):
            # The next look begins when a finger of another person was seen.
            wait_until(reader.is_claimed, what="the look")
            [look] = mine.looks()
            wait_until(lambda: stranger.names_of(look), what="the helper on the bus")
            wait_until(reader.is_looking, what="the begin of the look")
            forge_matches(stranger, look, device)
            mine.show(reader, "finger-b")
        fails(reading)
        equal(mine.biometry(), "enrolled")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


def test_a_program_that_gets_the_name_of_fprintd_in_the_middle_of_a_look_opens_nothing(it):
    """A program waits for fprintd's name and has it when fprintd ends: what it says then is about no look that fprintd began."""
    with keychain(it, INDEX) as (mine, reader), Stranger(reader.address) as stranger:
        mine.protect("--biometry")
        device = str(reader.device.object_path)
        equal(stranger.take_name(FPRINT), REQUEST_NAME_IN_QUEUE)
        reading = mine.get()
        wait_until(reader.is_looking, what="the look")
        [look] = mine.looks()
        # It does not run while all of that happens, and reads it in one piece.
        os.kill(int(look), signal.SIGSTOP)
        [name] = stranger.names_of(look)
        reader.kill()
        wait_until(lambda: stranger.owner(FPRINT) == stranger.name, what="the name")
        stranger.signal(name, device, DEVICE, "VerifyStatus", "(sb)", "verify-match", True)
        stranger.arrive()
        os.kill(int(look), signal.SIGCONT)
        fails(reading)
        stranger.leave_name(FPRINT)
        reader.start()
        wait_until(lambda: mine.biometry() == "enrolled", what="the reader's return")
        reading = mine.get()
        reader.show("finger-a")
        succeeds(reading)


@cases("_, code", [
    ("before the look has begun", {"Claim": PretendedFprintd.saying("verify-match")}),
    ("before its answer to the begin of the look", {"VerifyStart": PretendedFprintd.saying("verify-match")}),
    ("of another reader", {"VerifyStart": PretendedFprintd.saying("verify-match", OTHER_READER)}),
])
def test_a_match_that_the_owner_of_fprintds_name_sends_is_none(it, _, code):
    """A match that the owner of fprintd's name sends too early, or of another reader, is none; what it says of this look is."""
    with SystemBus(it) as bus, PretendedFprintd(bus, **code) as fprintd:
        for result, answer in [("verify-no-match", NO_MATCH), ("verify-match", MATCH)]:
            helper = Helper(it, LOOK, bus.address)
            wait_until(lambda: [name for name, _ in fprintd.calls()][-1:] == ["VerifyStart"], what="the look")
            fprintd.says("verify-match", path=OTHER_READER)
            fprintd.says(result)
            equal(helper.end(), (0, answer))
