# SPDX-License-Identifier: Apache-2.0
"""Attacks on logins that unlock a keychain: with real login programs, the real module and, where a keychain is named, the real
chatelaine-login."""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import threading

import pytest

from memory import PTRACE_DETACH, PTRACE_SEIZE, Image, absent, trace
from passcode import given
from support.agents import GROUP
from support.caller import root_owned_folder
from support.instance import is_root, read_text, wait_until
from support.login_keychain import LOGIN, LoginKeychain
from support.logins import NEW, PASSWORD, LoginMachine, message
from support.sentences import cases, contains, equal, lacks
from support.system import ann, bob
from support.terminal import Terminal

pytestmark = pytest.mark.skipif(not is_root, reason="only root may log other users in")


@pytest.fixture
def played():
    with LoginMachine(None) as machine:
        yield machine


@pytest.fixture(params=["user", "system"])
def keychain(programs, request):
    made = LoginKeychain(programs, request.param)
    yield made
    made.remove()


@pytest.fixture
def own_keychain(programs):
    """The keychain of a user service."""
    made = LoginKeychain(programs, "user")
    yield made
    made.remove()


# MARK: The caller of a login program


def test_no_variable_of_the_user_who_calls_su_reaches_the_program(played):
    hostile = {name: "/tmp/x" for name in [
        "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GCONV_PATH", "CHATELAINE_HELPERS", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME",
        "XDG_CONFIG_HOME", "TMPDIR"]}
    hostile |= {"CHATELAINE_SERVICE": "system:/tmp/x", "PATH": "/tmp/x:/usr/bin:/bin", "USER": "bob", "LOGNAME": "bob"}
    done = played.run("su", "--preserve-environment", "ann", "-c", "id -u", user=bob, input=PASSWORD + "\n", **hostile)
    contains(done.stdout, f"{ann}\n")
    found = played.recorded()
    equal((found["input"], found["user"]), ([message(PASSWORD)], [f"{ann} {ann}"]))
    variables = {line for line in found["env"] if not line.startswith(("PWD=", "OLDPWD=", "SHLVL=", "_="))}
    equal(variables, {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "USER=ann", "LOGNAME=ann"})


def test_callers_of_su_with_limits_are_logged_in_as_without_the_module(played):
    limits = ["nofile=6", "nofile=8", "nofile=10", "as=12000000", "as=30000000", "fsize=0", "memlock=0", "stack=65536", "cpu=1", "core=0"]

    def log_in(limit):
        done = played.run("prlimit", f"--{limit}", "su", "-", "ann", "-c", "id -u", user=bob, input=PASSWORD + "\n")
        return done.returncode, done.stdout
    with_module = {limit: log_in(limit) for limit in limits}
    played.run("pam-auth-update", "--force", "--remove", "chatelaine", check=0, DEBIAN_FRONTEND="noninteractive")
    equal(with_module, {limit: log_in(limit) for limit in limits})
    contains([status for status, _ in with_module.values()], 0)


def test_sudo_passes_the_password_of_its_caller_to_no_process_of_another_user(played):
    if not shutil.which("sudo"):
        pytest.skip("sudo is not installed (Tools/setup test)")
    # On Debian sudo opens a session without the module. Other settings have the module there.
    played.run("sh", "-ec", "echo 'ann ALL=(ALL) ALL' >/etc/sudoers.d/test; chmod 440 /etc/sudoers.d/test; "
               "sed -i s/common-session-noninteractive/common-session/ /etc/pam.d/sudo", check=0)
    for user, number in [("root", 0), ("bob", bob)]:
        done = played.run("sudo", "--stdin", "--reset-timestamp", f"--user={user}", "id", "-u", user=ann, input=PASSWORD + "\n")
        equal((done.returncode, done.stdout), (0, f"{number}\n"))
    equal(os.listdir(played.said), [])
    # A program that ran would have been recorded before this one.
    assert played.su()
    equal(played.recorded()["user"], [f"{ann} {ann}"])
    equal(os.listdir(played.said), [])


