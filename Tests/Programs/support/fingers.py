# SPDX-License-Identifier: Apache-2.0
"""The real fprintd on a bus of a test's own, with the reader that libfprint has for tests. For Debian's Python."""

import os
import signal
import socket
import subprocess
import sys

import dbus

from .bus import MOCK, SystemBus
from .instance import wait_until

FPRINT = "net.reactivated.Fprint"
DAEMON = "/usr/libexec/fprintd"
POLKIT = "org.freedesktop.PolicyKit1"
POLKITD = "/usr/lib/polkit-1/polkitd"

# The real polkit, where the rules and actions of a test are all there are.
RULES = """
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /etc/polkit-1/rules.d
mount --bind "$1" /usr/share/polkit-1/rules.d
mount --bind "$2" /usr/share/polkit-1/actions
shift 2
exec "$@"
"""


def is_installed():
    return os.access(DAEMON, os.X_OK) and os.access(POLKITD, os.X_OK)


class Fingers:
    """A bus with fprintd, which can be stopped, killed and started again, and a polkit: a simulated polkit that allows everything, or
    the real one with the rules and the actions of two folders."""

    def __init__(self, it, wrapped=lambda words: words, rules=None, actions=None):
        self.wrapped = wrapped
        self.rules, self.actions_folder = rules, actions
        self.bus = SystemBus(it, wrapped)
        self.folder = os.path.join(it.scratch, "fprintd")
        os.mkdir(self.folder, 0o755)
        # libfprint listens there while the reader is claimed.
        self.reader = os.path.join(self.folder, "reader")
        self.prints = os.path.join(self.folder, "prints")
        os.mkdir(self.prints, 0o700)
        self.environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=self.bus.address)
        self.log = os.path.join(self.folder, "log")
        self.polkit = None
        self.daemon = None

    @property
    def address(self):
        return self.bus.address

    def __enter__(self):
        self.bus.start_bus()
        if self.rules is None:
            self.polkit = self.popen(sys.executable, "-m", "dbusmock", "--system", "--template", "polkitd")
            wait_until(self.is_allowed, what="the start of polkit")
        else:
            self.polkit = self.popen("unshare", "--mount", "sh", "-ec", RULES, "sh", self.rules, self.actions_folder, POLKITD)
            wait_until(lambda: self.bus.connection.name_has_owner(POLKIT), what="the start of polkit")
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        if self.polkit:
            self.polkit.kill()
            self.polkit.wait()
        self.bus.stop_bus()

    def popen(self, *words, **environment):
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                self.wrapped(words), env=dict(self.environment, **environment), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)

    def is_allowed(self):
        if not self.bus.connection.name_has_owner(POLKIT):
            return False
        authority = self.bus.connection.get_object(POLKIT, "/org/freedesktop/PolicyKit1/Authority", introspect=False)
        try:
            dbus.Interface(authority, MOCK).AllowUnknown(True)
            return True
        except dbus.DBusException:
            return False

    # MARK: Permissions

    @property
    def authority(self):
        return dbus.Interface(
            self.bus.connection.get_object(POLKIT, "/org/freedesktop/PolicyKit1/Authority", introspect=False),
            f"{POLKIT}.Authority")

    def actions(self):
        """What the real polkit is asked for."""
        return {str(action[0]) for action in self.authority.EnumerateActions("")}

    def may(self, name, action):
        """Returns whether the real polkit permits an action, without a prompt, to the owner of this name on the bus."""
        subject = ("system-bus-name", dbus.Dictionary({"name": name}, signature="sv"))
        nothing = dbus.Dictionary({}, signature="ss")
        return bool(self.authority.CheckAuthorization(subject, action, nothing, dbus.UInt32(0), "")[0])

    # MARK: fprintd

    def start(self):
        self.daemon = self.popen(DAEMON, "-t", FP_VIRTUAL_DEVICE=self.reader, STATE_DIRECTORY=self.prints)
        wait_until(lambda: self.bus.connection.name_has_owner(FPRINT), what="the start of fprintd")

    def kill(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon = None

    def pause(self):
        """It hangs until it is told to go on."""
        self.daemon.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.daemon.send_signal(signal.SIGCONT)

    # MARK: The reader

    def is_claimed(self):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self.reader)
                return True
            except OSError:
                return False

    @property
    def device(self):
        manager = dbus.Interface(
            self.bus.connection.get_object(FPRINT, "/net/reactivated/Fprint/Manager", introspect=False),
            f"{FPRINT}.Manager")
        return self.bus.connection.get_object(FPRINT, manager.GetDefaultDevice(), introspect=False)

    def is_looking(self):
        """What it is told before is lost."""
        properties = dbus.Interface(self.device, "org.freedesktop.DBus.Properties")
        return bool(properties.Get(f"{FPRINT}.Device", "finger-needed"))

    def tell(self, word):
        """Tells the reader what happens to it; waits until it looks for a finger."""
        wait_until(self.is_looking, what=f"somebody who looks, for {word}")
        with socket.socket(socket.AF_UNIX) as reader:
            reader.connect(self.reader)
            reader.sendall(word.encode())

    def show(self, finger):
        self.tell(f"SCAN {finger}")

    def cannot_be_read(self):
        self.tell("RETRY 1")

    def enrol(self, name, finger, user=None):
        """Enrols a finger of a user, or of the user who runs the tests, with the reader, under one of fprintd's names."""
        enrolment = subprocess.Popen(
            ["fprintd-enroll", "-f", name, *([user] if user else [])], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        said = []
        for line in enrolment.stdout:
            said.append(line)
            if "Enrolling" in line or "stage-passed" in line:
                self.show(finger)
        status = enrolment.wait()
        assert status == 0 and "enroll-completed" in said[-1], "".join(said)

    def forget(self):
        """All fingers."""
        device = dbus.Interface(self.device, f"{FPRINT}.Device")
        device.Claim("")
        try:
            device.DeleteEnrolledFingers2()
        finally:
            device.Release()
