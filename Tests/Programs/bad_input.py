# SPDX-License-Identifier: Apache-2.0
"""Bytes that no client of ours sends, and clients that behave badly: they end their own connection and nothing else."""

import contextlib
import os
import random
import select
import socket
import struct

import pytest

from support.hostile import changed_request, ends, good_requests
from support.instance import own_kilobytes, read_text, resident_kilobytes, wait_until
from support.seeds import part
from support.sentences import contains, equal
from support.wire import (
    ADD, COPY, DATA, DELETE, GREETING, MISSING_ENTITLEMENT, NOT_AVAILABLE, NOT_GREETED, PARAMETER, STATUS, UPDATE,
    WATCH, Client, Closed, Reader, attributes, block, frame, optional, query)

# The reason tooManyConnectionsOfProgram.
OF_PROGRAM = 100


def still_serves(it):
    equal(it.daemon.poll(), None)
    it.set("still", "there")
    equal(it.get("still"), b"there")
    log = read_text(it.log)
    assert "Fatal" not in log and "rror:" not in log.replace("error: cannot write", ""), log


def are_connected(clients):
    """Returns whether the service has closed none of the connections, regardless of unread answers."""
    poll = select.poll()
    for client in clients:
        poll.register(client.socket, select.POLLRDHUP)
    return not poll.poll(0)


def serves_beside(it, behave):
    """Shows that the service answers others while clients that behave badly are connected. Returns those clients.

    The service hangs up on such clients after a while. On a machine that is so slow that this comes first, it is tried again.
    behave: returns new clients that behave badly."""
    def attempt():
        clients = behave()
        with Client(it.socket_path, timeout=60) as client:
            equal(client.request(STATUS).status, 0)
        if are_connected(clients):
            return clients
        for client in clients:
            client.close()
        return None
    clients = wait_until(attempt, what="an answer while other clients behave badly")
    still_serves(it)
    return clients


@pytest.mark.sampled
def test_two_thousand_random_frames_end_their_connections_and_the_service_goes_on(it):
    it.start()
    dice = random.Random(20240131)
    for _ in range(part(500, 2000)):
        client = Client(it.socket_path)
        kind = dice.choice([ADD, COPY, UPDATE, DELETE, STATUS, WATCH, dice.randrange(256)])
        payload = dice.randbytes(dice.choice([0, 1, 16, 40, 300, 5000]))
        if dice.random() < 0.7:
            payload = client.nonce + payload
        try:
            client.send(dice.choice([frame(kind, payload), frame(kind, payload), dice.randbytes(64)]))
            client.socket.shutdown(socket.SHUT_WR)
        except (Closed, OSError):
            pass
        ends(client)
    still_serves(it)


@pytest.mark.sampled
def test_four_thousand_requests_with_a_few_changed_bytes_are_answered_or_end_their_connections(it):
    it.start()
    dice = random.Random(20240201)
    for _ in range(part(1000, 4000)):
        client = Client(it.socket_path)
        try:
            client.send(changed_request(client.nonce, dice))
            client.socket.shutdown(socket.SHUT_WR)
        except (Closed, OSError):
            pass
        ends(client)
    still_serves(it)


def test_a_request_that_ends_after_any_of_its_bytes_changes_nothing(it):
    it.start()
    with Client(it.socket_path) as client:
        whole = next(good_requests(client.nonce))
    for length in range(len(whole)):
        client = Client(it.socket_path)
        client.send(next(good_requests(client.nonce))[:length])
        client.socket.shutdown(socket.SHUT_WR)
        equal(ends(client), None)
    equal(it.list(), [])
    still_serves(it)


def test_bytes_left_over_behind_a_message_are_refused_and_it_is_not_carried_out(it):
    it.start()
    for number in range(6):
        client = Client(it.socket_path)
        request = list(good_requests(client.nonce))[number]
        client.send(frame(request[1], request[8:] + b"\0"))
        equal(ends(client), PARAMETER)
    equal(it.list(), [])


