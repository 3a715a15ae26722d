# SPDX-License-Identifier: Apache-2.0
"""Prompts, with the real service, the real prompters, and keys that the test types.

Real windows are for `make test-all`; here a scripted pinentry stands for them, and shows the same promises of the service and of
`chatelaine-prompt-pinentry`."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import pytest

from support.caller import root_owned_folder
from support.instance import has_ended, is_root, own_kilobytes, read_text, wait_until
from support.prompters import (
    PROMPTERS, PinentryQuestion, ScriptedPinentry, SilentPrompters, built_helpers, name_pinentry, questions, running_prompters)
from support.sentences import both, cases, contains, equal, lacks, python
from support.terminal import Terminal
from support.windows import Display, session_bus
from support.wire import Client

PASSCODE = "hünter2"
SECRET = "correct horse"
QUESTION = "[d]eny, [a]llow once? "
FIELD = "Passcode of the keychain: "


@pytest.fixture(autouse=True, scope="module")
def remove_prompters(programs):
    """Leaves the programs of the next file without prompters, as this file found them."""
    yield
    for name in PROMPTERS:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(programs.folder, name))


def install_prompters(it, folder=None):
    for name in PROMPTERS:
        target = os.path.join(folder or it.programs.folder, name)
        if not os.path.exists(target):
            it.programs.copy(os.path.join(built_helpers(), name), target)


def foreign_item(it, name="mail"):
    """An item of a program that is not the command."""
    code = f"""
