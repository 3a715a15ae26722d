# SPDX-License-Identifier: Apache-2.0
"""Passcodes, locking, and the other protectors of a keychain, as people and scripts use them."""

import json
import math
import os
import re
import shutil
import signal
import sqlite3
import stat
import time

import pytest

from support.instance import read_text, wait_until
from support.sentences import both, cases, contains, equal, lacks
from support.terminal import Terminal

# Seconds between 1970 and 2001, where the dates of the database begin.
reference_date = 978_307_200


def given(it, *words, check=None, more={}, **secrets):
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
        return it.run("chatelaine", *words, check=check, pass_fds=numbers, **more)
    finally:
        for number in numbers:
            os.close(number)


def set_passcode(it, passcode="hunter2"):
    """A keychain with an item, a passcode, and a service in the foreground."""
    it.start()
    it.set("name", "s3cret")
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    given(it, "passcode", "set", passcode_fd=passcode, check=0)


def state(it):
    return it.status()["state"]


def attempts(it):
    status = it.status()
    return status["failedAttempts"], status["retryAfterSeconds"]


def turn_back(it, failed, seconds):
    """While the service is stopped: so many wrong entries, the last one so long ago."""
    database = sqlite3.connect(it.database)
    with database:
        last = time.time() - reference_date - seconds
        equal(database.execute("UPDATE guesses SET failed = ?, last = ? WHERE secret = x'02'", (failed, last)).rowcount, 1)
    database.close()


def passed_since(began):
    """The seconds that have passed at most, as whole ones."""
    return math.ceil(time.time() - began) + 1


def answer(terminal, question, text):
    terminal.expect(question)
    terminal.expect_silence()
    terminal.type(text + "\n")
    # The next prompt may have the same text.
    terminal.shown = terminal.shown.partition(question)[2]


# MARK: On a terminal


@both
def test_a_passcode_is_set_locks_and_unlocks_on_the_terminal_where_it_is_not_shown(it):
    it.set("name", "s3cret")
    equal(state(it), "no-passcode")
    contains(it.run("chatelaine", "status", check=0).out, "open (no passcode is set)")
    with Terminal(it, "chatelaine", "passcode", "set") as terminal:
        answer(terminal, "New passcode: ", "pässwörd 1")
        answer(terminal, "Once more: ", "pässwörd 1")
        equal(terminal.end(), 0)
        contains(terminal.shown, "The passcode is set, and the keychain is unlocked.")
        lacks(terminal.shown, "sswörd")
    equal(state(it), "unlocked")
    equal(it.get("name"), b"s3cret")
    equal(it.run("chatelaine", "lock", check=0).out, "Locked.\n")
    equal(it.run("chatelaine", "get", "name", check=4).err,
          "error: the keychain is locked\nhint: unlock it with `chatelaine unlock`, or add --unlock\n")
    it.run("chatelaine", "set", "other", input="x", check=4)
    with Terminal(it, "chatelaine", "unlock") as terminal:
        answer(terminal, "Passcode: ", "pässwörd 1")
        equal(terminal.end(), 0)
        contains(terminal.shown, "Unlocked.")
        lacks(terminal.shown, "sswörd")
        assert terminal.echoes(), "the terminal shows nothing any more"
    equal(it.get("name"), b"s3cret")


def test_a_command_asks_for_the_passcode_on_the_terminal_only_where_that_is_wanted(it):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    with Terminal(it, "chatelaine", "get", "name") as terminal:
        equal(terminal.end(), 4)
        lacks(terminal.shown, "Passcode")
    with Terminal(it, "chatelaine", "get", "name", "--unlock") as terminal:
        answer(terminal, "Passcode: ", "hunter2")
        equal(terminal.end(), 0)
        contains(terminal.shown, "s3cret")
    with Terminal(it, "chatelaine", "get", "name", "--unlock") as terminal:
        equal(terminal.end(), 0)
        lacks(terminal.shown, "Passcode")


