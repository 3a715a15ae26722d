# SPDX-License-Identifier: Apache-2.0
"""Changes of keychains that are files, at random and one after the other, and what may be found of them after a crash."""

import collections
import json
import os
import re
import threading

from .power import allowed, is_whole
from .seeds import dice
from .sentences import equal

# seconds: until it locks itself; items: pairs of account and secret, in order.
State = collections.namedtuple("State", "password seconds items")
# What a service says of a wrong password, and what `security` makes of it.
WRONG_PASSWORD = 51
PLACES = ("one", "two", "three", "four")
ENTRY = re.compile(r'"acct"<blob>="([^"]*)".*?\ndata:\n"([^"]*)"', re.DOTALL)


def folder(it):
    return os.path.join(it.data, "keychains")


def copies(it):
    return os.path.join(it.directories["data"], "copies")


def path_of(it, name):
    return os.path.join(folder(it), name + "-db")


def prepare(it):
    """Before anything else, with a service that runs: deriving keys from passwords is fast, and there is a folder for copies."""
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    os.makedirs(copies(it), mode=0o700, exist_ok=True)


class Changes(threading.Thread):
    """Changes its own keychains with programs, records requested and acknowledged changes, and ends when one fails."""

    def __init__(self, it, name, purpose, steps, clock):
        super().__init__()
        self.it, self.name, self.dice, self.steps, self.clock = it, name, dice("changes of keychains", purpose), steps, clock
        self.first, self.state = None, None
        self.history = []
        self.done = 0
        self.failure = self.error = None

    def run(self):
        try:
            while self.steps > 0 and self.failure is None:
                self.steps -= 1
                self.change(*self.next())
        except Exception as error:
            self.error = error

    def begin_with(self, state):
        self.first = self.state = state
        self.history = []

    def change(self, state, *words):
        before = self.clock()
        done = self.it.run(*words)
        after = self.clock() if done.returncode == 0 else None
        self.history.append((before, after, state))
        if after is None:
            self.failure = f"{' '.join(words)}: exit status {done.returncode}\n{done.out}{done.err}"
        else:
            self.state = state
            self.done += 1

    def check(self, it, moment):
        """Reads the existing state, which must be the acknowledged state or a complete state that was requested since."""
        found = self.found(it, moment)
        values = allowed(self.history, moment, self.first)
        assert found in values, f"{self.name} is\n{found}\ninstead of one of\n" + "\n".join(str(value) for value in values)
        return found