import sys
from support.wire import Client
client = Client(sys.argv[1])
assert client.add({{"svce": "{name}", "acct": "ann", "labl": "Post\\x1b[31m\\nOffice"}}, b"{SECRET}").status == 0
"""
    python(it, code)


def given(it, passcode=PASSCODE, environment=None, prompters=True, started=()):
    """A service with prompters, another program's item, and a passcode.

    started: words before those that start the service."""
    if prompters:
        install_prompters(it)
    values = {**it.environment, **(environment or {})}
    if started:
        it.log = os.path.join(it.scratch, "chatelained.log")
        with open(it.log, "ab") as log:
            it.daemon = it.popen(
                *started, it.program("chatelained"), env=values, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(lambda: it.is_listening() or it.daemon.poll() is not None, what="the start of the service")
        assert it.daemon.poll() is None, read_text(it.log)
    else:
        it.start(env=values)
    foreign_item(it)
    if passcode:
        path = os.path.join(it.scratch, "passcode")
        with open(path, "w", encoding="utf-8") as file:
            file.write(passcode)
        os.chmod(path, 0o644)
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        with open(path, "rb") as file:
            it.run(
                "chatelaine", "passcode", "set", "--passcode-fd", str(file.fileno()), check=0,
                pass_fds=[file.fileno()])


def get(it, name="mail", **environment):
    return Terminal(it, "chatelaine", "get", name, "--user", "ann", **environment)


def say(terminal, question, text):
    terminal.expect(question)
    terminal.type(text + "\n")
    # The next prompt may have the same text.
    terminal.shown = terminal.shown.partition(question)[2]


def prompters(it):
    """The process IDs of the running prompters of this instance."""
    return running_prompters(it.programs.scratch)


def waiting(it):
    """How many prompts wait or are shown, and the most at any moment."""
    return questions(json.loads(it.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"])


def all_gone(it):
    wait_until(lambda: not prompters(it), what="the end of the prompters")


def failed_attempts(it):
    return it.status()["failedAttempts"]


# MARK: On a terminal


@both
def test_allow_is_for_this_time_and_takes_the_passcode_which_is_not_shown(it):
    given(it)
    for _ in range(2):
        with get(it) as terminal:
            say(terminal, QUESTION, "a")
            say(terminal, FIELD, PASSCODE)
            equal(terminal.end(), 0)
            contains(terminal.shown, SECRET)
            lacks(terminal.shown, PASSCODE)
            assert terminal.echoes(), "the terminal is as it was"
    all_gone(it)


def test_the_question_names_program_tier_operation_and_item_within_80_columns_and_controls_nothing(it):
    given(it)
    with get(it) as terminal:
        terminal.expect(QUESTION)
        shown = terminal.shown
        for words in [
                "Keychain: allow this request?", f'{it.programs.folder}/chatelaine" (process', "Known as:",
                "unsigned program", "read the secret of", 'the password "Post\ufffd[31m Office"', 'account "ann"',
                'service "mail", of the ']:
            contains(" ".join(shown.split()), words)
        lacks(shown, "\x1b")
        assert all(len(line) < 80 for line in shown.splitlines()), shown
        # Letters count with Return only, and an invalid answer repeats the prompt.
        say(terminal, QUESTION, "yes")
        say(terminal, "Please type d or a.", "w")
        say(terminal, "Please type d or a.", "d")
        assert terminal.end() != 0
        lacks(terminal.shown, SECRET)


def test_deny_is_errsecauthfailed_needs_no_passcode_and_counts_as_no_attempt(it):
    given(it)
    with get(it) as terminal:
        say(terminal, QUESTION, "deny")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
    equal(failed_attempts(it), 0)


def test_ctrl_c_and_ctrl_d_on_an_empty_line_give_up_without_ending_the_program_that_asks(it):
    given(it)
    for key in ("\x03", "\x04"):
        with get(it) as terminal:
            terminal.expect(QUESTION)
            terminal.type(key)
            assert terminal.end() > 0, "it ended by itself, and says why"
            contains(terminal.shown, "error: ")
            assert terminal.echoes()
    with get(it) as terminal:
        say(terminal, QUESTION, "a")
        terminal.expect(FIELD)
        terminal.type("half a passcode\x03")
        assert terminal.end() > 0
        # A third time: from now on the program is not shown.
        contains(terminal.shown, "error: ")
    with get(it) as terminal:
        equal(terminal.end(), 4)
        contains(terminal.shown, "denied several requests")
    equal(failed_attempts(it), 0)


def test_a_wrong_passcode_is_asked_for_again_three_times_in_all_and_each_is_counted(it):
    given(it)
    with get(it) as terminal:
        say(terminal, QUESTION, "a")
        for number in range(3):
            say(terminal, FIELD, "wrong")
            if number < 2:
                terminal.expect("Wrong passcode. Try again.")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
    equal(failed_attempts(it), 3)
    with get(it) as terminal:
        say(terminal, QUESTION, "a")
        say(terminal, FIELD, "wrong")
        terminal.expect("Wrong passcode. Try again.")
        # What is typed now is the passcode, and not an answer to a choice, which would be shown.
        terminal.expect(FIELD)
        lacks(terminal.shown, QUESTION)
        say(terminal, FIELD, PASSCODE)
        equal(terminal.end(), 0)
    equal(failed_attempts(it), 0)


def test_keys_that_edit_a_line_do_and_what_was_typed_before_the_question_does_not_answer_it(it):
    given(it)
    with Terminal(it, "sh", "-c", "read line; chatelaine get mail --user ann") as terminal:
        # In one piece: both lines are there before the shell reads the first one.
        terminal.type("begin\na\n")
        say(terminal, QUESTION, "dx\x7f\x7fx\x15a")
        terminal.expect(FIELD)
        terminal.type("wrong\x15" + PASSCODE + "ü\x7f\x1b[A\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)


@both
def test_without_a_passcode_a_terminal_does_not_count_and_the_hint_says_what_would(it):
    given(it, passcode=None)
    with get(it) as terminal:
        equal(terminal.end(), 4)
        contains(terminal.shown, "chatelaine passcode set")
        lacks(terminal.shown, QUESTION)


def test_without_a_terminal_the_answer_comes_at_once_and_no_prompter_is_started(it):
    silent = SilentPrompters(it)
    given(it, environment={"CHATELAINE_HELPERS": silent.folder})
    done = it.run("chatelaine", "get", "mail", "--user", "ann", check=4, start_new_session=True)
    contains(done.err, "belongs to another program")
    # The request did not enter the queue of prompts, and there it would have had to wait.
    equal((silent.starts, waiting(it)), (0, (0, 0)))
    # With a terminal the same request starts a prompter, and waits for it.
    with get(it) as terminal:
        wait_until(lambda: silent.starts == 1, what="the start of a prompter")
        equal(waiting(it), (1, 1))
        equal(terminal.program.poll(), None)


def test_a_job_in_the_background_is_not_shown_on_the_terminal_that_its_shell_has(it):
    given(it)
    script = "set -m; chatelaine get mail --user ann & wait $!; echo status $?"
    with Terminal(it, "bash", "-c", script) as terminal:
        equal(terminal.end(), 0)
        contains(terminal.shown, "status 4")
        lacks(terminal.shown, QUESTION)


def test_without_the_prompters_or_with_prompters_that_another_user_could_have_put_there_there_is_no_prompt(it):
    folder = os.path.join(it.scratch, "bin")
    shutil.copytree(it.programs.folder, folder)
    for name in PROMPTERS:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
    it.programs.folder, before = folder, it.programs.folder
    try:
        given(it, prompters=False)
        with get(it) as terminal:
            equal(terminal.end(), 4)
            contains(terminal.shown, "belongs to another program")
        install_prompters(it)
        os.chmod(os.path.join(folder, PROMPTERS[0]), 0o777)
        with get(it) as terminal:
            equal(terminal.end(), 4)
        # Found anew at each prompt.
        os.chmod(os.path.join(folder, PROMPTERS[0]), 0o755)
        with get(it) as terminal:
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)
    finally:
        it.programs.folder = before


def memory_holds(process, word):
    """Whether the memory of a process holds these bytes; only root may look."""
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in read_text(f"/proc/{process}/maps").splitlines():
            place, access = line.split()[:2]
            start, end = (int(number, 16) for number in place.split("-"))
            if access[0] != "r" or "[v" in line:
                continue
            try:
                memory.seek(start)
                if word in memory.read(end - start):
                    return True
            except (OSError, OverflowError):
                continue
    return False


def test_the_passcode_that_was_typed_is_nowhere_in_the_services_memory_when_it_waits_again(it):
    if not is_root:
        pytest.skip("needs root, to look at the service's memory")
    typed = "typed on a terminal 4711"
    given(it, passcode=typed)
    it.stop()
    it.start()
    process = it.daemon.pid
    python(it, f"""