def test_two_different_entries_of_a_new_passcode_set_nothing(it):
    with Terminal(it, "chatelaine", "passcode", "set") as terminal:
        answer(terminal, "New passcode: ", "one")
        answer(terminal, "Once more: ", "two")
        equal(terminal.end(), 1)
        contains(terminal.shown, "the two entries differ", "nothing was changed")
    equal(state(it), "no-passcode")


@cases("how", ["Ctrl-C", "Ctrl-D", "SIGTERM", "SIGHUP"])
def test_giving_up_by_unlocks_nothing_and_counts_nothing(it, how):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    with Terminal(it, "chatelaine", "unlock") as terminal:
        terminal.expect("Passcode: ")
        terminal.expect_silence()
        keys = {"Ctrl-C": "hunter\x03", "Ctrl-D": "\x04"}
        if how in keys:
            terminal.type(keys[how])
        else:
            terminal.signal(how)
        assert terminal.end() != 0
        assert terminal.echoes(), "the terminal shows nothing any more"
    equal(state(it), "locked")
    equal(attempts(it), (0, 0))


@cases("what", ["nothing", "not UTF-8", "1025 bytes", "5000 bytes"])
def test_typed_text_that_is_no_passcode_is_refused_without_being_looked_at(it, what):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    typed, reason = {
        "nothing": (b"", "the passcode is empty"), "not UTF-8": (b"p\xe4ss", "the passcode is not UTF-8"),
        "1025 bytes": (b"a" * 1025, "the passcode is longer than 1024 bytes"),
        "5000 bytes": (b"a" * 5000, "the terminal accepts no line of more than 4094 bytes"),
    }[what]
    with Terminal(it, "chatelaine", "unlock") as terminal:
        terminal.expect("Passcode: ")
        terminal.expect_silence()
        os.write(terminal.main, typed + b"\n")
        equal(terminal.end(), 1)
        contains(terminal.shown, "error: " + reason)
        assert terminal.echoes(), "the terminal shows nothing any more"
    equal((state(it), attempts(it)), ("locked", (0, 0)))


def test_where_no_prompt_is_possible_a_command_fails_at_once_and_says_how_to_continue(it):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    for words in [["unlock"], ["passcode", "verify"], ["passcode", "change"], ["get", "name", "--unlock"]]:
        done = it.run("chatelaine", *words, check=4, start_new_session=True)
        equal(done.err, "error: the passcode is required, and there is no terminal or pinentry to ask for it\n"
                        "hint: --passcode-fd N reads it from descriptor N\n")
    equal(attempts(it), (0, 0))


# MARK: From descriptors


def test_a_passcode_comes_from_a_file_a_pipe_or_standard_input(it):
    set_passcode(it)
    equal(given(it, "passcode", "verify", passcode_fd="hunter2\n", check=0).out, "The passcode is right.\n")
    equal(it.run("chatelaine", "passcode", "verify", "--passcode-fd", "0", input="hunter2", check=0).out,
          "The passcode is right.\n")
    equal(it.run("bash", "-c", "chatelaine passcode verify --passcode-fd 3 3< <(printf hunter; echo 2)", check=0).out,
          "The passcode is right.\n")


@cases("what", ["empty", "a newline", "1025 bytes", "1 MiB", "not UTF-8", "NUL", "two lines"])
def test_bytes_that_are_no_passcode_are_refused(it, what):
    it.start()
    bad, reason = {
        "empty": (b"", "is empty"), "a newline": (b"\n", "is empty"),
        "1025 bytes": (b"a" * 1025, "longer than 1024 bytes"), "1 MiB": (b"a" * (1 << 20), "longer than 1024 bytes"),
        "not UTF-8": (b"pass\xff", "is not UTF-8"), "NUL": (b"a\0b", "a line end or a NUL"),
        "two lines": (b"a\nb", "a line end or a NUL"),
    }[what]
    done = given(it, "passcode", "set", passcode_fd=bad, check=1)
    equal(done.out, "")
    contains(done.err, "error: the new passcode ", reason)
    equal(state(it), "no-passcode")
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    contains(given(it, "unlock", passcode_fd=bad, check=1).err, "error: the passcode ", reason)
    equal(attempts(it), (0, 0))