def test_without_the_profile_no_login_uses_the_module(played):
    # Beside them are copies of the earlier settings.
    named = ["grep", "-rl", "--exclude=*.pam-old", "pam_chatelaine", "/etc/pam.d"]
    equal(sorted(played.run(*named, check=0).stdout.split()),
          [f"/etc/pam.d/common-{name}" for name in ("auth", "password", "session")])
    played.run("pam-auth-update", "--force", "--remove", "chatelaine", check=0, DEBIAN_FRONTEND="noninteractive")
    equal(played.run(*named, check=1).stdout, "")
    assert played.su() and played.passwd()
    played.run("pam-auth-update", "--force", "--enable", "chatelaine", check=0, DEBIAN_FRONTEND="noninteractive")
    assert played.su(NEW)
    # This login alone.
    equal(played.recorded()["input"], [message(NEW)])
    equal(os.listdir(played.said), [])


# MARK: Files and services in the place of the user's


class PlayedService:
    """Listens at this path as this user, in the place of a keychain service, and keeps the received bytes."""

    def __init__(self, path, user, behaviour):
        self.behaviour, self.received, self.accepted = behaviour, b"", 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        # The kernel names the user who called listen.
        os.seteuid(user)
        try:
            self.listener.listen()
        finally:
            os.seteuid(0)
        os.chmod(path, 0o777)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection = self.listener.accept()[0]
                self.accepted += 1
                threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection):
        with connection, contextlib.suppress(OSError):
            if self.behaviour == "sends bytes that are no message":
                connection.sendall(b"\xFF" * 100)
            while self.behaviour == "sends without an end":
                connection.sendall(bytes(65536))
            if self.behaviour == "sends the start of a large frame and waits":
                connection.sendall(b"\xFF\xFF\xFF\x7F")
            if self.behaviour != "closes each connection":
                while part := connection.recv(65536):
                    self.received += part

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def with_stopped_service(keychain):
    """Protects the keychain and stops its service. Returns the path of the socket, where there is nothing."""
    keychain.protect()
    keychain.it.stop()
    with contextlib.suppress(FileNotFoundError):
        os.unlink(keychain.it.socket_path)
    return keychain.it.socket_path


def logs_in_and_reports_no_password(keychain):
    assert keychain.machine.su()
    keychain.wait_for_end_of_logins()
    for line in keychain.machine.log_lines():
        lacks(line, PASSWORD)


@cases("kind", ["a pipe", "a folder", "a file", "a link to nothing", "a link to itself", "a socket without a server"])
def test_a_login_goes_on_with_this_in_the_place_of_the_socket(own_keychain, kind):
    path = with_stopped_service(own_keychain)
    if kind == "a pipe":
        os.mkfifo(path, 0o600)
    elif kind == "a folder":
        os.mkdir(path)
    elif kind == "a file":
        with open(path, "wb"):
            pass
    elif kind == "a socket without a server":
        with socket.socket(socket.AF_UNIX) as closed:
            closed.bind(path)
    else:
        os.symlink(path if kind == "a link to itself" else "/nothing", path)
    os.chown(path, ann, ann, follow_symlinks=False)
    logs_in_and_reports_no_password(own_keychain)


@cases("behaviour", ["closes each connection", "sends bytes that are no message", "sends without an end",
                     "sends the start of a large frame and waits", "says nothing"])
def test_a_login_goes_on_and_its_program_ends_while_the_service_of_the_user(own_keychain, behaviour):
    path = with_stopped_service(own_keychain)
    service = PlayedService(path, ann, behaviour)
    try:
        logs_in_and_reports_no_password(own_keychain)
        assert service.accepted
        lacks(service.received, PASSWORD.encode())
    finally:
        service.close()


@cases("place", ["in the user's folder", "in another user's folder that the session names", "in the folder for users without a session",
                 "behind a link of another user"])