import sys
from support.owner import unlock
from support.wire import Client
unlock(Client(sys.argv[1]), "{typed}")
""")
    with get(it) as terminal:
        say(terminal, QUESTION, "a")
        terminal.expect(FIELD)
        assert memory_holds(process, f"{it.programs.folder}/chatelaine".encode()), "the search finds what is there"
        terminal.type(typed + "\n")
        equal(terminal.end(), 0)
    wait_until(lambda: not memory_holds(process, typed.encode()), what="the end of the passcode in memory")


# MARK: For good


def test_the_command_is_never_allowed_for_good_because_every_program_can_run_it(it):
    if not is_root:
        pytest.skip("needs root, to install a program")
    with root_owned_folder() as folder:
        for name in ("chatelained", "chatelaine"):
            it.programs.copy(os.path.join(it.programs.folder, name), os.path.join(folder, name))
        install_prompters(it, folder)
        it.programs.folder, before = folder, it.programs.folder
        try:
            given(it, prompters=False)
            for _ in range(2):
                with get(it) as terminal:
                    terminal.expect(QUESTION)
                    lacks(terminal.shown, "al[w]ays")
                    say(terminal, QUESTION, "a")
                    say(terminal, FIELD, PASSCODE)
                    equal(terminal.end(), 0)
                    contains(terminal.shown, SECRET)
            equal(json.loads(it.run("chatelaine", "grants", "list", "--json", check=0).out), [])
            it.run("chatelaine", "get", "mail", "--user", "ann", check=4, start_new_session=True)
        finally:
            it.daemon.kill()
            it.daemon.wait()
            it.programs.folder = before


def test_each_use_of_a_private_item_is_asked_about_and_the_question_names_who_started_the_command(it):
    given(it)
    it.run("chatelaine", "set", "bank", "--user", "ann", "--private", input=SECRET.encode(), check=0)
    for _ in range(2):
        with get(it, "bank") as terminal:
            terminal.expect(QUESTION)
            # The parent is this very test.
            contains(terminal.shown, "Started by:", f'"{os.path.realpath("/proc/self/exe")}"')
            say(terminal, QUESTION, "a")
            say(terminal, FIELD, PASSCODE)
            equal(terminal.end(), 0)
            contains(terminal.shown, SECRET)
    with get(it, "bank") as terminal:
        say(terminal, QUESTION, "d")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)


# MARK: One at a time, and taken back


def test_of_two_who_ask_the_second_is_shown_when_the_first_was_answered(it):
    given(it)
    with get(it) as first:
        first.expect(QUESTION)
        with get(it) as second:
            wait_until(lambda: waiting(it) == (2, 2), what="the second prompt in the queue")
            equal(len(prompters(it)), 1)
            equal(second.shows(QUESTION), False)
            say(first, QUESTION, "d")
            equal(first.end(), 4)
            say(second, QUESTION, "a")
            say(second, FIELD, PASSCODE)
            equal(second.end(), 0)


def test_locking_the_keychain_takes_the_question_back(it):
    given(it)
    with get(it) as terminal:
        terminal.expect(QUESTION)
        it.run("chatelaine", "lock", check=0)
        assert terminal.end() > 0
        assert terminal.echoes()
        lacks(terminal.shown, SECRET)
    all_gone(it)


def to_question(terminal):
    terminal.expect(QUESTION)


def to_passcode(terminal):
    say(terminal, QUESTION, "a")
    terminal.expect(FIELD)
    terminal.type("half")


steps = [("the question", to_question), ("the passcode", to_passcode)]


@cases("_, go", steps)
def test_a_prompter_that_is_killed_at_leaves_the_terminal_as_it_was_and_is_no_yes(it, _, go):
    given(it)
    with get(it) as terminal:
        go(terminal)
        for process in prompters(it):
            os.kill(process, signal.SIGKILL)
        equal(terminal.end(), 4)
        assert terminal.echoes()
        lacks(terminal.shown, SECRET)
    all_gone(it)


@cases("_, go", steps)
def test_a_prompter_that_is_stopped_at_is_killed_in_the_end_and_the_service_serves_others_meanwhile(it, _, go):
    given(it)
    with get(it) as terminal:
        go(terminal)
        for process in prompters(it):
            os.kill(process, signal.SIGSTOP)
        it.status()
        terminal.signal("SIGKILL")
        terminal.program.wait()
        all_gone(it)
        assert terminal.echoes()
    with get(it) as terminal:
        say(terminal, QUESTION, "d")
        equal(terminal.end(), 4)


@cases("_, go", steps)
def test_a_program_that_is_killed_at_takes_its_question_along(it, _, go):
    given(it)
    with get(it) as terminal:
        go(terminal)
        terminal.signal("SIGKILL")
        terminal.program.wait()
        all_gone(it)
        assert terminal.echoes()
    with get(it) as terminal:
        say(terminal, QUESTION, "d")
        equal(terminal.end(), 4)


@cases("_, number, go", [
    (name, number.name, go) for name, go in steps for number in (signal.SIGTERM, signal.SIGKILL)])
def test_a_service_that_is_killed_with_at_takes_the_question_along_and_the_program_hears_of_it(it, _, number, go):
    given(it)
    with get(it) as terminal:
        go(terminal)
        it.stop(getattr(signal, number))
        all_gone(it)
        # Waits for half of the time that a person has to answer.
        assert terminal.end() > 0
        assert terminal.echoes()
        lacks(terminal.shown, SECRET)


def test_programs_that_want_to_be_asked_about_all_the_time_get_one_prompter_between_them(it):
    """Programs that request prompts all the time get one prompter between them, and do not block other programs."""
    given(it)
    with Client(it.socket_path) as owner, contextlib.ExitStack() as ends:
        equal(owner.add({"svce": "own", "acct": "a"}, b"mine").status, 0)
        before = own_kilobytes(it.daemon.pid)
        asking = [ends.enter_context(get(it)) for _ in range(8)]
        shown, refused = 0, 0
        while shown + refused < 100:
            answer = owner.copy({"svce": "own"})
            equal((answer.status, answer.items[0][2]), (0, b"mine"))
            assert len(prompters(it)) <= 1, "questions are stacked"
            for place, terminal in enumerate(asking):
                if terminal.shows(QUESTION):
                    # Its question goes with it.
                    shown += 1
                    terminal.signal("SIGKILL")
                elif terminal.program.poll() is None:
                    continue
                else:
                    refused += 1
                asking[place] = ends.enter_context(get(it))
        assert shown > 0 and own_kilobytes(it.daemon.pid) - before < 20 * 1024, (shown, own_kilobytes(it.daemon.pid))
    all_gone(it)
    equal(it.daemon.poll(), None)


# MARK: By pinentry


def use_pinentry(it, name):
    path = shutil.which(name)
    assert path, f"{name} is not installed (Tools/setup test)"
    name_pinentry(it, path)


def pinentries(it):
    """Running pinentries whose terminal or display is of this instance: children of its prompters."""
    parents = set(prompters(it))
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = read_text(f"/proc/{int(name)}/stat").rpartition(")")[2].split()
            if int(fields[1]) in parents and fields[0] != "Z":
                found.append(int(name))
    return found


@both
def test_pinentry_tty_asks_on_the_terminal(it):
    given(it)
    use_pinentry(it, "pinentry-tty")
    with get(it) as terminal:
        terminal.expect("read the secret of")
        terminal.expect("asscode of the keychain:")
        terminal.expect_silence()
        terminal.type(PASSCODE + "\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)
        assert terminal.echoes()
    with get(it) as terminal:
        terminal.expect("asscode of the keychain:")
        terminal.expect_silence()
        # Ctrl-D, the program's cancel key.
        terminal.type("\x04")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
        assert terminal.echoes()
    all_gone(it)


def test_pinentry_curses_asks_on_the_terminal_with_the_passcodes_field_first_then_allow_then_deny(it):
    given(it)
    use_pinentry(it, "pinentry-curses")
    with get(it, TERM="vt100") as terminal:
        terminal.expect("<Deny>")
        terminal.type("wrong\r")
        # The prompt is back with the error, and what is typed goes into the field.
        terminal.expect("Wrong passcode. Try again.")
        terminal.shown = terminal.shown.partition("Wrong passcode. Try again.")[2]
        terminal.expect("<Deny>")
        terminal.type(PASSCODE + "\r")
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)
        lacks(terminal.shown, PASSCODE)
        assert terminal.echoes()
    with get(it, TERM="vt100") as terminal:
        terminal.expect("<Deny>")
        # From the field past the first button to the second one.
        terminal.type("\t\t\r")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
        assert terminal.echoes()


@cases("who", ["service", "program", "prompter", "pinentry"])
def test_a_pinentry_goes_with_the_that_is_killed(it, who):
    given(it)
    use_pinentry(it, "pinentry-curses")
    with get(it, TERM="vt100") as terminal:
        terminal.expect("<Allow>")
        asking = wait_until(lambda: pinentries(it), what="the pinentry")
        if who == "service":
            it.stop(signal.SIGKILL)
        elif who == "program":
            terminal.signal("SIGKILL")
        elif who == "pinentry":
            os.kill(asking[0], signal.SIGKILL)
            # The terminal's own prompter takes its place.
            say(terminal, QUESTION, "d")
        else:
            os.kill(prompters(it)[0], signal.SIGKILL)
            say(terminal, QUESTION, "d")
        wait_until(lambda: all(has_ended(process) for process in asking), what="the end of the pinentry")
        assert terminal.end() != 0
        wait_until(terminal.echoes, what="the terminal as it was")
        lacks(terminal.shown, SECRET)
    all_gone(it)


# MARK: By a scripted pinentry


def start_get(it, display=None):
    """Begins to read the item of the other program, without a terminal."""
    environment = {**it.environment, "DISPLAY": display} if display else it.environment
    return it.popen(
        "chatelaine", "get", "mail", "--user", "ann", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)


def ends(asking, status):
    """Waits for the end of a read, which gives the secret out only with the status 0."""
    out, err = asking.communicate(timeout=60)
    equal((asking.returncode, out.decode()), (status, SECRET + "\n" if status == 0 else ""))


@cases("_, answers, status", [
    ("allow", ["OK"], 0), ("cancel", [PinentryQuestion.cancelled], 4), ("close", ["S BUTTON_INFO close", PinentryQuestion.cancelled], 4),
    ("no", [PinentryQuestion.not_confirmed], 4)])
def test_on_the_services_display_the_answer_of_a_pinentry_counts_without_a_passcode(it, _, answers, status):
    with ScriptedPinentry(it) as pinentry:
        given(it, passcode=None, environment={"DISPLAY": ":71"})
        asking = start_get(it)
        question = pinentry.expect("CONFIRM")
        equal((question.environment["DISPLAY"], question.argument), (":71", ""))
        said = question.said
        equal((said["SETTITLE"], said["SETOK"], said["SETCANCEL"]), ("Chatelaine", "Allow", "Deny"))
        lacks(said, "SETNOTOK", "SETERROR", "SETPROMPT")
        words = said["SETDESC"].split()
        # Lines are broken, within a long path too, and the middle of a long path is left out.
        contains("".join(words), '/bin/chatelaine"(process')
        contains(" ".join(words), "read the secret of", 'account "ann"')
        lacks(said["SETDESC"], "\x1b")
        assert 0 < int(said["SETTIMEOUT"]) <= 120
        question.answer(*answers)
        ends(asking, status)
        equal(pinentry.was_started(), False)
        all_gone(it)


def test_a_display_of_the_programs_own_does_not_count_without_a_passcode(it):
    """A display that the program names may be of its own making: without a passcode the prompt is on the service's display."""
    with ScriptedPinentry(it) as pinentry:
        given(it, passcode=None, environment={"DISPLAY": ":71"})
        asking = start_get(it, ":72")
        question = pinentry.expect("CONFIRM")
        equal(question.environment["DISPLAY"], ":71")
        question.confirm()
        ends(asking, 0)
        equal(pinentry.was_started(), False)


