# SPDX-License-Identifier: Apache-2.0
"""The PAM module, with programs of the test in the place of chatelaine-login: what it passes on and to whom, and that it never
prevents or delays a login. The host is pam_host.c, which does one step of PAM at a time."""

import contextlib
import os
import re
import signal
import socket
import statistics
import subprocess
import tempfile

import pytest

from support.instance import has_ended, is_root, read_text, root_of_repository, wait_until
from support.logins import NEW, PASSWORD, RECORD, message, recorded
from support.sentences import equal
from support.system import ann, bob

SUPPORT = os.path.join(root_of_repository, "Tests/Programs/support")
# PAM_ESTABLISH_CRED, PAM_REINITIALIZE_CRED, PAM_REFRESH_CRED, PAM_AUTH_ERR, PAM_DATA_SILENT
ESTABLISH, REINITIALIZE, REFRESH, DENIED, SILENT = 0x2, 0x8, 0x10, 7, 0x40000000

# A /dev with a log of the test's own, and accounts of its own. Everything else is a link.
SETUP = """
mount --make-rprivate /
mkdir -p "$1/dev"
mount --rbind /dev "$1/dev"
mount -t tmpfs -o mode=755 tmpfs /dev
for entry in "$1"/dev/*; do [ "${entry##*/}" = log ] || ln -s "$entry" /dev; done
ln -s "$1/log" /dev/log
mount --bind "$1/passwd" /etc/passwd
mount --bind "$1/group" /etc/group
shift
exec "$@"
"""

