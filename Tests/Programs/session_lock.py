#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The keychain is locked with the session: by logind's word, before sleep, at logout."""

import contextlib
import os
import pwd
import signal
import socket
import subprocess
import time

import dbus

from support.bus import LOGIN1, MANAGER, SESSION, SystemBus
from support.instance import Instance, is_root, processes, read_text, root_of_repository, wait_until
from support.sentences import LeftOut, contains, equal, lacks, run, test

PASSCODE = b"correct horse"
INHIBITOR = ("sleep", "chatelaine", "Locking the keychain", "delay")
FOREIGN_USER = 1999


# The bus takes users with an account only.
people = ["who runs the tests", "nobody"]


@contextlib.contextmanager
def instance(it, person):
    """A keychain of this person's."""
    if person != "nobody":
        yield it
        return
    if not is_root:
        raise LeftOut("needs root, to be another user")
    other = Instance(it.programs, pwd.getpwnam("nobody").pw_uid)
    try:
        yield other
    finally:
        other.remove()


def user(it):
    return it.user or os.geteuid()


class Helper:
    """The helper program, running."""

    def __init__(self, it, bus=None, *words, address=None):
        folder = os.environ.get(
            "CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
        program = os.path.join(it.programs.folder, "chatelaine-session-lock")
        if not os.path.exists(program):
            it.programs.copy(os.path.join(folder, "chatelaine-session-lock"), program)
        self.log = os.path.join(it.scratch, "session-lock.log")
        self.seen = 0
        environment = dict(it.environment, DBUS_SYSTEM_BUS_ADDRESS=address or bus.address)
        with open(self.log, "ab") as log:
            self.process = it.popen(
                program, "--verbose", *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def wait_for(self, *sentences):
        """Waits for sentences in its log, each behind the one before and behind what was waited for earlier."""
        for sentence in sentences:
            def is_there():
                assert self.process.poll() is None, f"the helper ended:\n{read_text(self.log)}"
                return read_text(self.log).find(sentence, self.seen)

            try:
                wait_until(lambda: is_there() >= 0, what=f"{sentence!r} in the helper's log")
            except Exception as error:
                raise AssertionError(f"{error}:\n{read_text(self.log)}") from None
            self.seen = is_there() + len(sentence)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def helper(it, bus, sessions=1):
    running = Helper(it, bus)
    try:
        running.wait_for(f"watching {sessions} session")
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()


def with_descriptor(content, command, *more):
    """Runs a command of the keychain's with a descriptor from which this can be read."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    try:
        return command(*more, "--passcode-fd", str(reading), pass_fds=[reading], check=0)
    finally:
        os.close(reading)


def set_passcode(it):
    """Sets a passcode; the keychain is unlocked then, with an item that is readable only as long as it is."""
    it.start()
    it.set("name", "secret")
    with_descriptor(PASSCODE, it.run, "chatelaine", "passcode", "set")
    equal(state(it), "unlocked")


def unlock(it):
    with_descriptor(PASSCODE, it.run, "chatelaine", "unlock")
    equal(state(it), "unlocked")


def state(it):
    return it.status()["state"]


def wait_locked(it):
    wait_until(lambda: state(it) == "locked", what="the lock")
    assert it.run("chatelaine", "get", "name").returncode != 0, "the item can still be read"


def pass_over(bus, running, session="1"):
    """When this returns, the helper has looked at all that was sent before."""
    bus.unlock(session)
    running.wait_for("a session was unlocked")


def nothing_was_done(it, running):
    """Ends the helper, which waits for a lock that is under way; the keychain must be as it was."""
    equal(running.end(), 0)
    lacks(read_text(running.log), "is locked")
    equal(state(it), "unlocked")


# MARK: Lock and Unlock


@test("a session's Lock locks the keychain, and Unlock does not unlock it: {}", cases=people)
def _(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                bus.lock("1")
                running.wait_for("info: the keychain is locked (a session was locked)")
                wait_locked(it)
                pass_over(bus, running)
                equal(state(it), "locked")
                unlock(it)
                bus.lock("1")
                wait_locked(it)


@test("each session of the user counts, also one that begins later")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus):
            bus.add_session("2", user(it))
            bus.lock("2")
            wait_locked(it)


@test("a Lock of another user's session locks nothing")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("9", FOREIGN_USER)
        with helper(it, bus) as running:
            bus.lock("9")
            pass_over(bus, running)
            nothing_was_done(it, running)


@test("signals that somebody else than logind sends lock nothing and let nothing sleep")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            forger = dbus.bus.BusConnection(bus.address)
            master = dbus.Interface(forger.get_object("org.freedesktop.DBus", "/"), "org.freedesktop.DBus")
            [name] = [
                name for name in master.ListNames()
                if name.startswith(":") and master.GetConnectionUnixProcessID(name) == running.process.pid]
            for path, interface, member, arguments in [
                (bus.path("1"), SESSION, "Lock", []),
                ("/org/freedesktop/login1", MANAGER, "PrepareForSleep", [True]),
                ("/org/freedesktop/login1", MANAGER, "UserRemoved",
                 [dbus.UInt32(user(it)), dbus.ObjectPath("/org/freedesktop/login1/user/1")]),
                ("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", [LOGIN1, "", forger.get_unique_name()]),
            ]:
                message = dbus.lowlevel.SignalMessage(path, interface, member)
                message.set_destination(name)
                message.append(*arguments)
                forger.send_message(message)
            forger.flush()
            # Answered behind what the forger sent, since the bus keeps the order.
            master.GetId()
            pass_over(bus, running)
            lacks(read_text(running.log), "logind is gone")
            equal(bus.inhibitors(), [INHIBITOR])
            nothing_was_done(it, running)
            forger.close()


@test("a keychain without a passcode stays open, which is said at debug level")
def _(it):
    it.start()
    it.set("name", "secret")
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.lock("1")
            running.wait_for("debug: the keychain has no passcode")
            equal(it.get("name"), b"secret")


# MARK: Sleep


@test("sleep is held up until the keys are gone, and held up again after the machine has woken: {}", cases=people)
def _(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                equal(bus.inhibitors(), [INHIBITOR])
                # A service that does not get to run cannot lock.
                it.daemon.send_signal(signal.SIGSTOP)
                try:
                    bus.prepare_for_sleep(True)
                    pass_over(bus, running)
                    equal(bus.inhibitors(), [INHIBITOR])
                finally:
                    it.daemon.send_signal(signal.SIGCONT)
                wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
                equal(state(it), "locked")
                contains(read_text(running.log), "info: the keychain is locked (the machine is about to sleep)")
                bus.prepare_for_sleep(False)
                wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
                equal(state(it), "locked")
                # And once more.
                unlock(it)
                bus.prepare_for_sleep(True)
                wait_until(lambda: bus.inhibitors() == [], what="the end of the second inhibitor")
                equal(state(it), "locked")


@test("with lock-on-sleep off the machine sleeps at once and the keychain stays open; Lock locks all the same")
def _(it):
    set_passcode(it)
    with_descriptor(PASSCODE, it.run, "chatelaine", "settings", "set", "lock-on-sleep", "off")
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.prepare_for_sleep(True)
            wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
            running.wait_for("debug: the keychain stays as it is")
            equal(state(it), "unlocked")
            bus.prepare_for_sleep(False)
            wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
            bus.lock("1")
            wait_locked(it)


@test("a helper that is started while the machine is going to sleep locks at once")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.stop_logind()
        bus.start_logind('{"PreparingForSleep": true}')
        bus.add_session("1", user(it))
        with helper(it, bus):
            wait_locked(it)
            equal(bus.inhibitors(), [])
            bus.prepare_for_sleep(False)
            wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the inhibitor")


# MARK: Logout


@test("the end of the user's last session locks the keychain")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("9", FOREIGN_USER)
        with helper(it, bus) as running:
            bus.remove_session("1")
            running.wait_for("info: the keychain is locked (the last session has ended)")
            wait_locked(it)


@test("the end of a session locks nothing while the user has another one")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("2", user(it))
        with helper(it, bus, sessions=2) as running:
            bus.remove_session("1")
            pass_over(bus, running, "2")
            nothing_was_done(it, running)


@test("jobs and the user's service manager do not count as sessions at logout")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("c2", user(it), kind="background")
        bus.add_session("3", user(it), kind="manager")
        with helper(it, bus, sessions=3) as running:
            bus.remove_session("c2")
            pass_over(bus, running)
            bus.remove_session("1")
            running.wait_for("info: the keychain is locked (the last session has ended)")
            equal(read_text(running.log).count("is locked"), 1)
            wait_locked(it)


@test("the removal of the user locks the keychain")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus):
            bus.remove_user(user(it))
            wait_locked(it)


@test("the removal of another user locks nothing")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.remove_user(FOREIGN_USER)
            pass_over(bus, running)
            nothing_was_done(it, running)


# MARK: No service


@test("a service that does not run is not started to be locked: {}", cases=people)
def _(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        it.stop()
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                bus.lock("1")
                running.wait_for("debug: no keychain service is running")
                bus.prepare_for_sleep(True)
                running.wait_for("debug: no keychain service is running")
                wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
                equal(processes(it.programs.folder), [])


@test("a socket on which systemd listens for a service that does not run is not connected to")
def _(it):
    folder = os.path.dirname(it.socket_path)
    os.mkdir(folder, 0o700)
    with socket.socket(socket.AF_UNIX) as listener, SystemBus(it) as bus:
        listener.bind(it.socket_path)
        listener.listen(16)
        listener.setblocking(False)
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.lock("1")
            running.wait_for("debug: no keychain service is running")
            try:
                listener.accept()
                raise AssertionError("somebody connected")
            except BlockingIOError:
                pass


@test("a service that was killed and left its socket counts as none")
def _(it):
    set_passcode(it)
    it.stop(signal.SIGKILL)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.lock("1")
            running.wait_for("debug: no keychain service is running")
            equal(processes(it.programs.folder), [])


def connections(it):
    """How many clients the service has: the sockets with its path that do not listen (proc(5), unix(7)). It is bound under
    a longer name, which then becomes the socket's."""
    lines = [line.split() for line in read_text("/proc/net/unix").splitlines()]
    return sum(line[-1].startswith(it.socket_path) and int(line[3], 16) & 0x10000 == 0 for line in lines)


@test("between locks the helper is no client, so that a service without work can end by itself")
def _(it):
    it.start()
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            for _ in range(2):
                bus.lock("1")
                running.wait_for("debug: the keychain has no passcode")
                wait_until(lambda: connections(it) == 0, what="the end of the connection")


# MARK: Ends and beginnings


@test("when logind comes again it is watched again, with a new inhibitor")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.stop_logind()
            running.wait_for("debug: logind is gone")
            bus.start_logind()
            running.wait_for("watching 0 sessions")
            # The session ended while logind was away.
            running.wait_for("info: the keychain is locked (the last session has ended)")
            wait_locked(it)
            wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
            unlock(it)
            bus.add_session("1", user(it))
            bus.lock("1")
            wait_locked(it)


@test("when the bus comes again it is connected to again: {}", cases=people)
def _(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                bus.stop()
                running.wait_for("warning: no system bus, trying again", "debug: no system bus, trying again")
                bus.start_bus()
                bus.start_logind()
                bus.add_session("1", user(it))
                running.wait_for("watching")
                pass_over(bus, running)
                wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
                bus.lock("1")
                wait_locked(it)


@test("a helper without a bus waits for one")
def _(it):
    set_passcode(it)
    bus = SystemBus(it)
    running = Helper(it, bus)
    try:
        running.wait_for("warning: no system bus, trying again")
        bus.start()
        bus.add_session("1", user(it))
        running.wait_for("watching")
        pass_over(bus, running)
        bus.lock("1")
        wait_locked(it)
        equal(running.end(), 0)
    finally:
        bus.stop()
        running.process.kill()
        running.process.wait()


@test("{} ends the helper with status 0 and leaves the keychain as it is", cases=["SIGTERM", "SIGINT"])
def _(it, name):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            equal(running.end(getattr(signal, name)), 0)
            contains(read_text(running.log), "info: told to stop: ending")
            wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
            equal(state(it), "unlocked")


@test("SIGTERM ends the helper while it waits for a bus that is not there")
def _(it):
    running = Helper(it, address=f"unix:path={it.scratch}/none")
    running.wait_for("warning: no system bus, trying again", "debug: no system bus")
    equal(running.end(), 0)


@test("SIGTERM waits for a lock that is under way, but not for ever")
def _(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            it.daemon.send_signal(signal.SIGSTOP)
            try:
                bus.lock("1")
                pass_over(bus, running)
                start = time.monotonic()
                equal(running.end(), 0)
                assert 1.5 < time.monotonic() - start < 10
            finally:
                it.daemon.send_signal(signal.SIGCONT)


@test("an address that names no socket ends the helper with usage and status 64")
def _(it):
    running = Helper(it, address="tcp:host=localhost,port=1")
    equal(running.process.wait(timeout=20), 64)
    contains(read_text(running.log), "Error: DBUS_SYSTEM_BUS_ADDRESS names no Unix socket", "Usage: chatelaine-session-lock")


run()
