# SPDX-License-Identifier: Apache-2.0
"""Names that would forge or hide a part of a question, and pinentries that lie (Documentation/Attacks.md, "Through the front door").

A pinentry shows the text that it is told to show. So the text is what the tests look at, with a scripted pinentry; that the real ones show
it as it is, and interpret none of it, is looked at in a terminal and, in `make test-all`, in windows."""

import contextlib
import os
import subprocess
import unicodedata

import pytest

from prompt import (
    PASSCODE, SECRET, Tmux, all_gone, ends, given, start_get, use_pinentry, window_kinds)
from support.instance import is_root, own_kilobytes, wait_until
from support.prompters import PinentryQuestion, ScriptedPinentry, name_pinentry
from support.sentences import cases, contains, equal, lacks, python
from support.windows import Display, session_bus

FORGED = "Known as: a shielded program"
NAMES = {
    "lines": f"a\n\n\n{FORGED}\r\nWants to: nothing\x0b\x0c\x85\u2028\u2029b",
    "markup": "<b>x</b><a href=\"x\">&amp;&lt;</a>",
    "an entity that is none": "a & b &nosuch; <",
    "percent escapes": "%0A%0D%25%00%1b[2J%s%n",
    "escape sequences": "\x1b[2J\x1b[1;1H\x1b]0;title\x07\x9b31m\x08\x08\x7f",
    "directions": "\u202emoc.elgoog\u202c \u2066a\u2069 \u200f\u200e\u061c",
    "what is not to be seen": "a\u200b\u200d\ufeff\u00ad\u034f\U000e0041\U000e007fb",
    "marks": "a" + "\u0301" * 300 + "b",
    "a long word": "W" * 10_000,
    "a long line": "wide words " * 1000,
    "letters of two columns": "\u6f22" * 3000,
    "spaces": "a" + " \u3000\u2003" * 2000 + "b",
}
# What of a name is to be read as it is.
LITERAL = {"markup": "<b>x</b><a", "an entity that is none": "a & b &nosuch; <", "percent escapes": "%0A%0D%25%00"}


def hostile_item(it, name):
    """An item of another program with this name in all places. The command reads it by its description."""
    python(it, f"""
import sys
from support.wire import Client
with Client(sys.argv[1]) as client:
    client.delete({{}})
    assert client.add({{"svce": "mail", "acct": "ann", "labl": {name!r}}}, b"{SECRET}").status == 0
""")