def test_with_a_passcode_a_pinentry_asks_on_the_programs_own_display_and_takes_the_passcode_there(it):
    with ScriptedPinentry(it) as pinentry:
        given(it, environment={"DISPLAY": ":71"})
        asking = start_get(it, ":72")
        # The first window has the field, and the names of the item and the program beside it.
        question = pinentry.expect("GETPIN")
        equal(question.environment["DISPLAY"], ":72")
        said = question.said
        equal((said["SETPROMPT"], said["SETOK"], said["SETCANCEL"]), (FIELD.strip(), "Allow", "Deny"))
        contains(" ".join(said["SETDESC"].split()), "Keychain: allow this request?", 'account "ann"')
        lacks(said, "SETREPEAT", "SETERROR", "SETNOTOK")
        question.enter(PASSCODE)
        ends(asking, 0)
        equal((failed_attempts(it), pinentry.was_started()), (0, False))
        # A wrong entry repeats the prompt, with the error above the field.
        asking = start_get(it, ":72")
        pinentry.expect("GETPIN").enter("wrong")
        question = pinentry.expect("GETPIN")
        equal(question.said["SETERROR"], "Wrong passcode. Try again.")
        question.answer(PinentryQuestion.cancelled)
        ends(asking, 4)
        equal(failed_attempts(it), 1)
        all_gone(it)


