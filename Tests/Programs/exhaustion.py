# SPDX-License-Identifier: Apache-2.0
"""A service that runs out of descriptors, threads or memory: it reports this or ends, loses no data, and recovers."""

import contextlib
import hashlib
import os
import resource
import threading

from support.instance import Instance, read_text, status_kilobytes, wait_until
from support.sentences import equal, ordinary
from support.wire import ADD, Client, Closed, attributes, block, frame, optional

LONELY_USER = 1587


def secret_of(name):
    """Two megabytes that tell whether they are whole."""
    return hashlib.sha256(name.encode()).digest() * (1 << 16)


def is_waiting(process):
    """Returns whether every thread of the process sleeps."""
    states = []
    for thread in os.listdir(f"/proc/{process}/task"):
        # A thread may end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            states.append(read_text(f"/proc/{process}/task/{thread}/stat").rpartition(")")[2].split()[0])
    return set(states) <= {"S"}


def comes_to_rest(process):
    """Waits until every thread of the process sleeps, at 50 looks in a row: a thread that tries again and again runs."""
    looks = 0

    def rests():
        nonlocal looks
        looks = looks + 1 if is_waiting(process) else 0
        return looks == 50
    wait_until(rests, what="a service that only waits")


def limited(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


def test_with_few_descriptors_it_serves_as_many_as_it_can_waits_without_working(it):
    # For 32 connections, half of which one program may have.
    """With few descriptors it serves as many as it can, waits without working, and serves all when there is room."""
    it.start(preexec_fn=limited(resource.RLIMIT_NOFILE, 160))
    with Client(it.socket_path) as first:
        equal(first.add({"svce": "a", "acct": "a"}, b"secret").status, 0)
        others = []
        with contextlib.ExitStack() as stack:
            for _ in range(80):
                with contextlib.suppress(OSError, Closed):
                    others.append(stack.enter_context(Client(it.socket_path, timeout=60)))
            assert 10 < len(others) <= 80, len(others)
            # Those that were taken in are served meanwhile: at least the last ones, as the longest idle give way.
            served = 0
            for other in others:
                with contextlib.suppress(OSError, Closed):
                    served += other.copy({"svce": "a"}, returning=1).items[0][2] == b"secret"
            assert served > 10, served
            comes_to_rest(it.daemon.pid)
    wait_until(lambda: it.run("chatelaine", "list").returncode == 0, what="room for a connection")
    with Client(it.socket_path) as client:
        equal(client.copy({"svce": "a"}, returning=1).items[0][2], b"secret")
    equal(it.stop(), 0)


class Adder(threading.Thread):
    """Adds large items until one is rejected or the service has ended; records the acknowledged ones.

    Before any of these processes ends its first request, all of them have begun one, or one of them was rejected."""

    def __init__(self, path, number, meeting):
        super().__init__()
        self.path, self.number, self.meeting, self.stored = path, number, meeting, []

    def run(self):
        with contextlib.suppress(OSError, Closed):
            self.work()
        # A refused client keeps no other waiting.
        self.meeting.abort()

    def work(self):
        with Client(self.path, timeout=120) as client:
            for number in range(4):
                name = f"{self.number}.{number}"
                values = {"svce": name, "acct": "a"}
                request = frame(ADD, client.nonce + attributes(values) + b"\0" + optional(block(secret_of(name))))
                client.send(request[:-1])
                if number == 0:
                    with contextlib.suppress(threading.BrokenBarrierError):
                        self.meeting.wait(60)
                client.send(request[-1:])
                if client.answer().status:
                    return
                self.stored.append(name)


def in_need(it, limit=lambda process: None, **more):
    """Many clients add large items to a service that has less and less of something, and then to the next one."""
    it.start(**more)
    limit(it.daemon.pid)
    meeting = threading.Barrier(12)
    adders = [Adder(it.socket_path, number, meeting) for number in range(12)]
    for adder in adders:
        adder.start()
    for adder in adders:
        adder.join()
    stored = {name for adder in adders for name in adder.stored}
    # The remaining memory may not be enough for an orderly end, and without memory the service ends at once.
    ended = it.stop(may_crash=True) != 0
    it.start()
    with Client(it.socket_path, timeout=60) as client:
        found = {item[1]["svce"].decode() for item in client.copy({}, limit=0, returning=2).items}
        assert stored <= found, stored - found
        for name in found:
            secret = client.copy({"svce": name}, returning=1).items[0][2]
            equal(secret, secret_of(name))
    equal(it.status()["unreadable"], 0)
    return ended, len(stored)


def test_out_of_memory_it_may_end_but_nothing_that_was_acknowledged_is_lost_and_the_next_one_is_well(it):
    def limit(process):
        room = status_kilobytes(process, "VmSize") * 1024 + (24 << 20)
        resource.prlimit(process, resource.RLIMIT_AS, (room, room))

    ended, stored = in_need(it, limit)
    assert ended or stored < 48, "it had memory enough"


@ordinary
def test_without_a_thread_for_a_connection_it_goes_on_with_those_it_has(it):
    # The kernel counts all threads of a user: no other test has this one.
    alone = Instance(it.programs, LONELY_USER)
    try:
        ended, stored = in_need(alone, preexec_fn=limited(resource.RLIMIT_NPROC, 10))
    finally:
        alone.remove()
    equal(ended, False)
    assert stored < 48, "it had threads enough"