def test_a_second_request_in_the_same_piece_as_the_first_one_is_refused(it):
    it.start()
    client = Client(it.socket_path)
    client.send(frame(STATUS, client.nonce) * 2)
    equal(ends(client), PARAMETER)
    still_serves(it)


def test_another_protocol_version_unknown_kinds_and_reserved_bytes_are_refused(it):
    it.start()
    for change in [dict(version=0), dict(version=2), dict(version=255), dict(reserved=1), dict(reserved=256)]:
        client = Client(it.socket_path)
        client.send(frame(STATUS, client.nonce, **change))
        assert ends(client) in (PARAMETER, None), change
    for kind in [0, 1, 2, 3, 4, 0x10, 0x17, 0x80, 0xFF]:
        client = Client(it.socket_path)
        client.send(frame(kind, client.nonce))
        assert ends(client) in (PARAMETER, None), kind
    still_serves(it)


def test_a_header_that_announces_four_gigabytes_takes_no_memory_and_ends_the_connection(it):
    it.start()
    still_serves(it)
    before = own_kilobytes(it.daemon.pid)
    clients = []
    for length in [0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, (18 << 20) + (64 << 10) + 1]:
        client = Client(it.socket_path)
        client.send(frame(ADD, length=length))
        assert ends(client) in (PARAMETER, -25302, None)
    # The longest that is allowed: announced by many, sent by none.
    for _ in range(100):
        clients.append(Client(it.socket_path))
        clients[-1].send(frame(ADD, clients[-1].nonce, length=(18 << 20) + (64 << 10)))
    still_serves(it)
    grown = own_kilobytes(it.daemon.pid) - before
    assert grown < 10 * 1024, f"{grown} kB for nothing but headers"
    for client in clients:
        client.close()


def test_the_largest_secret_is_stored_and_found_again_and_one_byte_more_is_refused(it):
    it.start()
    secret = os.urandom(1 << 20) * 16
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "large", "acct": "a"}, secret).status, 0)
        equal(client.copy({"svce": "large"}).items[0][2], secret)
        equal(client.add({"svce": "larger", "acct": "a"}, secret + b"x").status, -25302)
    done = it.run("chatelaine", "set", "large", input=secret + b"x", check=1)
    contains(done.err, "error: the secret is larger than 16 MiB", "hint: nothing was stored")
    it.set("large", secret)
    assert it.get("large") == secret


def test_clients_that_stop_in_the_middle_of_a_request_do_not_keep_others_waiting_and_are_hung_up_on(it):
    it.start()

    def stall():
        stalled = []
        for number in range(60):
            client = Client(it.socket_path, timeout=60)
            request = list(good_requests(client.nonce))[number % 6]
            client.send(request[: min(1 + number, len(request) - 1)])
            stalled.append(client)
        return stalled

    for client in serves_beside(it, stall):
        equal(ends(client), None)


def test_clients_that_do_not_read_their_answers_do_not_keep_others_waiting(it):
    it.start()
    with Client(it.socket_path) as client:
        for n in range(4):
            equal(client.add({"svce": "large", "acct": str(n)}, b"x" * 2_000_000).status, 0)

    def ask_and_do_not_read():
        deaf = [Client(it.socket_path) for _ in range(20)]
        for client in deaf:
            client.send(frame(COPY, client.nonce + query({"svce": "large"}) + struct.pack(">IB", 0, DATA)))
        return deaf

    deaf = serves_beside(it, ask_and_do_not_read)
    memory = resident_kilobytes(it.daemon.pid)
    assert memory < 400 * 1024, f"{memory} kB for 20 answers"
    for client in deaf:
        client.close()


def test_a_watcher_that_does_not_read_holds_up_no_change_and_is_dropped_when_its_socket_is_full(it):
    it.start()
    watcher = Client(it.socket_path)
    # The smallest that the kernel gives.
    watcher.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    equal(watcher.request(WATCH).status, 0)
    with Client(it.socket_path) as client:
        equal(client.add({"svce": "s", "acct": "a"}, b"secret").status, 0)
        for n in range(500):
            equal(client.update({"svce": "s"}, {"labl": str(n)}).status, 0)
        equal(client.copy({"svce": "s"}).items[0][2], b"secret")
    received = 0
    try:
        while received < 501:
            watcher.receive()
            received += 1
    except Closed:
        pass
    assert received > 0
    still_serves(it)
    watcher.close()


