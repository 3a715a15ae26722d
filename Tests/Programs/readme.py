# SPDX-License-Identifier: Apache-2.0
"""The commands that README.md shows, run in their order, as a newcomer would."""

import os
import re
import shlex

from support.instance import mode, read_text, root_of_repository, wait_until
from support.sentences import contains, equal, ordinary
from support.terminal import Terminal

# What the user types, by the words that a command begins with: each entry when the terminal does not show it.
ANSWERS = {
    "set": ["correct horse", "correct horse"],
    "passcode set": ["a long passcode", "a long passcode"],
    "protect": ["a long passcode"],
    "backup": ["a long passcode", "open sesame", "open sesame"],
    "keychains create": ["of the file", "of the file"],
}
# `doctor` also finds what is wrong with this machine.
STATUS = {"doctor": (0, 7)}


def commands():
    """The commands of the block, each with what its comment does not show."""
    text = read_text(os.path.join(root_of_repository, "README.md"))
    block = re.search(r"^## On the command line\n+```sh\n(.*?)^```", text, re.S | re.M).group(1)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def played(it, words):
    """Runs a command on a terminal whose user answers each prompt that hides what is typed."""
    answers = next((list(given) for name, given in ANSWERS.items() if words[1:1 + len(name.split())] == name.split()), [])
    answered = 0
    with Terminal(it, *words) as terminal:
        def went_on():
            nonlocal answered
            if terminal.program.poll() is not None:
                return True
            terminal.shows("")
            prompt = terminal.shown[answered:].rstrip(" ")
            if prompt.endswith((":", "?")) and not terminal.echoes():
                answered = len(terminal.shown)
                assert answers, f"{shlex.join(words)} prompts once more: {terminal.shown}"
                terminal.type(answers.pop(0) + "\n")
            return False

        wait_until(went_on, what=shlex.join(words))
        status = terminal.end()
    assert status in STATUS.get(words[1], (0,)), f"{shlex.join(words)}: status {status}\n{terminal.shown}"
    return terminal.shown


@ordinary
def test_the_commands_of_the_readme_work_in_their_order(it):
    it.start()
    with open(os.path.join(it.scratch, "Passwords.csv"), "w", encoding="utf-8") as file:
        file.write("Title,URL,Username,Password,Notes,OTPAuth\nA page,https://example.com/,ann,secret,,\n")
    shown = {words[1]: played(it, words) for words in commands()}
    contains(shown["get"], "correct horse")
    contains(shown["list"], "mail", "ann")
    contains(shown["import"], "1 to add")
    equal(mode(os.path.join(it.scratch, "keychain.backup")), 0o600)