def test_a_passcode_of_1024_bytes_is_one(it):
    set_passcode(it, "ö" * 512)
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", passcode_fd="ö" * 512 + "\n", check=0)


def test_a_descriptor_that_cannot_hold_a_passcode_is_named(it):
    set_passcode(it)
    for number in ["1", "2", "-1"]:
        contains(it.run("chatelaine", "unlock", f"--passcode-fd={number}", check=64).err,
                 f"cannot be read from descriptor {number}\n")
    # Not open: neither the connection to the service nor anything else of the program's own gets into its place.
    for number in ["3", "4", "5", "1000"]:
        equal(it.run("chatelaine", "unlock", "--passcode-fd", number, check=1).err,
              f"error: cannot read the passcode from descriptor {number}: Bad file descriptor\n")
    equal(it.run("bash", "-c", "chatelaine unlock --passcode-fd 3 3>/dev/null", check=1).err,
          "error: cannot read the passcode from descriptor 3: Bad file descriptor\n")
    equal(it.run("bash", "-c", "chatelaine unlock --passcode-fd 3 3</", check=1).err,
          "error: cannot read the passcode from descriptor 3: Is a directory\n")
    with Terminal(it, "chatelaine", "unlock", "--passcode-fd", "0") as terminal:
        equal(terminal.end(), 1)
        contains(terminal.shown, "it is a terminal, which shows typed secrets")
    contains(it.run("chatelaine", "unlock", "--passcode-fd", "x", check=64).err, "error: ")


def test_a_secret_and_its_passcode_come_by_two_ways(it):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    contains(it.run("chatelaine", "set", "other", "--passcode-fd", "0", input="x", check=64).err,
             "standard input cannot supply both the secret and the passcode")
    given(it, "set", "other", passcode_fd="hunter2", check=0, more={"input": "second"})
    equal(it.get("other"), b"second")
    it.run("chatelaine", "lock", check=0)
    equal(given(it, "get", "other", passcode_fd="hunter2", check=0).out, "second\n")


# MARK: Wrong passcodes


@both
def test_wrong_passcodes_are_counted_told_and_delayed_the_recovery_key_is_not(it):
    set_passcode(it)
    recovery = os.path.join(it.scratch, "recovery")
    given(it, "protector", "add", "recovery-key", "--output", recovery, passcode_fd="hunter2", check=0)
    it.run("chatelaine", "lock", check=0)
    hints = []
    for _ in range(4):
        done = given(it, "unlock", passcode_fd="wrong", check=4)
        contains(done.err, "error: the passcode is wrong\n")
        hints.append(done.err.splitlines()[-1])
    equal(hints, [f"hint: after {number} more wrong entries in a row you must wait before the next attempt" for number in (4, 3, 2)]
          + ["hint: after one more wrong entry in a row you must wait before the next attempt"])
    began = time.time()
    contains(given(it, "passcode", "verify", passcode_fd="wrong", check=4).err, "possible in 1 min; the recovery key is accepted at once")
    failed, wait = attempts(it)
    equal(failed, 5)
    assert 60 - passed_since(began) <= wait <= 60, wait
    # Even the right passcode is not checked, and another attempt makes no difference.
    done = given(it, "unlock", passcode_fd="hunter2", check=4)
    contains(done.err, "error: too many attempts in a row failed; the next attempt is possible after a delay\n")
    equal(attempts(it)[0], 5)
    contains(it.run("chatelaine", "status", check=0).out, "attempts    5 wrong entries in a row; the next attempt is possible in ")
    with Terminal(it, "chatelaine", "unlock") as terminal:
        equal(terminal.end(), 4)
        lacks(terminal.shown, "Passcode: ")
    given(it, "unlock", recovery_key_fd=read_text(recovery), check=0)
    equal(state(it), "unlocked")


