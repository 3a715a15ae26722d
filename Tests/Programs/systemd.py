# SPDX-License-Identifier: Apache-2.0
"""The units as `make install` and `make install-system` put them in place, under systemd, logind and the managers of
users, on a machine of their own: typed is what the installers and the manual say."""

import contextlib
import json
import os
import re
import shutil
import subprocess

import pytest

from support.instance import examples_folder, read_text, root_of_repository, wait_until
from support.machine import Machine
from support.sentences import cases, contains, equal, lacks

SECRET = "b4tt3ry-st4ple"
PASSCODE = "hünter2-correct"
SOCKET, SERVICE = "chatelaine.socket", "chatelaine.service"
STATE, RUNTIME = "/var/lib/chatelaine", "/run/chatelaine"
AGENT, FPRINTD = "chatelaine-agent.service", "/usr/libexec/fprintd"
POLKITD = "/usr/lib/polkit-1/polkitd"
AUTHORIZED = """polkit.addRule(function (action, subject) {{
    if (action.id === "org.chatelaine.administer-own-keychain" && subject.user === "{}") return polkit.Result.YES;
}});
"""
targets = {"own": "install PREFIX=/usr/local", "system": "install-system"}

# One for each way to install, started for the first sentence that needs it.
machines = {}


def machine(target):
    """The machine where that was installed, and what the installer said."""
    if target not in machines:
        try:
            here = Machine()
            machines[target] = here, here.make(targets[target])
        except (Exception, pytest.skip.Exception) as error:
            # Not tried again by every test.
            machines[target] = error
    if isinstance(machines[target], BaseException):
        raise machines[target]
    return machines[target]


def end_machines():
    while machines:
        _, kept = machines.popitem()
        if not isinstance(kept, BaseException):
            kept[0].remove()


# No test here takes `it`: at its end, everything that this process started is killed.
@pytest.fixture(scope="module", autouse=True)
def ended_machines():
    """Ends the machines, whichever tests ran."""
    yield
    end_machines()


def typed(text, *words):
    """The one command line in a text that has these words."""
    [line] = {line.strip() for line in text.splitlines() if all(word in line for word in words)}
    return line


def manual(name):
    return read_text(os.path.join(root_of_repository, "Documentation", name))


@contextlib.contextmanager
def own_service():
    """A person who has had systemd listen for the keychain, as the installer says."""
    here, said = machine("own")
    with here.person() as person:
        person.shell(typed(said, "systemctl --user", "enable --now chatelaine.socket"))
        yield here, person


@contextlib.contextmanager
def service_of_system():
    here, _ = machine("system")
    with here.person() as person:
        yield here, person


def set_passcode(person):
    words = ["chatelaine", "settings", "set", "passcode-time", "50ms"]
    done = person.run(*words, check=None)
    if person.status()["service"] == "system" and os.path.exists(POLKITD):
        # Without the owner's authorization each program of theirs could do it. No agent can ask them here.
        equal(done.returncode, 4)
        contains(done.err, "authorization by polkit")
        person.machine.write(f"/etc/polkit-1/rules.d/{person.name}.rules", AUTHORIZED.format(person.name))
        wait_until(lambda: person.run(*words, check=None).returncode == 0, what="polkit's look at the rule")
    else:
        equal(done.returncode, 0)
    person.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=PASSCODE)


def unlock(person):
    person.run("chatelaine", "unlock", "--passcode-fd", "0", input=PASSCODE)
    equal(person.status()["state"], "unlocked")


def await_locked(person):
    wait_until(lambda: person.status()["state"] == "locked", what="the lock")


def limits(here, number, *names):
    """What the kernel says of a process."""
    status = here.statuses()[here.process_outside(number)]
    return [status[name].strip() for name in names]


def namespace(number, kind):
    return os.readlink(f"/proc/{number}/ns/{kind}")


def checks(person):
    """What `chatelaine doctor` says of each thing."""
    lines = person.run("chatelaine", "doctor", check=None).out.splitlines()
    return {line.split()[1]: line.split()[0] for line in lines}


# MARK: A user service


def test_as_the_installer_says_systemd_listens_for_the_keychain():
    """As the installer says, systemd listens for the keychain, and the first program that asks starts the service."""
    with own_service() as (here, person):
        equal([person.property(unit, "ActiveState") for unit in (SOCKET, SERVICE)], ["active", "inactive"])
        person.set("mail", SECRET)
        equal(person.get("mail"), SECRET.encode())
        equal(person.property(SERVICE, "ActiveState"), "active")
        equal(person.status()["service"], "user")
        equal(here.processes("chatelained", person.number), [here.process_outside(person.process(SERVICE))])
        found = checks(person)
        equal((found["units"], found["service"], found["folders"]), ("ok", "ok", "ok"))