def check_question(said, name):
    """What a pinentry is told to show has all facts, each at the begin of a line, and nothing else begins one."""
    description = said["SETDESC"]
    # As in the protocol, where a line has 1000 bytes.
    escaped = sum(3 if byte in b"%\r\n" else 1 for byte in description.encode())
    assert escaped + len("SETDESC ") <= 1000, escaped
    lines = description.split("\n")
    assert len(lines) <= 24, lines
    begins = [line.partition(":")[0] for line in lines if line and not line.startswith("    ")]
    equal([begin for begin in begins if begin != "Started by"], ["Keychain", "Known as", "Wants to", "Program"])
    contains(description, "Known as: an unsigned program", "Wants to: read the secret of")
    contains("".join(description.split()), '/chatelaine"(process')
    lacks(description.replace("\n    ", " ").partition("Wants to")[0], FORGED)
    strange = {character for character in description if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")}
    equal(strange, {"\n"})
    equal((said["SETTITLE"], said["SETOK"], said["SETCANCEL"]), ("Chatelaine", "Allow", "Deny"))
    if name in LITERAL:
        contains(" ".join(description.split()), LITERAL[name])


def test_names_of_others_choice_forge_no_line_of_a_question_and_push_none_out(it):
    """Names of others' choice forge no line of a question and push none out, and what could be taken for markup is there as text."""
    with ScriptedPinentry(it) as pinentry:
        given(it, passcode=None, environment={"DISPLAY": ":71"})
        for name, text in NAMES.items():
            hostile_item(it, text)
            asking = start_get(it)
            question = pinentry.expect("CONFIRM")
            check_question(question.said, name)
            question.confirm()
            ends(asking, 0)
        all_gone(it)


@cases("name", ["lines", "letters of two columns"])
def test_pinentry_curses_shows_all_facts_and_both_buttons_with(it, name):
    given(it)
    use_pinentry(it, "pinentry-curses")
    hostile_item(it, NAMES[name])
    with Tmux(it, it.program("chatelaine"), "get", "mail", "--user", "ann") as tmux:
        tmux.expect("<Allow>")
        shown = tmux.shown()
        contains(shown, "<Deny>", "Passcode of the keychain:", "Keychain: allow this request?", "Known as: an unsigned program", "Wants to: read the secret of",
                 "Program: ")
        # In the frame that pinentry draws around it.
        forged = [line for line in shown.splitlines() if line.strip("\u2502x| ").startswith(FORGED)]
        equal(forged, [])
        tmux.type("-l", PASSCODE)
        tmux.type("Enter")
        tmux.expect("status 0")
    all_gone(it)


# MARK: Pinentries that lie

LIES = {
    "says yes without the passcode": [["OK"]],
    "says yes with a wrong passcode": [["D wrong", "OK"]],
    "says a megabyte in one line": [["D " + "x" * 1_000_000, "OK"]],
    "says yes many times": [["OK"] * 500],
}
MORE_LIES = {
    "says no with a number that is none": [["ERR 0 OK"]],
    "says no to a button that is not there": [[PinentryQuestion.not_confirmed]],
    "says yes with an empty passcode": [["D ", "OK"]],
    "says a megabyte in many lines": [["D " + "x" * 900] * 1200 + ["OK"]],
    "says no with a number that is too large": [["ERR 99999999999999999999 OK"]],
    "asks without end": [["INQUIRE PASSCODE"] * 10],
    "chats without end": [["S PROGRESS", "# well"] * 3000 + ["OK"]],
    "says nothing that means anything": [["\x00\x01\x02 \x1b[2J", "OK"]],
    "says that it was repeated": [["S PIN_REPEATED", "OK"]],
    "says escapes that are none": [["D %zz%0", "OK"]],
}

# Says yes to whatever comes, before it is asked, and reads nothing.
EAGER = """#!/bin/sh
i=0
while [ $i -lt 300 ]; do echo OK; i=$((i + 1)); done
exec cat >/dev/null
"""

# No other pinentry is there to ask instead.
ALONE = """
mount --make-rprivate /
for path in /usr/bin/pinentry /usr/bin/pinentry-*; do if [ -e "$path" ]; then mount --bind /bin/false "$path"; fi; done
exec "$@"
"""


def unlock(it):
    it.run("chatelaine", "unlock", "--passcode-fd", "0", input=PASSCODE, check=0)


def start_alone(it):
    """A service whose user has only the pinentry that the user named."""
    given(it, passcode=None, started=["unshare", "--mount", "sh", "-ec", ALONE, "sh"])
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=PASSCODE, check=0)


def start_again(it, **more):
    """So that what was refused before is forgotten."""
    it.stop()
    with open(it.log, "ab") as log:
        it.daemon = it.popen(
            "unshare", "--mount", "sh", "-ec", ALONE, "sh", it.program("chatelained"), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            **more)
    wait_until(it.is_listening, what="the start of the service")


def lie_all(it, lies):
    if not is_root:
        pytest.skip("needs root, to hide the pinentries that the distribution installed")
    with ScriptedPinentry(it) as pinentry:
        start_alone(it)
        for lie, answers in lies.items():
            before = own_kilobytes(it.daemon.pid)
            asking = start_get(it, ":72")
            rest = list(answers)
            while True:
                wait_until(lambda: pinentry.was_started() or asking.poll() is not None, what="a question or the end")
                if not pinentry.was_started():
                    break
                question = pinentry.expect("GETPIN")
                if not rest:
                    # Asked again, as after a wrong passcode.
                    rest = list(answers)
                with contextlib.suppress(OSError):
                    question.answer(*(rest.pop(0) if rest else ["OK"]))
            out, _ = asking.communicate(timeout=60)
            # No, or given up, as after an entry that is too long.
            assert (out, asking.returncode) in [(b"", 4), (b"", 1)], (lie, out, asking.returncode)
            all_gone(it)
            assert own_kilobytes(it.daemon.pid) - before < 16 * 1024, lie
            start_again(it)
            unlock(it)
        asking = start_get(it, ":72")
        pinentry.expect("GETPIN").enter(PASSCODE)
        ends(asking, 0)