def is_refused_before(it, failed, delay, left):
    """Has a delay be over after these seconds, and sees that not even the right passcode is looked at before. False where the machine
    was too slow to see it."""
    it.stop()
    began = time.time()
    turn_back(it, failed, delay - left)
    it.start()
    wait = attempts(it)[1]
    done = given(it, "unlock", passcode_fd="hunter2")
    if passed_since(began) > left:
        return False
    assert max(1, min(delay, left) - passed_since(began)) <= wait <= min(delay, left), f"{wait} seconds"
    equal(done.returncode, 4)
    return True


@cases("failed, delay", [(4, 0), (5, 60), (6, 300), (7, 900), (8, 900), (9, 3600), (10, 3600), (1000, 3600)])
def test_after_wrong_passcodes_the_next_one_has_to_wait_seconds_a_restart_or_not(it, failed, delay):
    set_passcode(it)
    it.stop()
    turn_back(it, failed - 1, 24 * 3600)
    it.start()
    equal(attempts(it), (failed - 1, 0))
    began = time.time()
    given(it, "unlock", passcode_fd="wrong", check=4)
    for _ in range(2):
        counted, wait = attempts(it)
        equal(counted, failed)
        assert max(0, delay - passed_since(began)) <= wait <= delay, f"{wait} seconds"
        it.stop()
        it.start()
    # Nearly over is not over; a clock that was set back makes it no longer.
    for left in [20, 11 * delay] if delay else []:
        wait_until(lambda left=left: is_refused_before(it, failed, delay, left), what="a look at the delay before it was over")
    it.stop()
    turn_back(it, failed, delay + 1)
    it.start()
    given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(attempts(it), (0, 0))


@cases("which", ["wrong", "right"])
def test_a_service_that_is_killed_while_it_looks_at_a_passcode_has_counted_it(it, which):
    it.start()
    it.run("chatelaine", "settings", "set", "passcode-time", "3s", check=0)
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    it.stop()

    def counted():
        database = sqlite3.connect(f"file:{it.database}?mode=ro", uri=True)
        try:
            return database.execute("SELECT failed FROM guesses WHERE secret = x'02'").fetchone()[0]
        finally:
            database.close()

    def is_killed_in_time():
        """Kills the service between the count and its answer. False where it answered before."""
        it.start()
        numbers = os.pipe()
        os.write(numbers[1], b"wrong" if which == "wrong" else b"hunter2")
        os.close(numbers[1])
        client = it.popen("chatelaine", "unlock", "--passcode-fd", str(numbers[0]), pass_fds=[numbers[0]], stderr=-1)
        os.close(numbers[0])
        wait_until(lambda: counted() == 1 or client.poll() is not None, what="counting the entry")
        # The state that is seen while the service is stopped is its state when it is killed.
        it.daemon.send_signal(signal.SIGSTOP)
        is_looking = counted() == 1 and client.poll() is None
        it.stop(signal.SIGKILL)
        _, said = client.communicate(timeout=60)
        if is_looking and client.returncode != 0 and b"not the passcode" not in said:
            return True
        it.start()
        given(it, "unlock", passcode_fd="hunter2", check=0)
        it.stop()
        return False

    wait_until(is_killed_in_time, what="the end of the service while it looks at the passcode")
    it.start()
    equal(state(it), "before-first-unlock")
    equal(attempts(it), (1, 0))
    given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(attempts(it), (0, 0))


# MARK: The service


@cases("before, after", [
    ("no-passcode", "no-passcode"), ("unlocked", "before-first-unlock"), ("locked", "before-first-unlock"),
    ("before-first-unlock", "before-first-unlock")])
def test_a_restart_of_the_service_leads_from_to(it, before, after):
    it.start()
    it.set("name", "s3cret")
    if before != "no-passcode":
        given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    if before == "locked":
        it.run("chatelaine", "lock", check=0)
    if before == "before-first-unlock":
        it.stop()
        it.start()
    for number in (signal.SIGTERM, signal.SIGKILL):
        if number == signal.SIGTERM:
            equal(state(it), before)
        it.stop(number)
        it.start()
        equal(state(it), after)
    if after == "before-first-unlock":
        it.run("chatelaine", "get", "name", check=4)
        given(it, "unlock", passcode_fd="hunter2", check=0)
    equal(it.get("name"), b"s3cret")