def test_the_process_of_the_users_unit_has_what_the_unit_says_and_shares_the_namespaces_of_its_user():
    with own_service() as (here, person):
        person.set("mail", SECRET)
        number = person.process(SERVICE)
        equal(limits(here, number, "NoNewPrivs", "Seccomp", "CapEff", "CapPrm"), ["1", "2", "0" * 16, "0" * 16])
        # Those of the unit are more than the one of the service.
        assert int(limits(here, number, "Seccomp_filters")[0]) > 1
        [core] = [line.split()[4:6] for line in read_text(f"/proc/{here.process_outside(number)}/limits").splitlines()
                  if line.startswith("Max core file size")]
        equal(core, ["0", "0"])
        manager = here.process_outside(here.property(f"user@{person.number}.service", "MainPID"))
        for kind in ("user", "mnt", "pid", "net"):
            equal(namespace(here.process_outside(number), kind), namespace(manager, kind))


def test_a_users_service_that_is_killed_is_started_again_with_what_it_acknowledged():
    """A killed user service is started again, with all acknowledged data; a stopped one ends in order."""
    with own_service() as (here, person):
        person.set("mail", SECRET)
        before = person.process(SERVICE)
        here.run("kill", "-KILL", str(before))
        wait_until(lambda: person.process(SERVICE) not in (0, before), what="the next service")
        equal(person.get("mail"), SECRET.encode())
        equal(person.property(SERVICE, "NRestarts"), "1")
        person.systemctl("stop", SERVICE)
        equal([person.property(SERVICE, name) for name in ("Result", "ExecMainStatus")], ["success", "0"])
        # The socket is there still.
        equal(person.get("mail"), SECRET.encode())
        equal(person.property(SERVICE, "ActiveState"), "active")


def test_an_unused_user_service_ends_by_itself_and_the_next_program_starts_it_again():
    with own_service() as (here, person):
        start = typed(person.systemctl("cat", SERVICE).out, "ExecStart=")
        drop_in = f"[Service]\nExecStart=\n{start.replace('--idle-exit 600', '--idle-exit 1')}\n"
        assert "--idle-exit 1\n" in drop_in, start
        person.run(
            "sh", "-ec", 'mkdir -p "$1"; cat >"$1/idle.conf"', "sh", f"{person.home}/.config/systemd/user/{SERVICE}.d",
            input=drop_in)
        person.systemctl("daemon-reload")
        person.set("mail", SECRET)
        # It may have ended already.
        assert person.property(SERVICE, "ExecMainPID") != "0", "systemd did not start the service"
        person.await_state(SERVICE, "inactive")
        equal([person.property(SERVICE, name) for name in ("Result", "NRestarts")], ["success", "0"])
        equal(person.property(SOCKET, "SubState"), "listening")
        equal(person.get("mail"), SECRET.encode())


def test_the_socket_for_figures_answers_each_connection_of_its_user_with_all_of_them():
    with own_service() as (here, person):
        person.set("mail", SECRET)
        text = manual("Observability.md")
        person.shell(typed(text, "systemctl --user", "enable --now chatelaine-metrics.socket"))
        look = text[text.index("python3 -c 'import socket"):]
        figures = person.shell(look[:look.index("```")]).out
        contains(figures, "chatelaine_items{", "\nchatelaine_lock_state{")
        assert figures.endswith("# EOF\n"), figures[-80:]
        equal(here.run("stat", "-c", "%a %U", f"{person.runtime}/chatelaine/metrics").out, f"600 {person.name}\n")
        equal(person.systemctl("--failed", "--quiet").out, "")


def test_the_socket_of_the_agent_for_ssh_starts_it_and_the_session_has_its_variable():
    _, said = machine("own")
    unit = "chatelaine-ssh-agent.service"
    with own_service() as (here, person):
        person.shell(typed(said, "systemctl --user", "enable --now chatelaine-ssh-agent.socket"))
        path = f"{person.runtime}/chatelaine-ssh/agent"
        equal(here.run("stat", "-c", "%a %U", path).out, f"600 {person.name}\n")
        contains(person.systemctl("show-environment").out, f"SSH_AUTH_SOCK={path}\n")
        equal(person.property(unit, "ActiveState"), "inactive")
        line = person.run("chatelaine", "ssh", "generate", "laptop").out
        equal(person.run("env", f"SSH_AUTH_SOCK={path}", "ssh-add", "-L").out, line)
        equal(person.property(unit, "ActiveState"), "active")
        person.systemctl("disable", "--now", "chatelaine-ssh-agent.socket", unit)
        lacks(person.systemctl("show-environment").out, "SSH_AUTH_SOCK=")
        equal(person.systemctl("--failed", "--quiet").out, "")


