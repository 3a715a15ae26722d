# SPDX-License-Identifier: Apache-2.0
"""The keychain is locked with the session: by logind's word, before sleep, at logout."""

import contextlib
import os
import pwd
import signal
import socket
import subprocess
import sys

import dbus

import pytest

from support.bus import LOGIN1, MANAGER, SESSION, SystemBus
from support.forged_bus import BUS, BUS_PATH, REQUEST_NAME_IN_QUEUE, Stranger
from support.instance import Instance, is_root, processes, read_text, root_of_repository, wait_until
from support.sentences import cases, contains, equal, lacks

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
        pytest.skip("needs root, to be another user")
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
        # What an earlier helper of this test wrote does not count.
        self.seen = len(read_text(self.log)) if os.path.exists(self.log) else 0
        environment = dict(it.environment, DBUS_SYSTEM_BUS_ADDRESS=address or bus.address)
        with open(self.log, "ab") as log:
            self.process = it.popen(
                program, "--verbose", *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def wait_for(self, *sentences):
        """Waits for sentences in its log, in this order, and after all sentences of earlier waits."""
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
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def helper(it, bus, sessions=1, inhibits=True):
    """inhibits: whether the machine is not going to sleep, so that the helper gets an inhibitor, on a connection of its own."""
    running = Helper(it, bus)
    try:
        running.wait_for(f"watching {sessions} session")
        if inhibits:
            wait_until(
                lambda: bus.inhibitors() == [INHIBITOR] and len(connections_of(running, bus)) == 1, what="the first inhibitor")
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
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
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


def connections_of(running, bus):
    """The names of the helper's connections to the bus."""
    master = dbus.Interface(bus.connection.get_object("org.freedesktop.DBus", "/"), "org.freedesktop.DBus")
    found = []
    for name in master.ListNames():
        # Another connection may have ended meanwhile.
        with contextlib.suppress(dbus.DBusException):
            if name.startswith(":") and master.GetConnectionUnixProcessID(name) == running.process.pid:
                found.append(name)
    return found


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


@cases("person", people)
def test_a_sessions_lock_locks_the_keychain_and_unlock_does_not_unlock_it(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                bus.lock("1")
                running.wait_for("info: the keychain is locked (a session was locked)")
                wait_locked(it)
                contains(read_text(f"/proc/{running.process.pid}/status"), "NoNewPrivs:\t1", "Seccomp:\t2")
                pass_over(bus, running)
                equal(state(it), "locked")
                unlock(it)
                bus.lock("1")
                wait_locked(it)


def test_each_session_of_the_user_counts_also_a_session_that_begins_later(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus):
            bus.add_session("2", user(it))
            bus.lock("2")
            wait_locked(it)


def test_a_lock_of_another_users_session_locks_nothing(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("9", FOREIGN_USER)
        with helper(it, bus) as running:
            bus.lock("9")
            pass_over(bus, running)
            nothing_was_done(it, running)


def test_signals_from_senders_other_than_logind_lock_nothing_and_let_nothing_sleep(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            forger = dbus.bus.BusConnection(bus.address)
            master = dbus.Interface(forger.get_object("org.freedesktop.DBus", "/"), "org.freedesktop.DBus")
            [name] = connections_of(running, bus)
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
            lacks(read_text(running.log), "logind is no longer on the bus")
            equal(bus.inhibitors(), [INHIBITOR])
            nothing_was_done(it, running)
            forger.close()


def test_a_keychain_without_a_passcode_stays_open_which_is_said_at_debug_level(it):
    it.start()
    it.set("name", "secret")
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.lock("1")
            running.wait_for("debug: the keychain has no passcode")
            equal(it.get("name"), b"secret")


# MARK: Sleep


@cases("person", people)
def test_sleep_is_held_up_until_the_keys_are_gone_and_held_up_again_after_the_machine_has_woken(it, person):
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


def test_with_lock_on_sleep_off_the_machine_sleeps_at_once_and_the_keychain_stays_open(it):
    """With lock-on-sleep off the machine sleeps at once and the keychain stays open; Lock locks all the same."""
    set_passcode(it)
    with_descriptor(PASSCODE, it.run, "chatelaine", "settings", "set", "lock-on-sleep", "off")
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.prepare_for_sleep(True)
            wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
            running.wait_for("debug: the keychain is not locked, because")
            equal(state(it), "unlocked")
            bus.prepare_for_sleep(False)
            wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
            bus.lock("1")
            wait_locked(it)


def test_a_helper_that_is_started_while_the_machine_is_going_to_sleep_locks_at_once(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.stop_logind()
        bus.start_logind('{"PreparingForSleep": true}')
        bus.add_session("1", user(it))
        with helper(it, bus, inhibits=False):
            wait_locked(it)
            equal(bus.inhibitors(), [])
            bus.prepare_for_sleep(False)
            wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the inhibitor")


# MARK: Logout


def test_the_end_of_the_users_last_session_locks_the_keychain(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("9", FOREIGN_USER)
        with helper(it, bus) as running:
            bus.remove_session("1")
            running.wait_for("info: the keychain is locked (the last session has ended)")
            wait_locked(it)


def test_the_end_of_a_session_locks_nothing_while_the_user_has_another_one(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("2", user(it))
        with helper(it, bus, sessions=2) as running:
            bus.remove_session("1")
            pass_over(bus, running, "2")
            nothing_was_done(it, running)


def test_jobs_and_the_users_service_manager_do_not_count_as_sessions_at_logout(it):
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


def test_the_removal_of_the_user_locks_the_keychain(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus):
            bus.remove_user(user(it))
            wait_locked(it)


def test_the_removal_of_another_user_locks_nothing(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.remove_user(FOREIGN_USER)
            pass_over(bus, running)
            nothing_was_done(it, running)


# MARK: No service


@cases("person", people)
def test_a_service_that_does_not_run_is_not_started_to_be_locked(it, person):
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


def test_a_socket_on_which_systemd_listens_for_a_service_that_does_not_run_is_not_connected_to(it):
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


def test_a_service_that_was_killed_and_left_its_socket_counts_as_none(it):
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


def test_between_locks_the_helper_is_no_client_so_that_a_service_without_work_can_end_by_itself(it):
    it.start()
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            for _ in range(2):
                bus.lock("1")
                running.wait_for("debug: the keychain has no passcode")
                wait_until(lambda: connections(it) == 0, what="the end of the connection")


# MARK: Ends and beginnings


def test_when_logind_comes_again_it_is_watched_again_with_a_new_inhibitor(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.stop_logind()
            running.wait_for("debug: logind is no longer on the bus")
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


@cases("person", people)
def test_when_the_bus_comes_again_it_is_connected_to_again(it, person):
    with instance(it, person) as it:
        set_passcode(it)
        with SystemBus(it) as bus:
            bus.add_session("1", user(it))
            with helper(it, bus) as running:
                bus.stop()
                running.wait_for("warning: no connection to the system bus; trying again", "debug: no connection to the system bus; trying again")
                bus.start_bus()
                bus.start_logind()
                bus.add_session("1", user(it))
                running.wait_for("watching")
                pass_over(bus, running)
                wait_until(lambda: bus.inhibitors() == [INHIBITOR], what="the new inhibitor")
                bus.lock("1")
                wait_locked(it)


def test_a_helper_without_a_bus_waits_for_one(it):
    set_passcode(it)
    bus = SystemBus(it)
    running = Helper(it, bus)
    try:
        running.wait_for("warning: no connection to the system bus; trying again")
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


@cases("name", ["SIGTERM", "SIGINT"])
def test_ends_the_helper_with_status_0_and_leaves_the_keychain_as_it_is(it, name):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            equal(running.end(getattr(signal, name)), 0)
            contains(read_text(running.log), "info: stopping because of a termination signal")
            wait_until(lambda: bus.inhibitors() == [], what="the end of the inhibitor")
            equal(state(it), "unlocked")


def test_sigterm_ends_the_helper_while_it_waits_for_a_bus_that_is_not_there(it):
    running = Helper(it, address=f"unix:path={it.scratch}/none")
    running.wait_for("warning: no connection to the system bus; trying again", "debug: no connection to the system bus")
    equal(running.end(), 0)


def test_sigterm_waits_for_a_lock_that_is_under_way_but_not_for_ever(it):
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            it.daemon.send_signal(signal.SIGSTOP)
            try:
                bus.lock("1")
                pass_over(bus, running)
                # The service does not answer, and yet the helper ends.
                equal(running.end(), 0)
            finally:
                it.daemon.send_signal(signal.SIGCONT)

        def waits_for_the_lock():
            # The service may still read what the helper before has sent.
            wait_until(lambda: connections(it) == 0, what="the end of the connection")
            if state(it) == "locked":
                unlock(it)
            with helper(it, bus) as running:
                before = running.seen
                it.daemon.send_signal(signal.SIGSTOP)
                try:
                    bus.lock("1")
                    pass_over(bus, running)
                    running.process.send_signal(signal.SIGTERM)
                    # Now it waits for the lock alone.
                    wait_until(lambda: not connections_of(running, bus), what="the end of the helper's connection to the bus")
                finally:
                    it.daemon.send_signal(signal.SIGCONT)
                equal(running.process.wait(timeout=60), 0)
                lines = read_text(running.log)[before:].splitlines()
                return "info: the keychain is locked (a session was locked)" in lines

        # It waits for two seconds, which may be over too soon on a machine that has much else to do.
        wait_until(waits_for_the_lock, what="a lock that the helper waited for")


def test_an_address_that_names_no_socket_ends_the_helper_with_usage_and_status_64(it):
    running = Helper(it, address="tcp:host=localhost,port=1")
    equal(running.process.wait(timeout=60), 64)
    contains(read_text(running.log), "Error: DBUS_SYSTEM_BUS_ADDRESS does not name a Unix socket", "Usage: chatelaine-session-lock")


# MARK: Forged


def forge_logind(stranger, name, path, person):
    """Sends the session lock all that logind could say, from a connection that is not logind's."""
    manager = "/org/freedesktop/login1"
    for destination in (name, None):
        stranger.signal(destination, path, SESSION, "Lock")
        stranger.signal(destination, path, SESSION, "Unlock")
        for begins in (True, False):
            stranger.signal(destination, manager, MANAGER, "PrepareForSleep", "(b)", begins)
        stranger.signal(destination, manager, MANAGER, "SessionRemoved", "(so)", "1", path)
        stranger.signal(destination, manager, MANAGER, "UserRemoved", "(uo)", person, f"{manager}/user/{person}")
    owner = stranger.owner(LOGIN1)
    for successor in (stranger.name, ""):
        stranger.signal(name, BUS_PATH, BUS, "NameOwnerChanged", "(sss)", LOGIN1, owner, successor)
    # The serial numbers of a connection's calls begin at one.
    for serial in range(1, 33):
        stranger.answer(name, serial, "(a(susso))", [])
    stranger.arrive()


def test_what_another_program_says_in_the_place_of_logind_locks_nothing_and_what_logind_says_does(it):
    set_passcode(it)
    with SystemBus(it) as bus, Stranger(bus.address) as stranger:
        bus.add_session("1", user(it))
        # python-dbusmock would let its name be replaced.
        equal(stranger.take_name(LOGIN1, flags=0), REQUEST_NAME_IN_QUEUE)
        with helper(it, bus) as running:
            before = bus.inhibitors()
            [name] = stranger.names_of(running.process.pid)
            forge_logind(stranger, name, bus.path("1"), user(it))
            pass_over(bus, running)
            lacks(read_text(running.log), "is locked", "logind is no longer on the bus", "error")
            equal((it.status()["state"], bus.inhibitors()), ("unlocked", before))
            bus.lock("1")
            wait_locked(it)


def test_values_of_logind_that_mean_nothing_lock_nothing_and_end_nothing(it):
    """Values of logind that mean nothing, are huge or are about another user's session lock nothing and end nothing."""
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        bus.add_session("9", FOREIGN_USER)
        with helper(it, bus) as running:
            for member, signature, arguments in [
                ("PrepareForSleep", "s", ["true"]), ("PrepareForSleep", "", []), ("PrepareForSleep", "u", [dbus.UInt32(1)]),
                ("PrepareForSleep", "ab", [dbus.Array([True], signature="b")]),
                ("UserRemoved", "s", [str(user(it))]), ("UserRemoved", "u", [dbus.UInt32(FOREIGN_USER)]),
                ("UserRemoved", "x", [dbus.Int64(user(it))]), ("SessionNew", "s", ["x" * 1_000_000]),
                ("SessionRemoved", "as", [dbus.Array(["x" * 1000] * 2000, signature="s")]),
            ]:
                bus.emit(member, signature, arguments)
            for path in (bus.path("9"), "/org/freedesktop/login1"):
                bus.mock(path).EmitSignal(SESSION, "Lock", "", dbus.Array([], signature="v"))
            pass_over(bus, running)
            nothing_was_done(it, running)
        with helper(it, bus):
            bus.lock("1")
            wait_locked(it)


# A template of python-dbusmock: what it answers when it is asked for the sessions.
LIAR = """
import dbus

BUS_NAME, MAIN_OBJ, MAIN_IFACE = "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
SYSTEM_BUS = True


def load(mock, parameters):
    mock.AddMethod(MAIN_IFACE, "ListSessions", "", {signature!r}, {code!r})
"""

LIES = [
    ("values of another type", "as", "ret = dbus.Array(['1', '2'], signature='s')"),
    ("more sessions than there can be", "a(susso)",
     "ret = dbus.Array([('1', dbus.UInt32(1500), 'u', 's', dbus.ObjectPath('/a'))] * 40000, signature='(susso)')"),
]


@cases("_, signature, code", LIES)
def test_a_program_that_has_loginds_name_for_a_while_and_answers_with_does_not_end_the_session_lock(it, _, signature, code):
    """A program that has logind's name for a while, and lies, does not end the session lock, which hears the real logind afterwards."""
    template = os.path.join(it.scratch, "liar.py")
    with open(template, "w", encoding="utf-8") as file:
        file.write(LIAR.format(signature=signature, code=code))
    set_passcode(it)
    with SystemBus(it) as bus:
        bus.add_session("1", user(it))
        with helper(it, bus) as running:
            bus.stop_logind()
            running.wait_for("debug: logind is no longer on the bus")
            liar = subprocess.Popen(
                [sys.executable, "-m", "dbusmock", "--system", "--template", template],
                env={"DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            try:
                running.wait_for("warning: ")
            finally:
                liar.kill()
                liar.wait()
            bus.start_logind()
            bus.add_session("1", user(it))
            running.wait_for("watching")
            if state(it) == "locked":
                unlock(it)
            pass_over(bus, running)
            bus.lock("1")
            wait_locked(it)
