# SPDX-License-Identifier: Apache-2.0
"""Teams: any user can make one and sign programs with it, so "Always Allow" is only for programs of teams that the user trusts."""

import json
import os

from support.prompters import PROMPTERS, built_helpers
from support.sentences import contains, equal, lacks
from support.signing import team, tool
from support.terminal import Terminal

SECRET = b"correct horse"
PASSWORD = "sesame"
ONCE = "[d]eny, [a]llow once? "
ALWAYS = "[d]eny, [a]llow once, al[w]ays allow? "
FIELD = "Password of the keychain: "


def signed_reader(it, key):
    """A copy of the command in another place, which is then a program like others, signed."""
    folder = os.path.join(it.scratch, "bin")
    os.mkdir(folder, 0o755)
    path = it.programs.copy(it.program("chatelaine"), os.path.join(folder, "reader"))
    it.own(path, 0o755)
    it.own(folder, 0o755)
    it.run("chatelaine", "codesign", "--sign", key, "--identifier", "com.example.bank", path, check=0)
    return path


def reads(it, path, question=None, answer="", meanwhile=lambda: None):
    """What the program prints, after a question that is answered when `meanwhile` has happened."""
    with Terminal(it, path, "get", "mail", "--keychain", "k") as terminal:
        if question:
            terminal.expect(question)
            meanwhile()
            terminal.type(answer + "\n")
            terminal.expect(FIELD)
            terminal.type(PASSWORD + "\n")
        return terminal.end(), terminal.shown


def test_a_program_of_an_unknown_team_is_asked_about_each_time_and_one_of_a_trusted_team_once(it):
    tool("objcopy")
    for name in PROMPTERS:
        it.programs.copy(os.path.join(built_helpers(), name), os.path.join(it.programs.folder, name))
    it.start()
    it.run("security", "create-keychain", "-p", PASSWORD, "k", check=0)
    it.run("chatelaine", "set", "mail", "--keychain", "k", input=SECRET, check=0)
    key = team(it)
    reader = signed_reader(it, key)
    for _ in range(2):
        status, shown = reads(it, reader, ONCE, "a")
        contains(shown, f"of the unknown team {key}", SECRET.decode())
        equal(status, 0)

    it.run("chatelaine", "teams", "trust", key, check=0)
    equal(json.loads(it.run("chatelaine", "teams", "list", "--json", check=0).out), [{"team": key, "by": "user"}])
    # Distrusted while its prompt is open, it is allowed this time only.
    distrust = ["chatelaine", "teams", "distrust", key]
    status, shown = reads(it, reader, ALWAYS, "w", meanwhile=lambda: it.run(*distrust, check=0))
    equal(status, 0)
    it.run("chatelaine", "teams", "trust", key, check=0)
    status, shown = reads(it, reader, ALWAYS, "w")
    contains(shown, f"of team {key}", SECRET.decode())
    lacks(shown, "unknown team")
    equal(status, 0)
    # From now on there is no prompt.
    status, shown = reads(it, reader)
    equal(status, 0)
    lacks(shown, "allow once")

    it.run(*distrust, check=0)
    equal(json.loads(it.run("chatelaine", "teams", "list", "--json", check=0).out), [])
    contains(it.run(*distrust).err, "error:")
