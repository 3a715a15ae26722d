# SPDX-License-Identifier: Apache-2.0
"""Changed frames of every kind of request, from an identified program of an ordinary user, against the real system service."""

import contextlib
import json
import os
import subprocess

import pytest

from support.every_request import documented_kinds
from support.instance import read_text, status_kilobytes
from support.seeds import dice, rounds
from support.sentences import equal, lacks
from support.system import SystemService, ann, bob
from support.wire import GREETING

# promptAnswer, which is for agents.
WITHOUT_ANSWER = {0x29}

# Prints, for each kind of request, how often it was sent unchanged and answered with something else than "malformed".
FUZZER = """
import random, socket, sys
from collections import Counter
from support.every_request import good_requests, mutated, status_of
from support.wire import Client, Closed, frame
path, count, seed, log = sys.argv[1], int(sys.argv[2]), sys.argv[3], open(sys.argv[4], "w")
dice, requests = random.Random(seed), list(good_requests())
open_again = 0

def talk(frames_of, answers):
    with Client(path) as client:
        frames = frames_of(client.nonce)
        for data in frames:
            log.write(bytes(data).hex() + "\\n")
        log.flush()
        try:
            for data in frames:
                client.send(data)
            client.socket.shutdown(socket.SHUT_WR)
        except (Closed, OSError):
            pass
        try:
            while True:
                answers.append(status_of(*client.receive()))
        except (Closed, AssertionError, OSError):
            pass

for kind, payload in requests:
    answers = []
    talk(lambda nonce: [frame(kind, nonce + payload)], answers)
    print("good", kind, len(payload), [status for status in answers if status is not None][:1], flush=True)
for number in range(count):
    talk(lambda nonce: [mutated(dice, nonce, requests) for _ in range(dice.choice([1, 1, 1, 2, 5]))], [])
    if number % 50 == 49:
        print("sent", number + 1, flush=True)
print("end", flush=True)
"""


@contextlib.contextmanager
def fuzzing(it, user, service, count, seed):
    """A program of the user that sends so many frames, and then ends."""
    log = os.path.join(it.scratch, "frames")
    environment = dict(user.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
    with open(log, "w", encoding="utf-8"):
        pass
    os.chown(log, user.user, user.user)
    process = user.popen(
        user.python(), "-c", FUZZER, service.socket_path, str(count), str(seed), log, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def is_whole(user):
    """Whether all that the keychain of the user has can be read."""
    status = user.status()
    figures = json.loads(user.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"]
    return status["contents"] != "changed" and figures["unreadable"] == 0


def fuzzed(it, count, seed):
    with SystemService(it) as service:
        service.start()
        process = int(read_text(os.path.join(service.runtime, "service.lock")))
        first, second = service.user(ann), service.user(bob)
        try:
            second.set("name", "bob's")
            first.run("security", "create-keychain", "-p", "of a keychain file", "k", check=0)
            first.set("steady-0", "whole")
            # From here on the most that it had at once counts.
            with open(f"/proc/{process}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
            before = status_kilobytes(process, "VmHWM")
            steady, kinds = 1, set()
            with fuzzing(it, first, service, count, seed) as fuzzer:
                for line in fuzzer.stdout:
                    words = line.split(None, 3)
                    if words[0] == "good":
                        # Answered, or the fuzzer does not know the request. 
                        assert words[3].strip() != "[]" or int(words[1]) in WITHOUT_ANSWER, line
                        kinds.add(int(words[1]))
                        continue
                    equal(second.get("name"), b"bob's")
                    first.set(f"steady-{steady}", f"whole {steady}")
                    steady += 1
                    if words[0] == "end":
                        break
                equal(fuzzer.wait(timeout=60), 0)
            equal(kinds, documented_kinds() - {GREETING})
            assert steady > 2
            grown = status_kilobytes(process, "VmHWM") - before
            assert grown < 96 * 1024, f"the service grew by {grown} KiB"
            equal(int(read_text(os.path.join(service.runtime, "service.lock"))), process)
            equal(service.stop(), 0)
            lacks(read_text(service.log), "Fatal", "fault")
            # What is on the disk, by a service that has none of it in memory.
            service.start()
            for number in range(1, steady):
                equal(first.get(f"steady-{number}"), f"whole {number}".encode())
            equal(second.get("name"), b"bob's")
            assert is_whole(first) and is_whole(second)
            first.run("security", "unlock-keychain", "-p", "of a keychain file", "k", check=0)
            equal(service.stop(), 0)
        finally:
            first.remove()
            second.remove()


def test_changed_frames_of_every_request_end_no_system_service_and_other_users_are_served_meanwhile(it):
    """Changed frames of every request do not end the system service; other users are served meanwhile, and no item is half written."""
    fuzzed(it, 200, "wire 1")


@pytest.mark.long
def test_many_changed_frames_of_every_request_end_no_system_service(it):
    fuzzed(it, rounds(20_000), dice("wire fuzz").random())