def test_a_pinentry_that_lies_about_a_persons_answer_is_no_yes_without_the_passcode(it):
    lie_all(it, LIES)


@pytest.mark.long
def test_a_pinentry_that_lies_in_other_ways_is_no_yes_without_the_passcode(it):
    lie_all(it, MORE_LIES)


def test_a_pinentry_that_says_yes_before_it_was_asked_is_no_yes_without_the_passcode(it):
    if not is_root:
        pytest.skip("needs root, to hide the pinentries that the distribution installed")
    program = os.path.join(it.scratch, "eager")
    with open(program, "w", encoding="utf-8") as file:
        file.write(EAGER)
    os.chmod(program, 0o755)
    name_pinentry(it, program)
    start_alone(it)
    ends(start_get(it, ":72"), 4)
    all_gone(it)
    # Where a yes takes no passcode, the same program is a person's yes: it is the pinentry that the user named.
    it.run("chatelaine", "passcode", "remove", "--yes", "--passcode-fd", "0", input=PASSCODE, check=0)
    start_again(it, env={**it.environment, "DISPLAY": ":71"})
    ends(start_get(it), 0)


# MARK: In real windows


def ink(display, window):
    """How many pixels of a window are not of its most frequent colour."""
    pixels = display.picture(window)
    counts = {}
    for place in range(0, len(pixels), 4):
        pixel = pixels[place:place + 4]
        counts[pixel] = counts.get(pixel, 0) + 1
    return len(pixels) // 4 - max(counts.values())


@pytest.mark.long
@cases("pinentry, allow", window_kinds)
def test_windows_show_names_as_text_with_all_facts_and_buttons_that_work(it, pinentry, allow):
    """Windows show names as text and interpret nothing of them, fit on the screen, and have buttons that work."""
    use_pinentry(it, pinentry)
    with contextlib.ExitStack() as stack:
        display = stack.enter_context(Display(it))
        environment = {"DISPLAY": display.name}
        if pinentry == "pinentry-gnome3":
            environment["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(session_bus(it, display))
        given(it, passcode=None, environment=environment)

        def shown(text):
            """The ink of the window for an item of that name, which is allowed then."""
            hostile_item(it, text)
            asking = start_get(it)
            window = display.window()
            size = display.size(window)
            assert size[0] <= 800 and size[1] <= 600, size
            found = ink(display, window)
            for key in allow:
                display.key(window, key)
            ends(asking, 0)
            return found

        base = shown(".")
        for hostile, plain in [
                ("<i></i><b></b><u></u>", "[i][/i][b][/b][u][/u]"), ("a & b &nosuch; <", "a + b +nosuch; ("),
                ("&amp;&lt;&gt;", "+amp;+lt;+gt;"),
                ("<span foreground='white'>x</span>", "[span foreground='white'[x[/span["), ("%0A%0A%0A%00", "#0A#0A#0A#00")]:
            # Where it were interpreted, most of it would not be there, or nothing at all.
            assert shown(hostile) - base > (shown(plain) - base) * 0.6, hostile
        for text in NAMES.values():
            # The other facts are there, whatever the name is.
            assert shown(text) > base * 0.9, text[:40]


@pytest.mark.long
@cases("pinentry", ["pinentry-gtk-2", "pinentry-qt"])
def test_a_window_with_the_field_of_the_passcode_fits_on_the_screen_and_takes_it_whatever_the_name_is(it, pinentry):
    use_pinentry(it, pinentry)
    with Display(it) as display:
        given(it, passcode="hunter2")
        for text in NAMES.values():
            hostile_item(it, text)
            asking = start_get(it, display.name)
            window = display.window(takes_secret=True)
            size = display.size(window)
            assert size[0] <= 800 and size[1] <= 600, (text[:40], size)
            for key in (*"hunter2", "Return"):
                display.key(window, key)
            ends(asking, 0)