def test_three_hundred_idle_connections_do_not_shut_others_out(it):
    it.start()
    idle = [Client(it.socket_path) for _ in range(300)]
    still_serves(it)
    # The oldest had to give way, and the youngest are still there.
    equal(idle[0].socket.recv(1), b"")
    equal(idle[-1].status()[0] > 0, True)
    memory = resident_kilobytes(it.daemon.pid)
    assert memory < 40 * 1024, f"{memory} kB"
    for client in idle:
        client.close()


def test_when_all_connections_that_one_program_may_have_are_at_work_one_more_of_it_is_told_so(it):
    """When all connections that one program may have are in use, its next connection is rejected with an error, and other programs are
    served."""
    it.start()
    watchers = []
    for _ in range(128):
        watchers.append(Client(it.socket_path))
        equal(watchers[-1].request(WATCH).status, 0)
    with Client(it.socket_path) as client:
        reader = Reader(client.refusal)
        equal((reader.take("i"), reader.take("B")), (NOT_AVAILABLE, OF_PROGRAM))
    it.run("chatelaine", "list", check=0)
    for watcher in watchers:
        watcher.close()
    wait_until(lambda: has_room(it), what="room for a connection of this program")


def has_room(it):
    with contextlib.suppress(Closed), Client(it.socket_path) as client:
        return client.request(STATUS).status == 0


def test_when_all_connections_are_at_work_one_more_is_told_so(it):
    it.start()
    with it.holding(128), it.holding(128, it.other_python(1)):
        with Client(it.socket_path) as client:
            reader = Reader(client.refusal)
            equal((reader.take("i"), reader.take("B")), (NOT_AVAILABLE, 9))
        contains(it.run("chatelaine", "list", check=5).err, "error: the keychain service has reached its limit of connections", "hint: ")
    wait_until(lambda: it.run("chatelaine", "list").returncode == 0, what="room for a connection")


def test_descriptors_that_a_client_sends_along_are_closed(it):
    it.start()
    reading, writing = os.pipe()
    with Client(it.socket_path) as client:
        socket.send_fds(client.socket, [frame(STATUS, client.nonce)], [writing] * 100)
        equal(client.answer().status, 0)
        os.close(writing)
        os.set_blocking(reading, False)
        equal(os.read(reading, 1), b"")
    os.close(reading)
    still_serves(it)


def test_descriptors_that_come_in_the_place_of_a_greeting_are_closed(it):
    it.start()
    still_serves(it)

    def held():
        return len(os.listdir(f"/proc/{it.daemon.pid}/fd"))

    before = held()
    reading, writing = os.pipe()
    for count, length in [(1, 24), (1, 3), (2, 24), (253, 24), (1, 4000)]:
        for _ in range(5):
            with Client(it.socket_path, greeting=False) as client:
                greeting = (frame(GREETING, client.nonce) * 200)[:length]
                socket.send_fds(client.socket, [greeting], [writing] * count)
                answer = client.answer()
                equal((count, length, answer.status, answer.reason), (count, length, MISSING_ENTITLEMENT, NOT_GREETED))
    os.close(writing)
    equal(os.read(reading, 1), b"")
    os.close(reading)
    still_serves(it)
    wait_until(lambda: held() <= before, what="the end of the connections")


@pytest.mark.sampled
def test_five_thousand_connections_and_requests_leave_the_service_as_small_as_it_was(it):
    it.start()
    still_serves(it)
    before = own_kilobytes(it.daemon.pid)
    count = part(1000, 5000)
    for n in range(count):
        with Client(it.socket_path) as client:
            if n < count // 2:
                client.request(STATUS)
    still_serves(it)
    wait_until(lambda: len(os.listdir(f"/proc/{it.daemon.pid}/task")) <= 3, what="the end of the threads")
    grown = own_kilobytes(it.daemon.pid) - before
    assert grown < 2 * 1024, f"it grew by {grown} kB"