@both
def test_the_passcode_is_in_no_file_of_the_keychain_and_in_no_line_of_the_log(it):
    set_passcode(it, "a-passcode-to-look-for")
    given(it, "passcode", "verify", passcode_fd="a-passcode-to-look-at", check=4)
    given(it, "passcode", "change", passcode_fd="a-passcode-to-look-for", new_passcode_fd="a-passcode-to-find", check=0)
    it.run("chatelaine", "lock", check=0)
    it.stop()
    for folder, _, files in os.walk(it.scratch):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                lacks(file.read(), b"a-passcode", "a-passcode".encode("utf-16-le"))


def test_the_keychain_locks_itself_when_it_was_not_used_for_the_time_that_was_set(it):
    set_passcode(it)
    given(it, "settings", "set", "idle-lock", "1s", passcode_fd="hunter2", check=0)
    equal(it.run("chatelaine", "settings", "get", "idle-lock", check=0).out, "1s\n")
    wait_until(lambda: state(it) == "locked", what="locking")
    given(it, "settings", "set", "idle-lock", "never", passcode_fd="wrong", check=4)
    given(it, "settings", "set", "idle-lock", "never", passcode_fd="hunter2", check=0)


# MARK: Changing and removing


@both
def test_a_changed_passcode_takes_the_old_ones_place_and_leaves_everything_else(it):
    set_passcode(it, "old")
    credential = os.path.join(it.scratch, "credential")
    given(it, "protector", "add", "credential", "--output", credential, passcode_fd="old", check=0)
    with Terminal(it, "chatelaine", "passcode", "change") as terminal:
        answer(terminal, "Passcode: ", "old")
        answer(terminal, "New passcode: ", "new")
        answer(terminal, "Once more: ", "new")
        equal(terminal.end(), 0)
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", passcode_fd="old", check=4)
    given(it, "unlock", passcode_fd="new", check=0)
    equal(it.get("name"), b"s3cret")
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", credential_fd=read_text(credential), check=0)


def test_a_passcode_that_is_removed_leaves_an_open_keychain_and_nothing_that_could_open_it_later(it):
    set_passcode(it)
    paths = {kind: os.path.join(it.scratch, kind) for kind in ("recovery-key", "credential")}
    for kind, path in paths.items():
        given(it, "protector", "add", kind, "--output", path, passcode_fd="hunter2", check=0)
    given(it, "passcode", "remove", passcode_fd="wrong", check=4)
    equal(state(it), "unlocked")
    equal(given(it, "passcode", "remove", passcode_fd="hunter2", check=0).out,
          "The passcode is removed: the keychain is open while its service runs.\n")
    equal(state(it), "no-passcode")
    it.run("chatelaine", "lock", check=4)
    equal(it.get("name"), b"s3cret")
    given(it, "passcode", "set", passcode_fd="second", check=0)
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", recovery_key_fd=read_text(paths["recovery-key"]), check=4)
    given(it, "unlock", credential_fd=read_text(paths["credential"]), check=4)
    given(it, "unlock", passcode_fd="second", check=0)


def test_without_a_proof_nothing_that_protects_the_keychain_is_changed(it):
    set_passcode(it)
    for words in [["passcode", "remove"], ["protector", "add", "login-password"], ["protector", "remove", "passcode"],
                  ["settings", "set", "idle-lock", "1h"], ["passcode", "change"]]:
        it.run("chatelaine", *words, check=4, start_new_session=True)
    it.run("chatelaine", "passcode", "set", check=4, start_new_session=True)
    equal(it.status()["protectors"], ["passcode"])


# MARK: Other protectors


