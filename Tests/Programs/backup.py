# SPDX-License-Identifier: Apache-2.0
"""Backups, restoring them, snapshots and salvaging, as people and scripts use them."""

import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess

import pytest

from support.disk import build
from support.instance import Instance, mode, read_text, status_kilobytes, wait_until
from support.prompters import PROMPTERS, PinentryQuestion, ScriptedPinentry, built_helpers
from support.sentences import both, cases, contains, equal, lacks
from support.wire import Client

header_size = 179
passphrase = "open sesame"


def given(it, *words, check=None, **secrets):
    """Runs chatelaine with a descriptor for each secret: passcode_fd="x" is --passcode-fd N."""
    words, numbers = list(words), []
    for option, secret in secrets.items():
        path = os.path.join(it.scratch, f"secret-{option}")
        with open(path, "wb") as file:
            file.write(secret if isinstance(secret, bytes) else secret.encode())
        number = os.open(path, os.O_RDONLY)
        os.unlink(path)
        numbers.append(number)
        words += ["--" + option.replace("_", "-"), str(number)]
    try:
        return it.run("chatelaine", *words, check=check, pass_fds=numbers)
    finally:
        for number in numbers:
            os.close(number)


def set_passcode(it, passcode):
    """A passcode that is checked fast."""
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    given(it, "passcode", "set", passcode_fd=passcode, check=0)


def backup(it, *words, check=0, **secrets):
    """Returns the file and the report about it."""
    secrets.setdefault("passphrase_fd", passphrase)
    path = os.path.join(it.scratch, "keychain.backup")
    done = given(it, "backup", path, "--json", *words, check=check, **secrets)
    return path, json.loads(done.out) if check == 0 else done


def restore(it, path, *words, check=0, **secrets):
    secrets.setdefault("passphrase_fd", passphrase)
    done = given(it, "restore", path, "--json", *words, check=check, **secrets)
    return json.loads(done.out) if done.out else done


def counts(report):
    return {name: number for name, number in report["counts"].items() if number}


def handed_over(it, path):
    """The file where the instance's user may read it."""
    target = os.path.join(it.scratch, "handed-over.backup")
    shutil.copyfile(path, target)
    it.own(target, 0o600)
    return target


def change(path, edit):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data = edit(data) or data
    with open(path, "wb") as file:
        file.write(data)


def with_cost(whole, log_n, r, p):
    """The backup with another cost of its passphrase, and a checksum to match."""
    header = bytearray(whole[: header_size - 32])
    struct.pack_into(">BII", header, 50, log_n, r, p)
    return bytes(header) + hashlib.sha256(header).digest() + whole[header_size:]


def records(data):
    """Where each record begins, and where the last one ends."""
    places = [header_size]
    while places[-1] < len(data):
        (size,) = struct.unpack_from(">I", data, places[-1] + 1)
        places.append(places[-1] + 5 + size)
    return places


def fill(it, count, classes=("ak",)):
    """Items of a program that is not chatelaine."""
    with Client(it.socket_path) as client:
        for number in range(count):
            for name in classes:
                values = {"svce": f"service {number}", "acct": name, "pdmn": name}
                equal(client.add(values, f"secret {number} {name}".encode()).status, 0)


def secrets(it, count, classes=("ak",)):
    with Client(it.socket_path) as client:
        found = []
        for number in range(count):
            for name in classes:
                answer = client.copy({"svce": f"service {number}", "acct": name})
                if answer.status == 0:
                    equal(answer.items[0][2], f"secret {number} {name}".encode())
                    found.append((number, name))
        return found


def another(it):
    return Instance(it.programs, it.user)


# MARK: The same device


