# SPDX-License-Identifier: Apache-2.0
"""The PAM module, with programs of the test in the place of chatelaine-login: which data it passes to which process, and that it never
prevents or delays a login. The host is pam_host.c, which does one step of PAM at a time."""

import contextlib
import os
import re
import socket
import statistics
import subprocess
import tempfile

import pytest

from support import pam_machine
from support.instance import has_ended, is_root, read_text, wait_until
from support.logins import NEW, PASSWORD, RECORD, message
from support.pam_machine import DENIED, ESTABLISH, REFRESH, REINITIALIZE, SILENT, TOKEN_ERROR, PAMMachine
from support.sentences import cases, equal, lacks
from support.system import ann, bob

pytestmark = pytest.mark.skipif(not is_root, reason="only root may log other users in")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return pam_machine.built(str(tmp_path_factory.mktemp("built")))


@pytest.fixture
def machine(built):
    # In a folder that all users may search.
    with tempfile.TemporaryDirectory(prefix="chatelaine.", dir="/tmp") as folder:
        made = PAMMachine(folder, built)
        yield made
        made.remove()


def nothing_was_passed(machine):
    """A program that ran would have been recorded before this one, whose login comes later."""
    equal(os.listdir(machine.said), [])
    with machine.host("bob") as host:
        host.log_in()
        equal(machine.recorded()["user"], [f"{bob} {bob}"])
    equal(os.listdir(machine.said), [])


# MARK: The password and the environment of the program


