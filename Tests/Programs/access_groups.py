#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Entitlements and access groups with real, signed programs: what two programs of one team share, and what they do not.

Acme's programs and groups are those of Apple's "Keychain Services" documentation.
"""

import json
import os
import plistlib
import shutil

from support.instance import digest, examples_folder, read_text
from support.sentences import contains, equal, lacks, run, test
from support.wire import Client

MISSING_ENTITLEMENT = -34018
NOT_FOUND = -25300
ONE, TWO, STORAGE = "com.Acme.AppNumberOne", "com.Acme.AppNumberTwo", "com.Acme.GroupStorage"


class Team:
    """A signing team, and copies of one program that it signs as several."""

    def __init__(self, it, name="acme"):
        self.it = it
        self.identifier = it.run("chatelaine", "team-key", "create", check=0).out.strip()
        self.folder = os.path.join(it.scratch, "programs-" + name)
        os.makedirs(self.folder, exist_ok=True)

    def group(self, name):
        return f"{self.identifier}.{name}"

    def program(self, identifier, entitlements, change=lambda path: None):
        """A program signed with these entitlements, as a new version of the one that was there."""
        path = os.path.join(self.folder, identifier)
        new = path + ".new"
        shutil.copy(os.path.join(examples_folder(), "SharedGroup"), new)
        change(new)
        file = path + ".plist"
        with open(file, "wb") as stream:
            plistlib.dump(entitlements, stream)
        self.it.run(
            "chatelaine", "codesign", "--sign", self.identifier, "--identifier", identifier, "--entitlements", file, new, check=0)
        os.rename(new, path)
        return Program(self.it, path)


class Program:
    def __init__(self, it, path):
        self.it, self.path = it, path

    def __call__(self, *words, **environment):
        done = self.it.run(self.path, *words, env=dict(self.it.environment, **environment), check=0)
        return done.out.splitlines()

    def logged(self, *words):
        """What the client module logs at debug level."""
        environment = dict(self.it.environment, SHARED_GROUP_LOG="debug")
        return self.it.run(self.path, *words, env=environment, check=0).err

    def status(self, *words, **environment):
        return int(self(*words, **environment)[0].split()[1])


def storage(team, identifier, *more):
    """The entitlements of the documentation's example."""
    return {
        "keychain-access-groups": [team.group(STORAGE), *more],
        "application-identifier": team.group(identifier),
    }


@test("two programs of one team share the group that both name, and keep their own items apart")
def _(it):
    it.start()
    team = Team(it)
    one, two = team.program(ONE, storage(team, ONE)), team.program(TWO, storage(team, TWO))
    # Without a group an item goes to the first group of the list, where both see it.
    equal(one("add", "shared"), ["status 0", f"{team.group(STORAGE)} -"])
    equal(two("find", "shared"), ["status 0", f"{team.group(STORAGE)} secret of shared"])
    # By naming its own identifier a program keeps an item to itself.
    equal(one("add", "private", team.group(ONE)), ["status 0", f"{team.group(ONE)} -"])
    equal(one("find", "private"), ["status 0", f"{team.group(ONE)} secret of private"])
    equal(two("find", "private"), [f"status {NOT_FOUND}"])
    equal(two("add", "private", team.group(TWO)), ["status 0", f"{team.group(TWO)} -"])
    equal(one("find", "private"), ["status 0", f"{team.group(ONE)} secret of private"])
    # To name the other's is an error, whatever is done.
    for verb in "add", "find", "delete":
        equal(two.status(verb, "private", team.group(ONE)), MISSING_ENTITLEMENT)
    equal(two.status("delete", "shared"), 0)
    equal(one.status("find", "shared"), NOT_FOUND)


@test("programs without access groups in their entitlements are each in a group of their own")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {"application-identifier": team.group(ONE)})
    two = team.program(TWO, {"application-identifier": team.group(TWO)})
    bare = team.program("com.Acme.Bare", {})
    equal(one("add", "item"), ["status 0", f"{team.group(ONE)} -"])
    equal(two.status("find", "item"), NOT_FOUND)
    equal(bare("add", "item"), ["status 0", f"{team.group('com.Acme.Bare')} -"])
    equal(one("find", "item"), ["status 0", f"{team.group(ONE)} secret of item"])


@test("application groups and associated identifiers are searched, and are never where items go by themselves")
def _(it):
    it.start()
    team = Team(it)
    shared, other = team.group("group.shared"), team.group("com.Acme.Other")
    one = team.program(ONE, {
        "application-identifier": team.group(ONE),
        "com.apple.security.application-groups": [shared],
        "com.apple.developer.associated-application-identifier": [other],
    })
    # Associated identifiers come before the program's own (Catalyst pairing), application groups behind it.
    equal(one("add", "first"), ["status 0", f"{other} -"])
    equal(one("add", "second", shared), ["status 0", f"{shared} -"])
    equal(one("find", "second"), ["status 0", f"{shared} secret of second"])
    only = team.program(TWO, {
        "application-identifier": team.group(TWO), "com.apple.security.application-groups": [shared]})
    equal(only("add", "third"), ["status 0", f"{team.group(TWO)} -"])
    equal(only("find", "second"), ["status 0", f"{shared} secret of second"])


