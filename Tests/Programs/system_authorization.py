# SPDX-License-Identifier: Apache-2.0
"""What loosens a keychain without a passcode in the system service takes its owner's authorization: with the real programs, the real
system bus, the real polkit, its agent for terminals and its check of passwords."""

import json
import os
import signal
import subprocess

import pytest

from support.instance import read_text, wait_until
from support.polkit import ACTION, LIAR, PASSWORDS, Machine, ann, audit, bob
from support.sentences import contains, equal, lacks
from support.system import service_user
from support.terminal import Terminal

SECRET = "correct horse"
PASSCODE = "hünter2"
PASSPHRASE = "open sesame"
TEAM = "CRTKWQ4OHDTDKNPHKXQBSM6VYA"
SETTING = "require-enforced-callers"
FIELD = "Password: "
REFUSED = 4
BACKUP = "backup"


def setting(it, name=SETTING):
    return it.run("chatelaine", "settings", "get", name, check=0).out.strip()


def teams(it):
    return TEAM in it.run("chatelaine", "teams", "list", check=0).out


def has_passcode(it):
    return "No passcode is set" not in it.run("chatelaine", "passcode", "status", check=0).out


def backup_path(it):
    return os.path.join(it.scratch, BACKUP)


def restored(it):
    return it.run("chatelaine", "get", "old", check=None).returncode == 0


# What a malicious program of the user runs: the command, what it gets by that, and what the owner would be asked.
ATTACKS = {
    "settings": (lambda it: ["settings", "set", SETTING, "on"], b"", lambda it: setting(it) == "on",
                 "change settings of your keychain (require-enforced-callers on)"),
    "team": (lambda it: ["teams", "trust", TEAM], b"", teams, "trust a team of programs with your keychain"),
    "contents": (lambda it: ["status", "--accept-contents"], b"",
                 lambda it: audit(it, "accept-contents")["outcome"] == "granted", "accept changed contents of your keychain"),
    "restore": (lambda it: ["restore", backup_path(it), "--passphrase-fd", "0"], PASSPHRASE.encode(), restored,
                "restore a backup into your keychain"),
    "passcode": (lambda it: ["passcode", "set", "--passcode-fd", "0"], PASSCODE.encode(), has_passcode,
                 "set the first passcode of your keychain"),
}


def prepare(it):
    """Makes a backup with an item that is deleted then. Making one takes no authorization."""
    it.set("old", SECRET)
    # The user may write in the scratch folder.
    os.chmod(it.scratch, 0o777)
    it.run("chatelaine", "backup", backup_path(it), "--passphrase-fd", "0", input=PASSPHRASE, check=0)
    it.run("chatelaine", "remove", "old", check=0)


def attack(it, name):
    words, given, _, _ = ATTACKS[name]
    return it.run("chatelaine", *words(it), input=given)


def terminal(it, *words, **more):
    return Terminal(it, "chatelaine", *words, **more)


def loosen(it, value="on"):
    """Begins to change a setting, on a terminal."""
    return terminal(it, "settings", "set", SETTING, value)


def authenticate(screen, name="ann"):
    """Types the password of a user when polkit's agent asks. What is typed before the echo is off is lost."""
    screen.expect(FIELD)
    screen.expect_silence()
    screen.type(PASSWORDS[name] + "\n")


@pytest.mark.parametrize("name", ATTACKS)
def test_a_program_of_the_user_loosens_nothing_by_running_the_command_where_polkit_is(it, name):
    with Machine(it) as machine:
        her = machine.user()
        prepare(her)
        done = attack(her, name)
        equal(done.returncode, REFUSED)
        contains(done.err, "authorization by polkit", "no authentication agent")
        equal(audit(her, {"settings": "change-settings", "team": "trust-team", "contents": "accept-contents",
                          "restore": "restore-begin", "passcode": "set-passcode"}[name])["reason"], "authorizationNeeded")
        equal(ATTACKS[name][2](her), False)


@pytest.mark.parametrize("name", ATTACKS)
def test_without_polkit_the_same_program_loosens_all_of_it(it, name):
    with Machine(it, has_polkit=False) as machine:
        her = machine.user()
        prepare(her)
        equal(attack(her, name).returncode, 0)
        equal(ATTACKS[name][2](her), True)