def test_the_socket_of_another_user_gets_no_password(own_keychain, place):
    path = with_stopped_service(own_keychain)
    machine, folder = own_keychain.machine, None
    if place == "in another user's folder that the session names":
        folder = os.path.join(machine.folder, "of bob")
        path = os.path.join(folder, "chatelaine/socket")
        os.makedirs(os.path.dirname(path))
        # pam_env reads it for su.
        machine.run("sh", "-c", f"echo 'XDG_RUNTIME_DIR={folder}' >/etc/environment", check=0)
    elif place != "in the user's folder":
        machine.run("umount", f"/run/user/{ann}", check=0)
        machine.run("rmdir", f"/run/user/{ann}", check=0)
        folder = f"/tmp/chatelaine-{ann}"
        path = os.path.join(folder, "socket")
        os.mkdir(folder)
        if place == "behind a link of another user":
            os.rename(folder, folder + ".other")
            os.symlink(folder + ".other", folder)
            os.chown(folder, bob, bob, follow_symlinks=False)
    if folder:
        os.chmod(folder, 0o777)
        os.chown(folder, bob, bob)
    service = PlayedService(path, bob, "says nothing")
    try:
        logs_in_and_reports_no_password(own_keychain)
        equal(service.received, b"")
    finally:
        service.close()
        for name in {folder, f"{folder}.other"} if folder and folder.startswith("/tmp/chatelaine-") else ():
            if os.path.islink(name):
                os.unlink(name)
            else:
                shutil.rmtree(name, ignore_errors=True)


def test_a_home_that_is_a_link_to_a_folder_of_the_user_is_used(own_keychain):
    with_stopped_service(own_keychain)
    home = own_keychain.it.directories["home"]
    os.rename(home, home + ".real")
    os.symlink(home + ".real", home)
    assert own_keychain.machine.su()
    own_keychain.wait_for("unlock", "granted")
    equal(own_keychain.state(), "unlocked")


def test_a_home_that_is_a_link_to_the_home_of_another_user_leads_to_no_keychain(own_keychain):
    with_stopped_service(own_keychain)
    home = own_keychain.it.directories["home"]
    os.rename(home, home + ".real")
    other = home + ".other"
    shutil.copytree(home + ".real", other)
    for folder, _, names in os.walk(other):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            os.chown(path, bob, bob)
    os.symlink(other, home)
    before = sorted(os.walk(other))
    assert own_keychain.machine.su()
    own_keychain.wait_for_end_of_logins()
    equal(sorted(os.walk(other)), before)
    equal(os.listdir(own_keychain.it.directories["runtime"]), ["chatelaine"])
    assert not os.path.exists(own_keychain.it.socket_path)


# MARK: Several logins, and ends at each moment


