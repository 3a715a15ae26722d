# SPDX-License-Identifier: Apache-2.0
"""Programs and descriptors on a file system of a user's own (FUSE) that answers nothing. The kernel has the service's thread wait for that
file system, and not even SIGKILL ends that. Other programs and other users are served, and the threads that wait are bounded."""

import contextlib
import os
import subprocess

from support.instance import Instance, has_ended, ordinary_user, read_text, wait_until
from support.sentences import equal, ordinary
from support.silent_files import SilentFiles
from support.system import SystemService, ann, bob

# Of a user (Documentation/Limits.md): connections, and those of them that have given way and end late.
CONNECTIONS, LEAVING = 256, 64


def threads(process):
    return len(os.listdir(f"/proc/{process}/task"))


def come_to_wait(files, count):
    wait_until(lambda: files.waiting >= count, what=f"{count} threads that wait for the file system")


def come_back(process, before):
    """Waits until the threads are as few as before, but for those that the system library keeps for a while."""
    wait_until(lambda: threads(process) <= before + 16, what="the end of the threads")


@ordinary
def test_a_program_on_a_file_system_that_does_not_answer_holds_up_no_other_program_of_its_user(it):
    with SilentFiles(it, ordinary_user) as files:
        service = it.start()
        it.set("name", "s3cret")
        caller = files.caller(it.socket_path)
        # As long as the file system answers, the program is told that it is not identified, and the connection works.
        before = threads(service.pid)
        equal(files.connect(caller, 1), 1)
        files.hang()
        equal(files.connect(caller, 100), 100)
        come_to_wait(files, 100)
        for _ in range(3):
            equal(it.get("name"), b"s3cret")
        it.set("other", "s3cret")
        files.answer()
        files.end_callers()
        come_back(service.pid, before)
        equal(it.get("other"), b"s3cret")
        equal(it.stop(), 0)


@ordinary
def test_more_of_them_than_a_user_may_have_connections_are_refused_and_the_service_comes_back(it):
    """More of them than a user may have connections are refused, the threads are bounded, and with the end of the file system the user is
    served again."""
    with SilentFiles(it, ordinary_user) as files:
        service = it.start()
        it.set("name", "s3cret")
        before = threads(service.pid)
        callers = [files.caller(it.socket_path) for _ in range(2)]
        files.hang()
        for caller in callers:
            equal(files.connect(caller, 400), 400)
        come_to_wait(files, CONNECTIONS)
        wait_until(lambda: it.run("chatelaine", "list").returncode != 0, what="a refusal")
        most = threads(service.pid)
        assert most <= before + CONNECTIONS + LEAVING, most
        files.end()
        files.end_callers()
        come_back(service.pid, before)
        wait_until(lambda: it.run("chatelaine", "list").returncode == 0, what="room for a connection")
        equal(it.get("name"), b"s3cret")
        equal(it.stop(), 0)


# Connects and answers the hello with a descriptor of the file, which the service then closes.
GIVES_DESCRIPTORS = """
import os, socket, struct, sys
from support.wire import GREETING, Client, Closed, frame
path, program = sys.argv[1:3]
file = os.open(program, os.O_RDONLY)
print("ready", flush=True)
kept = []
for line in sys.stdin:
    for _ in range(int(line)):
        try:
            client = Client(path, greeting=False)
        except (Closed, OSError):
            continue
        kept.append(client)
        if client.refusal is None:
            socket.send_fds(client.socket, [frame(GREETING, client.nonce)], [file])
    print(len(kept), flush=True)
os.kill(os.getpid(), 9)
"""


def giver(it, files, socket_path):
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    process = it.popen(
        "sh", "-c", 'ulimit -n 4096; exec "$@"', "sh", "/usr/bin/python3", "-c", GIVES_DESCRIPTORS, socket_path, files.program,
        env=environment, user=files.user, group=files.user, extra_groups=[], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    equal(process.stdout.readline(), b"ready\n")
    files.callers.append(process)
    return process


@contextlib.contextmanager
def system(it):
    """A service of the system, its process, and a user who has an item."""
    with SystemService(it) as service:
        service.start(sandboxed=False)
        victim = service.user(bob)
        try:
            victim.set("mail", "s3cret")
            yield service, int(read_text(os.path.join(service.runtime, "service.lock"))), victim
        finally:
            victim.remove()


def are_served(victim):
    equal(victim.get("mail"), b"s3cret")
    root = Instance(victim.programs)
    try:
        root.environment["CHATELAINE_SERVICE"] = victim.environment["CHATELAINE_SERVICE"]
        root.set("name", "of root")
        equal(root.get("name"), b"of root")
    finally:
        root.remove()


def attacks_with(it, connect, everybody, hanging):
    with system(it) as (service, process, victim):
        with SilentFiles(it, ann, everybody) as files:
            before = threads(process)
            attacker = connect(files, service.socket_path)
            files.hang()
            rounds = 0
            while rounds < 8:
                files.connect(attacker, 100)
                are_served(victim)
                rounds += 1
            come_to_wait(files, hanging)
            most = threads(process)
            # Root and the user have some, too.
            assert most <= before + CONNECTIONS + LEAVING + 16, most
            are_served(victim)
            files.end()
            files.end_callers()
            come_back(process, before)
        are_served(victim)
        other = service.user(ann)
        try:
            other.set("own", "works")
            equal(other.get("own"), b"works")
        finally:
            other.remove()
        equal(service.stop(), 0)
        equal(has_ended(process), True)


def test_other_users_are_served_beside_descriptors_of_such_files_which_the_system_service_has_to_close(it):
    # A program that the service knows has half of its user's connections.
    attacks_with(it, lambda files, path: giver(it, files, path), everybody=False, hanging=CONNECTIONS // 2)


def test_other_users_are_served_beside_programs_on_such_a_file_system_that_the_system_service_may_use(it):
    """With `user_allow_other` in /etc/fuse.conf, a user's file system can be one that all users may use."""
    attacks_with(it, lambda files, path: files.caller(path), everybody=True, hanging=CONNECTIONS)


def test_a_program_on_a_file_system_that_only_its_user_may_use_does_not_hold_the_system_service_at_all(it):
    with system(it) as (service, _, victim), SilentFiles(it, ann) as files:
        caller = files.caller(service.socket_path)
        files.hang()
        equal(files.connect(caller, 50), 50)
        for _ in range(3):
            are_served(victim)
        equal(files.waiting, 0)
        equal(service.stop(), 0)