@pytest.mark.parametrize("name", ATTACKS)
def test_the_owners_password_authorizes_it(it, name):
    with Machine(it) as machine:
        her = machine.user()
        prepare(her)
        words, given, has_happened, question = ATTACKS[name]
        # What comes on standard input is a file here, so that the terminal is for the password alone.
        path = os.path.join(her.scratch, "given")
        with open(path, "wb") as file:
            file.write(given)
        command = " ".join(f"'{word}'" for word in [her.program("chatelaine"), *words(her)])
        with Terminal(her, "/bin/sh", "-c", f"exec {command} <'{path}'") as screen:
            screen.expect(f"Authentication is required to {question}")
            authenticate(screen)
            equal(screen.end(), 0)
            contains(screen.shown, "AUTHENTICATION COMPLETE")
            assert screen.echoes()
        equal(has_happened(her), True)
        if name == "settings":
            equal(audit(her, "change-settings")["granted-by"], "authorization")
        equal(machine.helpers(), [])


def test_each_change_is_authorized_anew_and_what_loosens_nothing_never(it):
    with Machine(it) as machine:
        her = machine.user()
        for value in ("on", "off"):
            with loosen(her, value) as screen:
                screen.expect(FIELD)
                authenticate(screen)
                equal(screen.end(), 0)
            equal(setting(her), value)
        for words in (["settings"], ["teams", "list"], ["status"], ["grants", "list"]):
            her.run("chatelaine", *words, check=0)


def test_a_wrong_password_and_giving_up_are_refusals(it):
    with Machine(it) as machine:
        her = machine.user()
        with loosen(her) as screen:
            authenticate(screen, "bob")
            equal(screen.end(), REFUSED)
            contains(screen.shown, "AUTHENTICATION FAILED", "polkit denied the authorization")
        equal(audit(her, "change-settings")["reason"], "authorizationDenied")
        # Under a shell, which keeps the terminal when the command ends.
        with Terminal(her, "/bin/sh", "-c", f"{her.program('chatelaine')} settings set {SETTING} on; exec cat") as screen:
            screen.expect(FIELD)
            screen.expect_silence()
            [command] = read_text(f"/proc/{screen.program.pid}/task/{screen.program.pid}/children").split()
            os.kill(int(command), signal.SIGTERM)
            wait_until(screen.echoes, what="the terminal's settings")
        wait_until(lambda: not machine.helpers(), what="the end of the helper")
        equal(setting(her), "off")


def test_another_users_password_and_roots_rule_are_for_those_users_alone(it):
    with Machine(it) as machine:
        her, him = machine.user(), machine.user(bob)
        machine.rule(f"""polkit.addRule(function (action, subject) {{
            if (action.id == "{ACTION}" && subject.user == "bob") return polkit.Result.YES;
        }});""")
        machine.start_polkit()
        him.run("chatelaine", "settings", "set", SETTING, "on", check=0)
        equal(audit(him, "change-settings")["granted-by"], "authorization")
        equal(attack(her, "settings").returncode, REFUSED)
        equal([setting(him), setting(her)], ["on", "off"])


