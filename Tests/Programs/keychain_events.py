# SPDX-License-Identifier: Apache-2.0
"""A program that receives the events of file keychains, and other programs that cause them."""

import os
import select
import subprocess
import threading

from support.instance import wait_until
from support.sentences import equal


class Listener:
    """The example KeychainEvents: a line for each event."""

    def __init__(self, it, count):
        self.process = it.popen(it.programs.example("KeychainEvents"), str(count), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        equal(self.line(), "listening")

    def line(self, seconds=60):
        """The next line; None if there is none in time."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        if not ready:
            return None
        # Reads a byte at a time, because select does not see buffered data.
        text = b""
        while not text.endswith(b"\n"):
            byte = os.read(self.process.stdout.fileno(), 1)
            if not byte:
                raise AssertionError((text, self.process.stderr.read()))
            text += byte
        return text.decode().rstrip("\n")

    def lines(self, count):
        return [self.line() for _ in range(count)]

    def end(self):
        rest, error = self.process.communicate(timeout=60)
        equal((self.process.returncode, rest, error), (0, b"", b""))


def security(it, *words):
    return it.run("security", *words, check=0)


def test_what_one_program_does_in_keychain_files_another_one_is_told_in_order(it):
    """A program receives the changes that another program makes in keychain files, in order, and ends after the requested number."""
    it.start()
    listener = Listener(it, 11)
    security(it, "create-keychain", "-p", "sesame", "work.keychain")
    security(it, "add-generic-password", "-s", "mail", "-a", "ann", "-w", "secret", "work.keychain")
    security(it, "lock-keychain", "work.keychain")
    security(it, "unlock-keychain", "-p", "sesame", "work.keychain")
    security(it, "set-keychain-password", "-o", "sesame", "-p", "open", "work.keychain")
    security(it, "default-keychain", "-s", "work.keychain")
    security(it, "list-keychains", "-s", "work.keychain")
    security(it, "delete-generic-password", "-s", "mail", "work.keychain")
    security(it, "delete-keychain", "work.keychain")
    file = "work.keychain-db"
    equal(listener.lines(8), [
        f"unlocked {file}", f"added {file} ann", f"locked {file}", f"unlocked {file}", f"password changed {file}",
        f"default changed {file}", "list changed", f"deleted {file}"])
    # It was unlocked, and on both lists.
    equal(listener.lines(3), [f"locked {file}", "list changed", "default changed"])
    listener.end()


def test_items_of_the_data_protection_keychain_are_not_told_and_other_programs_questions_are_no_events(it):
    it.start()
    listener = Listener(it, 2)
    it.set("a name", "secret")
    security(it, "create-keychain", "-p", "sesame", "work.keychain")
    security(it, "show-keychain-info", "work.keychain")
    security(it, "list-keychains")
    security(it, "lock-keychain", "work.keychain")
    equal(listener.lines(2), ["unlocked work.keychain-db", "locked work.keychain-db"])
    listener.end()


def test_a_listener_goes_on_when_the_service_was_stopped_and_another_one_was_started(it):
    it.start()
    security(it, "create-keychain", "-p", "sesame", "work.keychain")
    listener = Listener(it, 2)
    # That the service ends is no event: its connections end first.
    it.stop()
    told = []

    def unlock_and_lock():
        security(it, "unlock-keychain", "-p", "sesame", "work.keychain")
        security(it, "lock-keychain", "work.keychain")
        while len(told) < 2 and (line := listener.line(seconds=0.1)):
            told.append(line)
        return len(told) == 2

    # From when it has found the next service.
    wait_until(unlock_and_lock, what="two events")
    equal(set(told), {"unlocked work.keychain-db", "locked work.keychain-db"})
    listener.end()


def test_of_many_programs_that_make_keychains_and_put_them_on_the_list_at_once_each_finds_its_own_there(it):
    it.start()
    names = [f"k{number}.keychain" for number in range(8)]
    for name in names:
        security(it, "create-keychain", "-p", "sesame", name)

    def add(name):
        it.run("chatelaine", "keychains", "search-list", "--add", name, check=0)

    threads = [threading.Thread(target=add, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    listed = it.run("chatelaine", "keychains", "search-list", check=0).out.split()
    equal(sorted(os.path.basename(path) for path in listed), sorted(name + "-db" for name in names))