@both
def test_a_recovery_key_is_shown_on_the_terminal_alone_typed_back_and_opens_a_forgotten_keychain(it):
    set_passcode(it)
    with Terminal(it, "bash", "-c", "chatelaine protector add recovery-key >$HOME/out 2>$HOME/err",
                  TERM="xterm") as terminal:
        answer(terminal, "Passcode: ", "hunter2")
        terminal.expect("press Return. ")
        terminal.expect_silence()
        key = re.search(r"([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}", terminal.shown)[0]
        answer(terminal, "press Return. ", "")
        # Taken from the screen before it is typed: seven lines up, and all behind.
        terminal.expect("\x1b[7F\x1b[J")
        wrong = key[:-1] + ("0" if key[-1] != "0" else "1")
        answer(terminal, "Type the key to confirm it: ", wrong)
        terminal.expect("the recovery key has a wrong character")
        answer(terminal, "Type the key to confirm it: ", key.lower().replace("-", " "))
        equal(terminal.end(), 0)
        lacks(terminal.shown, key)
    equal(read_text(os.path.join(it.directories["home"], "out")), "The recovery key is set.\n")
    equal(read_text(os.path.join(it.directories["home"], "err")), "")
    it.run("chatelaine", "lock", check=0)
    with Terminal(it, "chatelaine", "unlock", "--recovery-key") as terminal:
        answer(terminal, "Recovery key: ", key.replace("0", "o").replace("1", "l"))
        equal(terminal.end(), 0)
        lacks(terminal.shown, key)
    with Terminal(it, "chatelaine", "passcode", "change", "--recovery-key") as terminal:
        answer(terminal, "Recovery key: ", key)
        answer(terminal, "New passcode: ", "remembered")
        answer(terminal, "Once more: ", "remembered")
        equal(terminal.end(), 0)
    given(it, "passcode", "verify", passcode_fd="remembered", check=0)


