# SPDX-License-Identifier: Apache-2.0
"""Asking a person, with the real service, the real prompters, and somebody who types."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from support.caller import root_owned_folder
from support.instance import Timeout, has_ended, is_root, own_kilobytes, read_text, shortest, wait_until
from support.prompters import PROMPTERS, built_helpers
from support.sentences import both, cases, contains, equal, lacks, python
from support.terminal import Terminal
from support.wire import Client

PASSCODE = "hünter2"
SECRET = "correct horse"
QUESTION = "[d]eny, [a]llow once? "
FIELD = "Passcode of the keychain: "


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


def given(it, passcode=PASSCODE, environment=None, prompters=True):
    """A service with prompters, another program's item, and a passcode."""
    if prompters:
        install_prompters(it)
    it.start(env={**it.environment, **(environment or {})})
    foreign_item(it)
    if passcode:
        path = os.path.join(it.scratch, "passcode")
        with open(path, "w", encoding="utf-8") as file:
            file.write(passcode)
        os.chmod(path, 0o644)
        with open(path, "rb") as file:
            it.run(
                "chatelaine", "passcode", "set", "--passcode-fd", str(file.fileno()), check=0,
                pass_fds=[file.fileno()])


def get(it, name="mail", **environment):
    return Terminal(it, "chatelaine", "get", name, "--user", "ann", **environment)


def say(terminal, question, text):
    terminal.expect(question)
    terminal.type(text + "\n")
    # What comes next may be the same question.
    terminal.shown = terminal.shown.partition(question)[2]


def prompters(it):
    """The numbers of the running prompters of this instance, and of programs that they started."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                program = file.read().split(b"\0")[0].decode(errors="replace")
            if "prompt-" in program and program.startswith(it.programs.scratch) and not has_ended(name):
                found.append(int(name))
        except OSError:
            continue
    return found


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
                "Keychain: may this program do that?", f"{it.programs.folder}/chatelaine (process", "Known as:",
                "unsigned program", "read the secret of", 'the password "Post\ufffd[31m Office"', 'account "ann"',
                'service "mail"']:
            contains(" ".join(shown.split()), words)
        lacks(shown, "\x1b")
        assert all(len(line) < 80 for line in shown.splitlines()), shown
        # Letters count with Return only, and what is no answer is asked again.
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
        contains(terminal.shown, "denied several times")
    equal(failed_attempts(it), 0)


def test_a_wrong_passcode_is_asked_for_again_three_times_in_all_and_each_is_counted(it):
    given(it)
    with get(it) as terminal:
        for number in range(3):
            say(terminal, QUESTION, "a")
            say(terminal, FIELD, "wrong")
            if number < 2:
                terminal.expect("That was not the passcode.")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
    equal(failed_attempts(it), 3)
    with get(it) as terminal:
        say(terminal, QUESTION, "a")
        say(terminal, FIELD, "wrong")
        say(terminal, QUESTION, "a")
        say(terminal, FIELD, PASSCODE)
        equal(terminal.end(), 0)
    equal(failed_attempts(it), 0)


def test_keys_that_edit_a_line_do_and_what_was_typed_before_the_question_does_not_answer_it(it):
    given(it)
    with Terminal(it, "sh", "-c", "read line; chatelaine get mail --user ann") as terminal:
        terminal.type("begin\n")
        terminal.type("a\n")
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


def test_without_a_terminal_the_answer_comes_within_a_tenth_of_a_second(it):
    given(it)

    def refused():
        done = it.run("chatelaine", "get", "mail", "--user", "ann", check=4, start_new_session=True)
        contains(done.err, "belongs to another program")

    anyway = shortest(lambda: it.run("chatelaine", "list", check=0, start_new_session=True))
    assert shortest(refused) - anyway < 0.1, "beyond what the command takes anyway"


def test_a_job_in_the_background_is_not_shown_on_the_terminal_that_its_shell_has(it):
    given(it)
    script = "set -m; chatelaine get mail --user ann & wait $!; echo status $?"
    with Terminal(it, "bash", "-c", script) as terminal:
        equal(terminal.end(), 0)
        contains(terminal.shown, "status 4")
        lacks(terminal.shown, QUESTION)


def test_without_the_prompters_nobody_is_asked_nor_with_ones_that_somebody_else_could_have_put_there(it):
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


def test_always_allow_is_remembered_with_program_and_tier_survives_the_service_and_can_be_taken_back(it):
    if not is_root:
        pytest.skip("needs root, to install a program")
    with root_owned_folder() as folder:
        for name in ("chatelained", "chatelaine"):
            it.programs.copy(os.path.join(it.programs.folder, name), os.path.join(folder, name))
        install_prompters(it, folder)
        it.programs.folder, before = folder, it.programs.folder
        try:
            given(it, prompters=False)
            question = "[d]eny, [a]llow once, al[w]ays allow? "
            with get(it) as terminal:
                say(terminal, question, "w")
                say(terminal, FIELD, PASSCODE)
                equal(terminal.end(), 0)
                contains(terminal.shown, SECRET)
            grants = json.loads(it.run("chatelaine", "grants", "list", "--json", check=0).out)
            equal(len(grants), 1)
            equal(grants[0]["tier"], "installed")
            it.stop()
            it.start()
            python(it, f"""
