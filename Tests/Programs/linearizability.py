# SPDX-License-Identifier: Apache-2.0
"""The results that several programs get for the same items are possible in one order, also when the service is killed meanwhile.

CHATELAINE_ROUNDS is the number of requests of each client (150). CHATELAINE_SEED selects the requests, not the order in which they
reach the service: every order has to pass. At every third request all clients wait for each other between sending the request and
reading its answer, so that requests overlap on every machine."""

import json
import multiprocessing
import os
import signal
import time

from support.instance import wait_until
from support.linear import ABSENT, ADD, DELETE, DONE, EXISTS, FOREVER, READ, UPDATE, Call, is_linearizable
from support.seeds import SEED, dice as dice_for, finding, rounds
from support.sentences import cases, equal
from support.wire import DUPLICATE, NOT_FOUND, Client, Closed, frame

ROUNDS = rounds(150)
CLIENTS, ITEMS = 6, 3
ANSWERS = {0: DONE, DUPLICATE: EXISTS, NOT_FOUND: ABSENT}


# MARK: The checker


def history(*calls):
    return [Call(kind, begun, ended, value, answer) for kind, begun, ended, value, answer in calls]


@cases("_, calls", [
    ("one after the other", history((ADD, 0, 1, "a", DONE), (READ, 2, 3, None, "a"), (DELETE, 4, 5, None, DONE),
                                    (READ, 6, 7, None, ABSENT))),
    ("a read during a change, that sees the old value", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, 9, "b", DONE), (READ, 3, 4, None, "a"), (READ, 5, 6, None, "b"))),
    ("one of two additions", history((ADD, 0, 5, "a", EXISTS), (ADD, 0, 5, "b", DONE), (READ, 6, 7, None, "b"))),
    ("a change without an answer, seen late", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, FOREVER, "b", None), (READ, 3, 4, None, "a"), (READ, 5, 6, None, "b"))),
    ("a change without an answer, never seen", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, FOREVER, "b", None), (READ, 5, 6, None, "a"))),
    ("nothing", [])])
def test_the_checker_takes_what_can_have_happened(it, _, calls):
    assert is_linearizable(calls)


@cases("_, calls", [
    ("a value that nobody wrote", history((ADD, 0, 1, "a", DONE), (READ, 2, 3, None, "b"))),
    ("an acknowledged item that is gone", history((ADD, 0, 1, "a", DONE), (READ, 2, 3, None, ABSENT))),
    ("an old value after the new one", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, 9, "b", DONE), (READ, 3, 4, None, "b"), (READ, 5, 6, None, "a"))),
    ("two additions", history((ADD, 0, 5, "a", DONE), (ADD, 0, 5, "b", DONE))),
    ("a lost update", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, 3, "b", DONE), (UPDATE, 4, 5, "c", DONE), (READ, 6, 7, None, "b"))),
    ("a deletion of nothing", history((DELETE, 0, 1, None, DONE))),
    ("a change without an answer that comes and goes", history(
        (ADD, 0, 1, "a", DONE), (UPDATE, 2, FOREVER, "b", None), (READ, 3, 4, None, "b"), (READ, 5, 6, None, "a"))),
    ("an effect before its request", history(
        (ADD, 0, 1, "a", DONE), (READ, 2, 3, None, "b"), (UPDATE, 4, 5, "b", DONE)))])
def test_the_checker_finds_what_cannot_have_happened(it, _, calls):
    assert not is_linearizable(calls)


# MARK: The service


def asked(client, kind, item, value):
    """Returns the service's answer; the status is one of the three that the model knows."""
    names = {"svce": item, "acct": "a"}
    if kind == ADD:
        answer = client.add(names, value.encode())
    elif kind == READ:
        answer = client.copy(names)
        if answer.status == 0:
            return answer.items[0][2].decode()
    elif kind == UPDATE:
        answer = client.update(names, {"labl": value}, value.encode())
    else:
        answer = client.delete(names)
    return ANSWERS[answer.status]