def test_giving_up_in_a_pinentry_at_the_passcode_is_deny(it):
    with ScriptedPinentry(it) as pinentry:
        given(it)
        asking = start_get(it, ":72")
        pinentry.expect("GETPIN").answer(PinentryQuestion.cancelled)
        ends(asking, 4)
        equal((failed_attempts(it), pinentry.was_started()), (0, False))
        all_gone(it)


@cases("who", ["program", "service", "prompter"])
def test_a_pinentry_that_waits_for_a_person_goes_with_the_that_is_killed(it, who):
    with ScriptedPinentry(it) as pinentry:
        given(it)
        asking = start_get(it, ":72")
        question = pinentry.expect("GETPIN")
        if who == "service":
            it.stop(signal.SIGKILL)
        elif who == "prompter":
            os.kill(prompters(it)[0], signal.SIGKILL)
        else:
            asking.kill()
        out, _ = asking.communicate(timeout=60)
        assert asking.returncode != 0 and out == b""
        wait_until(lambda: has_ended(question.process), what="the end of the pinentry")
        all_gone(it)


# The pinentry that the distribution installed, for one process and its children: another copy of the scripted one.
DISTRIBUTION = """
mount --make-rprivate /
for name in pinentry pinentry-gnome3 pinentry-gtk-2 pinentry-qt pinentry-qt5 pinentry-curses pinentry-tty; do
    if [ -e "/usr/bin/$name" ]; then mount --bind "$1" "/usr/bin/$name"; fi
done
mount -t tmpfs -o mode=755 tmpfs /usr/local/bin
cp "$1" /usr/local/bin/pinentry
shift
exec "$@"
"""