def test_a_second_recovery_key_makes_the_first_one_useless(it):
    set_passcode(it)
    keys = []
    for name in ("first", "second"):
        path = os.path.join(it.scratch, name)
        given(it, "protector", "add", "recovery-key", "--output", path, passcode_fd="hunter2", check=0)
        equal(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        keys.append(read_text(path))
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", recovery_key_fd=keys[0], check=4)
    given(it, "unlock", recovery_key_fd=keys[1], check=0)
    equal(attempts(it), (0, 0))


def test_a_credential_unlocks_without_typing_until_it_is_removed(it):
    set_passcode(it)
    lines = [given(it, "protector", "add", "credential", "--label", label, "--output", "-", passcode_fd="hunter2",
                   check=0).out for label in ("server", "spare")]
    assert all(re.fullmatch(r"chatelaine-credential-1-[0-9A-HJKMNP-TV-Z]{56}\n", line) for line in lines)
    it.stop()
    it.start()
    equal(given(it, "unlock", "--json", credential_fd=lines[0], check=0).out, '{\n  "state": "unlocked"\n}\n')
    listed = json.loads(it.run("chatelaine", "protector", "list", "--json", check=0).out)
    equal([(entry["kind"], entry["label"]) for entry in listed],
          [("passcode", ""), ("credential", "server"), ("credential", "spare")])
    contains(given(it, "protector", "remove", "credential", passcode_fd="hunter2", check=1).err, "there are several")
    given(it, "protector", "remove", str(listed[1]["number"]), passcode_fd="hunter2", check=0)
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", credential_fd=lines[0], check=4)
    given(it, "unlock", credential_fd=lines[1].strip(), check=0)


def test_a_service_that_is_started_with_a_credential_is_unlocked(it):
    set_passcode(it)
    line = given(it, "protector", "add", "credential", "--output", "-", passcode_fd="hunter2", check=0).out
    it.stop()
    folder = os.path.join(it.scratch, "credentials")
    os.mkdir(folder, 0o700)
    with open(os.path.join(folder, "chatelaine.unlock"), "w", encoding="utf-8") as file:
        file.write(line)
    it.start(env={**it.environment, "CREDENTIALS_DIRECTORY": folder})
    equal(state(it), "unlocked")
    equal(it.get("name"), b"s3cret")


def test_a_credential_opens_and_proves_nothing(it):
    set_passcode(it)
    line = given(it, "protector", "add", "credential", "--output", "-", passcode_fd="hunter2", check=0).out
    # As a passcode it is a wrong one.
    given(it, "passcode", "remove", passcode_fd=line, check=4)
    equal(it.status()["protectors"], ["passcode", "credential"])


def test_a_login_password_opens_the_keychain_and_a_new_one_takes_its_place(it):
    set_passcode(it)
    given(it, "protector", "add", "login-password", login_password_fd="first", passcode_fd="hunter2", check=0)
    with Terminal(it, "chatelaine", "protector", "add", "login-password") as terminal:
        answer(terminal, "Passcode: ", "hunter2")
        answer(terminal, "Login password: ", "second")
        answer(terminal, "Once more: ", "second")
        equal(terminal.end(), 0)
    it.run("chatelaine", "lock", check=0)
    given(it, "unlock", login_password_fd="first", check=4)
    given(it, "unlock", login_password_fd="second", check=0)
    equal(attempts(it), (0, 0))


# MARK: Pinentry


class Pinentry(Terminal):
    """A terminal with a command that prompts with the real pinentry-curses."""

    def __init__(self, it, *words, **more):
        program = shutil.which("pinentry-curses")
        if not program:
            pytest.skip("this machine has no pinentry-curses")
        super().__init__(it, *words, TERM="vt100", CHATELAINE_PINENTRY=program, **more)

    def pid(self):
        """Of the pinentry, once it runs."""

        def find():
            for name in os.listdir("/proc"):
                if name.isdigit():
                    try:
                        fields = read_text(f"/proc/{name}/stat").rpartition(")")[2].split()
                        if int(fields[1]) == self.program.pid and "pinentry" in read_text(f"/proc/{name}/comm"):
                            return int(name)
                    except OSError:
                        pass

        return wait_until(find, what="the start of pinentry")

    def enter(self, prompt, text):
        self.expect(prompt)
        self.expect("<OK>")
        self.expect_silence()
        # The key Return sends this character; a cooked terminal turns it into a line feed.
        self.type(text + "\r")
        self.shown = self.shown.partition(prompt)[2].partition("<OK>")[2]


@both
def test_the_real_pinentry_asks_where_that_is_wanted_and_shows_nothing(it):
    with Pinentry(it, "chatelaine", "passcode", "set", "--pinentry") as terminal:
        terminal.enter("New passcode:", "hünter2")
        terminal.enter("Once more:", "hünter2")
        equal(terminal.end(), 0)
        contains(terminal.shown, "The passcode is set")
        lacks(terminal.shown, "nter2")
        assert terminal.echoes(), "the terminal shows nothing any more"
    it.run("chatelaine", "lock", check=0)
    with Pinentry(it, "chatelaine", "unlock", "--pinentry") as terminal:
        terminal.enter("Passcode:", "hünter2")
        equal(terminal.end(), 0)
    equal(state(it), "unlocked")


def test_two_different_entries_into_a_pinentry_set_nothing(it):
    with Pinentry(it, "chatelaine", "passcode", "set", "--pinentry") as terminal:
        terminal.enter("New passcode:", "one")
        terminal.enter("Once more:", "two")
        equal(terminal.end(), 1)
        contains(terminal.shown, "the two entries differ")
    equal(state(it), "no-passcode")


@cases("how", ["cancelled", "interrupted", "killed", "terminated", "left alone"])
def test_a_pinentry_that_is_unlocks_nothing_and_leaves_the_terminal_as_it_was(it, how):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    with Pinentry(it, "chatelaine", "unlock", "--pinentry") as terminal:
        terminal.expect("<OK>")
        terminal.expect_silence()
        pinentry = terminal.pid()
        if how == "cancelled":
            terminal.type("\t\t\r")
        elif how == "interrupted":
            terminal.type("\x03")
        elif how == "killed":
            os.kill(pinentry, signal.SIGKILL)
        elif how == "terminated":
            os.kill(pinentry, signal.SIGTERM)
        else:
            terminal.signal("SIGTERM")
        assert terminal.end() != 0
        assert terminal.echoes(), "the terminal shows nothing any more"
        assert not os.path.exists(f"/proc/{pinentry}"), "the pinentry is still there"
        if how in ("killed", "terminated"):
            contains(terminal.shown, "pinentry-curses ended without an answer")
        if how == "cancelled":
            contains(terminal.shown, "nothing was entered")
    equal(state(it), "locked")
    equal(attempts(it), (0, 0))


def test_a_command_that_is_stopped_while_a_pinentry_asks_gives_the_terminal_back(it):
    """A command that is stopped while a pinentry is open gives the terminal back, and prompts again when it continues."""
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    with Pinentry(it, "bash", "-c", "set -m; chatelaine unlock --pinentry; echo status $?; stty -a; fg") as terminal:
        terminal.expect("<OK>")
        terminal.expect_silence()
        terminal.type("hun\x1a")
        # 128 and SIGTSTP
        terminal.expect("status 148")
        terminal.shown = terminal.shown.partition("status 148")[2]
        terminal.expect(" icanon ")
        terminal.expect(" echo ")
        terminal.enter("Passcode:", "hunter2")
        equal(terminal.end(), 0)
    equal(state(it), "unlocked")


def test_a_pinentry_gets_no_descriptor_of_the_command(it):
    set_passcode(it)
    path = os.path.join(it.scratch, "passcode-in-a-file")
    with open(path, "w", encoding="utf-8") as file:
        file.write("hunter2\n")
    command = f"chatelaine passcode change --pinentry --passcode-fd 3 3<{path} 9<{path}"
    with Pinentry(it, "bash", "-c", "exec " + command) as terminal:
        terminal.expect("<OK>")
        folder = f"/proc/{terminal.pid()}/fd"
        opened = {int(number): os.readlink(f"{folder}/{number}") for number in os.listdir(folder)}
        lacks(" ".join(opened.values()), path)
        # One socket, twice, and none to the service.
        equal(len({place for place in opened.values() if place.startswith("socket:")}), 1)
        terminal.enter("New passcode:", "new")
        terminal.enter("Once more:", "new")
        equal(terminal.end(), 0)
    given(it, "passcode", "verify", passcode_fd="new", check=0)


def fake_pinentry(it, script):
    path = os.path.join(it.scratch, "fake-pinentry")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script)
    os.chmod(path, 0o755)
    return {"env": {**it.environment, "CHATELAINE_PINENTRY": path}, "start_new_session": True}