@test("the group of tokens can be searched and nothing else, and is never the default")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {
        "keychain-access-groups": ["com.apple.token", team.group(STORAGE)], "application-identifier": team.group(ONE)})
    equal(one("add", "item"), ["status 0", f"{team.group(STORAGE)} -"])
    equal(one.status("find", "item", "com.apple.token"), NOT_FOUND)
    for verb in "add", "delete":
        equal(one.status(verb, "item", "com.apple.token"), MISSING_ENTITLEMENT)
    equal(one.status("delete", "item"), 0)


@test("groups are compared exactly: in capitals, shortened or empty they are somebody else's")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    for group in [
        team.group(STORAGE).lower(), team.group(STORAGE).upper(), team.group("com.Acme"), STORAGE, "", team.group(""),
        team.group(STORAGE) + " ", "*",
    ]:
        for verb in "add", "find", "delete":
            equal((group, verb, one.status(verb, "item", group)), (group, verb, MISSING_ENTITLEMENT))


@test("a version that drops a group loses sight of its items, learns why, and has them back with the entitlement")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    without = team.program(ONE, {"application-identifier": team.group(ONE)})
    equal(without.status("find", "item"), NOT_FOUND)
    equal(without.status("delete", "item"), NOT_FOUND)
    equal(without.status("find", "item", team.group(STORAGE)), MISSING_ENTITLEMENT)
    # What the service explains to the program; the client modules log it at debug level.
    log = without.logged("find", "item")
    contains(log, f'1 match in the access group "{team.group(STORAGE)}", which the program\'s entitlements do not name')
    # Another team's program is told nothing of it.
    stranger = Team(it, "strangers")
    other = stranger.program(ONE, {})
    log = other.logged("find", "item")
    contains(log, "status -25300")
    lacks(log, STORAGE, team.identifier)
    one = team.program(ONE, storage(team, ONE))
    equal(one("find", "item"), ["status 0", f"{team.group(STORAGE)} secret of item"])


@test("a program that is built and signed anew keeps its items, whatever is in its file")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {})
    equal(one.status("add", "item"), 0)
    before = digest(one.path)
    one = team.program(ONE, {}, change=lambda path: it.run("strip", path, check=0))
    assert digest(one.path) != before
    equal(one("find", "item"), ["status 0", f"{team.group(ONE)} secret of item"])


@test("the same identifier of another team is another program")
def _(it):
    it.start()
    first, second = Team(it, "first"), Team(it, "second")
    one = first.program(ONE, {})
    equal(one.status("add", "item"), 0)
    other = second.program(ONE, {})
    equal(other.status("find", "item"), NOT_FOUND)
    equal(other.status("find", "item", first.group(ONE)), MISSING_ENTITLEMENT)


@test("a program asks for its own entitlements, and gets what its signature says")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, dict(storage(team, ONE), **{"org.example.flag": True}))
    equal(one("entitlement", "keychain-access-groups"), [team.group(STORAGE), ONE])
    equal(one("entitlement", "application-identifier"), [team.group(ONE), ONE])
    equal(one("entitlement", "org.example.flag"), ["1", ONE])
    equal(one("entitlement", "org.example.other"), ["none", ONE])
    plain = Program(it, os.path.join(examples_folder(), "SharedGroup"))
    equal(plain("entitlement", "keychain-access-groups"), ["none", "not signed"])


@test("where entitlements are demanded, programs without any are refused, and those with some go on")
def _(it):
    it.start()
    team = Team(it)
    plain = Program(it, os.path.join(examples_folder(), "SharedGroup"))
    bare = team.program(TWO, {})
    one = team.program(ONE, storage(team, ONE))
    strictly = {"CHATELAINE_REQUIRE_ENTITLEMENTS": "1"}
    equal(plain.status("add", "item"), 0)
    for program in plain, bare:
        for verb in "add", "find", "delete":
            equal(program.status(verb, "item", **strictly), MISSING_ENTITLEMENT)
    equal(one.status("add", "other", **strictly), 0)
    equal(plain.status("find", "item"), 0)

    it.run("chatelaine", "settings", "set", "require-entitlements", "on", check=0)
    for program in plain, bare:
        for verb in "add", "find", "delete":
            equal(program.status(verb, "item"), MISSING_ENTITLEMENT)
    equal(one.status("find", "other"), 0)
    # The command itself goes on: it is what switches it off again.
    it.set("own", "secret")
    it.stop()
    it.start()
    equal(plain.status("find", "item"), MISSING_ENTITLEMENT)
    it.run("chatelaine", "settings", "set", "require-entitlements", "off", check=0)
    equal(plain.status("find", "item"), 0)


@test("in strict mode no program of a user's own service reads secrets, and attributes are still seen")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    it.run("chatelaine", "settings", "set", "require-enforced-callers", "on", check=0)
    equal(one.status("find", "item"), -25308)
    equal(one.status("delete", "item"), -25308)
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "own", "acct": "a"}, b"secret").status, 0)
        equal(client.copy({"svce": "own"}).status, -25308)
    contains(it.run("chatelaine", "list", check=0).out, "item")
    it.run("chatelaine", "settings", "set", "require-enforced-callers", "off", check=0)
    equal(one.status("find", "item"), 0)


@test("each line of the audit log says which team's program it was")
def _(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    lines = [line for line in map(json.loads, read_text(os.path.join(it.data, "audit.log")).splitlines())
             if line.get("identifier") == ONE]
    equal({(line["tier"], line["team"]) for line in lines}, {("signed", team.identifier)})
    equal(lines[0]["groups"], [team.group(STORAGE)])


run()