@cases("_, answer", [
    ("says so", lambda question: question.answer("S ERROR gnome3.open_tty_for_read 83918929", PinentryQuestion.no_window)),
    ("ends without a word", PinentryQuestion.end_without_answer)])
def test_where_a_pinentry_cannot_show_a_window_and_the_next_one_asks(it, _, answer):
    if not is_root:
        pytest.skip("needs root, to stand in for the pinentry that the distribution installed")
    with ScriptedPinentry(it) as pinentry:
        given(it, started=["unshare", "--mount", "sh", "-ec", DISTRIBUTION, "sh", pinentry.program])
        asking = start_get(it, ":72")
        first = pinentry.expect("GETPIN")
        equal(first.program, pinentry.program)
        answer(first)
        second = pinentry.expect("GETPIN")
        contains(second.program, "/bin/pinentry")
        equal(second.environment["DISPLAY"], ":72")
        second.answer(PinentryQuestion.cancelled)
        ends(asking, 4)
        equal(pinentry.was_started(), False)
        all_gone(it)


# MARK: In real windows


@pytest.mark.long
def test_on_the_display_that_the_service_was_started_on_a_yes_counts_without_a_passcode_closing_is_deny(it):
    use_pinentry(it, "pinentry-gtk-2")
    with Display(it) as display:
        given(it, passcode=None, environment={"DISPLAY": display.name})
        # The focus is on the safe choice.
        for pressed, status in ((("Tab", "Return"), 0), (("Escape",), 4), (("Return",), 4)):
            asking = start_get(it)
            window = display.window()
            for key in pressed:
                display.key(window, key)
            ends(asking, status)
        # Another display, which may be of the program's own making, does not count.
        asking = start_get(it, ":77")
        window = display.window()
        for key in ("Tab", "Return"):
            display.key(window, key)
        ends(asking, 0)


