# SPDX-License-Identifier: Apache-2.0
"""The table "At a glance" of SECURITY.md, cell by cell: each attacker is simulated for each way to run, and the result must be the
first word of the cell."""

import json
import os
import re

import pytest

from passcode import given
from support.agents import GROUP
from support.caller import Caller, compile_caller, compile_library, root_owned_folder
from support.instance import Instance, Timeout, is_root, ordinary_user, read_text, root_of_repository
from support.sentences import equal
from support.system import SystemService, ann, bob
from support.wire import (
    ADD, ENFORCED, INTERACTION_NOT_ALLOWED, KEYCHAIN_FILE, Closed, attributes, block, optional)

secret = b"correct horse battery staple"
item = {"svce": "com.example.service", "acct": "ann"}
PASSCODE = "hunter2"


def documented():
    """The first words of the table's cells: attacker, way to run, word."""
    text = read_text(os.path.join(root_of_repository, "SECURITY.md")).partition("## At a glance")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if line.startswith("|")]
    ways = rows[0][1:]
    return [(row[0], way, re.match(r"[a-z]*", cell).group()) for row in rows[2:] for way, cell in zip(ways, row[1:])]


class Way:
    """One way to run, and in it an item that a program of a user has stored; the keychain is unlocked."""

    def __init__(self, it, name, folder):
        self.folder = folder
        self.has_passcode = "passcode set" in name or "strict" in name
        self.is_strict = "strict" in name
        self.service = SystemService(it) if name.startswith("system") else None
        self.user = self.service.user(ann) if self.service else Instance(it.programs, ordinary_user)
        self.start()
        if self.has_passcode:
            given(self.user, "settings", "set", "passcode-time", "50ms", check=0)
            given(self.user, "passcode", "set", passcode_fd=PASSCODE, check=0)
        if self.is_strict:
            given(self.user, "settings", "set", "require-enforced-callers", "on", passcode_fd=PASSCODE, check=0)
        self.keeper = self.install("keeper", is_shielded=self.is_strict)
        with self.program(self.keeper) as keeper:
            equal(keeper.connect().add(item, secret).status, 0)
        assert self.gets(self.keeper)

    def install(self, name, is_shielded=False):
        """A program that root installed."""
        path = self.user.programs.copy(compile_caller(self.user), os.path.join(self.folder, name))
        if is_shielded:
            os.chown(path, 0, GROUP)
            os.chmod(path, 0o2755)
        return path

    @property
    def socket_path(self):
        return self.service.socket_path if self.service else self.user.socket_path

    @property
    def store(self):
        return self.service.store(ann) if self.service else self.user.data

    def start(self):
        if self.service:
            self.service.start(sandboxed=False)
        else:
            self.user.start()

    def stop(self):
        (self.service or self.user).stop()

    def program(self, *words, user=None, **more):
        return Caller(user or self.user, *words, arguments=[self.socket_path], **more)

    def gets(self, *words, user=None, **more):
        """Whether the program gets the secret."""
        with self.program(*words, user=user, **more) as program:
            try:
                answer = program.connect().copy(item)
            except (AssertionError, Closed, ConnectionError):
                # It may not connect, or the service ends its connection.
                return False
        return [data for _, _, data in answer.items] == [secret]


# MARK: Attackers


def another_user(way):
    other = way.service.user(bob) if way.service else Other(way.user, bob)
    files = [os.path.join(way.store, name) for name in ("keychain.db", "device.key")]
    reads = [other.run("cat", path).returncode == 0 for path in files]
    return "open" if any(reads) or way.gets(way.keeper, user=other) else "holds"


class Other:
    """Another user, whose programs connect to the socket of the first one's service."""

    def __init__(self, it, user):
        self.it, self.user = it, user

    def options(self, **more):
        return self.it.options(**dict(dict(user=self.user, group=self.user, extra_groups=[]), **more))

    def popen(self, *words, **more):
        return self.it.popen(*words, **self.options(**more))

    def run(self, *words, **more):
        return self.it.run(*words, **self.options(**more))


def stolen_disk(way):
    # A service that starts uses only data from the disk.
    way.stop()
    way.start()
    return "open" if way.gets(way.keeper) else "holds"


def database_alone(way):
    way.stop()
    os.remove(os.path.join(way.store, "device.key"))
    try:
        way.start()
    except (AssertionError, Timeout):
        return "holds"
    return "open" if way.gets(way.keeper) else "holds"


