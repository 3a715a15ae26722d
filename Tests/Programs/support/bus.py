# SPDX-License-Identifier: Apache-2.0
"""A system bus of a test's own, with python-dbusmock's logind on it. For Debian's Python, which has the module dbus."""

import os
import subprocess
import sys

import dbus

from .instance import wait_until

LOGIN1 = "org.freedesktop.login1"
MANAGER = "org.freedesktop.login1.Manager"
SESSION = "org.freedesktop.login1.Session"
MOCK = "org.freedesktop.DBus.Mock"

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow send_destination="*" eavesdrop="false"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class SystemBus:
    """dbus-daemon and logind, which can end and come again."""

    def __init__(self, it, wrapped=lambda words: words):
        """wrapped: the command that starts the bus, which rejects clients whose user it does not know."""
        self.wrapped = wrapped
        self.folder = os.path.join(it.scratch, "bus")
        os.mkdir(self.folder, 0o755)
        self.socket = os.path.join(self.folder, "socket")
        self.address = f"unix:path={self.socket}"
        self.configuration = os.path.join(self.folder, "bus.conf")
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(self.socket))
        self.daemon = None
        self.logind = None
        self.connection = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    # MARK: The bus

    def start(self):
        self.start_bus()
        self.start_logind()

    def start_bus(self):
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        # With no room for the descriptors that it would like to have, it says so and goes on.
        self.daemon = subprocess.Popen(
            self.wrapped(["dbus-daemon", f"--config-file={self.configuration}", "--nofork", "--print-address=1"]),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.daemon.stdout.readline().startswith(b"unix:"), "the bus did not start"
        self.connection = dbus.bus.BusConnection(self.address)
        # A bus that ends should not end the test.
        self.connection.set_exit_on_disconnect(False)

    def stop(self):
        self.stop_logind()
        self.stop_bus()

    def stop_bus(self):
        if self.connection:
            self.connection.close()
            self.connection = None
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon.stdout.close()
            self.daemon = None

    # MARK: logind

    def start_logind(self, parameters="{}"):
        self.logind = subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--system", "--template", "logind", "--parameters", parameters],
            env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=self.address), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_until(lambda: self.connection.name_has_owner(LOGIN1), what="the start of logind")
        wait_until(self.answers, what="logind's first answer")

    def answers(self):
        try:
            return self.manager.ListSessions() is not None
        except dbus.DBusException:
            return False

    def stop_logind(self):
        if self.logind:
            self.logind.kill()
            self.logind.wait()
            self.logind = None

    def interface(self, path, name):
        return dbus.Interface(self.connection.get_object(LOGIN1, path, introspect=False), name)

    @property
    def manager(self):
        return self.interface("/org/freedesktop/login1", MANAGER)

    def mock(self, path="/org/freedesktop/login1"):
        return self.interface(path, MOCK)

    def path(self, session):
        return f"/org/freedesktop/login1/session/{session}"

    def add_session(self, session, user, kind="user"):
        path = self.mock().AddSession(session, "seat0", dbus.UInt32(user), f"user{user}", True)
        self.mock(path).UpdateProperties(SESSION, {"Class": kind})
        self.emit("SessionNew", "so", [session, dbus.ObjectPath(path)])

    def remove_session(self, session):
        self.mock().RemoveObject(self.path(session))
        self.emit("SessionRemoved", "so", [session, dbus.ObjectPath(self.path(session))])

    def remove_user(self, user):
        path = f"/org/freedesktop/login1/user/{user}"
        self.emit("UserRemoved", "uo", [dbus.UInt32(user), dbus.ObjectPath(path)])

    def emit(self, signal, signature, arguments):
        self.mock().EmitSignal(MANAGER, signal, signature, dbus.Array(arguments, signature="v"))

    def lock(self, session):
        self.interface(self.path(session), SESSION).Lock()

    def unlock(self, session):
        self.interface(self.path(session), SESSION).Unlock()

    def prepare_for_sleep(self, begins):
        self.emit("PrepareForSleep", "b", [begins])

    def inhibitors(self):
        """What each inhibitor is for, by whom, why and how."""
        return [tuple(map(str, entry[:4])) for entry in self.manager.ListInhibitors()]
