# SPDX-License-Identifier: Apache-2.0
"""Fingers in a system service: the real programs, fprintd with the reader that libfprint has for tests, and the real polkit with
the rule that comes with the service."""

import contextlib
import json
import os
import re
import shutil
import subprocess

import pytest

from support.agents import system as system_with_agents
from support.fingers import Fingers, is_installed
from support.forged_bus import Stranger, forge_matches
from support.instance import read_text, root_of_repository, wait_until
from support.sentences import contains, equal, lacks
from support.system import Accounts, allowed_calls, ann, bob, needs_root, service_user
from support.terminal import Terminal

HELPER = "chatelaine-fingerprint"
TOKEN = "chatelaine-token-software"
RULE = "chatelaine.rules"
PASSCODE = "hünter2"
FINGER = "Put a finger on the reader"
FIELD = "Passcode of the keychain: "
QUESTION = "[d]eny, [a]llow once? "
SECRETS = {"ann": "correct horse", "bob": "battery staple"}
ACTION = "org.chatelaine.policy"
OWNERS = """polkit.addRule(function (action, subject) {
    if (action.id === "org.chatelaine.administer-own-keychain") return polkit.Result.YES;
});
"""
INDEX, THUMB = "right-index-finger", "left-thumb"
USERS = {"ann": ann, "bob": bob}


class Person:
    """A user with a passcode, a password of their own and an agent."""

    def __init__(self, world, it, name):
        self.world, self.it, self.secret = world, it, SECRETS[name]
        # Without a passcode it takes the owner's authorization, which a rule gives here.
        with open(os.path.join(world.rules, "owners.rules"), "w", encoding="utf-8") as file:
            file.write(OWNERS)
        words = ["chatelaine", "settings", "set", "passcode-time", "50ms"]
        wait_until(lambda: it.run(*words).returncode == 0, what="polkit's look at the rule")
        self.with_passcode("passcode", "set")
        it.set("bank", self.secret)
        self.agent = world.agent(it).wait_until_accepted()

    def with_passcode(self, *words):
        self.it.run("chatelaine", *words, "--passcode-fd", "0", input=PASSCODE, check=0)

    def protect(self, *flags):
        self.it.run("chatelaine", "protect", "bank", *flags, check=0)

    def status(self):
        return json.loads(self.it.run("chatelaine", "auth", "status", "--json", check=0).out)

    def biometry(self):
        return self.status()["biometry"]

    def is_locked(self):
        return self.it.run("chatelaine", "get", "bank").returncode != 0

    def get(self):
        """Begins to read the password."""
        return Terminal(self.it, "chatelaine", "get", "bank")

    def opens(self, finger):
        with self.get() as terminal:
            terminal.expect(FINGER)
            self.world.reader.show(finger)
            equal(terminal.end(), 0)
            contains(terminal.shown, self.secret)

    def fails(self, *fingers):
        """Reads the password with these fingers, in vain."""
        with self.get() as terminal:
            terminal.expect(FINGER)
            for finger in fingers:
                self.world.show(finger)
            assert terminal.end() != 0
            lacks(terminal.shown, self.secret)