class FileChanges(Changes):
    """Makes and deletes a keychain, changes its password, its settings and its items, and copies it."""

    def __init__(self, *words):
        super().__init__(*words)
        # By place: (asked for, acknowledged, what it is a copy of).
        self.copies = {}
        self.count = 0

    def next(self):
        self.count += 1
        number, state, name = self.count, self.state, self.name
        if state is None:
            password = f"password {number}"
            return State(password, 300, ()), "security", "create-keychain", "-p", password, name
        items = dict(state.items)
        choice = self.dice.random()
        if choice < 0.35 and len(items) < 4:
            account, secret = f"a{number}", f"secret {number} " + "x" * self.dice.randrange(3000)
            return (state._replace(items=tuple(sorted({**items, account: secret}.items()))),
                    "security", "add-generic-password", "-a", account, "-s", name, "-w", secret, name)
        if choice < 0.5 and items:
            account, secret = self.dice.choice(sorted(items)), f"changed {number}"
            return (state._replace(items=tuple(sorted({**items, account: secret}.items()))),
                    "security", "add-generic-password", "-U", "-a", account, "-s", name, "-w", secret, name)
        if choice < 0.6 and items:
            account = self.dice.choice(sorted(items))
            del items[account]
            return (state._replace(items=tuple(sorted(items.items()))),
                    "security", "delete-generic-password", "-a", account, "-s", name, name)
        if choice < 0.75:
            password = f"password {number}"
            return (state._replace(password=password),
                    "security", "set-keychain-password", "-o", state.password, "-p", password, name)
        if choice < 0.83:
            return state._replace(seconds=number + 400), "security", "set-keychain-settings", "-t", str(number + 400), name
        if choice < 0.93:
            place = os.path.join(copies(self.it), f"{name}.{number}")
            self.copies[place] = None
            return state, "chatelaine", "keychains", "backup", name, place
        return None, "security", "delete-keychain", name

    def change(self, state, *words):
        super().change(state, *words)
        if words[:3] == ("chatelaine", "keychains", "backup"):
            before, after, _ = self.history[-1]
            self.copies[words[4]] = (before, after, state)

    def found(self, it, moment):
        values = [value for value in allowed(self.history, moment, self.first) if value is not None]
        for place, copied in self.copies.items():
            self.check_copy(it, moment, place, *copied)
        return self.look(it, self.name, path_of(it, self.name), {value.password for value in values})

    def check_copy(self, it, moment, place, before, after, state):
        """A copy is there and whole, or not there; once it was acknowledged it is there."""
        place = os.path.join(copies(it), os.path.basename(place))
        if not os.path.exists(place):
            assert after is None or moment < after, f"the copy {place} is lost"
            return
        assert before < moment, f"the copy {place} is from the future"
        name = os.path.basename(place)
        it.run("chatelaine", "keychains", "restore", name, "--from", place, check=0)
        equal(self.look(it, name, path_of(it, name), {state.password}), state)
        it.run("security", "delete-keychain", name, check=0)

    @staticmethod
    def look(it, name, path, passwords):
        if not os.path.exists(path):
            return None
        opened = []
        for password in sorted(passwords):
            status = it.run("security", "unlock-keychain", "-p", password, name).returncode
            assert status in (0, WRONG_PASSWORD), f"{name} does not open: {status}"
            if status == 0:
                opened.append(password)
        equal(len(opened), 1)
        shown = it.run("security", "show-keychain-info", name, check=0).err
        seconds = int(re.search(r"timeout=(\d+)s", shown)[1])
        listed = it.run("security", "dump-keychain", "-d", name, check=0).out
        items = tuple(sorted(ENTRY.findall(listed)))
        equal(listed.count('class: "genp"'), len(items))
        return State(opened[0], seconds, items)


class ListChanges(Changes):
    """Changes the search list and the default keychain."""

    def next(self):
        searched, standard = self.state or ((), None)
        if self.dice.random() < 0.7:
            names = self.dice.sample(PLACES, self.dice.randrange(1, len(PLACES)))
            paths = tuple(path_of(self.it, name) for name in names)
            return (paths, standard), "security", "list-keychains", "-d", "user", "-s", *names
        name = self.dice.choice(PLACES)
        return (searched, path_of(self.it, name)), "security", "default-keychain", "-d", "user", "-s", name

    def found(self, it, moment):
        # The paths are those of the folder that was recorded.
        file = os.path.join(folder(it), "lists")
        if not os.path.exists(file):
            return None
        with open(file, encoding="utf-8") as lines:
            head, *lines = lines.read().splitlines()
        equal(head, "chatelaine keychain lists 1")
        found = {"default": [], "search": []}
        for line in lines:
            word, _, path = line.partition(" ")
            found[word].append(path)
        # The service must read the list as it is in the file.
        told = json.loads(it.run("chatelaine", "keychains", "search-list", "--json", check=0).out)["searchList"]
        equal(told, found["search"])
        return tuple(found["search"]), found["default"][0] if found["default"] else None


def all_are_whole(it):
    """Of the keychains of an instance whose service has ended: SQLite finds them in order, and nothing unfinished is left."""
    if not os.path.isdir(folder(it)):
        return
    for name in os.listdir(folder(it)):
        assert ".new-" not in name, f"{name} was left behind"
        if name.endswith("-db"):
            is_whole(os.path.join(folder(it), name))