pytestmark = pytest.mark.skipif(not is_root, reason="only root may log other users in")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The module as it is installed, the host, and a module in the place of pam_unix.so."""
    if not os.path.exists("/usr/include/security/pam_modules.h"):
        pytest.skip("the headers of PAM are not installed (Tools/setup build)")
    folder = str(tmp_path_factory.mktemp("built"))
    module = os.path.join(folder, "pam_chatelaine.so")
    script = os.path.join(root_of_repository, "Tools/common.bash")
    subprocess.run(["bash", "-c", f". {script}; build_login_module {module}"], check=True)
    compiler = ["cc", "-O1", "-Wall", "-Wextra", "-Werror"]
    for name, source, options in [("pam_host", "pam_host.c", []), ("played_pam.so", "played_pam.c", ["-shared", "-fPIC"])]:
        subprocess.run([*compiler, "-o", os.path.join(folder, name), os.path.join(SUPPORT, source), *options, "-lpam"], check=True)
    return folder


class Machine:
    """The settings of PAM, a program in the place of chatelaine-login, accounts, and a system log."""

    def __init__(self, folder, built):
        self.folder, self.built = folder, built
        os.chmod(folder, 0o755)
        self.said = os.path.join(folder, "said")
        os.mkdir(self.said)
        os.chmod(self.said, 0o1777)
        self.numbers = self.write("numbers", "", 0o666)
        self.program = self.script("program", RECORD)
        accounts = [f"{name}:x:{number}:{number}::/home/{name}:/bin/sh" for name, number in [("ann", ann), ("bob", bob)]]
        self.write("passwd", "\n".join(["root:x:0:0:root:/root:/bin/sh", *accounts, ""]))
        self.write("group", f"root:x:0:\nann:x:{ann}:\nbob:x:{bob}:\nreaders:x:4711:bob,ann\nwriters:x:4712:bob\n")
        self.log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.log.bind(os.path.join(folder, "log"))
        os.chmod(os.path.join(folder, "log"), 0o666)
        self.lines = []
        self.configure()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def script(self, name, text, mode=0o755):
        return self.write(name, text, mode)

    def configure(self, program=None, first=None, options=""):
        """Writes the settings of the service "test"."""
        module = os.path.join(self.built, "pam_chatelaine.so")
        played = os.path.join(self.built, "played_pam.so")
        options = options or f"program={program or self.program}"
        first = first if first is not None else f"auth requisite {played} [right={PASSWORD}]"
        os.makedirs(os.path.join(self.folder, "pam"), exist_ok=True)
        # PAM reports it in the log if this file is missing.
        self.write("pam/other", "auth required pam_deny.so\n")
        self.write("pam/test", "\n".join([
            first, f"auth optional {module} {options}", "auth required pam_permit.so", "account required pam_permit.so",
            f"password requisite {played}", f"password optional {module} {options}", "password required pam_permit.so",
            f"session optional {module} {options}", "session required pam_permit.so", ""]))

    @contextlib.contextmanager
    def host(self, user="ann", **more):
        words = ["unshare", "--mount", "sh", "-ec", SETUP, "sh", self.folder, os.path.join(self.built, "pam_host"),
                 os.path.join(self.folder, "pam"), "test", user]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **more)
        try:
            yield Host(self, process)
        finally:
            process.stdin.close()
            process.wait(timeout=60)
            process.stdout.close()

    def recorded(self, action="unlock"):
        """What the program wrote down, when it has."""
        return recorded(self.said, action)

    def started(self):
        """The numbers of the processes of a program that does not do what it should."""
        return [int(line) for line in read_text(self.numbers).splitlines()]

    def remove(self):
        self.log.close()
        for process in self.started():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def log_lines(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.lines.append(self.log.recv(4096, socket.MSG_DONTWAIT).decode())
        return self.lines

    def logged(self, text):
        """Waits for a line of the log."""
        wait_until(lambda: any(text in line for line in self.log_lines()), what=f"the line {text!r}")


class Host:
    def __init__(self, machine, process):
        self.machine, self.process, self.milliseconds = machine, process, 0
        equal(self._result(), 0)

    def _result(self):
        status, milliseconds = self.process.stdout.readline().split()
        self.milliseconds = float(milliseconds)
        return int(status)

    def step(self, *words, expect=0):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        result = self._result()
        if expect is not None:
            assert result == expect, f"{words}: {result}, expected {expect}"
        return result

    def authenticate(self, password=PASSWORD, expect=0):
        self.answers(password)
        self.step("authenticate", expect=expect)

    def answers(self, *passwords):
        for number, password in enumerate(passwords):
            self.step("answer", self.machine.write(f"answer-{number}", password, 0o600))

    def change(self, old=PASSWORD, new=NEW):
        self.answers(old, new)
        self.step("chauthtok")

    def log_in(self):
        self.authenticate()
        self.step("setcred", ESTABLISH)
        self.step("open")


@pytest.fixture
def machine(built):
    # In a folder that all users may search.
    with tempfile.TemporaryDirectory(prefix="chatelaine.", dir="/tmp") as folder:
        made = Machine(folder, built)
        yield made
        made.remove()


def nothing_was_passed(machine):
    """A program that ran would have been recorded before this one, whose login comes later."""
    equal(os.listdir(machine.said), [])
    with machine.host("bob") as host:
        host.log_in()
        equal(machine.recorded()["user"], [f"{bob} {bob}"])
    equal(os.listdir(machine.said), [])


# MARK: What is passed on


def test_a_login_starts_the_program_as_the_user_with_the_password_and_nothing_of_the_host(machine):
    with open("/etc/hostname", "rb") as file, machine.host(pass_fds=[file.fileno()], env={**os.environ, "LD_BIND_NOW": "1"}) as host:
        host.authenticate()
        host.step("setcred", ESTABLISH)
        equal(os.listdir(machine.said), [])
        host.step("env", "XDG_RUNTIME_DIR=/run/user/ann")
        host.step("env", "LD_PRELOAD=/tmp/x.so")
        host.step("ignore-pipes")
        host.step("open")
        found = machine.recorded()
        equal(found["action"], ["unlock"])
        equal(found["input"], [message(PASSWORD)])
        equal(found["user"], [f"{ann} {ann}"])
        equal(found["groups"], [f"{ann} {ann} {ann} 4711"])
        equal((found["folder"], found["umask"], found["core"]), (["/"], ["0077"], ["0"]))
        equal((found["SigIgn"], found["SigBlk"]), (["0" * 16], ["0" * 16]))
        equal((found["CapPrm"], found["CapAmb"]), (["0" * 16], ["0" * 16]))
        leader, process = found["session"][0].split()
        equal(leader, process)
        assert not any("/etc/hostname" in path for path in found["descriptor"]), found["descriptor"]
        variables = {line for line in found["env"] if not line.startswith(("PWD=", "OLDPWD=", "SHLVL=", "_="))}
        equal(variables, {
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/ann", "USER=ann", "LOGNAME=ann", "XDG_RUNTIME_DIR=/run/user/ann"})
        machine.logged("the program says this")
        # Once.
        host.step("setcred", REINITIALIZE)
        host.step("close")
        host.step("end", 0)
        nothing_was_passed(machine)


def test_a_wrong_password_is_never_passed_on(machine):
    with machine.host() as host:
        host.authenticate("wrong", expect=DENIED)
        # A host that opens a session all the same, and one that lets the user try again.
        host.step("open")
        host.authenticate()
        host.step("open")
        equal(machine.recorded()["input"], [message(PASSWORD)])
        host.step("end", 0)


def test_without_a_password_nothing_is_started(machine):
    machine.configure(first="auth required pam_permit.so")
    with machine.host() as host:
        host.step("authenticate")
        host.step("open")
        host.step("end", 0)
    machine.configure()
    nothing_was_passed(machine)


def test_a_password_of_an_earlier_attempt_is_not_used_for_a_login_by_fingerprint(machine):
    played = os.path.join(machine.built, "played_pam.so")
    # The second time, no password is entered, and another module permits the login.
    machine.configure(first=f"auth optional {played} [right={PASSWORD}]")
    with machine.host() as host:
        host.authenticate()
        host.step("authenticate")
        host.step("open")
        host.step("end", 0)
    machine.configure()
    nothing_was_passed(machine)


def test_the_session_of_another_user_gets_no_password(machine):
    with machine.host() as host:
        host.authenticate()
        # As sudo does it.
        host.step("user", "root")
        host.step("setcred", REINITIALIZE)
        host.step("open")
        # The password is forgotten, too.
        host.step("user", "ann")
        host.step("open")
        host.step("end", 0)
    nothing_was_passed(machine)


@pytest.mark.parametrize("flag", [REINITIALIZE, REFRESH])
def test_a_screen_locker_unlocks_without_a_session(machine, flag):
    with machine.host() as host:
        host.authenticate()
        host.step("setcred", flag)
        equal(machine.recorded()["action"], ["unlock"])
        host.step("end", 0)


def test_a_process_that_the_host_forked_has_no_password(machine):
    with machine.host() as host:
        host.authenticate()
        host.step("fork")
        host.step("open")
        host.step("end", 0)
    nothing_was_passed(machine)


def test_a_screen_locker_of_the_user_starts_the_program_with_its_own_rights(machine):
    with machine.host() as host:
        # As the user, the host cannot read the answers of the test.
        os.chmod(machine.write("answer-0", PASSWORD), 0o644)
        host.step("answer", os.path.join(machine.folder, "answer-0"))
        host.step("give-up-root", ann)
        host.step("authenticate")
        host.step("setcred", REFRESH)
        equal(machine.recorded()["user"], [f"{ann} {ann}"])
        host.step("end", 0)


def test_a_host_of_one_user_starts_nothing_as_another(machine):
    with machine.host() as host:
        os.chmod(machine.write("answer-0", PASSWORD), 0o644)
        host.step("answer", os.path.join(machine.folder, "answer-0"))
        host.step("give-up-root", bob)
        host.step("authenticate")
        host.step("open")
        host.step("end", 0)
    machine.logged("only root can start a program of the user ann")
    nothing_was_passed(machine)


def test_a_host_with_the_set_user_id_bit_gives_the_program_no_right_of_its_caller(machine):
    with machine.host() as host:
        # As su: called by bob, with the rights of root, for ann. It may become root again.
        host.step("become-caller", bob)
        host.log_in()
        found = machine.recorded()
        equal((found["user"], found["groups"]), ([f"{ann} {ann}"], [f"{ann} {ann} {ann} 4711"]))
        host.step("end", 0)


# MARK: Changes of the password


def test_a_changed_password_is_passed_on_with_the_old_one_when_the_change_is_complete(machine):
    with machine.host() as host:
        host.change()
        equal(os.listdir(machine.said), [])
        host.step("end", 0)
        found = machine.recorded("change")
        equal((found["action"], found["input"]), (["change"], [message(NEW, PASSWORD)]))
        equal(found["user"], [f"{ann} {ann}"])


@pytest.mark.parametrize("status", [DENIED, SILENT])
def test_a_change_that_fails_behind_the_module_or_a_forked_process_that_ends_changes_nothing(machine, status):
    with machine.host() as host:
        host.change()
        host.step("end", status)
    nothing_was_passed(machine)


def test_a_password_that_root_sets_without_the_old_one_is_not_passed_on(machine):
    module = os.path.join(machine.built, "pam_chatelaine.so")
    played = os.path.join(machine.built, "played_pam.so")
    machine.write("pam/test", f"password required {played} without-old\npassword optional {module}\n")
    with machine.host() as host:
        host.answers(NEW)
        host.step("chauthtok")
        host.step("end", 0)
    machine.logged("the password of ann is changed without the old one")
    machine.configure()
    nothing_was_passed(machine)


def test_an_expired_password_that_is_changed_at_login_unlocks_with_both(machine):
    with machine.host() as host:
        host.authenticate()
        host.change()
        host.step("open")
        found = machine.recorded()
        equal((found["action"], found["input"]), (["unlock"], [message(NEW, PASSWORD)]))
        host.step("end", 0)
    nothing_was_passed(machine)


@pytest.mark.parametrize("length, is_passed", [(1024, True), (1025, False)])
def test_the_longest_passwords_are_passed_on_and_longer_ones_are_not(machine, length, is_passed):
    password = "p" * length
    machine.configure(first="auth required pam_exec.so expose_authtok quiet /bin/true")
    with machine.host() as host:
        host.authenticate(password)
        host.change(password, "q" * length)
        host.step("open")
        if is_passed:
            equal(machine.recorded()["input"], [message("q" * length, password)])
        else:
            machine.logged("the login password is longer than 1024 bytes")
        host.step("end", 0)
    machine.configure()
    nothing_was_passed(machine)


# MARK: The login goes on


def program_that(machine, kind):
    """The path of a program that does not do what it should."""
    if kind == "is absent":
        return os.path.join(machine.folder, "absent")
    bodies = {"hangs": "echo $$ >>\"${0%/*}/numbers\"; exec sleep 600", "is stopped": "echo $$ >>\"${0%/*}/numbers\"; kill -STOP $$",
              "crashes": "echo $$ >>\"${0%/*}/numbers\"; kill -SEGV $$"}
    path = machine.script("other", f"#!/bin/sh\n{bodies.get(kind, 'true')}\n")
    if kind == "cannot be executed":
        os.chmod(path, 0o644)
    elif kind == "belongs to a user":
        os.chown(path, ann, ann)
    elif kind == "can be changed by a group":
        os.chmod(path, 0o775)
    elif kind == "is no program":
        machine.script("other", "\0\0\0\0")
    return path


# What the log has to say of each.
KINDS = {
    "is absent": "cannot be found: No such file or directory", "hangs": None, "is stopped": None, "crashes": None,
    "cannot be executed": "the program cannot be executed: Permission denied",
    "is no program": "the program cannot be executed: Exec format error",
    "belongs to a user": "is no program that only root can change", "can be changed by a group": "is no program that only root can change",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_login_succeeds_and_does_not_wait_for_a_program_that(machine, kind):
    machine.configure(program_that(machine, kind))
    with machine.host() as host:
        host.log_in()
        # The login is complete. A program that hangs or is stopped is still in that state, which it does not leave by itself.
        if KINDS[kind]:
            machine.logged(KINDS[kind])
        else:
            [process] = wait_until(machine.started, what="the start of the program")
            assert kind == "crashes" or not has_ended(process)
        host.step("close")
        host.step("end", 0)
    assert not any(PASSWORD in line for line in machine.log_lines())


def test_an_unknown_option_is_reported_and_the_login_succeeds(machine):
    for option in "program=relative", "debug":
        machine.configure(options=option)
        with machine.host() as host:
            host.log_in()
            host.step("end", 0)
        machine.logged(f'the option "{option}" is unknown')
    machine.configure()
    nothing_was_passed(machine)


def test_a_user_without_an_account_is_reported_and_the_login_succeeds(machine):
    with machine.host("carol") as host:
        host.log_in()
        host.step("end", 0)
    machine.logged("the user carol cannot be looked up")
    nothing_was_passed(machine)


def test_the_host_has_no_child_and_no_descriptor_more_than_before(machine):
    with machine.host() as host:
        host.authenticate()
        before = host.step("descriptors", expect=None)
        host.step("open")
        equal(host.step("descriptors", expect=None), before)
        host.step("children")
        machine.recorded()
        host.step("children")
        host.step("end", 0)


@pytest.mark.parametrize("state", [["ignore-children"], ["close-standard-streams"], ["thread"],
                                   ["ignore-children", "thread", "close-standard-streams"]])
def test_a_host_may_ignore_its_children_have_threads_and_no_standard_streams(machine, state):
    with machine.host() as host:
        for word in state:
            host.step(word)
        host.log_in()
        found = machine.recorded()
        equal((found["input"], found["user"]), ([message(PASSWORD)], [f"{ann} {ann}"]))
        host.step("children")
        host.step("end", 0)


# MARK: The memory of the host


def writable_memory(process):
    """The writable memory of a process, with the flags of each mapping."""
    found, head = [], None
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        for line in read_text(f"/proc/{process}/smaps").splitlines():
            if re.match("[0-9a-f]+-[0-9a-f]+ ", line):
                head = line
            elif line.startswith("VmFlags:") and " rw" in head:
                start, end = (int(text, 16) for text in head.split()[0].split("-"))
                memory.seek(start)
                found.append((line.split()[1:], memory.read(end - start)))
    return found


def test_the_password_is_kept_in_locked_memory_until_the_session_and_nowhere_afterwards(machine):
    # The settings do not name the password, because PAM has them in memory.
    machine.configure(first=f"auth requisite {os.path.join(machine.built, 'played_pam.so')}")
    with machine.host() as host:
        host.authenticate()
        with_password = [flags for flags, content in writable_memory(host.process.pid) if PASSWORD.encode() in content]
        # PAM itself has overwritten its copies.
        equal(len(with_password), 1)
        # Locked, not dumped, wiped in a forked process.
        assert {"lo", "dd", "wf"} <= set(with_password[0]), with_password
        host.step("open")
        machine.recorded()
        assert not any(PASSWORD.encode() in content for _, content in writable_memory(host.process.pid))
        host.step("end", 0)


def test_neither_password_of_a_change_is_left(machine):
    machine.configure(first=f"auth requisite {os.path.join(machine.built, 'played_pam.so')}")
    with machine.host() as host:
        host.change()
        for password in PASSWORD, NEW:
            flags = [flags for flags, content in writable_memory(host.process.pid) if password.encode() in content]
            assert len(flags) == 1 and {"lo", "dd", "wf"} <= set(flags[0]), flags
        host.step("end", 0)
        machine.recorded("change")
        for password in PASSWORD, NEW:
            assert not any(password.encode() in content for _, content in writable_memory(host.process.pid))


# MARK: Time


@pytest.mark.long
@pytest.mark.parametrize("kind", [None, *KINDS])
def test_a_login_takes_at_most_30_milliseconds_longer(machine, kind):
    def median():
        times = []
        for _ in range(15):
            took = 0
            with machine.host() as host:
                host.answers(PASSWORD)
                for step in [["authenticate"], ["setcred", ESTABLISH], ["open"]]:
                    host.step(*step)
                    took += host.milliseconds
                host.step("end", 0)
            times.append(took)
            # A log that is full makes each program wait.
            machine.log_lines()
        return statistics.median(times)
    machine.configure(program_that(machine, kind) if kind else None)
    with_module = median()
    played = os.path.join(machine.built, "played_pam.so")
    machine.write("pam/test", f"auth required {played} [right={PASSWORD}]\nsession required pam_permit.so\n")
    without = median()
    assert with_module - without <= 30, (with_module, without)
