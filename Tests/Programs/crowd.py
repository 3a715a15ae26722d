# SPDX-License-Identifier: Apache-2.0
"""Several users who fill the system service: with connections, with open keychains and with frames that mean nothing. Another user and
root are served meanwhile, and the service stays within the bounds of Documentation/Limits.md."""

import contextlib
import os
import select
import subprocess

import pytest

from support.instance import Instance, own_kilobytes, read_text, wait_until
from support.seeds import part
from support.sentences import equal, lacks
from support.system import SystemService

# Users without an account: the first one is served, the others attack.
VICTIM, FIRST_ATTACKER = 1510, 1511

HOLDS = """
import sys
from support.wire import Client, Closed
path, count = sys.argv[1], int(sys.argv[2])
clients, served = [], 0
for _ in range(count):
    for _ in range(100):
        try:
            client = Client(path)
            served += client.copy({"svce": "name"}).status == -25300
            clients.append(client)
            break
        except (OSError, Closed):
            # The service has ended it to make room, before its request came: clients connect again then.
            pass
print("ready", served, flush=True)
sys.stdin.read()
"""

# All of them at work, for as long as their client wants: no idle one gives way.
WATCHES = """
import sys
from support.wire import WATCH, Client
path, count = sys.argv[1], int(sys.argv[2])
clients, watching = [], 0
for _ in range(count):
    client = Client(path)
    clients.append(client)
    watching += client.request(WATCH).status == 0
print("ready", watching, flush=True)
sys.stdin.read()
"""

FUZZES = """
import random, socket, sys
from support.hostile import changed_request, ends
from support.wire import Client, Closed
path, count, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
dice, done = random.Random(seed), 0
for _ in range(count):
    client = Client(path)
    try:
        client.send(changed_request(client.nonce, dice))
        client.socket.shutdown(socket.SHUT_WR)
    except (Closed, OSError):
        pass
    ends(client)
    done += 1
    if done == count // 3:
        # Its keychain is open, and has what it needs.
        print("ready", done, flush=True)
print("done", done, flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def service_of(it):
    with SystemService(it) as service:
        service.start(sandboxed=False)
        victim = service.user(VICTIM)
        try:
            victim.set("mail", "s3cret")
            yield service, victim
            equal(service.stop(), 0)
        finally:
            victim.remove()


@contextlib.contextmanager
def attackers(it, service, count, code, *words, first=FIRST_ATTACKER, program="/usr/bin/python3"):
    """As many users, each with a process that runs the code until the end."""
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    running = []
    try:
        for user in range(first, first + count):
            running.append(it.popen(
                program, "-c", code, service.socket_path, *map(str, words), str(user), env=environment, user=user, group=user,
                extra_groups=[], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        lines = [process.stdout.readline().split() for process in running]
        equal({line[0] for line in lines}, {b"ready"})
        yield running, [int(line[1]) for line in lines]
    finally:
        for process in running:
            process.kill()
            process.communicate()


def is_served(service, victim):
    """The user, by connections that are new, and root, whose keychain is another one."""
    equal(victim.get("mail"), b"s3cret")
    root = Instance(victim.programs)
    try:
        root.environment["CHATELAINE_SERVICE"] = victim.environment["CHATELAINE_SERVICE"]
        root.set("name", "of root")
        equal(root.get("name"), b"of root")
    finally:
        root.remove()


def uses(process):
    """Threads, descriptors, and kilobytes of the service's own."""
    return [len(os.listdir(f"/proc/{process}/{kind}")) for kind in ("task", "fd")], own_kilobytes(process)


def test_users_who_fill_connections_and_keychains_at_once_lock_no_other_user_out_and_leave_nothing_behind(it):
    with service_of(it) as (service, victim):
        process = int(read_text(os.path.join(service.runtime, "service.lock")))
        is_served(service, victim)
        (threads, descriptors), before = uses(process)
        # More connections than the service has, and more keychains than it keeps open. A program has half of what its user has, of which the
        # longest idle one gives way.
        with attackers(it, service, 8, HOLDS, 300) as (_, many), \
                attackers(it, service, 66, HOLDS, 1, first=FIRST_ATTACKER + 8) as (_, others):
            equal((many, others), ([300] * 8, [1] * 66))
            for _ in range(3):
                is_served(service, victim)
        # With the crowd go its threads and descriptors. A keychain stays open for a while after its user has left: a few descriptors each.
        wait_until(lambda: uses(process)[0][0] <= threads + 16, what="the end of the crowd's threads")
        wait_until(lambda: uses(process)[0][1] <= descriptors + 64 * 16, what="the end of the crowd's descriptors")
        assert uses(process)[1] - before < 256 * 1024, (before, uses(process))
        is_served(service, victim)
        # Of the crowd, too.
        one = service.user(FIRST_ATTACKER)
        try:
            one.set("own", "works")
            equal(one.get("own"), b"works")
        finally:
            one.remove()


def test_users_who_have_all_connections_at_work_lock_no_user_out_who_has_fewer(it):
    """Users who have all connections at work shut nobody out who has fewer: one that watches gives way."""
    with service_of(it) as (service, victim):
        other = os.path.join(it.scratch, "python")
        with open("/usr/bin/python3", "rb") as source, open(other, "wb") as target:
            # Other bytes make it another program, and each program may have half of what its user may.
            target.write(source.read() + b"another")
        os.chmod(other, 0o755)
        with attackers(it, service, 8, WATCHES, 128) as (_, first), \
                attackers(it, service, 8, WATCHES, 128, program=other) as (_, second):
            equal(sum(first) + sum(second), 2048)
            for _ in range(3):
                is_served(service, victim)
        is_served(service, victim)


@pytest.mark.sampled
def test_frames_with_changed_bytes_of_several_users_end_their_connections_and_nothing_else(it):
    with service_of(it) as (service, victim):
        process = int(read_text(os.path.join(service.runtime, "service.lock")))
        frames = part(600, 4500)
        with attackers(it, service, 3, FUZZES, frames) as (running, _):
            is_served(service, victim)
            before, rounds = own_kilobytes(process), 0
            while rounds < 3 or any(each.poll() is None and not is_readable(each.stdout) for each in running):
                is_served(service, victim)
                rounds += 1
            equal([each.stdout.readline() for each in running], [b"done %d\n" % frames] * 3)
        assert own_kilobytes(process) - before < 64 * 1024, (before, own_kilobytes(process))
        is_served(service, victim)
        lacks(read_text(service.log), "Fatal")


def is_readable(stream):
    return bool(select.select([stream], [], [], 0)[0])