def test_without_a_terminal_the_pinentry_that_is_named_asks(it):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    more = fake_pinentry(it, """
        echo OK
        while read -r line; do
            case $line in GETPIN) echo D hunter2; echo OK;; BYE) echo OK; exit;; *) echo OK;; esac
        done
        """)
    equal(it.run("chatelaine", "unlock", check=0, **more).out, "Unlocked.\n")


@cases("_what, script, reason", [
    ("ends at once", "exit 1", "ended without an answer"), ("dies", "kill -9 $$", "ended without an answer"),
    ("is no pinentry", "exec cat /etc/passwd", "does not follow the pinentry protocol"),
    ("writes without end", "exec cat /dev/zero", "does not follow the pinentry protocol"),
    ("cannot ask", "echo OK; while read -r line; do echo 'ERR 83886355 no display'; done", "could not show the prompt: no display"),
])
def test_a_pinentry_that_is_an_error_that_names_it(it, _what, script, reason):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    more = fake_pinentry(it, script)
    contains(it.run("chatelaine", "unlock", check=1, **more).err, "/fake-pinentry ", reason, "\nhint: ")
    equal((state(it), attempts(it)), ("locked", (0, 0)))


def test_a_pinentry_that_is_named_and_missing_leaves_no_prompt(it):
    set_passcode(it)
    it.run("chatelaine", "lock", check=0)
    environment = {**it.environment, "CHATELAINE_PINENTRY": "/nonexistent/pinentry"}
    contains(it.run("chatelaine", "unlock", check=4, env=environment, start_new_session=True).err, "no terminal or pinentry")
    contains(it.run("chatelaine", "unlock", "--pinentry", check=4, env=environment).err, "cannot find a pinentry program")