import sys
from support.owner import unlock
from support.wire import Client
unlock(Client(sys.argv[1]), "{PASSCODE}")
""")
            done = it.run("chatelaine", "get", "mail", "--user", "ann", check=0, start_new_session=True)
            equal(done.out.strip(), SECRET)
            it.run("chatelaine", "grants", "revoke", "1", check=0)
            it.run("chatelaine", "get", "mail", "--user", "ann", check=4, start_new_session=True)
            with get(it) as terminal:
                say(terminal, question, "d")
                equal(terminal.end(), 4)
        finally:
            it.daemon.kill()
            it.daemon.wait()
            it.programs.folder = before


# MARK: One at a time, and taken back


def test_of_two_who_ask_the_second_is_shown_when_the_first_was_answered(it):
    given(it)
    with get(it) as first:
        first.expect(QUESTION)
        with get(it) as second:
            assert not second._read(0.3), "one at a time"
            equal(len(prompters(it)), 1)
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
        start = time.monotonic()
        it.stop(getattr(signal, number))
        all_gone(it)
        assert terminal.end() > 0
        assert time.monotonic() - start < 5
        assert terminal.echoes()
        lacks(terminal.shown, SECRET)


def test_programs_that_want_to_be_asked_about_all_the_time_get_one_prompter_between_them(it):
    """Programs that want to be asked about all the time get one prompter between them, and hold nobody else up."""
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
    assert path, f"{name} is not installed"
    folder = os.path.join(it.directories["home"], ".gnupg")
    os.mkdir(folder)
    it.own(folder)
    with open(os.path.join(folder, "gpg-agent.conf"), "w", encoding="utf-8") as file:
        file.write(f"# a comment\npinentry-program {path}\n")
    it.own(os.path.join(folder, "gpg-agent.conf"), 0o600)


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
        terminal.expect("llow")
        terminal.type("a")
        terminal.expect("asscode of the keychain:")
        terminal.type(PASSCODE + "\n")
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)
        assert terminal.echoes()
    with get(it) as terminal:
        terminal.expect("llow")
        terminal.type("d")
        equal(terminal.end(), 4)
        lacks(terminal.shown, SECRET)
        assert terminal.echoes()
    all_gone(it)


def test_pinentry_curses_asks_on_the_terminal_the_first_button_is_allow_the_second_deny(it):
    given(it)
    use_pinentry(it, "pinentry-curses")
    with get(it, TERM="vt100") as terminal:
        terminal.expect("<Allow>")
        terminal.type("\r")
        terminal.expect("<OK>")
        terminal.type(PASSCODE + "\r")
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)
        lacks(terminal.shown, PASSCODE)
        assert terminal.echoes()
    with get(it, TERM="vt100") as terminal:
        terminal.expect("<Allow>")
        # The second button.
        terminal.type("\t\r")
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


# MARK: On a display


@contextlib.contextmanager
def display(it):
    """An X server that shows nothing to anybody."""
    read, write = os.pipe()
    server = it.popen(
        # Without repeating keys: where the machine is busy, one may be down for longer than a person means it. And without beginning
        # anew when its last client has gone, which ends the next one that comes at that moment.
        "Xvfb", "-r", "-noreset", "-displayfd", str(write), "-nolisten", "tcp", "-screen", "0", "800x600x24", pass_fds=[write],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as numbers:
        name = ":" + numbers.readline().strip()
    assert name != ":", "Xvfb did not start"
    try:
        yield name
    finally:
        server.terminate()
        server.wait()


def keys(it, name, title, *names, until=None):
    """Types into a window once it is there; again, as a person would, while nothing comes of it: a window may be shown before it listens."""
    environment = {**it.environment, "DISPLAY": name}

    def window():
        done = it.run("xdotool", "search", "--onlyvisible", "--name", title, env=environment)
        return done.out.split()[0] if done.out.strip() else None

    is_done = until or (lambda: False)
    for tries_left in reversed(range(4)):
        # What was typed before may only now have done it, and then this window does not come again.
        number = wait_until(lambda: is_done() or window(), what="the window")
        if is_done():
            return
        it.run("xdotool", "windowfocus", "--sync", number, env=environment, check=0)
        it.run("xdotool", "key", *names, env=environment, check=0)
        if until is None:
            return
        try:
            wait_until(until, 5, f"what follows {' '.join(names)}")
            return
        except Timeout:
            if tries_left == 0:
                raise


def no_window(it, name):
    environment = {**it.environment, "DISPLAY": name}
    wait_until(
        lambda: not it.run("xdotool", "search", "--onlyvisible", "--name", "Chatelaine", env=environment).out.strip(),
        what="the end of the window")


def test_on_the_display_that_the_service_was_started_on_a_yes_counts_without_a_passcode_closing_is_deny(it):
    use_pinentry(it, "pinentry-gtk-2")
    with display(it) as name:
        given(it, passcode=None, environment={"DISPLAY": name})
        words = ("chatelaine", "get", "mail", "--user", "ann")
        # The focus is on what does no harm.
        for pressed, status in ((("Tab", "Return"), 0), (("Escape",), 4), (("Return",), 4)):
            asking = it.popen(
                *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True)
            keys(it, name, "Chatelaine", *pressed)
            out, _ = asking.communicate(timeout=20)
            equal(asking.returncode, status)
            equal(SECRET in out.decode(), status == 0)
        # Another display, which may be of the program's own making, does not count.
        asking = it.popen(
            *words, env={**it.environment, "DISPLAY": ":77"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)
        keys(it, name, "Chatelaine", "Tab", "Return")
        equal(asking.wait(timeout=20), 0)
        asking.communicate()


@contextlib.contextmanager
def session_bus(it, display):
    """A message bus of the session. What is started on it has this display."""
    bus = it.popen(
        "dbus-daemon", "--session", "--nofork", "--print-address", env={**it.environment, "DISPLAY": display},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    address = bus.stdout.readline().decode().strip()
    assert address, "dbus-daemon did not start"
    try:
        yield address
    finally:
        bus.terminate()
        bus.wait()
        bus.stdout.close()


# How each says Allow. GNOME's has gcr show its windows, which it finds over the session's bus.
window_kinds = [("pinentry-gtk-2", ["Tab", "Return"]), ("pinentry-qt", ["Tab", "Return"]), ("pinentry-gnome3", ["Return"])]


@cases("pinentry, allow", window_kinds)
def test_with_a_passcode_the_programs_own_display_is_asked_on_and_the_passcode_is_typed_there(it, pinentry, allow):
    use_pinentry(it, pinentry)
    with contextlib.ExitStack() as stack:
        name = stack.enter_context(display(it))
        environment = {}
        if pinentry == "pinentry-gnome3":
            environment["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(session_bus(it, name))
        given(it, passcode="hunter2", environment=environment)

        def ask():
            return it.popen(
                "chatelaine", "get", "mail", "--user", "ann", env={**it.environment, "DISPLAY": name},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

        asking = ask()
        first = wait_until(lambda: pinentries(it), what="the question")
        keys(it, name, "Chatelaine", *allow, until=lambda: set(pinentries(it)) - set(first))
        wait_until(lambda: not set(pinentries(it)) & set(first), what="the end of the first window")
        # The server of the display has heard of that before it answers, and shows the window no more.
        it.run("xdotool", "getmouselocation", env={**it.environment, "DISPLAY": name}, check=0)
        keys(it, name, "Chatelaine", *"hunter2", "Return", until=lambda: asking.poll() is not None)
        out, err = asking.communicate(timeout=20)
        equal((asking.returncode, out.decode().strip()), (0, SECRET))

        asking = ask()
        keys(it, name, "Chatelaine", "Escape", until=lambda: asking.poll() is not None)
        out, err = asking.communicate(timeout=20)
        equal((asking.returncode, out), (4, b""))

        asking = ask()
        wait_until(lambda: pinentries(it), what="the window")
        asking.kill()
        asking.communicate()
        all_gone(it)
        no_window(it, name)


def test_without_a_session_bus_pinentry_gnome3_cannot_show_a_window_and_the_next_pinentry_asks(it):
    use_pinentry(it, "pinentry-gnome3")
    with display(it) as name:
        given(it, passcode="hunter2")
        asking = it.popen(
            "chatelaine", "get", "mail", "--user", "ann", env={**it.environment, "DISPLAY": name},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        keys(it, name, "Chatelaine", "Escape", until=lambda: asking.poll() is not None)
        out, err = asking.communicate(timeout=20)
        equal((asking.returncode, out), (4, b""))


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
        wait_until(lambda: text in self.shown(), 15, f"{text!r} in tmux")

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
        tmux.expect("Allow" if curses else QUESTION.strip())
        tmux.type("Enter") if curses else tmux.type("a", "Enter")
        tmux.expect("OK>" if curses else FIELD.strip())
        tmux.type("-l", PASSCODE)
        tmux.type("Enter")
        tmux.expect("status 0")
        contains(tmux.shown(), SECRET)
        lacks(tmux.shown(), PASSCODE)
    all_gone(it)
