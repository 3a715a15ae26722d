# SPDX-License-Identifier: Apache-2.0
"""Entitlements and access groups with real, signed programs: what two programs of one team share, and what they do not.

Acme's programs and groups are those of Apple's "Keychain Services" documentation.
"""

import json
import os
import plistlib
import shutil

from passcode import given
from support.instance import digest, examples_folder, read_text
from support.sentences import contains, equal, lacks, own_services
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

    def program(self, identifier, entitlements, built=None):
        """Installs a program signed with these entitlements as a new version of the existing program."""
        path = os.path.join(self.folder, identifier)
        new = path + ".new"
        shutil.copy(built or self.it.programs.example("SharedGroup"), new)
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
        """Returns the debug log of the client module."""
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


def test_two_programs_of_one_team_share_the_group_that_both_name_and_keep_their_own_items_apart(it):
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


@own_services
def test_programs_without_access_groups_in_their_entitlements_are_each_in_a_group_of_their_own(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {"application-identifier": team.group(ONE)})
    two = team.program(TWO, {"application-identifier": team.group(TWO)})
    bare = team.program("com.Acme.Bare", {})
    equal(one("add", "item"), ["status 0", f"{team.group(ONE)} -"])
    equal(two.status("find", "item"), NOT_FOUND)
    equal(bare("add", "item"), ["status 0", f"{team.group('com.Acme.Bare')} -"])
    equal(one("find", "item"), ["status 0", f"{team.group(ONE)} secret of item"])


def test_application_groups_and_associated_identifiers_are_searched(it):
    """Application groups and associated identifiers are searched, and are never where items go by themselves."""
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


def test_the_group_of_tokens_can_be_searched_and_nothing_else_and_is_never_the_default(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {
        "keychain-access-groups": ["com.apple.token", team.group(STORAGE)], "application-identifier": team.group(ONE)})
    equal(one("add", "item"), ["status 0", f"{team.group(STORAGE)} -"])
    equal(one.status("find", "item", "com.apple.token"), NOT_FOUND)
    for verb in "add", "delete":
        equal(one.status(verb, "item", "com.apple.token"), MISSING_ENTITLEMENT)
    equal(one.status("delete", "item"), 0)