def test_below_a_home_folder_the_units_are_found_as_well_and_removed_with_all_that_they_started():
    here, _ = machine("own")
    with here.person() as person:
        # Without make, which builds before: as README.md says.
        said = person.shell(f"cd {root_of_repository} && PREFIX=~/.local Tools/install built").out
        person.shell(typed(said, "systemctl --user", "enable --now chatelaine.socket"))
        chatelaine = f"{person.home}/.local/bin/chatelaine"
        person.run(chatelaine, "set", "mail", input=SECRET)
        equal(person.run(chatelaine, "get", "mail", "--no-newline").out, SECRET)
        [service] = here.processes("chatelained", person.number)
        equal((service, os.readlink(f"/proc/{service}/exe")),
              (here.process_outside(person.process(SERVICE)), f"{person.home}/.local/bin/chatelained"))
        person.shell(f"cd {root_of_repository} && PREFIX=~/.local Tools/uninstall")
        equal(here.processes("chatelained", person.number), [])
        person.systemctl("daemon-reload")
        equal([person.property(unit, "ActiveState") for unit in (SOCKET, SERVICE)], ["inactive", "inactive"])
        files = ["-name", "*chatelaine*", "-not", "-type", "d"]
        equal(person.run("find", person.home, person.runtime, *files, check=None).out, "")
        person.run("test", "-e", f"{person.home}/.local/share/chatelaine/keychain.db")


# MARK: Sessions


@contextlib.contextmanager
def session_lock(target="own"):
    with (own_service if target == "own" else service_of_system)() as (here, person):
        set_passcode(person)
        person.shell(typed(manual("man/chatelaine-session-lock.8"), ".Dl systemctl").replace(".Dl ", ""))
        watching = "watching 1 session"
        wait_until(lambda: watching in here.journal(f"_UID={person.number}"), what="the look at the session")
        unlock(person)
        yield here, person


def inhibitors(here):
    return here.run("systemd-inhibit", "--list", "--no-pager").out


@cases("target", list(targets))
def test_when_logind_locks_the_session_the_keychain_is_locked(target):
    with session_lock(target) as (here, person):
        person.run("loginctl", "lock-session", person.session)
        await_locked(person)


@cases("target", list(targets))
def test_when_logind_lets_the_machine_sleep_the_keychain_is_locked_before_it_does(target):
    with session_lock(target) as (here, person):
        # In the place of what would have the kernel sleep: a look at the keychain at that moment.
        at_sleep = f"/run/at-sleep-{person.name}"
        words = f"env XDG_RUNTIME_DIR={person.runtime} /usr/local/bin/chatelaine status --json"
        here.write("/etc/systemd/system/systemd-suspend.service.d/look.conf", (
            "[Service]\nExecStart=\n"
            f"ExecStart=/bin/sh -c 'setpriv --reuid={person.name} --regid={person.name} --init-groups {words} "
            f">{at_sleep}.new; mv {at_sleep}.new {at_sleep}'\n"))
        here.run("systemctl", "daemon-reload")
        contains(inhibitors(here), "chatelaine")
        here.run("systemctl", "suspend")
        wait_until(lambda: here.run("test", "-e", at_sleep, check=None).returncode == 0, what="the sleep")
        equal(json.loads(here.run("cat", at_sleep).out)["state"], "locked")
        wait_until(lambda: here.property("suspend.target", "ActiveState") == "inactive", what="the end of the sleep")
        # The next sleep is held up, too.
        unlock(person)
        wait_until(lambda: "chatelaine" in inhibitors(here), what="the next inhibitor")


def test_when_the_last_session_ends_and_the_users_services_go_on_the_keychain_is_locked():
    with session_lock() as (here, person):
        here.run("loginctl", "enable-linger", person.name)
        person.log_out()
        await_locked(person)


# MARK: Credentials