# How each says Allow. GNOME's has gcr show its windows, which it finds over the session's bus.
window_kinds = [("pinentry-gtk-2", ["Tab", "Return"]), ("pinentry-qt", ["Tab", "Return"]), ("pinentry-gnome3", ["Return"])]


@pytest.mark.long
@cases("pinentry", [name for name, _ in window_kinds])
def test_with_a_passcode_the_programs_own_display_is_asked_on_and_the_passcode_is_typed_there(it, pinentry):
    use_pinentry(it, pinentry)
    with contextlib.ExitStack() as stack:
        display = stack.enter_context(Display(it))
        environment = {}
        if pinentry == "pinentry-gnome3":
            environment["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(session_bus(it, display))
        given(it, passcode="hunter2", environment=environment)

        asking = start_get(it, display.name)
        # The first window takes the keys of a user who types at once, and so does the window after a wrong entry.
        for entry in ("wrong", "hunter2"):
            window = display.window(takes_secret=True)
            for key in (*entry, "Return"):
                display.key(window, key)
        ends(asking, 0)

        asking = start_get(it, display.name)
        display.key(display.window(takes_secret=True), "Escape")
        ends(asking, 4)

        asking = start_get(it, display.name)
        display.window(takes_secret=True)
        asking.kill()
        asking.communicate()
        all_gone(it)
        display.expect_no_window()


@pytest.mark.long
def test_without_a_session_bus_pinentry_gnome3_cannot_show_a_window_and_the_next_pinentry_asks(it):
    use_pinentry(it, "pinentry-gnome3")
    with Display(it) as display:
        given(it, passcode="hunter2")
        asking = start_get(it, display.name)
        display.key(display.window(takes_secret=True), "Escape")
        ends(asking, 4)


# MARK: In tmux


class Tmux:
    """A tmux of the instance's own, with one window for a program."""

    def __init__(self, it, *words):
        self.it = it
        self.socket = os.path.join(it.scratch, "tmux")
        self.run("new-session", "-d", "-x", "100", "-y", "40", " ".join(words) + "; echo status $?; exec cat")

    def run(self, *words):
        return self.it.run("tmux", "-S", self.socket, "-f", "/dev/null", *words, check=0).out

    def shown(self):
        return self.run("capture-pane", "-p")

    def expect(self, text):
        wait_until(lambda: text in self.shown(), what=f"{text!r} in tmux")

    def type(self, *names):
        self.run("send-keys", *names)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run("kill-server")


@cases("how", ["the terminal's prompter", "pinentry-curses"])
def test_in_tmux_the_question_is_shown_in_the_programs_own_pane_by(it, how):
    given(it)
    curses = how == "pinentry-curses"
    if curses:
        use_pinentry(it, how)
    with Tmux(it, it.program("chatelaine"), "get", "mail", "--user", "ann") as tmux:
        if not curses:
            tmux.expect(QUESTION.strip())
            tmux.type("a", "Enter")
        tmux.expect("<Deny>" if curses else FIELD.strip())
        tmux.type("-l", PASSCODE)
        tmux.type("Enter")
        tmux.expect("status 0")
        contains(tmux.shown(), SECRET)
        lacks(tmux.shown(), PASSCODE)
    all_gone(it)