def test_an_agent_of_the_users_own_that_lies_is_not_believed(it):
    with Machine(it) as machine:
        her = machine.user()
        machine.start_polkit()
        # The command stops before it sends anything, so that the liar can register for it.
        command = her.popen(
            "sh", "-c", f"kill -STOP $$; exec {her.program('chatelaine')} settings set {SETTING} on",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        liar = None
        try:
            wait_until(lambda: read_text(f"/proc/{command.pid}/stat").rpartition(")")[2].split()[0] == "T", what="the stop")
            liar = her.popen(
                "/usr/bin/python3", "-c", LIAR, str(command.pid), str(ann), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            equal(liar.stdout.readline(), "ready\n")
            command.send_signal(signal.SIGCONT)
            equal([liar.stdout.readline(), liar.stdout.readline()], ["asked\n", "refused\n"])
            _, said = command.communicate(timeout=60)
            equal(command.returncode, REFUSED)
            contains(said.decode(), "polkit denied the authorization")
        finally:
            for process in filter(None, (command, liar)):
                process.kill()
                process.communicate()
        equal(setting(her), "off")


def test_another_program_than_the_command_is_refused_before_any_prompt(it):
    with Machine(it) as machine:
        her = machine.user()
        copy = it.programs.copy(it.program("chatelaine"), os.path.join(her.scratch, "copy"))
        with Terminal(her, copy, "settings", "set", SETTING, "on") as screen:
            assert screen.end() != 0
            lacks(screen.shown, FIELD, "AUTHENTICATING")
            contains(screen.shown, "only the administration tool that was installed with the keychain service")
        equal((setting(her), machine.polkits()), ("off", []))


def test_no_user_takes_polkits_name_on_the_bus(it):
    """No user takes polkit's name on the bus, also while polkit does not run, and the service asks the real one then."""
    code = """
import dbus
try:
    print(dbus.SystemBus().request_name("org.freedesktop.PolicyKit1", 4))
except dbus.DBusException as error:
    print(error.get_dbus_name())
"""
    with Machine(it) as machine:
        her = machine.user()
        for begin in (lambda: None, machine.start_polkit):
            begin()
            contains(her.run("/usr/bin/python3", "-c", code, check=0).out, "AccessDenied")
            equal(attack(her, "settings").returncode, REFUSED)
            equal(setting(her), "off")


def test_a_polkit_that_hangs_or_cannot_start_is_not_absent(it):
    with Machine(it) as machine:
        her = machine.user()
        os.kill(machine.start_polkit(), signal.SIGSTOP)
        done = attack(her, "settings")
        equal(done.returncode, REFUSED)
        contains(done.err, "this requires your authorization by polkit, but polkit does not answer")
        contains(her.run("chatelaine", "status", check=0).out, "owner's authorization (polkit): no answer")
        machine.end_polkit()
        # The bus can start no program now.
        subprocess.run(machine.words(["mount", "--bind", "/bin/false", "/usr/lib/polkit-1/polkitd"]), check=True)
        equal(attack(her, "settings").returncode, REFUSED)
        equal(setting(her), "off")
        # The bus is gone, and its socket is not.
        machine.stop_bus()
        equal(attack(her, "passcode").returncode, REFUSED)
        equal(has_passcode(her), False)


@pytest.mark.long
def test_polkit_that_hangs_while_the_owner_is_asked_ends_in_a_refusal(it):
    with Machine(it) as machine:
        her = machine.user()
        with loosen(her) as screen:
            screen.expect(FIELD)
            [number] = machine.polkits()
            os.kill(number, signal.SIGSTOP)
            authenticate(screen)
            # The owner's two minutes, and a little more.
            equal(screen.end(seconds=240), REFUSED)
        equal((setting(her), machine.helpers()), ("off", []))


def test_without_polkit_the_service_says_so(it):
    with Machine(it, has_polkit=False) as machine:
        her = machine.user()
        contains(her.run("chatelaine", "status", check=0).out, "owner's authorization (polkit): none")
        contains(her.run("chatelaine", "doctor").out, "polkit is not installed")
        her.run("chatelaine", "settings", "set", SETTING, "on", check=0)
        equal(audit(her, "change-settings")["granted-by"], "no-authority")


def test_root_can_require_an_authorization_where_polkit_is_not_installed(it):
    with Machine(it, has_polkit=False, policy="require-authorization = on\n") as machine:
        her, root = machine.user(), machine.user(0)
        equal(attack(her, "settings").returncode, REFUSED)
        equal(attack(her, "passcode").returncode, REFUSED)
        contains(her.run("chatelaine", "status", check=0).out, "required by the machine's policy")
        root.run("chatelaine", "settings", "set", SETTING, "on", check=0)
        equal([setting(her), setting(root)], ["off", "on"])


def test_root_is_not_asked(it):
    with Machine(it) as machine:
        root = machine.user(0)
        root.run("chatelaine", "settings", "set", SETTING, "on", check=0)
        assert "granted-by" not in audit(root, "change-settings")
        equal(machine.polkits(), [])


def test_with_a_passcode_polkit_is_not_asked(it):
    with Machine(it) as machine:
        her = machine.user()
        path = os.path.join(her.scratch, "passcode")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PASSCODE)
        with Terminal(her, "/bin/sh", "-c", f"exec {her.program('chatelaine')} passcode set --passcode-fd 0 <'{path}'") as screen:
            authenticate(screen)
            equal(screen.end(), 0)
        machine.end_polkit()
        her.run("chatelaine", "settings", "set", SETTING, "on", "--passcode-fd", "0", input=PASSCODE, check=0)
        equal((setting(her), machine.polkits()), ("on", []))


def test_others_are_served_while_the_owner_is_asked_and_one_question_is_asked_at_a_time(it):
    with Machine(it) as machine:
        her, him = machine.user(), machine.user(bob)
        with loosen(her) as first:
            first.expect(FIELD)
            her.set("mail", SECRET)
            equal(her.get("mail"), SECRET.encode())
            him.set("mail", SECRET)
            with terminal(her, "settings", "set", "lock-on-sleep", "off") as second:
                wait_until(lambda: questions(her) == 2, what="the second question")
                lacks(second.shown, FIELD)
                equal(len(machine.helpers()), 1)
                authenticate(first)
                equal(first.end(), 0)
                second.expect(FIELD)
                authenticate(second)
                equal(second.end(), 0)
        equal((setting(her), setting(her, "lock-on-sleep")), ("on", "off"))


def questions(it):
    figures = json.loads(it.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"]
    return [queue["now"] for queue in figures["queues"] if queue["kind"] == "questions"][0]


def test_a_caller_that_dies_while_the_owner_is_asked_takes_the_question_with_it(it):
    with Machine(it) as machine:
        her = machine.user()
        with loosen(her) as screen:
            screen.expect(FIELD)
            equal(len(machine.helpers()), 1)
            screen.signal("SIGKILL")
            screen.program.wait(timeout=60)
            wait_until(lambda: not machine.helpers(), what="the end of the helper")
        equal((setting(her), questions(her)), ("off", 0))
        with loosen(her) as screen:
            authenticate(screen)
            equal(screen.end(), 0)


def test_a_caller_that_becomes_another_program_while_the_owner_is_asked_is_not_authorized(it):
    """A caller that becomes another program while the owner is asked keeps its number and its connection, and is not authorized."""
    source = os.path.join(it.scratch, "become.c")
    library = os.path.join(it.scratch, "become.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("""
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
static void become(int number) {
    for (int descriptor = 3; descriptor < 64; descriptor++) fcntl(descriptor, F_SETFD, 0);
    execl("/bin/sleep", "sleep", "600", (char *)0);
    _exit(1);
}
__attribute__((constructor)) static void install(void) { signal(SIGUSR1, become); }
""")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    with Machine(it) as machine:
        her = machine.user()
        with loosen_with(her, library) as screen:
            screen.expect(FIELD)
            screen.signal("SIGUSR1")
            wait_until(lambda: os.readlink(f"/proc/{screen.program.pid}/exe").endswith("/sleep"), what="the other program")
            authenticate(screen)
            screen.expect("AUTHENTICATION COMPLETE")
            wait_until(lambda: not machine.helpers(), what="the end of the helper")
            # The refusal is written before the next question is asked.
            wait_until(lambda: questions(her) == 0, what="the end of the question")
            equal(audit(her, "change-settings")["reason"], "unidentifiedCaller")
        equal(setting(her), "off")


def loosen_with(it, library):
    return Terminal(it, "env", f"LD_PRELOAD={library}", it.program("chatelaine"), "settings", "set", SETTING, "on")


def test_the_helper_runs_as_the_services_user_without_its_capabilities_groups_and_environment(it):
    """The helper runs as the service's user, without its capabilities, groups and environment, and users cannot reach it."""
    with Machine(it) as machine:
        her = machine.user()
        with loosen(her) as screen:
            screen.expect(FIELD)
            [number] = machine.helpers()
            lines = dict(line.split(":", 1) for line in read_text(f"/proc/{number}/status").splitlines())
            for name, expected in [
                ("CapPrm", "0" * 16), ("CapEff", "0" * 16), ("CapInh", "0" * 16), ("CapAmb", "0" * 16), ("NoNewPrivs", "1"),
                ("Seccomp", "2"), ("Groups", ""),
            ]:
                equal((name, lines[name].strip()), (name, expected))
            equal(lines["Uid"].split(), [str(service_user)] * 4)
            equal(read_text(f"/proc/{number}/environ"), "")
            for words in [["kill", "-9", str(number)], ["cat", f"/proc/{number}/maps"], ["ls", f"/proc/{number}/fd"]]:
                assert her.run(*words).returncode != 0, " ".join(words)
            authenticate(screen)
            equal(screen.end(), 0)