def test_as_the_manual_says_a_service_opens_the_keychain_by_a_credential_that_only_this_machine_can_read():
    with own_service() as (here, person):
        set_passcode(person)
        person.set("mail", SECRET)
        # The commands, each with the lines that an editor is to be given.
        page = manual("man/chatelaine.1")
        [example] = re.findall(r"Let a server open its keychain.*?\n\.Bd[^\n]*\n(.*?)\.Ed", page, re.S)
        commands = [part.partition("\n") for part in re.sub(r"(\\e)?\n +", " ", example).split("$ ")[1:]]
        folders = {"sudo systemctl": "/etc/systemd/system", "systemctl --user": f"{person.home}/.config/systemd/user"}
        for command, _, text in commands:
            command = command.replace("$UID", str(person.number)).replace("$USER", person.name)
            if " | sudo " in command:
                make, seal = command.split(" | sudo ")
                credential = person.shell(make + " --passcode-fd 0", input=PASSCODE).stdout
                here.shell(seal, input=credential)
            elif text:
                manager, unit = command.split(" edit ")
                here.write(f"{folders[manager]}/{unit}.d/override.conf", text)
            elif command.startswith("sudo "):
                here.shell(command.removeprefix("sudo "))
            else:
                person.shell(command)
        # As a boot does.
        here.shell(f"systemctl daemon-reload && systemctl restart user@{person.number}.service")
        equal(person.get("mail"), SECRET.encode())
        equal((person.status()["state"], person.property(SERVICE, "ActiveState")), ("unlocked", "active"))
        lacks(here.journal(), credential.decode().strip())


# MARK: The system service


def test_as_installed_the_system_service_waits_for_its_first_program():
    """As installed the system service waits for its first program, and each user has a keychain there."""
    with service_of_system() as (here, first), here.person() as second:
        # The agents would connect again, which starts the service.
        for person in (first, second):
            person.systemctl("stop", AGENT)
        here.run("systemctl", "stop", SERVICE)
        equal([here.property(SOCKET, name) for name in ("ActiveState", "UnitFileState")], ["active", "enabled"])
        equal(here.property(SERVICE, "ActiveState"), "inactive")
        first.set("mail", SECRET)
        equal(first.get("mail"), SECRET.encode())
        contains(second.run("chatelaine", "get", "mail", check=3).err, "there is no item")
        equal(here.property(SERVICE, "ActiveState"), "active")
        equal([first.status()[name] for name in ("service", "callerTier")], ["system", "installed"])
        folders = here.run("stat", "-c", "%a %U %G", STATE, RUNTIME).out
        equal(folders, "700 chatelaine chatelaine\n755 chatelaine chatelaine\n")
        found = checks(first)
        equal((found["units"], found["service"], found["folders"]), ("ok", "ok", "ok"))
        equal(here.processes("chatelained"), [here.process_outside(here.property(SERVICE, "MainPID"))])


# What a program in the service's place sees: its user, its capabilities gone, its mounts.
INTRUDER = """
import ctypes, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
number, user, group = map(int, sys.argv[1:4])
program = open("/bin/true", "rb").read()
namespace = os.open(f"/proc/{number}/ns/mnt", os.O_RDONLY)
if libc.setns(namespace, 0):
    raise OSError(ctypes.get_errno(), "setns")
silence = os.open("/dev/null", os.O_WRONLY)
folders = [line.split()[4] for line in open("/proc/self/mountinfo")]
os.setgroups([])
os.setgid(group)
os.setuid(user)
def starts(path):
    child = os.fork()
    if not child:
        os.dup2(silence, 1)
        try:
            os.execv(path, [path, "--help"])
        except OSError:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 99
written, started = [], []
for folder in sorted({*folders, "/tmp", "/var/tmp", "/home", "/run/user", "/usr/local/bin", *sys.argv[4:]}):
    path = os.path.join(folder, "intruder")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700)
    except OSError:
        continue
    written.append(folder)
    try:
        os.write(descriptor, program)
    except OSError:
        pass
    os.close(descriptor)
    if starts(path):
        started.append(folder)
    os.unlink(path)
others = [path for path in ("/bin/true", "/bin/sh", "/usr/local/bin/chatelaine") if starts(path)]
helpers = ["token-software", "token-tpm", "fingerprint", "authorization"]
helpers = [name for name in helpers if starts(f"/usr/local/bin/chatelaine-{name}")]
print(json.dumps([written, started, others, helpers]))
"""