def test_two_logins_at_once_both_succeed_and_unlock(keychain):
    keychain.protect()
    results = []
    threads = [threading.Thread(target=lambda: results.append(keychain.machine.su())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(results, [True, True])
    keychain.wait_for_end_of_logins()
    equal(keychain.state(), "unlocked")
    equal(keychain.it.run("chatelaine", "log", "--program", LOGIN, "--outcome", "refused", "--json", check=0).out, "")


def test_a_service_that_is_killed_while_a_login_waits_for_it_unlocks_at_the_next_login(keychain):
    keychain.protect()
    keychain.daemon.send_signal(signal.SIGSTOP)
    assert keychain.machine.su()
    wait_until(keychain.logins, what="the program")
    keychain.daemon.kill()
    keychain.daemon.wait()
    keychain.wait_for_end_of_logins()
    if keychain.is_of_system:
        keychain.start()
    assert keychain.machine.su()
    keychain.wait_for_end_of_logins()
    equal(keychain.state(), "unlocked")


class Change:
    """Changes the login password of a keychain with chatelaine-login, as the module starts it, under strace."""

    def __init__(self, keychain):
        self.keychain = keychain
        self.program = os.path.join(keychain.it.programs.folder, LOGIN)
        self.trace = os.path.join(keychain.host.scratch, "trace")

    def run(self, old, new, *options):
        words = ["strace", "-f", "-u", "ann", "-o", self.trace, *options, self.program, "change"]
        machine = self.keychain.machine
        return subprocess.run(
            machine.words(words), input=bytes.fromhex(message(new, old)), capture_output=True, cwd="/", timeout=120, check=False,
            env={**machine.environment, "HOME": self.keychain.it.directories["home"], "XDG_RUNTIME_DIR": f"/run/user/{ann}"})

    def opening(self):
        """The only one of the passwords that opens the keychain."""
        def found():
            opened = []
            for password in PASSWORD, NEW:
                self.keychain.it.run("chatelaine", "lock", check=0)
                if given(self.keychain.it, "unlock", login_password_fd=password).returncode == 0:
                    opened.append(password)
            # The service may still be at the change.
            return opened[0] if len(opened) == 1 else None
        return wait_until(found, what="one password that opens the keychain")


@pytest.mark.sampled
def test_a_program_that_is_killed_at_any_system_call_leaves_one_of_the_two_passwords(own_keychain):
    if not shutil.which("strace"):
        pytest.skip("there is no strace")
    own_keychain.protect()
    change = Change(own_keychain)
    done = change.run(PASSWORD, NEW)
    equal((done.returncode, done.stderr), (0, b""))
    equal(change.opening(), NEW)
    calls = len([line for line in read_text(change.trace).splitlines() if re.match(r"\d+ +\w+\(", line)])
    assert calls > 50, read_text(change.trace)
    step = 1 if os.environ.get("CHATELAINE_LONG") else 23
    current, kept, changed = NEW, 0, 0
    # From the last calls on, which are those of the request.
    for number in range(calls, 1, -step):
        other = PASSWORD if current == NEW else NEW
        change.run(current, other, "-e", f"inject=all:signal=KILL:when={number}")
        now = change.opening()
        kept, changed, current = kept + (now == current), changed + (now == other), now
    assert kept and changed, (kept, changed)
    # The next login is as ever.
    own_keychain.it.run("chatelaine", "lock", check=0)
    given(own_keychain.it, "setup", "login", passcode_fd="hunter2", login_password_fd=PASSWORD)
    own_keychain.it.run("chatelaine", "lock", check=0)
    assert own_keychain.machine.su()
    own_keychain.wait_for_end_of_logins()
    equal(own_keychain.state(), "unlocked")


# MARK: Memory


def writable_memory(process):
    """The content of the writable memory of a process, mapping by mapping."""
    found = []
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in read_text(f"/proc/{process}/maps").splitlines():
            addresses, access = line.split()[:2]
            start, end = (int(text, 16) for text in addresses.split("-"))
            if access.startswith("rw"):
                memory.seek(start)
                found.append(memory.read(end - start))
    return found


PTRACE_CONT, PTRACE_O_TRACEEXIT, PTRACE_EVENT_EXIT = 7, 0x40, 6
WALL = 0x40000000


def at_its_end(process, work):
    """Lets a stopped process run, and calls `work` when it ends and still has its memory."""
    trace(PTRACE_SEIZE, process, None, ctypes.c_void_p(PTRACE_O_TRACEEXIT))
    try:
        os.kill(process, signal.SIGCONT)
        while True:
            _, status = os.waitpid(process, WALL)
            assert os.WIFSTOPPED(status), f"the process ended with status {status}"
            if status >> 16 == PTRACE_EVENT_EXIT:
                return work()
            # A signal is passed on, an event of ptrace is not.
            number = 0 if status >> 16 else os.WSTOPSIG(status)
            trace(PTRACE_CONT, process, None, ctypes.c_void_p(number))
    finally:
        trace(PTRACE_DETACH, process)


STOPPED = "#!/bin/sh\necho $$ >>\"${0%/*}/numbers\"\nkill -STOP $$\nexec PROGRAM \"$@\"\n"


@cases("kind", ["user", "system"])
def test_the_program_has_no_password_in_its_memory_when_it_ends(programs, kind):
    keychain = LoginKeychain(programs, kind, wrapper=STOPPED)
    try:
        numbers = os.path.join(keychain.host.scratch, "numbers")
        with open(numbers, "wb"):
            pass
        os.chmod(numbers, 0o666)
        keychain.protect()
        for count, (work, passwords) in enumerate([
                (keychain.machine.su, [PASSWORD]), (keychain.machine.passwd, [PASSWORD, NEW])], 1):
            assert work()
            process = int(wait_until(lambda: read_text(numbers).splitlines()[count - 1 :], what="the program")[0])
            wait_until(lambda: "T (stopped)" in read_text(f"/proc/{process}/status"), what="its stop")
            memory = at_its_end(process, lambda: writable_memory(process))
            assert sum(map(len, memory)) > 100_000
            equal([password for password in passwords if any(password.encode() in content for content in memory)], [])
        keychain.wait_for("add-protector", "granted")
        keychain.wait_for("unlock", "granted")
    finally:
        keychain.remove()


READ = """
import os, sys
for name in "mem", "maps", "environ", "fd/0":
    try:
        os.close(os.open(f"/proc/{sys.argv[1]}/{name}", os.O_RDONLY | os.O_NONBLOCK))
        print(name, "can be read")
    except PermissionError:
        print(name, "is denied")
"""


def waiting_program(keychain):
    """Stops the service and logs the user in. Returns the process of chatelaine-login, which has the password."""
    keychain.protect()
    keychain.daemon.send_signal(signal.SIGSTOP)
    assert keychain.machine.su()

    def with_password():
        return [number for number in keychain.logins()
                if any(PASSWORD.encode() in content for content in writable_memory(number))]
    return wait_until(with_password, what="the password in the memory of the program")[0]


def test_open_a_program_of_the_user_reads_the_password_that_is_on_its_way_to_a_user_service(own_keychain):
    process = waiting_program(own_keychain)
    done = own_keychain.machine.run("/usr/bin/python3", "-c", READ, str(process), user=ann, check=0)
    if "mem is denied" in done.stdout and os.path.exists("/proc/sys/kernel/yama"):
        pytest.skip("Yama denies it")
    # The pipe is root's.
    equal(done.stdout, "mem can be read\nmaps can be read\nenviron can be read\nfd/0 is denied\n")


def test_no_program_of_the_user_reads_the_password_that_is_on_its_way_to_the_system_service(programs):
    with root_owned_folder() as folder:
        # As chatelaine enforce makes it.
        keychain = LoginKeychain(programs, "system", folder=folder)
        program = os.path.join(folder, LOGIN)
        os.chown(program, 0, GROUP)
        os.chmod(program, 0o2711)
        try:
            process = waiting_program(keychain)
            done = keychain.machine.run("/usr/bin/python3", "-c", READ, str(process), user=ann, check=0)
            lacks(done.stdout, "can be read")
            equal(done.stdout.count("denied"), 4)
            keychain.daemon.send_signal(signal.SIGCONT)
            keychain.wait_for("unlock", "granted")
            equal(keychain.state(), "unlocked")
        finally:
            keychain.remove()


def no_process_has_the_password(keychain, but=()):
    keychain.wait_for("unlock", "granted")
    keychain.wait_for_end_of_logins()
    absent(Image(keychain.daemon.pid), {"the password": PASSWORD})
    others = {process: read_text(f"/proc/{process}/comm").strip() for process in keychain.machine.processes() - {keychain.daemon.pid}}
    others = {process: name for process, name in others.items() if name not in but}
    assert len(others) >= 2, others
    equal([name for process, name in others.items() if any(PASSWORD.encode() in content for content in writable_memory(process))], [])


@cases("host", ["su", "login"])
def test_during_a_session_no_process_has_the_password(keychain, host):
    keychain.protect()
    machine = keychain.machine
    with Terminal(machine, *machine.words(["su", "-", "ann"], bob) if host == "su" else ["login", "ann"]) as terminal:
        terminal.expect("Password: ")
        terminal.expect_silence()
        terminal.type(PASSWORD + "\n")
        terminal.expect("$ ")
        no_process_has_the_password(keychain)
        terminal.type("exit\n")
        terminal.end()


def test_during_a_session_of_ssh_no_process_of_the_server_has_the_password(keychain):
    keychain.protect()
    words, environment = keychain.machine.ssh("echo begun; exec cat")
    with keychain.machine.popen(
            *words, env={**keychain.machine.environment, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL) as client:
        try:
            equal(client.stdout.readline(), b"begun\n")
            # The client has the answer of the user.
            no_process_has_the_password(keychain, but=["ssh"])
        finally:
            client.kill()
