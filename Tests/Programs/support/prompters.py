# SPDX-License-Identifier: Apache-2.0
"""The prompters: where the built ones are, which ones run, a stand-in for them, and a scripted pinentry that they run."""

import contextlib
import json
import os
import select
import socket
from urllib.parse import quote_from_bytes

from .instance import has_ended, read_text, root_of_repository

PROMPTERS = ("chatelaine-prompt-tty", "chatelaine-prompt-pinentry")


def built_helpers():
    return os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))


def running_prompters(folder):
    """The process IDs of the prompters from this folder, or from a folder below it, that run at the same moment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
            program = file.read().split(b"\0")[0].decode(errors="replace")
            if "/chatelaine-prompt-" in program and program.startswith(folder + "/"):
                found.append(int(name))
    # The search takes time: the first process may have ended before the last one started.
    return [number for number in found if not has_ended(number)]


def questions(figures):
    """How many prompts wait or are shown now, and the most at any moment: the service's figures, from `status --verbose --json`."""
    [queue] = [queue for queue in figures["queues"] if queue["kind"] == "questions"]
    return queue["now"], queue["most"]


# MARK: A stand-in for the prompters

SILENT_PROMPTER = """#!/bin/sh
echo started >>{log}
exec cat >/dev/null
"""


class SilentPrompters:
    """A folder with prompters that note their start, and never answer: a request that starts one does not end."""

    def __init__(self, it):
        self.folder = os.path.join(it.scratch, "silent-prompters")
        self.log = os.path.join(self.folder, "started")
        os.mkdir(self.folder, 0o755)
        for name in PROMPTERS:
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(SILENT_PROMPTER.format(log=self.log))
            os.chmod(path, 0o755)
        with open(self.log, "w", encoding="utf-8"):
            pass
        os.chmod(self.log, 0o666)

    @property
    def starts(self):
        return len(read_text(self.log).splitlines())


# MARK: A scripted pinentry

# Speaks the Assuan protocol as pinentry 1.2.1 does. It shows nothing: at CONFIRM and GETPIN it tells the test what a person would see,
# and then hears the test alone, as a pinentry with an open window reads no command.
PINENTRY = r'''#!/usr/bin/python3 -I
import json, os, socket, sys
from urllib.parse import unquote_to_bytes

test = socket.socket(socket.AF_UNIX)
test.connect({address!r})
answers = test.makefile("rb")


def say(line):
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


KNOWN = [
    "SETTITLE", "SETDESC", "SETPROMPT", "SETOK", "SETCANCEL", "SETNOTOK", "SETERROR", "SETREPEAT", "SETREPEATERROR", "SETQUALITYBAR",
    "SETTIMEOUT", "SETKEYINFO"]
said = {{}}
options = []
say("OK Pleased to meet you")
for line in sys.stdin.buffer:
    command, _, argument = line.decode().rstrip("\r\n").partition(" ")
    argument = unquote_to_bytes(argument).decode()
    if command in ("CONFIRM", "GETPIN"):
        question = dict(
            command=command, argument=argument, said=said, options=options, environment=dict(os.environ), program=sys.argv[0],
            process=os.getpid())
        test.sendall(json.dumps(question).encode() + b"\n")
        answer = json.loads(answers.readline() or b"null")
        if answer is None:
            sys.exit(1)
        for line in answer:
            say(line)
    elif command == "BYE":
        say("OK closing connection")
        break
    elif command == "OPTION":
        options.append(argument)
        say("OK")
    elif command in KNOWN:
        said[command] = argument
        say("OK")
    else:
        say("ERR 536871187 Unknown IPC command <User defined source 1>")
'''


class PinentryQuestion:
    """A question that a scripted pinentry shows: what it was told to show, and its environment. The test answers it once."""

    cancelled = "ERR 83886179 Operation cancelled <Pinentry>"
    not_confirmed = "ERR 83886194 Not confirmed <Pinentry>"
    # pinentry-gnome3 without a session bus and without a terminal.
    no_window = "ERR 83918929 No such file or directory <Pinentry>"

    def __init__(self, connection):
        self._connection = connection
        with connection.makefile("rb") as lines:
            line = lines.readline()
        assert line, "the pinentry ended before it was asked anything"
        question = json.loads(line)
        self.command, self.argument = question["command"], question["argument"]
        self.said, self.options, self.environment = question["said"], question["options"], question["environment"]
        self.program, self.process = question["program"], question["process"]

    def answer(self, *lines):
        self._connection.sendall(json.dumps(lines).encode() + b"\n")

    def confirm(self):
        self.answer("OK")

    def enter(self, text):
        self.answer("D " + quote_from_bytes(text.encode(), safe=""), "OK")

    def end_without_answer(self):
        self._connection.shutdown(socket.SHUT_RDWR)


class ScriptedPinentry:
    """The pinentry of the instance's user, by the user's GnuPG settings: a program that does what the test says."""

    def __init__(self, it):
        self.program = os.path.join(it.scratch, "pinentry-scripted")
        address = os.path.join(it.scratch, "pinentry")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        os.chmod(address, 0o666)
        self._listener.listen(16)
        self._listener.settimeout(60)
        self._connections = []
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PINENTRY.format(address=address))
        os.chmod(self.program, 0o755)
        name_pinentry(it, self.program)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in (self._listener, *self._connections):
            each.close()

    def expect(self, command):
        """Waits for the next question, which must come with this command."""
        question = self.expect_any()
        assert question.command == command, f"{question.command} instead of {command}"
        return question

    def expect_any(self):
        """Waits for the next question."""
        connection, _ = self._listener.accept()
        self._connections.append(connection)
        connection.settimeout(60)
        return PinentryQuestion(connection)

    def was_started(self):
        """Whether a pinentry was started whose question was not expected yet."""
        return bool(select.select([self._listener], [], [], 0)[0])


def name_pinentry(it, path):
    """Has the instance's user name a pinentry in the settings of GnuPG's agent."""
    folder = os.path.join(it.directories["home"], ".gnupg")
    os.mkdir(folder)
    it.own(folder)
    settings = os.path.join(folder, "gpg-agent.conf")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f"# a comment\npinentry-program {path}\n")
    it.own(settings, 0o600)