def test_a_backup_brings_the_items_of_all_programs_back_with_their_references(it):
    it.start()
    it.set("name", "s3cret", "--user", "ann")
    fill(it, 20, ("ak", "aku"))
    with Client(it.socket_path) as client:
        before = client.copy({"svce": "service 3", "acct": "ak"}, returning=8).items[0][0]
    path, report = backup(it)
    equal((report["items"], report["deviceBound"], report["form"]), (41, 20, "device-bound"))
    equal(mode(path), 0o600)
    it.run("chatelaine", "remove", "name", "--user", "ann", check=0)
    with Client(it.socket_path) as client:
        for number in range(20):
            for name in ("ak", "aku"):
                equal(client.delete({"svce": f"service {number}", "acct": name}).status, 0)
    equal(counts(restore(it, path, "--dry-run")), {"added": 41})
    equal(secrets(it, 20, ("ak", "aku")), [])
    equal(counts(restore(it, path)), {"added": 41})
    equal(it.get("name", "--user", "ann"), b"s3cret")
    equal(len(secrets(it, 20, ("ak", "aku"))), 40)
    with Client(it.socket_path) as client:
        equal(client.copy({"svce": "service 3", "acct": "ak"}, returning=8).items[0][0], before)
    equal(counts(restore(it, path)), {"unchanged": 41})


def test_nothing_readable_is_in_a_backup_or_left_beside_it_nor_in_snapshots(it):
    it.start()
    it.set("visible-name", "visible-secret", "--user", "visible-user")
    path, _report = backup(it)
    it.stop()
    it.start()
    seen = []
    for folder, _, files in os.walk(it.scratch):
        for name in files:
            if not os.path.isfile(os.path.join(folder, name)):
                continue
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            seen.append(name)
            for text in [b"visible-name", b"visible-secret", b"visible-user", passphrase.encode()]:
                assert text not in data, f"{name} contains {text!r}"
    assert any(name.startswith("keychain-") for name in seen), seen
    equal([name for name in os.listdir(it.scratch) if name.startswith(".chatelaine")], [])


def test_a_file_that_exists_is_replaced_only_with_force(it):
    it.set("name", "s3cret")
    path, _report = backup(it)
    with open(path, "rb") as file:
        first = file.read()
    _, done = backup(it, check=1)
    contains(done.err, "--force")
    with open(path, "rb") as file:
        equal(file.read(), first)
    backup(it, "--force")


def test_a_person_is_asked_for_the_passphrase_twice_and_shown_how_it_goes(it):
    from support.terminal import Terminal

    it.set("name", "s3cret")
    path = os.path.join(it.scratch, "keychain.backup")
    terminal = Terminal(it, "chatelaine", "backup", path)
    for question in ["Passphrase of the backup: ", "Once more: "]:
        terminal.expect(question)
        terminal.expect_silence()
        terminal.type(passphrase + "\n")
    equal(terminal.end(), 0)
    lacks(terminal.shown, passphrase)
    contains(given(it, "verify", path, passphrase_fd=passphrase, check=0).out, "The backup is complete.")


# MARK: A passcode, and another device


def test_with_a_passcode_a_backup_needs_it_and_restores_elsewhere_what_may_leave_the_device(it):
    it.start()
    set_passcode(it, "1234")
    classes = ("ak", "ck", "dk", "aku", "cku", "dku", "akpu")
    fill(it, 3, classes)
    refused = backup(it, check=4)[1]
    contains(refused.err, "passcode")
    contains(backup(it, check=4, passcode_fd="4321")[1].err, "credential is wrong")
    path, report = backup(it, passcode_fd="1234")
    equal((report["form"], report["portable"], report["deviceBound"]), ("portable", 9, 9))
    equal([(item["reason"], item["service"]) for item in report["leftOut"]],
          [("passcode", f"service {number}") for number in range(3)])

    other = another(it)
    try:
        other.start()
        copied = handed_over(other, path)
        # Without a passcode no caller there can prove ownership of the backup.
        done = given(other, "restore", copied, passphrase_fd=passphrase, check=6)
        contains(done.err, "set a passcode first")
        equal(secrets(other, 3, classes), [])
        set_passcode(other, "other")
        report = restore(other, copied, check=6, passcode_fd="other")
        equal(counts(report), {"added": 9, "other-device": 9})
        equal((report["ofThisDevice"], report["ofThisKeychain"]), (False, False))
        # This process is the same program there and here, so it finds its items.
        equal(secrets(other, 3, classes), [(n, name) for n in range(3) for name in classes[:3]])
        equal(counts(restore(other, copied, check=6, passcode_fd="other")), {"unchanged": 9, "other-device": 9})
    finally:
        other.remove()