def test_in_the_place_of_the_service_only_its_folders_can_be_written_and_only_its_programs_start():
    """In the place of the service only its folders can be written, and only its programs start, none from there."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        number = here.property(SERVICE, "MainPID")
        ids = [here.run("id", option, "chatelaine").out.strip() for option in ("-u", "-g")]
        own = [RUNTIME, STATE, f"{STATE}/users", f"{STATE}/users/{person.number}"]
        done = here.run("/usr/bin/python3", "-c", INTRUDER, number, *ids, *own)
        written, started, others, helpers = json.loads(done.out)
        equal((started, others, helpers), ([], [], ["token-software", "token-tpm", "fingerprint", "authorization"]))
        # That of messages is one of its own, by PrivateIPC=.
        equal(set(written) - {"/dev/mqueue"}, set(own))
        equal(person.get("mail"), SECRET.encode())


# A unit that is as the one of the service, with a program that tries what the unit denies.
PROBE, PROBE_PATH, PROBE_OUTPUT = "chatelaine-probe.service", "/usr/local/bin/chatelaine-probe", "/run/chatelaine-probe.out"
OWN_FOLDERS = {f"write {STATE}", f"write {RUNTIME}"}
# The service looks at callers by these files, for which the kernel asks no other right.
LEFT = {"read a process by its file"}


def tried(here, unit):
    """What a program of the unit tries (sandbox.c), and the kernel's error for each, or 0."""
    here.write(f"/etc/systemd/system/{PROBE}", unit)
    here.shell(f"rm -f {PROBE_OUTPUT}; systemctl daemon-reload && systemctl start {PROBE}")
    lines = here.run("cat", PROBE_OUTPUT).out.splitlines()
    return {name: int(error) for name, _, error in (line.partition("\t") for line in lines)}


def test_what_the_units_sandbox_denies_to_a_program_in_the_place_of_the_service_is_denied(tmp_path):
    """What the unit denies to a program in the place of the service is denied in fact, and works without the unit's sandbox."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    binary = tmp_path / "sandbox"
    source = os.path.join(root_of_repository, "Tests/Programs/support/sandbox.c")
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", binary, source], check=True)
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        here.run("sh", "-ec", 'cat >"$1"; chmod 755 "$1"', "sh", PROBE_PATH, input=binary.read_bytes())
        victim = here.run("sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!").out.strip()
        try:
            [stack] = [line for line in here.run("cat", f"/proc/{victim}/maps").out.splitlines() if line.endswith("[stack]")]
            command = f"ExecStart={PROBE_PATH} {victim} {stack.partition('-')[0]}"
            output = f"StandardOutput=truncate:{PROBE_OUTPUT}"
            dropped = ("#", "ExecStart=", "Type=", "Restart=", "Requires=", "After=", "Also=", "[Install]")
            lines = [line for line in here.run("systemctl", "cat", SERVICE).out.splitlines() if not line.startswith(dropped)]
            place = lines.index("[Service]") + 1
            unit = [*lines[:place], "Type=oneshot", command, output, f"ExecPaths={PROBE_PATH}", *lines[place:]]
            contains("\n".join(unit), "NoExecPaths=/", "SystemCallFilter=", "User=chatelaine", "AmbientCapabilities=")
            inside = tried(here, "\n".join(unit) + "\n")
            # The same user with the same capabilities, and root: what is denied to neither is what the sandbox denies.
            rights = [line for line in lines if line.startswith(("User=", "Group=", "AmbientCapabilities="))]
            plain = "[Service]\nType=oneshot\n" + "\n".join([command, output])
            outside = tried(here, "\n".join([plain, *rights]) + "\n")
            root = tried(here, plain + "\n")
            equal(set(inside), set(root))
            without = {name for name in inside if outside[name] == 0 or root[name] == 0}
            equal(set(inside) - without, set())
            assert {"attach to a process", "start a program", "internet", "a user namespace", "write /tmp"} <= {
                name for name in outside if outside[name] == 0}, outside
            equal({name for name in inside if inside[name] == 0}, LEFT | OWN_FOLDERS)
            # And nothing ended the program that tried.
            equal({name for name in inside if inside[name] < 0}, set())
        finally:
            here.run("kill", victim)
            here.shell(f"rm /etc/systemd/system/{PROBE} {PROBE_PATH} && systemctl daemon-reload")
        equal(person.get("mail"), SECRET.encode())


def environment_of(here, number):
    return read_text(f"/proc/{here.process_outside(number)}/environ").split("\0")


def test_a_user_changes_neither_the_service_nor_its_socket_nor_their_environment():
    """A user changes neither the service nor its socket nor their environment; root does."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        number = here.property(SERVICE, "MainPID")
        equal(here.run("stat", "-c", "%a %U %G %F", f"{RUNTIME}/chatelaine.socket").out, "666 root root socket\n")
        # The manager of the user knows such variables and such files; that of the system does not.
        variables = "LD_PRELOAD=/nothing CHATELAINE_HELPERS=/nothing CHATELAINE_SERVICE=user XDG_DATA_HOME=/nothing"
        person.systemctl("set-environment", *variables.split())
        folder = f"{person.home}/.config/systemd/user/{SERVICE}.d"
        person.run("sh", "-ec", 'mkdir -p "$1"; cat >"$1/other.conf"', "sh", folder, input="[Service]\nEnvironment=INTRUDER=1\n")
        person.systemctl("daemon-reload")
        for words in [
            ["systemctl", "--no-ask-password", "set-environment", "INTRUDER=1"],
            ["systemctl", "--no-ask-password", "restart", SERVICE], ["systemctl", "--no-ask-password", "stop", SOCKET],
            ["systemctl", "--no-ask-password", "kill", SERVICE], ["systemctl", "--no-ask-password", "daemon-reload"],
            ["systemctl", "--no-ask-password", "set-property", "--runtime", SERVICE, "MemoryMax=1M"],
            ["busctl", "--allow-interactive-authorization=no", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
             "org.freedesktop.systemd1.Manager", "SetEnvironment", "as", "1", "INTRUDER=1"],
            ["mkdir", f"/etc/systemd/system/{SERVICE}.d"], ["mkdir", f"/run/systemd/system/{SERVICE}.d"],
            ["rm", "-f", f"{RUNTIME}/chatelaine.socket"], ["mv", RUNTIME, RUNTIME + ".old"], ["kill", number],
        ]:
            assert person.run(*words, check=None).returncode != 0, " ".join(words)
        equal((here.property(SERVICE, "MainPID"), person.get("mail")), (number, SECRET.encode()))
        # As the unit says, whoever it was that connected first.
        here.run("systemctl", "set-environment", "OF_ROOT=1")
        try:
            here.run("systemctl", "restart", SERVICE)
            equal(person.get("mail"), SECRET.encode())
            found = environment_of(here, here.property(SERVICE, "MainPID"))
            contains(found, "OF_ROOT=1")
            lacks(found, "INTRUDER=1", *variables.split())
        finally:
            here.run("systemctl", "unset-environment", "OF_ROOT")
            here.run("systemctl", "restart", SERVICE)