def lawful_program(way):
    if way.gets(way.install("other", is_shielded=way.is_strict)):
        return "open"
    words = ["get", item["svce"], "--user", item["acct"]]
    done = way.user.run("chatelaine", *words, start_new_session=True)
    assert secret not in done.stdout
    # Nor does it open items to all programs, and set the old mode again.
    assert way.user.run("chatelaine", "settings", "set", "bridges", "open", start_new_session=True).returncode != 0
    # The status of an operation that requires an approval, which is missing here.
    return "prompts" if done.returncode == 4 else "holds"


def attacking_program(way):
    environment = dict(way.user.environment, LD_PRELOAD=compile_library(way.user))
    if not way.is_strict:
        log = os.path.join(way.store, "audit.log")
        before = reads_in(log)
        result = "open" if way.gets(way.keeper, env=environment) else "holds"
        if way.service:
            # The cell says so: a line in a log that the user cannot change.
            equal(reads_in(log), before + 1)
            for words in [["sh", "-c", 'echo >>"$0"', log], ["rm", "-f", log], ["mv", log, log + ".old"]]:
                assert way.user.run(*words).returncode != 0, words
            equal(reads_in(log), before + 1)
        return result
    # What such a program could be asked for: it stores nothing, and reads nothing.
    plain = way.install("plain")
    with way.program(plain, env=environment) as program:
        client = program.connect()
        statuses = [client.add(item, secret).status]
        # Nor in a keychain file, though it may create one.
        equal(client.request(KEYCHAIN_FILE, b"\2" + block("planted") + optional(block("sesame"))).status, 0)
        statuses.append(client.in_keychain("planted", ADD, attributes(item) + b"\0" + optional(block(secret))).status)
    return "holds" if statuses == [INTERACTION_NOT_ALLOWED] * 2 and not way.gets(plain, env=environment) else "open"


def reads_in(log):
    """How often the audit log says that an item was given out."""
    lines = [json.loads(line) for line in read_text(log).splitlines()]
    return len([line for line in lines if line.get("action") == "read-data" and line.get("outcome") == "granted"])


def attacker_of_an_enforced_program(way):
    path = way.keeper if way.is_strict else way.install("enforced", is_shielded=True)
    with way.program(path) as program:
        client = program.connect()
        if client.identity().tier != ENFORCED:
            return "none"
        if not way.is_strict:
            equal(client.add(item, secret).status, 0)
    assert way.gets(path)
    library = "LD_PRELOAD=" + compile_library(way.user)
    # The kernel leaves the library out of a shielded program, and the shield out of a program that gets no new privileges.
    equal(is_loaded(way, "env", library, path), False)
    unshielded = ["setpriv", "--no-new-privs", "env", library, path]
    equal(is_loaded(way, *unshielded), True)
    return "open" if way.gets(*unshielded) else "holds"


def is_loaded(way, *words):
    with way.program(*words) as program:
        return "caller.so" in read_text(f"/proc/{program.pid}/maps")


def sandboxed_program(way):
    done = way.user.run("unshare", "--user", "--map-root-user", "true")
    if done.returncode != 0:
        pytest.skip("this kernel gives no user namespace to users: " + done.err.strip())
    return "open" if way.gets("unshare", "--user", "--map-root-user", way.keeper) else "holds"


def root(way):
    with way.program(way.keeper) as keeper:
        client = keeper.connect()
        equal(client.copy(item).items[0][2], secret)
        place = int(keeper.do("buffer"), 16)
        with open(f"/proc/{keeper.pid}/mem", "rb", buffering=0) as memory:
            memory.seek(place)
            return "open" if secret in memory.read(4096) else "holds"


ATTACKERS = {
    "another user of the machine": another_user,
    "a stolen disk, not encrypted, machine off": stolen_disk,
    "a copy of the database alone": database_alone,
    "a program of the same user that uses only the keychain's interfaces": lawful_program,
    "a program of the same user that attacks unshielded programs (`ptrace`, `LD_PRELOAD`)": attacking_program,
    "the same against an enforced program": attacker_of_an_enforced_program,
    "a sandboxed program in a user namespace of its own": sandboxed_program,
    "root": root,
}


def test_the_table_names_these_attackers_and_no_others():
    equal(sorted({attacker for attacker, _, _ in documented()}), sorted(ATTACKERS))


@pytest.mark.parametrize("attacker, way, word", documented(), ids=lambda text: re.sub(r"\W+", "-", text)[:40])
def test_each_cell_of_the_table_says_what_comes_of_the_attack(it, attacker, way, word):
    if not is_root:
        pytest.skip("needs root, to install programs and to play users")
    with root_owned_folder() as folder:
        running = Way(it, way.lower(), folder)
        try:
            equal(ATTACKERS[attacker](running), word)
        finally:
            if running.service:
                running.service.stop()
            running.user.remove()