def test_a_backup_of_a_keychain_without_a_passcode_opens_on_no_other_device(it):
    it.set("name", "s3cret")
    path, _report = backup(it)
    other = another(it)
    try:
        done = given(other, "verify", handed_over(other, path), passphrase_fd=passphrase, check=4)
        contains(done.err, "only on the device that created it")
    finally:
        other.remove()


# MARK: A portable backup without a passcode


@contextlib.contextmanager
def owner_at_display(it):
    """A service with a display of its own, on which a scripted pinentry shows its prompts."""
    installed = []
    try:
        for name in PROMPTERS:
            target = os.path.join(it.programs.folder, name)
            if not os.path.exists(target):
                it.programs.copy(os.path.join(built_helpers(), name), target)
                installed.append(target)
        with ScriptedPinentry(it) as pinentry:
            it.start(env={**it.environment, "DISPLAY": ":71"})
            yield pinentry
    finally:
        for path in installed:
            os.unlink(path)


@contextlib.contextmanager
def begun(it, *words, environment=None):
    """The command, which waits for its owner's approval, with the passphrase in a descriptor."""
    with open(os.path.join(it.scratch, "passphrase"), "w+b") as secret:
        secret.write(passphrase.encode())
        secret.seek(0)
        command = it.popen(
            "chatelaine", *words, "--passphrase-fd", str(secret.fileno()), pass_fds=[secret.fileno()],
            env={**it.environment, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)
        try:
            yield command
        finally:
            command.kill()
            command.wait(timeout=60)


def ended(command, status):
    """Waits for the end of the command, and returns its output and its errors."""
    out, err = (text.decode() for text in command.communicate(timeout=60))
    equal(command.returncode, status)
    return out, err


def test_a_portable_backup_without_a_passcode_is_approved_and_restores_on_another_device(it):
    path = os.path.join(it.scratch, "keychain.backup")
    with owner_at_display(it) as pinentry:
        fill(it, 3, ("ak", "aku"))
        with begun(it, "backup", path, "--portable", "--json") as command:
            question = pinentry.expect("CONFIRM")
            contains(" ".join(question.said["SETDESC"].split()), "copy the secrets of all programs to a file for any device")
            assert not os.path.exists(path), "nothing is written before the approval"
            question.confirm()
            out, err = ended(command, 0)
        report = json.loads(out)
        equal((report["form"], report["portable"], report["deviceBound"]), ("portable", 3, 3))
        contains(" ".join(err.split()), "the secrets of all items of all programs", "ThisDeviceOnly")
        equal(pinentry.was_started(), False)
    other = another(it)
    try:
        with owner_at_display(other) as pinentry:
            copied = handed_over(other, path)
            contains(given(other, "verify", copied, passphrase_fd="close sesame", check=4).err, "backup is wrong")
            with begun(other, "restore", copied, "--json") as command:
                question = pinentry.expect("CONFIRM")
                contains(" ".join(question.said["SETDESC"].split()), "restore a backup")
                question.answer(PinentryQuestion.cancelled)
                ended(command, 4)
            equal(secrets(other, 3, ("ak", "aku")), [])
            with begun(other, "restore", copied, "--json") as command:
                pinentry.expect("CONFIRM").confirm()
                out, _err = ended(command, 6)
            equal(counts(json.loads(out)), {"added": 3, "other-device": 3})
            # This process is the same program there and here, so it finds its items.
            equal(secrets(other, 3, ("ak", "aku")), [(number, "ak") for number in range(3)])
            set_passcode(other, "1234")
            equal(counts(restore(other, copied, check=6, passcode_fd="1234")), {"unchanged": 3, "other-device": 3})
            equal(pinentry.was_started(), False)
    finally:
        other.remove()


def test_a_portable_backup_that_its_owner_denies_leaves_no_file(it):
    path = os.path.join(it.scratch, "keychain.backup")
    with owner_at_display(it) as pinentry:
        it.set("name", "s3cret")
        with begun(it, "backup", path, "--portable") as command:
            pinentry.expect("CONFIRM").answer(PinentryQuestion.cancelled)
            ended(command, 4)
        equal([name for name in os.listdir(it.scratch) if name.endswith(".backup") or name.startswith(".chatelaine")], [])


def test_a_program_without_the_services_display_gets_no_portable_backup_by_the_command(it):
    """A program can name a display or a terminal of its own: without a passcode, an approval there is none."""
    it.start()
    it.set("name", "s3cret")
    path = os.path.join(it.scratch, "keychain.backup")
    with begun(it, "backup", path, "--portable", environment={"DISPLAY": ":72"}) as command:
        _out, err = ended(command, 4)
    contains(" ".join(err.split()), "without a passcode, an approval given here cannot be trusted", "passcode set")
    assert not os.path.exists(path)
    # Nor does another program, or one that speaks the protocol without an approval.
    with Client(it.socket_path) as client:
        equal(client.request(0x1C, bytes([4])).status, -34018)
        equal(client.request(0x1C, bytes([5]) + bytes(16) + bytes([1]) + struct.pack(">I", 6) + b"sesame").status, -34018)


def test_the_approval_comes_before_the_passphrase_is_asked_for(it):
    from support.terminal import Terminal

    path = os.path.join(it.scratch, "keychain.backup")
    with owner_at_display(it) as pinentry:
        it.set("name", "s3cret")
        terminal = Terminal(it, "chatelaine", "backup", path, "--portable")
        question = pinentry.expect("CONFIRM")
        assert not terminal.shows("Passphrase of the backup")
        question.confirm()
        for prompt in ["Passphrase of the backup: ", "Once more: "]:
            terminal.expect(prompt)
            terminal.expect_silence()
            terminal.type(passphrase + "\n")
        equal(terminal.end(), 0)
    contains(given(it, "verify", path, passphrase_fd=passphrase, check=0).out, "The backup is complete.")


def test_a_locked_keychain_makes_no_backup(it):
    it.start()
    set_passcode(it, "1234")
    it.run("chatelaine", "lock", check=0)
    contains(backup(it, check=4, passcode_fd="1234")[1].err, "locked")


def test_a_newer_item_stays_and_is_reported_unless_it_is_to_be_replaced(it):
    it.start()
    it.set("name", "old", "--user", "ann")
    path, _report = backup(it)
    it.set("name", "new", "--user", "ann")
    report = restore(it, path, check=6)
    equal(counts(report), {"conflict": 1})
    equal([(item["outcome"], item["service"], item["account"]) for item in report["items"]], [("conflict", "name", "ann")])
    equal(it.get("name", "--user", "ann"), b"new")
    equal(counts(restore(it, path, "--replace-newer")), {"replaced": 1})
    equal(it.get("name", "--user", "ann"), b"old")


# MARK: Bad input


# Each look at a backup derives a key, which takes half a second.
@pytest.mark.parametrize("items", [2, pytest.param(6, marks=pytest.mark.long)])
def test_a_wrong_passphrase_a_damaged_cut_or_foreign_file_and_a_newer_version_are_told_apart(it, items):
    """A wrong passphrase, a damaged, cut or foreign file and a newer version are told apart, and change nothing."""
    it.start()
    fill(it, items, ("ak", "aku"))
    path, _report = backup(it)
    it.set("later", "s3cret")
    with open(path, "rb") as file:
        whole = file.read()
    places = records(whole)
    equal(len(places), 2 * items + 2)
    before = it.list()
    is_whole = items > 2

    def refused(data, word, check=4, commands=("verify", "restore")):
        change(path, lambda _: data)
        for command in commands:
            contains(given(it, command, path, check=check, passphrase_fd=passphrase).err, word)

    contains(given(it, "verify", path, passphrase_fd="close sesame", check=4).err, "recovery key of the backup is wrong")
    for number, place in enumerate(places[:-1]):
        # In the kind, the length and the ciphertext of each record. With few items, each record has one of these faults, and one of the
        # commands finds that it is missing.
        for offset in [0, 2, 7] if is_whole else [[0, 2, 7][number % 3]]:
            data = bytearray(whole)
            data[place + offset] ^= 1
            change(path, lambda _: data)
            done = given(it, "verify", path, passphrase_fd=passphrase, check=4)
            assert "damaged" in done.err or "the end of the backup is missing" in done.err, done.err
        commands = ["verify", "restore"]
        refused(whole[:place], "the end of the backup is missing", commands=commands if is_whole else [commands[number % 2]])
    refused(whole[: places[-1] - 1], "the end of the backup is missing")
    refused(whole + b"\0", "damaged")
    refused(whole[:header_size - 1], "damaged")
    refused(whole[:7] + b"\2" + whole[8:], "newer version")
    refused(b"no backup" * 100, "is not a backup", check=1)
    refused(b"", "is not a backup", check=1)
    flipped = bytearray(whole)
    flipped[70] ^= 1
    refused(flipped, "damaged")
    equal(it.list(), before)
    change(path, lambda _: whole)
    contains(given(it, "verify", path, passphrase_fd=passphrase, check=0).out, "The backup is complete.")


def test_a_backup_that_is_damaged_behind_its_first_items_restores_none_of_them(it):
    """A restore stores 256 items at a time; before the first of them it has looked at the last record."""
    it.start()
    fill(it, 300)
    path, _report = backup(it)
    with Client(it.socket_path) as client:
        for number in range(300):
            equal(client.delete({"svce": f"service {number}", "acct": "ak"}).status, 0)
    with open(path, "rb") as file:
        whole = file.read()
    last, end = records(whole)[-2:]
    for data, word in [
            (whole[:last], "the end of the backup is missing"), (whole[: end - 1] + bytes([whole[-1] ^ 1]), "damaged")]:
        change(path, lambda _: data)
        done = given(it, "restore", path, passphrase_fd=passphrase, check=4)
        contains(done.err, word)
        equal((done.out, secrets(it, 300)), ("", []))
    change(path, lambda _: whole)
    equal(counts(restore(it, path)), {"added": 300})


@cases("name, secret", [
    ("empty", b""), ("not UTF-8", b"\xff\xfe"), ("a mebibyte", b"x" * (1 << 20))])
def test_passphrases_that_cannot_be_used_are_refused(it, name, secret):
    it.set("name", "s3cret")
    path, done = backup(it, check=1, passphrase_fd=secret)
    contains(done.err, "passphrase")
    assert not os.path.exists(path)


def test_another_program_than_the_command_makes_no_backup(it):
    it.start()
    it.set("name", "s3cret")
    with Client(it.socket_path) as client:
        begin = bytes([1, 1]) + struct.pack(">I", 6) + b"sesame" + b"\0"
        equal(client.request(0x1C, begin).status, -34018)
        equal(client.request(0x1D, bytes([1]) + struct.pack(">I", 1) + b"h" + begin[1:] + bytes([1, 0])).status, -34018)
    contains(read_text(os.path.join(it.data, "audit.log")), '"action":"backup-begin"', "administrationOnly")


# MARK: Kills


def test_a_restore_in_whose_middle_the_service_is_killed_leaves_whole_items_and_is_simply_repeated(it):
    it.start()
    # A restore stores 256 items at a time.
    count = 900
    fill(it, count)
    path, _report = backup(it)
    it.stop()
    for suffix in ["", "-wal", "-shm"]:
        if os.path.exists(it.database + suffix):
            os.remove(it.database + suffix)
    shutil.rmtree(os.path.join(it.data, "snapshots"))
    mark = os.path.join(it.scratch, "kill")
    it.start(env={**it.environment, "LD_PRELOAD": build(it.scratch), "DISK_LOG_ROOT": it.directories["data"], "DISK_KILL": mark})
    daemon = it.daemon
    number = open(os.path.join(it.scratch, "passphrase"), "w+b")
    number.write(passphrase.encode())
    number.seek(0)
    restoring = it.popen("chatelaine", "restore", path, "--passphrase-fd", str(number.fileno()), pass_fds=[number.fileno()])

    def stored():
        try:
            reading = sqlite3.connect(f"file:{it.database}?mode=ro", uri=True)
            try:
                return reading.execute("SELECT count(*) FROM genp").fetchone()[0]
            finally:
                reading.close()
        except sqlite3.Error:
            return 0

    wait_until(lambda: stored() > 0, what="the first items")
    # The service dies in place of its next change to a file.
    with open(mark + ".new", "w", encoding="utf-8") as file:
        file.write("1")
    os.rename(mark + ".new", mark)
    wait_until(lambda: daemon.poll() is not None or restoring.poll() is not None, what="the end of the service")
    # On a slow machine, the restore may be done before the mark is there.
    daemon.kill()
    equal(daemon.wait(timeout=60), -signal.SIGKILL)
    it.daemon = None
    os.unlink(mark)
    restoring.wait(timeout=60)
    number.close()
    # The command may have started another service.
    it.end_services()
    it.start()
    left = len(secrets(it, count))
    assert left > 0
    report = counts(restore(it, path))
    equal(report.get("added", 0) + report.get("unchanged", 0), count)
    equal(report.get("unchanged", 0), left)
    equal(len(secrets(it, count)), count)


# MARK: Snapshots and salvaging


def snapshots(it):
    folder = os.path.join(it.data, "snapshots")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    # A snapshot that is being written has another name.
    return sorted(os.path.join(folder, name) for name in names if name.startswith("keychain-"))


@both
def test_a_snapshot_is_made_at_the_first_start_of_a_day_for_the_owners_eyes_only(it):
    it.start()
    it.set("name", "s3cret")
    it.stop()
    equal(len(snapshots(it)), 1)
    equal(mode(snapshots(it)[0]), 0o600)
    it.start()
    it.stop()
    # The day may change while this runs.
    assert len(snapshots(it)) in (1, 2)
    # As if it had been made a week ago.
    old = os.path.join(it.data, "snapshots", "keychain-20260101000000Z.db")
    os.rename(snapshots(it)[0], old)
    it.start()
    it.stop()
    assert old not in snapshots(it) and snapshots(it), snapshots(it)
    with sqlite3.connect(snapshots(it)[-1]) as copy:
        equal(copy.execute("SELECT count(*) FROM genp").fetchone()[0], 1)


@both
def test_a_snapshot_that_was_killed_leaves_nothing_behind_after_the_next_start(it):
    it.start()
    it.stop()
    folder = os.path.join(it.data, "snapshots")
    left = [f".keychain-20260101000000Z.db{suffix}" for suffix in ("", "-journal", "-wal", "-shm")]
    for name in left:
        with open(os.path.join(folder, name), "wb"):
            pass
        it.own(os.path.join(folder, name), 0o600)
    it.start()
    equal([name for name in os.listdir(folder) if name.startswith(".")], [])
    it.stop()
    equal(len(snapshots(it)), 1)


def test_a_snapshot_opens_with_the_passcode_of_now_and_with_no_former_one(it):
    it.start()
    it.set("name", "s3cret")
    wait_until(lambda: snapshots(it), what="the day's snapshot")
    equal(len(snapshots(it)), 1)
    set_passcode(it, "1234")
    given(it, "passcode", "change", passcode_fd="1234", new_passcode_fd="5678", check=0)
    it.stop()
    database, copy = sqlite3.connect(it.database), sqlite3.connect(snapshots(it)[0])
    keybags = [each.execute("SELECT bytes FROM keybag").fetchone()[0] for each in (database, copy)]
    database.close()
    copy.close()
    equal(keybags[0], keybags[1])


def test_a_keychain_whose_pages_are_overwritten_is_salvaged_with_the_snapshot_filling_the_gaps(it):
    it.start()
    fill(it, 300)
    it.stop()
    for name in snapshots(it):
        os.remove(name)
    it.start()
    it.stop()
    equal(len(snapshots(it)), 1)
    dice = random.Random(5)
    size = os.path.getsize(it.database)
    # The first page as well: nothing can be read of the file at all. So many that items are hit wherever they lie.
    for page in range(0, size // 2048, 7):
        def overwrite(data):
            data[page * 2048 : (page + 1) * 2048] = dice.randbytes(2048)
        change(it.database, overwrite)
    damaged = open(it.database, "rb").read()
    told = it.start_in_vain()
    contains(told.err, "not a keychain" if "not a keychain" in told.err else "salvage")
    done = it.run("chatelaine", "salvage", check=0)
    contains(done.out, "0 items are lost", "items come from snapshots", "The damaged files are kept")
    equal(sum(int(count) for count in re.findall(r"(\d+) items (?:were saved|come)", done.out)), 300)
    kept = [name for name in os.listdir(it.data) if ".damaged-" in name]
    equal(len(kept), 1)
    equal(open(os.path.join(it.data, kept[0]), "rb").read(), damaged)
    assert not os.path.exists(os.path.join(it.data, "salvage"))
    it.start()
    equal(len(secrets(it, 300)), 300)


def test_salvaging_takes_the_passcode_names_lost_items_and_leaves_a_running_keychain_alone(it):
    it.start()
    it.set("first", "s3cret", "--user", "ann")
    it.set("second", "s3cret", "--user", "bob")
    set_passcode(it, "1234")
    running = it.run("chatelaine", "salvage")
    contains(running.err, "the keychain service is running")
    assert running.returncode != 0
    it.stop()
    for name in snapshots(it):
        os.remove(name)
    database = sqlite3.connect(it.database)
    with database:
        database.execute("UPDATE genp SET data = zeroblob(50) WHERE id = 1")
    database.close()
    wrong = given(it, "salvage", passcode_fd="4321")
    assert wrong.returncode != 0
    contains(wrong.err, "passcode or password is wrong")
    done = given(it, "salvage", passcode_fd="1234", check=0)
    contains(done.out, "1 items were saved", "1 items are lost", "lost: genp, row 1: first, ann")
    it.start()
    given(it, "unlock", passcode_fd="1234", check=0)
    equal(it.get("second", "--user", "bob"), b"s3cret")


@both
def test_a_backup_that_asks_for_more_work_than_any_has_costs_the_service_none(it):
    it.start()
    it.set("name", "s3cret")
    path, _report = backup(it)
    with open(path, "rb") as file:
        whole = file.read()
    highest = status_kilobytes(it.daemon.pid, "VmHWM")
    for cost in [(20, 8, 16), (20, 8, 1), (18, 8, 1), (17, 8, 2), (17, 32, 1), (20, 32, 64)]:
        change(path, lambda _: with_cost(whole, *cost))
        for command in ["verify", "restore"]:
            done = given(it, command, path, passphrase_fd=passphrase, check=4)
            assert "newer version" in done.err or "damaged" in done.err, (cost, done.err)
    grown = status_kilobytes(it.daemon.pid, "VmHWM") - highest
    assert grown < 16 * 1024, f"the service had {grown} KiB more"
    change(path, lambda _: with_cost(whole, 17, 8, 1))
    given(it, "verify", path, passphrase_fd=passphrase, check=0)