def test_what_a_user_says_of_the_agents_unit_brings_no_code_into_the_agent_or_makes_it_none():
    """What a user says of the agent's unit brings no code into the agent, or the service takes no answers from it."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        drop_in = f"{person.home}/.config/systemd/user/{AGENT}.d"

        def agents():
            return here.journal("-u", SERVICE).count(f"an agent of user {person.number} connected")

        def with_lines(*lines):
            """Starts the agent with these lines in its unit."""
            text = "\n".join(["[Service]", *lines, ""])
            person.run("sh", "-ec", 'mkdir -p "$1"; cat >"$1/own.conf"', "sh", drop_in, input=text)
            person.systemctl("daemon-reload")
            person.systemctl("restart", AGENT, check=None)

        person.await_state(AGENT, "active")
        wait_until(lambda: agents() > 0, what="the agent")
        # Any library of the machine that the agent does not load would do.
        before = agents()
        with_lines("Environment=LD_PRELOAD=libutil.so.1 LD_AUDIT=libutil.so.1 CHATELAINE_HELPERS=/tmp CHATELAINE_SERVICE=user")
        wait_until(lambda: agents() > before, what="the agent with an environment of its user's")
        number = here.process_outside(person.process(AGENT))
        lacks(read_text(f"/proc/{number}/maps"), "libutil")
        before = agents()
        with_lines("NoNewPrivileges=yes")
        wait_until(lambda: "accepts no answers from this program" in here.journal(f"_UID={person.number}"), what="the refusal")
        equal(agents(), before)
        person.shell(f"rm -r {drop_in}")
        person.systemctl("daemon-reload")
        person.systemctl("reset-failed", AGENT, check=None)
        person.systemctl("restart", AGENT)
        wait_until(lambda: agents() > before, what="the agent as it was installed")


def test_the_process_of_the_systems_unit_has_what_the_unit_says_a_user_two_capabilities_filters():
    """The process of the system's unit has what the unit says: a user, three capabilities, filters, no network."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        number = int(here.property(SERVICE, "MainPID"))
        both = f"{1 << 28 | 1 << 19 | 1 << 2:016x}"
        user = here.run("id", "-u", "chatelaine").out.strip()
        equal(limits(here, number, "CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp"),
              [both, both, both, "0" * 16, "0" * 16, "1", "2"])
        equal(limits(here, number, "Uid")[0].split(), [user] * 4)
        outside = here.process_outside(number)
        own = [kind for kind in ("net", "ipc", "uts", "mnt", "user", "pid")
               if namespace(outside, kind) != namespace(here.first_process, kind)]
        equal(own, ["net", "ipc", "uts", "mnt"])
        devices = set(os.listdir(f"/proc/{outside}/root/dev"))
        equal([name for name in ("kmsg", "mem", "sda", "vda") if name in devices], [])
        here.run("systemd-analyze", "security", "--threshold=15", "--no-pager", SERVICE)
        contains(person.run("chatelaine", "status").out, "only CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_LEASE: on",
                 "raised descriptor limit: on", "system call filter: on")