def test_a_login_starts_the_program_as_the_user_with_the_password_and_nothing_of_the_host(machine):
    hostile = {
        "LD_BIND_NOW": "1", "GCONV_PATH": "/tmp", "CHATELAINE_SERVICE": "system:/tmp", "CHATELAINE_HELPERS": "/tmp", "HOME": "/tmp",
        "XDG_RUNTIME_DIR": "/tmp", "XDG_DATA_HOME": "/tmp", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/tmp/bus"}
    with open("/etc/hostname", "rb") as file, machine.host(pass_fds=[file.fileno()], env={**os.environ, **hostile}) as host:
        for word in "terminal", "remote-host", "remote-user":
            host.step(word, "x; touch /tmp/x `id` %n ../../tmp")
        host.authenticate()
        host.step("setcred", ESTABLISH)
        equal(os.listdir(machine.said), [])
        host.step("env", "XDG_RUNTIME_DIR=/run/user/ann")
        for line in ["LD_PRELOAD=/tmp/x.so", "CHATELAINE_SERVICE=system:/tmp", "PATH=/tmp", "HOME=/tmp", "USER=bob"]:
            host.step("env", line)
        host.step("ignore-pipes")
        host.step("open")
        found = machine.recorded()
        equal(found["action"], ["unlock"])
        equal(found["input"], [message(PASSWORD)])
        equal(found["user"], [f"{ann} {ann}"])
        equal(found["groups"], [f"{ann} {ann} {ann} 4711"])
        equal((found["folder"], found["umask"], found["core"]), (["/"], ["0077"], ["1 1 bytes "]))
        # 32 and 33 are signals of the C library, which lets no program change them. posix_spawn leaves them ignored, and make uses it.
        ignored = int(found["SigIgn"][0], 16) & ~(1 << 31 | 1 << 32)
        equal((ignored, found["SigBlk"]), (0, ["0" * 16]))
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


def test_of_two_attempts_with_different_passwords_only_the_second_is_passed_on(machine):
    # The module cannot tell which password another module accepted.
    machine.configure(first=f"auth requisite {os.path.join(machine.built, 'played_pam.so')}")
    with machine.host() as host:
        host.authenticate("first")
        host.authenticate("second")
        host.step("open")
        equal(machine.recorded()["input"], [message("second")])
        host.step("open")
        host.step("end", 0)
    machine.configure()
    nothing_was_passed(machine)


def test_of_the_passwords_of_two_users_in_one_host_each_reaches_only_a_process_of_its_user(machine):
    machine.configure(first=f"auth requisite {os.path.join(machine.built, 'played_pam.so')}")
    with machine.host() as host:
        host.authenticate("the password of ann")
        host.step("user", "bob")
        host.authenticate("the password of bob")
        host.step("open")
        found = machine.recorded()
        equal((found["input"], found["user"]), ([message("the password of bob")], [f"{bob} {bob}"]))
        host.step("user", "ann")
        host.step("open")
        host.step("end", 0)
    machine.configure()
    nothing_was_passed(machine)


@pytest.mark.parametrize("status", [0, DENIED, SILENT])
def test_a_host_that_ends_without_a_session_passes_nothing_on_and_has_no_password_left(machine, status):
    machine.configure(first=f"auth requisite {os.path.join(machine.built, 'played_pam.so')}")
    with machine.host() as host:
        host.authenticate()
        host.step("end", status)
        assert not any(PASSWORD.encode() in content for _, content in writable_memory(host.process.pid))
    machine.configure()
    nothing_was_passed(machine)


@cases("name", ["../../tmp/x", "-c", "--help", "%n%s%s%s", "ann:x:0", " ann", "ann ", "ANN", "ann\nann", "ann\x1b[2J", "$(id)", "ann;id",
                "x" * 255, "x" * 256, "x" * 100_000, "\udcff\udcfe"])
def test_a_name_that_is_no_user_starts_nothing_and_forges_no_line_of_the_log(machine, name):
    with machine.host(name) as host:
        host.log_in()
        host.step("end", 0)
    machine.logged("the name of the user is too long" if len(name) > 255 else "cannot be looked up")
    for line in machine.log_lines():
        assert line.isprintable(), line
        lacks(line, PASSWORD)
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


def test_a_change_that_failed_is_not_passed_on_with_the_success_of_a_later_one(machine):
    with open(os.path.join(machine.folder, "pam/test"), "a", encoding="utf-8") as settings:
        settings.write(f"password required {os.path.join(machine.built, 'played_pam.so')} [denied={NEW}]\n")
    with machine.host() as host:
        host.answers(PASSWORD, NEW)
        host.step("chauthtok", expect=TOKEN_ERROR)
        # The module cannot pass this one on.
        host.change(new="q" * 1025)
        host.step("end", 0)
    machine.logged("the login password is longer than 1024 bytes")
    machine.configure()
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


def test_a_password_ends_at_a_zero_byte_for_the_module_as_for_those_that_verify_it(machine):
    with machine.host() as host:
        host.authenticate(PASSWORD.encode() + b"\0" + b"x" * 100)
        host.step("open")
        equal(machine.recorded()["input"], [message(PASSWORD)])
        host.step("end", 0)


@pytest.mark.parametrize("length, is_passed", [(512, True), (1024, True), (1025, False), (100_000, False)])
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
    """The path of a program of this kind: absent, unsafe, hanging, stopped or failing."""
    if kind == "is absent":
        return os.path.join(machine.folder, "absent")
    if kind == "is in a folder of a user":
        os.mkdir(os.path.join(machine.folder, "own"))
        path = machine.script("own/program", RECORD)
        os.chown(os.path.dirname(path), ann, ann)
        return path
    if kind == "is below a folder that a group can change":
        os.makedirs(os.path.join(machine.folder, "shared/bin"))
        os.chmod(os.path.join(machine.folder, "shared"), 0o775)
        return machine.script("shared/bin/program", RECORD)
    if kind == "is a folder":
        return machine.folder
    if kind == "is a pipe":
        path = os.path.join(machine.folder, "pipe")
        os.mkfifo(path, 0o755)
        return path
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
    **dict.fromkeys(
        ["belongs to a user", "can be changed by a group", "is in a folder of a user", "is below a folder that a group can change",
         "is a folder", "is a pipe"], "is no program that only root can change"),
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
    equal(os.listdir(machine.said), [])


def test_a_link_that_its_user_exchanges_all_the_time_never_leads_to_the_users_program(machine):
    own = os.path.join(machine.folder, "own")
    os.mkdir(own)
    machine.script("own/said", "")
    # Says in its folder that it ran.
    machine.script("own/program", '#!/bin/sh\ncat >"${0%/*}/said"\n')
    for path in own, os.path.join(own, "said"), os.path.join(own, "program"):
        os.chown(path, ann, ann)
    link, targets = os.path.join(own, "link"), [machine.program, os.path.join(own, "program")]
    os.symlink(targets[0], link)
    machine.configure(link)
    code = ("import os, sys, itertools\nfor target in itertools.cycle(sys.argv[2:]):\n"
            "    os.symlink(target, sys.argv[1] + '.new')\n    os.replace(sys.argv[1] + '.new', sys.argv[1])")
    exchanging = subprocess.Popen(["setpriv", f"--reuid={ann}", f"--regid={ann}", "--clear-groups", "/usr/bin/python3", "-c", code,
                                   link, *targets])
    try:
        started = 0
        for _ in range(15):
            with machine.host() as host:
                host.log_in()
                host.step("end", 0)
            assert exchanging.poll() is None
            refused = sum("is no program that only root can change" in line for line in machine.log_lines())
            if refused == started:
                machine.recorded()
            started = refused
    finally:
        exchanging.kill()
        exchanging.wait()
    equal(os.path.getsize(os.path.join(own, "said")), 0)


@pytest.fixture
def full_log(machine):
    """The system log is full, and no process reads it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as filling:
        filling.connect(os.path.join(machine.folder, "log"))
        with contextlib.suppress(BlockingIOError):
            while True:
                filling.send(b"full", socket.MSG_DONTWAIT)
    return machine


def test_a_login_does_not_wait_for_a_system_log_that_is_full(full_log):
    full_log.configure(program_that(full_log, "is absent"))
    with full_log.host() as host:
        host.log_in()
        host.step("end", 0)
    equal(set(full_log.log_lines()), {"full"})


@pytest.mark.long
def test_a_process_that_waits_for_a_system_log_that_is_full_ends_after_a_minute(full_log):
    full_log.configure(program_that(full_log, "is no program"))
    with full_log.host() as host:
        host.log_in()
        host.step("end", 0)

        def waiting():
            program = os.readlink(f"/proc/{host.process.pid}/exe")
            return [name for name in filter(str.isdigit, os.listdir("/proc"))
                    if int(name) != host.process.pid and not has_ended(int(name)) and executable(name) == program]
        wait_until(waiting, what="the process that reports")
        wait_until(lambda: not waiting(), seconds=120, what="its end")


def executable(process):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{process}/exe")
    return None


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