class MeetingClient(Client):
    """A connection that can wait for others between a request and its answer."""

    meeting = None

    def request(self, kind, payload=b"", nonce=None):
        try:
            self.send(frame(kind, (self.nonce if nonce is None else nonce) + payload))
        finally:
            if self.meeting:
                self.meeting.wait(120)
        return self.answer()


def connected(path):
    def try_to_connect():
        try:
            return MeetingClient(path, timeout=120)
        except (OSError, Closed):
            return None
    return wait_until(try_to_connect, what="a service that can be connected to")


def work(path, name, requests, target, progress, meeting):
    """Runs a client in its own process: it writes its requests and answers as JSON to the file `target`."""
    dice = dice_for("client", name)
    calls = []
    client = connected(path)
    for number in range(requests):
        client.meeting = meeting if number % 3 == 0 else None
        kind = dice.choice([ADD, READ, READ, UPDATE, UPDATE, DELETE])
        item, value = f"item {dice.randrange(ITEMS)}", f"{name}.{number}"
        begun = time.monotonic_ns()
        try:
            answer = asked(client, kind, item, value)
            calls.append((item, kind, begun, time.monotonic_ns(), value, answer))
        except (OSError, Closed):
            calls.append((item, kind, begun, None, value, None))
            client.close()
            client = connected(path)
        with progress.get_lock():
            progress.value += 1
    with open(target, "w") as file:
        json.dump(calls, file)


def histories(it, requests, meanwhile=lambda progress: None):
    """By item: all calls of all clients."""
    progress, meeting = multiprocessing.Value("i", 0), multiprocessing.Barrier(CLIENTS)
    targets = [os.path.join(it.scratch, f"calls-{n}.json") for n in range(CLIENTS)]
    running = [multiprocessing.Process(target=work, args=(it.socket_path, str(n), requests, target, progress, meeting))
               for n, target in enumerate(targets)]
    for process in running:
        process.start()
    meanwhile(progress)
    for process in running:
        process.join(300)
        equal(process.exitcode, 0)
    found = {}
    for target in targets:
        with open(target) as file:
            for item, kind, begun, ended, value, answer in json.load(file):
                call = Call(kind, begun, FOREVER if ended is None else ended, value, answer)
                found.setdefault(item, []).append(call)
    return found


def finally_read(it, found):
    """Adds the final content to the histories."""
    with Client(it.socket_path) as client:
        for item in found:
            begun = time.monotonic_ns()
            found[item].append(Call(READ, begun, time.monotonic_ns(), None, asked(client, READ, item, None)))


def check(found):
    for item, calls in sorted(found.items()):
        if not is_linearizable(calls):
            kept = finding(f"history-{SEED}.json")
            with open(kept, "w") as file:
                json.dump([vars(call) for call in sorted(calls, key=lambda call: call.begun)], file, default=str)
            raise AssertionError(f"{item}: {len(calls)} calls fit no order (CHATELAINE_SEED={SEED}; they are in {kept})")


def test_what_six_programs_see_of_the_same_items_fits_one_order(it):
    it.start()
    found = histories(it, ROUNDS)
    finally_read(it, found)
    check(found)
    overlapping = sum(1 for calls in found.values() for one in calls for other in calls
                      if one is not other and one.begun <= other.begun < one.ended)
    # Six requests to three items at a time, of which at least three pairs are to the same item.
    assert overlapping >= 3 * (ROUNDS // 3), "they did not work at the same time"


def test_also_when_the_service_is_killed_in_between_and_what_was_not_answered_happened_or_did_not(it):
    it.start()

    def killing(progress):
        for number in range(1, 7):
            goal = number * CLIENTS * ROUNDS // 8
            wait_until(lambda: progress.value >= goal, what="some requests")
            it.stop(signal.SIGKILL)
            it.start()

    found = histories(it, ROUNDS, killing)
    finally_read(it, found)
    check(found)
    unanswered = sum(call.answer is None for calls in found.values() for call in calls)
    assert unanswered > 0, "no request was without an answer"