class World:
    def __init__(self, it, service, agent, reader, accounts, rules):
        self.it, self.service, self.agent, self.reader, self.rules = it, service, agent, reader, rules
        self.accounts = accounts
        service.environment["DBUS_SYSTEM_BUS_ADDRESS"] = reader.address

    def start(self):
        self.service.start(wrapped=self.accounts.words)

    def looks(self):
        """The numbers of the helpers that run."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read().split(b"\0")[0].decode() == os.path.join(self.it.programs.folder, HELPER):
                    found.append(name)
        return found

    def show(self, finger):
        """Shows a finger, and waits for the end of the look that saw it."""
        wait_until(self.reader.is_claimed, what="the look")
        looks = self.looks()
        self.reader.show(finger)
        wait_until(lambda: not set(looks) & set(self.looks()), what="the end of the look")


def forget_others(accounts, names):
    """Leaves the users without a name that are to have none, also where the machine has accounts with their numbers."""
    unknown = {str(number) for name, number in USERS.items() if name not in names}
    lines = [line for line in read_text(accounts.path).splitlines() if line.split(":")[2] not in unknown]
    with open(accounts.path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


@contextlib.contextmanager
def system(it, *fingers, names=("ann", "bob"), start=True):
    """A system service, and a fprintd that knows these fingers: the owner, and fprintd's and the reader's name of each."""
    needs_root()
    if not is_installed():
        pytest.skip("fprintd or polkit is not installed (Tools/setup test)")
    accounts = Accounts(it, chatelaine=service_user, **{name: number for name, number in USERS.items() if name in names})
    forget_others(accounts, names)
    rules = os.path.join(it.scratch, "rules")
    os.mkdir(rules)
    os.chmod(rules, 0o755)
    shutil.copy(os.path.join(root_of_repository, "Packaging/polkit", RULE), rules)
    actions = os.path.join(it.scratch, "actions")
    shutil.copytree("/usr/share/polkit-1/actions", actions)
    shutil.copy(os.path.join(root_of_repository, "Packaging/polkit", ACTION), actions)
    with Fingers(it, accounts.words, rules, actions) as reader, \
            system_with_agents(it, helpers=[HELPER, TOKEN], start=False) as (service, first, second, agent):
        for user, name, finger in fingers:
            reader.enrol(name, finger, user)
        world = World(it, service, agent, reader, accounts, rules)
        if start:
            world.start()
        yield world, first, second


@contextlib.contextmanager
def people(it, *fingers, names=("ann", "bob")):
    """The same, with both users."""
    with system(it, *fingers, names=names) as (world, first, second):
        yield world, Person(world, first, "ann"), Person(world, second, "bob")


BOTH = [("ann", INDEX, "finger-a"), ("bob", INDEX, "finger-b")]


def test_a_users_own_finger_opens_what_asks_for_its_owner_another_users_and_nobodys_do_not(it):
    """A user's own finger reads items that require owner authentication; other fingers do not, and the passcode is requested."""
    with people(it, *BOTH) as (world, her, him):
        for person, own, other in [(her, "finger-a", "finger-b"), (him, "finger-b", "finger-a")]:
            equal(person.biometry(), "enrolled")
            person.protect("--user-presence")
            person.opens(own)
            with person.get() as terminal:
                terminal.expect(FINGER)
                for finger in [other, "finger-x", other]:
                    world.show(finger)
                terminal.expect(FIELD)
                lacks(terminal.shown, person.secret)
                terminal.type(PASSCODE + "\n")
                equal(terminal.end(), 0)
            assert not world.reader.is_claimed(), "the reader is given back"


def test_before_a_users_passcode_was_given_to_the_service_no_finger_of_that_user_counts(it):
    """Before a user's passcode was given to the service no finger of that user counts, whatever others did."""
    with people(it, *BOTH) as (world, her, him):
        her.protect("--biometry")
        equal(world.service.stop(), 0)
        world.start()
        for person in (her, him):
            equal(person.biometry(), "locked-out")
        him.with_passcode("unlock")
        equal([him.biometry(), her.biometry()], ["enrolled", "locked-out"])
        with her.get() as terminal:
            assert terminal.end() != 0
            lacks(terminal.shown, FINGER, her.secret)
        her.with_passcode("unlock")
        wait_until(lambda: her.agent.text.count("showing prompts of") == 2, what="the agent's new place")
        her.opens("finger-a")


def test_a_users_own_finger_unlocks_that_users_keychain_where_the_user_wants_that_and_nobody_elses(it):
    with people(it, *BOTH) as (world, her, him):
        for person in (her, him):
            person.with_passcode("settings", "set", "unlock-by-finger", "on")
            equal(person.status()["unlockByFinger"], "ready")
            person.it.run("chatelaine", "lock", check=0)
        with Terminal(her.it, "chatelaine", "unlock") as terminal:
            terminal.expect("unlock the keychain")
            terminal.expect(FINGER)
            for finger in ["finger-b", "finger-a"]:
                world.show(finger)
            terminal.expect("Unlocked.")
            equal(terminal.end(), 0)
        equal([her.is_locked(), him.is_locked()], [False, True])


def test_five_wrong_fingers_lock_out_the_user_for_whom_they_were_shown_and_nobody_else(it):
    with people(it, *BOTH) as (world, her, him):
        for person in (her, him):
            person.protect("--biometry")
        her.fails("finger-b", "finger-x", "finger-b")
        her.fails("finger-b", "finger-x")
        equal([her.biometry(), him.biometry()], ["locked-out", "enrolled"])
        him.opens("finger-b")
        her.with_passcode("passcode", "verify")
        her.opens("finger-a")