@own_services
def test_groups_are_compared_exactly_in_capitals_shortened_or_empty_they_are_foreign(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    for group in [
        team.group(STORAGE).lower(), team.group(STORAGE).upper(), team.group("com.Acme"), STORAGE, "", team.group(""),
        team.group(STORAGE) + " ", "*",
    ]:
        for verb in "add", "find", "delete":
            equal((group, verb, one.status(verb, "item", group)), (group, verb, MISSING_ENTITLEMENT))


@own_services
def test_a_version_that_drops_a_group_loses_sight_of_its_items_learns_why(it):
    """A version that drops a group loses sight of its items, learns why, and has them back with the entitlement."""
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    without = team.program(ONE, {"application-identifier": team.group(ONE)})
    equal(without.status("find", "item"), NOT_FOUND)
    equal(without.status("delete", "item"), NOT_FOUND)
    equal(without.status("find", "item", team.group(STORAGE)), MISSING_ENTITLEMENT)
    # The service's explanation to the program; the client modules log it at debug level.
    log = without.logged("find", "item")
    contains(log, f'1 match in the access group "{team.group(STORAGE)}", which the program\'s entitlements do not include')
    # Another team's program gets no explanation.
    stranger = Team(it, "strangers")
    other = stranger.program(ONE, {})
    log = other.logged("find", "item")
    contains(log, "status -25300")
    lacks(log, STORAGE, team.identifier)
    one = team.program(ONE, storage(team, ONE))
    equal(one("find", "item"), ["status 0", f"{team.group(STORAGE)} secret of item"])


def test_a_program_that_is_built_and_signed_anew_keeps_its_items_whatever_is_in_its_file(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, {})
    equal(one.status("add", "item"), 0)
    before = digest(one.path)
    # With the symbols that the first one does not have.
    built = os.path.join(examples_folder(), "SharedGroup")
    assert digest(built) != digest(it.programs.example("SharedGroup"))
    one = team.program(ONE, {}, built)
    assert digest(one.path) != before
    equal(one("find", "item"), ["status 0", f"{team.group(ONE)} secret of item"])


@own_services
def test_the_same_identifier_of_another_team_is_another_program(it):
    it.start()
    first, second = Team(it, "first"), Team(it, "second")
    one = first.program(ONE, {})
    equal(one.status("add", "item"), 0)
    other = second.program(ONE, {})
    equal(other.status("find", "item"), NOT_FOUND)
    equal(other.status("find", "item", first.group(ONE)), MISSING_ENTITLEMENT)


def test_a_program_asks_for_its_own_entitlements_and_gets_what_its_signature_says(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, dict(storage(team, ONE), **{"org.example.flag": True}))
    equal(one("entitlement", "keychain-access-groups"), [team.group(STORAGE), ONE])
    equal(one("entitlement", "application-identifier"), [team.group(ONE), ONE])
    equal(one("entitlement", "org.example.flag"), ["1", ONE])
    equal(one("entitlement", "org.example.other"), ["none", ONE])
    plain = Program(it, it.programs.example("SharedGroup"))
    equal(plain("entitlement", "keychain-access-groups"), ["none", "not signed"])


def test_versions_of_a_program_with_other_entitlements_keep_its_items_and_add_them_to_no_shared_group(it):
    """Signing adds the application identifier, so each version reaches what the earlier ones stored in a group that it names."""
    it.start()
    team = Team(it)
    own, storage_group, shared = team.group(ONE), team.group(STORAGE), team.group("group.shared")
    groups = {"keychain-access-groups": [storage_group]}
    shares = {"com.apple.security.application-groups": [shared]}
    bare = team.program(ONE, {})
    equal(bare("add", "first"), ["status 0", f"{own} -"])
    grouped = team.program(ONE, groups)
    equal(grouped("find", "first"), ["status 0", f"{own} secret of first"])
    equal(grouped("add", "second"), ["status 0", f"{storage_group} -"])
    sharing = team.program(ONE, shares)
    equal(sharing("find", "first"), ["status 0", f"{own} secret of first"])
    equal(sharing("add", "third"), ["status 0", f"{own} -"])
    equal(sharing("add", "fourth", shared), ["status 0", f"{shared} -"])
    everything = team.program(ONE, dict(groups, **shares))
    for name, group in ("first", own), ("second", storage_group), ("third", own), ("fourth", shared):
        equal(everything("find", name), ["status 0", f"{group} secret of {name}"])
    other = team.program(TWO, shares)
    equal(other.status("find", "third"), NOT_FOUND)
    equal(other("find", "fourth"), ["status 0", f"{shared} secret of fourth"])


@own_services
def test_where_entitlements_are_demanded_programs_without_any_are_refused_and_those_with_some_go_on(it):
    it.start()
    team = Team(it)
    plain = Program(it, it.programs.example("SharedGroup"))
    # Its application identifier is an entitlement.
    bare = team.program(TWO, {})
    one = team.program(ONE, storage(team, ONE))
    strictly = {"CHATELAINE_REQUIRE_ENTITLEMENTS": "1"}
    equal(plain.status("add", "item"), 0)
    for verb in "add", "find", "delete":
        equal(plain.status(verb, "item", **strictly), MISSING_ENTITLEMENT)
    for program in one, bare:
        equal(program.status("add", "other", **strictly), 0)
    equal(plain.status("find", "item"), 0)

    it.run("chatelaine", "settings", "set", "require-entitlements", "on", check=0)
    for verb in "add", "find", "delete":
        equal(plain.status(verb, "item"), MISSING_ENTITLEMENT)
    for program in one, bare:
        equal(program.status("find", "other"), 0)
    # The command itself continues to work, because it is needed to switch the setting off again.
    it.set("own", "secret")
    it.stop()
    it.start()
    equal(plain.status("find", "item"), MISSING_ENTITLEMENT)
    it.run("chatelaine", "settings", "set", "require-entitlements", "off", check=0)
    equal(plain.status("find", "item"), 0)


def test_in_strict_mode_no_program_of_a_users_own_service_uses_items_without_an_approval(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    it.run("chatelaine", "settings", "set", "require-enforced-callers", "on", check=0)
    for action in ("find", "delete", "add"):
        equal(one.status(action, "item"), -25308)
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "own", "acct": "a"}, b"secret").status, -25308)
    contains(it.run("chatelaine", "list", check=4).err, "strict mode")
    # Without a passcode this takes an approval, which nothing can show here.
    it.run("chatelaine", "settings", "set", "require-enforced-callers", "off", check=4, start_new_session=True)
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    given(it, "settings", "set", "require-enforced-callers", "off", passcode_fd="hunter2", check=0)
    equal(one.status("find", "item"), 0)


def test_each_line_of_the_audit_log_says_which_teams_program_it_was(it):
    it.start()
    team = Team(it)
    one = team.program(ONE, storage(team, ONE))
    equal(one.status("add", "item"), 0)
    lines = [line for line in map(json.loads, read_text(os.path.join(it.data, "audit.log")).splitlines())
             if line.get("identifier") == ONE]
    equal({(line["tier"], line["team"]) for line in lines}, {("signed", team.identifier)})
    equal(lines[0]["groups"], [team.group(STORAGE)])