def test_the_system_service_that_is_killed_is_started_again():
    """A killed system service is started again, and no user service takes its place."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        before = here.property(SERVICE, "MainPID")
        here.run("kill", "-KILL", before)
        wait_until(lambda: here.property(SERVICE, "MainPID") not in ("0", before), what="the next service")
        equal(person.get("mail"), SECRET.encode())
        here.run("systemctl", "stop", SERVICE)
        equal([here.property(SERVICE, name) for name in ("Result", "ExecMainStatus")], ["success", "0"])
        here.run("test", "-S", f"{RUNTIME}/chatelaine.socket")
        equal(person.get("mail"), SECRET.encode())
        equal(here.processes("chatelained", person.number), [])


def test_the_unused_system_service_ends_and_the_next_program_starts_it_again():
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        # Agents stay connected.
        here.run("systemctl", "stop", f"user@{person.number}.service")
        start = typed(here.run("systemctl", "cat", SERVICE).out, "ExecStart=")
        drop_in = f"/etc/systemd/system/{SERVICE}.d/idle.conf"
        here.write(drop_in, f"[Service]\nExecStart=\n{start.replace('--idle-exit 600', '--idle-exit 1')}\n")
        here.shell(f"systemctl daemon-reload && systemctl restart {SERVICE}")
        try:
            wait_until(lambda: here.property(SERVICE, "ActiveState") == "inactive", what="the end of the service")
            equal([here.property(SERVICE, name) for name in ("Result", "NRestarts")], ["success", "0"])
            equal(person.get("mail"), SECRET.encode())
        finally:
            here.shell(f"rm -r {os.path.dirname(drop_in)} && systemctl daemon-reload && systemctl stop {SERVICE}")


def make_in_token(person):
    made = person.run(os.path.join(examples_folder(), "KeyTool"), input="keychain make-in-token own\n").out
    assert made.strip() and "error" not in made, made


def test_a_program_that_keeps_keys_in_a_token_starts_in_the_unit_as_its_user():
    with service_of_system() as (here, person):
        make_in_token(person)
        [token] = here.processes("chatelaine-token-software")
        lines = dict(line.split(":\t", 1) for line in read_text(f"/proc/{token}/status").splitlines())
        equal((int(lines["PPid"]), lines["Uid"].split()[0]),
              (here.process_outside(here.property(SERVICE, "MainPID")), here.run("id", "-u", "chatelaine").out.strip()))


def test_newly_installed_programs_run_from_then_on_with_the_programs_that_they_start():
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        before = here.property(SERVICE, "MainPID")
        # The agent would connect again, which starts the service.
        person.systemctl("stop", AGENT)
        here.make("install-system")
        equal(here.property(SERVICE, "ActiveState"), "inactive")
        equal(person.get("mail"), SECRET.encode())
        assert here.property(SERVICE, "MainPID") not in ("0", before)
        make_in_token(person)


def test_by_the_unit_and_the_rule_that_were_installed():
    """By the unit and the rule that were installed, the service asks fprintd for the fingers of its users."""
    if not os.path.exists(FPRINTD):
        pytest.skip("there is no fprintd")
    with service_of_system() as (here, person):
        set_passcode(person)

        def biometry():
            return json.loads(person.run("chatelaine", "auth", "status", "--json").out)["biometry"]

        equal(biometry(), "not-available")
        # The reader that libfprint has for tests.
        here.write("/etc/systemd/system/fprintd.service.d/reader.conf", (
            "[Service]\nEnvironment=FP_VIRTUAL_DEVICE=/run/fprint/reader\nRuntimeDirectory=fprint\n"))
        here.shell("systemctl daemon-reload && systemctl restart fprintd.service")
        wait_until(lambda: biometry() == "not-enrolled", what="the reader")
        # Without the rule it is not told.
        here.run("mv", "/etc/polkit-1/rules.d/chatelaine.rules", "/root/")
        try:
            wait_until(lambda: biometry() == "not-available", what="the refusal")
        finally:
            here.run("mv", "/root/chatelaine.rules", "/etc/polkit-1/rules.d/")
        wait_until(lambda: biometry() == "not-enrolled", what="the permission")


@cases("user", ["DynamicUser=yes", "User=daemon"])
def test_a_unit_of_the_system_is_known_as_shielded_by_the_kernel_its_user_being_no_person(user):
    with service_of_system() as (here, person):
        output = "/run/mail.json"
        here.write("/etc/systemd/system/mail.service", (
            f"[Service]\nType=oneshot\n{user}\nExecStart=/usr/local/bin/chatelaine status --json\n"
            f"StandardOutput=truncate:{output}\n"))
        here.shell("systemctl daemon-reload && systemctl start mail.service")
        status = json.loads(here.run("cat", output).out)
        equal((status["service"], status["callerTier"]), ("system", "enforced"))
        # The same program of a person is not.
        equal(person.status()["callerTier"], "installed")


def test_a_persons_agent_is_there_from_their_login_on_and_the_service_takes_answers_from_it():
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        person.await_state(AGENT, "active")
        wait_until(lambda: f"an agent of user {person.number} connected" in here.journal("-u", SERVICE), what="the agent")
        number = person.process(AGENT)
        # Its group shields it from the user's other programs.
        assert limits(here, number, "Gid")[0].split()[1] != str(person.number)
        assert person.run("cat", f"/proc/{number}/maps", check=None).returncode != 0
        here.run("systemctl", "stop", SERVICE)
        person.get("mail")
        wait_until(lambda: here.journal("-u", SERVICE).count(f"an agent of user {person.number} connected") > 1,
                   what="the agent's return")


def test_after_a_reboot_the_first_program_finds_the_system_service_and_its_items():
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        here.reboot()
        person.log_out()
        equal(here.property(SOCKET, "ActiveState"), "active")
        person.log_in()
        equal(person.get("mail"), SECRET.encode())
        equal(person.status()["service"], "system")


# MARK: The journal


def complaints(text):
    """Objections of systemd to the units, or of the service to its environment."""
    words = (
        r"ignor|unknown|unsupported|not supported|cannot|failed to|could not|couldn't|warning|error|invalid|deprecated")
    return [line for line in text.splitlines()
            if re.search(words, line, re.I) and re.search(r"chatelaine|/usr/local/", line)]


@cases("target", list(targets))
def test_the_journal_of_a_day_has_no_complaint_about_the_units_and_no_secret(target):
    here, _ = machine(target)
    with (own_service if target == "own" else service_of_system)() as (_, person):
        set_passcode(person)
        person.set("mail", SECRET)
        person.shell("chatelaine lock")
        unlock(person)
        equal(person.get("mail"), SECRET.encode())
        unit = f"_SYSTEMD_USER_UNIT={SERVICE}" if target == "own" else f"_SYSTEMD_UNIT={SERVICE}"
        contains(here.journal(unit), "chatelained")
    text = here.journal()
    lacks(text, SECRET, PASSCODE)
    equal(complaints(text), [])


def test_make_uninstall_system_leaves_nothing_running_enabled_or_listening():
    """`make uninstall-system` leaves nothing running, enabled or listening, and the keychains where they are."""
    with service_of_system() as (here, person):
        person.set("mail", SECRET)
        here.make("uninstall-system")
        try:
            equal(here.run("systemctl", "list-units", "--all", "--plain", "--no-legend", "chatelaine*").out, "")
            files = ["-name", "*chatelaine*", "-not", "-type", "d"]
            equal(here.run("find", "/etc/systemd", "/etc/polkit-1", "/usr/share/polkit-1", "/usr/local", *files).out, "")
            here.run("test", "!", "-e", RUNTIME)
            here.run("test", "-e", f"{STATE}/users/{person.number}/keychain.db")
        finally:
            here.make("install-system")
        equal(person.get("mail"), SECRET.encode())


def test_when_the_machines_end_nothing_of_them_is_left():
    machine("own")
    end_machines()