def test_what_is_bound_to_a_users_fingers_is_lost_with_another_finger_of_that_user(it):
    """Items bound to a user's fingers are lost with another finger of that user, and not with a finger of another user."""
    with people(it, *BOTH) as (world, her, him):
        for person in (her, him):
            person.protect("--current-biometry")
        him.opens("finger-b")
        world.reader.enrol(THUMB, "finger-c", "bob")
        her.opens("finger-a")
        him.fails("finger-c")
        world.reader.enrol(THUMB, "finger-d", "ann")
        her.fails("finger-d")
        # They are known all the same.
        equal([her.biometry(), him.biometry()], ["enrolled", "enrolled"])


def test_the_reader_is_looked_at_only_while_the_agent_shows_the_prompt_for_it(it):
    with people(it, *BOTH) as (world, her, _):
        her.protect("--biometry")
        her.it.set("note", "of another program")
        her.it.run("chatelaine", "protect", "note", "--passcode", check=0)
        with Terminal(her.it, "chatelaine", "get", "note") as other:
            other.expect(FIELD)
            with her.get() as terminal:
                def waiting():
                    figures = json.loads(her.it.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"]
                    return [queue["now"] for queue in figures["queues"] if queue["kind"] == "questions"]

                wait_until(lambda: waiting() == [2], what="the question that waits")
                equal((world.looks(), world.reader.is_claimed(), terminal.shows(FINGER)), ([], False, False))
                other.type(PASSCODE + "\n")
                equal(other.end(), 0)
                terminal.expect(FINGER)
                wait_until(world.reader.is_claimed, what="the look")
                # The prompt goes, and the look with it.
                her.agent.end()
                assert terminal.end() != 0
                lacks(terminal.shown, her.secret)
        wait_until(lambda: not world.looks() and not world.reader.is_claimed(), what="the reader's release")
        # No request waits any more, so the reader is released.
        with her.get() as terminal:
            assert terminal.end() != 0
        her.agent = world.agent(her.it).wait_until_accepted()
        with her.get() as terminal:
            terminal.expect(FINGER)
            wait_until(world.reader.is_claimed, what="the look")
            terminal.signal("SIGKILL")
            terminal.program.wait()
        wait_until(lambda: not world.looks() and not world.reader.is_claimed(), what="the reader's release")
        her.opens("finger-a")


def test_a_user_without_a_name_has_no_finger_and_others_have_theirs(it):
    with people(it, *BOTH, names=["ann"]) as (_, her, him):
        equal([her.biometry(), him.biometry()], ["enrolled", "not-available"])
        her.protect("--user-presence")
        her.opens("finger-a")


def test_the_installed_rule_permits_the_services_user_to_use_the_reader_for_others_nothing_else(it):
    """The installed rule permits the service's user to use the reader for others, no other action, and no other user."""
    with system(it, start=False) as (world, _first, _second):
        code = """
import dbus, sys
bus = dbus.bus.BusConnection(sys.argv[1])
print(bus.get_unique_name(), flush=True)
sys.stdin.read()
"""

        def permitted(user):
            words = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "/usr/bin/python3", "-c", code]
            with subprocess.Popen(
                    [*words, world.reader.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as visitor:
                name = visitor.stdout.readline().strip()
                found = {action for action in actions if world.reader.may(name, action)}
                visitor.stdin.close()
            return found

        actions = world.reader.actions()
        two = {f"net.reactivated.fprint.device.{name}" for name in ("verify", "setusername")}
        assert two | {"net.reactivated.fprint.device.enroll"} <= actions
        anybody = permitted(ann)
        equal(permitted(service_user) - anybody, two)
        equal(two & anybody, set())
        os.unlink(os.path.join(world.rules, RULE))
        wait_until(lambda: permitted(service_user) == anybody, what="what polkit permits without the rule")
        equal(permitted(ann), anybody)


def test_where_polkit_does_not_permit_it_there_is_no_reader_and_nothing_is_lost(it):
    with people(it, *BOTH) as (world, her, _):
        her.protect("--current-biometry")
        rule = os.path.join(world.rules, RULE)
        os.rename(rule, rule + ".away")
        wait_until(lambda: her.biometry() == "not-available", what="polkit's refusal")
        with her.get() as terminal:
            assert terminal.end() != 0
            lacks(terminal.shown, FINGER, her.secret)
        os.rename(rule + ".away", rule)
        wait_until(lambda: her.biometry() == "enrolled", what="polkit's permission")
        her.opens("finger-a")


def test_the_helper_runs_as_the_services_user_without_its_capabilities_groups_and_environment(it):
    """The helper runs as the service's user, without its capabilities, groups and environment, and users cannot reach it."""
    with people(it, *BOTH) as (world, her, _):
        her.protect("--biometry")
        with her.get() as terminal:
            terminal.expect(FINGER)
            wait_until(world.reader.is_claimed, what="the look")
            [number] = world.looks()
            lines = dict(line.split(":", 1) for line in read_text(f"/proc/{number}/status").splitlines())
            for name, expected in [
                ("CapPrm", "0" * 16), ("CapEff", "0" * 16), ("CapInh", "0" * 16), ("CapAmb", "0" * 16), ("NoNewPrivs", "1"),
                ("Seccomp", "2"), ("Groups", ""),
            ]:
                equal((name, lines[name].strip()), (name, expected))
            equal(lines["Uid"].split(), [str(service_user)] * 4)
            equal(read_text(f"/proc/{number}/environ"), f"DBUS_SYSTEM_BUS_ADDRESS={world.reader.address}\0")
            for words in [["kill", "-9", number], ["cat", f"/proc/{number}/maps"], ["ls", f"/proc/{number}/fd"]]:
                assert her.it.run(*words).returncode != 0, " ".join(words)
            world.reader.show("finger-a")
            equal(terminal.end(), 0)


def test_every_system_call_of_the_helper_too_is_one_that_the_unit_allows(it):
    """Every system call of the helper, too, is allowed by the unit, and it gives up its access to files and programs."""
    with system(it, *BOTH, start=False) as (world, first, _):
        world.service.start_traced(wrapped=world.accounts.words)
        her = Person(world, first, "ann")
        her.protect("--biometry")
        her.opens("finger-a")
        lines = world.service.stop_traced().splitlines()
        calls = [line.partition(" ")[2].strip() for line in lines]
        # Of all threads of both programs.
        equal(sorted({call.partition("(")[0] for call in calls if call[0].isalpha()} - allowed_calls()), [])
        helpers = {line.split()[0] for line in lines if f'/{HELPER}"' in line and " execve(" in line}
        assert helpers
        for number in helpers:
            own = [line.partition(" ")[2].strip() for line in lines if line.split()[0] == number]
            own = own[next(place for place, call in enumerate(own) if call.startswith("execve(")):]
            for name in ["landlock_restrict_self", "seccomp"]:
                # In two lines where another process's call came in between.
                place = next(
                    (place for place, call in enumerate(own) if re.match(rf"({name}\(|<\.\.\. {name} resumed>).* = 0$", call)), None)
                assert place is not None, name
            # What it was told on the bus comes later.
            rest = own[place:]
            assert any(call.startswith("connect(") for call in rest)
            equal([call for call in rest if call.startswith(("open", "execve"))], [])


def test_a_match_that_another_user_sends_to_the_helper_of_the_system_service_opens_nothing(it):
    with people(it, *BOTH) as (world, her, _him), Stranger(world.reader.address) as stranger:
        her.protect("--biometry")
        device = str(world.reader.device.object_path)
        with her.get() as terminal:
            terminal.expect(FINGER)
            wait_until(world.reader.is_looking, what="the look")
            [look] = world.looks()
            forge_matches(stranger, look, device)
            # By a program of the other user as well, to which the same bus listens.
            send = (
                "import sys; from support.forged_bus import *; stranger = Stranger(sys.argv[1])\n"
                "stranger.signal(sys.argv[2], sys.argv[3], DEVICE, 'VerifyStatus', '(sb)', 'verify-match', True); stranger.arrive()\n"
                "print('sent')")
            [name] = stranger.names_of(look)
            done = subprocess.run(
                ["setpriv", f"--reuid={bob}", f"--regid={bob}", "--clear-groups", "/usr/bin/python3", "-c", send, world.reader.address,
                 name, device], capture_output=True, text=True, check=True,
                env={"PYTHONPATH": it.programs.modules, "PYTHONDONTWRITEBYTECODE": "1"})
            equal(done.stdout, "sent\n")
            # The next finger would not be looked at if one had been found right.
            world.show("finger-b")
            wait_until(world.reader.is_claimed, what="the next look")
            lacks(terminal.shown, her.secret)
            world.reader.show("finger-a")
            equal(terminal.end(), 0)
            contains(terminal.shown, her.secret)
