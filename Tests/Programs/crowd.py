# SPDX-License-Identifier: Apache-2.0
"""Several users who fill the system service: with connections, with open keychains and with frames that mean nothing. Another user and
root are served meanwhile, and the service stays within the bounds of ARCHITECTURE.md, "What waits"."""

import contextlib
import os
import select
import subprocess

from support.instance import Instance, own_kilobytes, read_text
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
def attackers(it, service, count, code, *words):
    """As many users, each with a process that runs the code until the end."""
    environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    running = []
    try:
        for user in range(FIRST_ATTACKER, FIRST_ATTACKER + count):
            running.append(it.popen(
                "/usr/bin/python3", "-c", code, service.socket_path, *map(str, words), str(user), env=environment, user=user, group=user,
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


def test_users_who_hold_more_connections_than_the_service_has_shut_nobody_out(it):
    with service_of(it) as (service, victim), attackers(it, service, 10, HOLDS, 300) as (_, served):
        # A program has half of what its user has, the longest idle one gives way.
        equal(served, [300] * 10)
        for _ in range(3):
            is_served(service, victim)


def test_users_who_keep_more_keychains_open_than_the_service_has_shut_nobody_out(it):
    with service_of(it) as (service, victim), attackers(it, service, 70, HOLDS, 1) as (_, served):
        equal(served, [1] * 70)
        for _ in range(3):
            is_served(service, victim)


def test_frames_with_changed_bytes_of_several_users_end_their_connections_and_nothing_else(it):
    with service_of(it) as (service, victim):
        process = int(read_text(os.path.join(service.runtime, "service.lock")))
        with attackers(it, service, 3, FUZZES, 4500) as (running, _):
            is_served(service, victim)
            before, rounds = own_kilobytes(process), 0
            while rounds < 3 or any(each.poll() is None and not is_readable(each.stdout) for each in running):
                is_served(service, victim)
                rounds += 1
            equal([each.stdout.readline() for each in running], [b"done 4500\n"] * 3)
        assert own_kilobytes(process) - before < 64 * 1024, (before, own_kilobytes(process))
        is_served(service, victim)
        lacks(read_text(service.log), "Fatal")


def is_readable(stream):
    return bool(select.select([stream], [], [], 0)[0])
