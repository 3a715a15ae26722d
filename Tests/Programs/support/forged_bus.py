# SPDX-License-Identifier: Apache-2.0
"""Programs that pretend to be fprintd or logind on a bus of a test's own. For Debian's Python, which has the module dbus."""

import subprocess
import sys

import dbus
from gi.repository import Gio, GLib

from .bus import MOCK, SystemBus
from .fingers import FPRINT
from .instance import wait_until

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
DEVICE = f"{FPRINT}.Device"
REQUEST_NAME_IN_QUEUE, REQUEST_NAME_PRIMARY_OWNER = 2, 1
REPLACE_EXISTING = 2


class Stranger:
    """A connection of a program that is neither fprintd nor logind, and sends what it wants."""

    def __init__(self, address):
        flags = Gio.DBusConnectionFlags
        self.connection = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.connection.set_exit_on_close(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close_sync()

    @property
    def name(self):
        return self.connection.get_unique_name()

    def ask(self, member, signature="()", *arguments):
        """Calls the bus itself. Returns its answer; throws GLib.Error."""
        answer = self.connection.call_sync(
            BUS, BUS_PATH, BUS, member, GLib.Variant(signature, arguments), None, Gio.DBusCallFlags.NONE, 60_000, None).unpack()
        return answer[0] if answer else None

    def owner(self, name):
        return self.ask("GetNameOwner", "(s)", name)

    def names_of(self, process):
        """The unique names of the connections of a process."""
        found = []
        for name in self.ask("ListNames"):
            try:
                if name.startswith(":") and self.ask("GetConnectionUnixProcessID", "(s)", name) == int(process):
                    found.append(name)
            except GLib.Error:
                # The connection has ended meanwhile.
                continue
        return found

    def _send(self, message, destination, signature, arguments):
        if destination:
            message.set_destination(destination)
        message.set_body(GLib.Variant(signature, arguments))
        self.connection.send_message(message, Gio.DBusSendMessageFlags.NONE)

    def signal(self, destination, path, interface, member, signature="()", *arguments):
        """destination: a connection, or None for all that ask for such signals."""
        self._send(Gio.DBusMessage.new_signal(path, interface, member), destination, signature, arguments)

    def answer(self, destination, serial, signature="()", *arguments):
        """An answer to a call of another connection with this serial number."""
        message = Gio.DBusMessage()
        message.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
        message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
        message.set_reply_serial(serial)
        self._send(message, destination, signature, arguments)

    def take_name(self, name, flags=REPLACE_EXISTING):
        """Asks for a name, in the place of its owner if that allows it. Returns what the bus answers; throws GLib.Error."""
        return self.ask("RequestName", "(su)", name, flags)

    def leave_name(self, name):
        self.ask("ReleaseName", "(s)", name)

    def arrive(self):
        """When this returns, the bus has passed on all that was sent before."""
        self.connection.flush_sync()
        self.ask("GetId")


class PretendedFprintd:
    """A fprintd that owns the name, has one reader and an enrolled finger, and says what a test wants when it is called."""

    path = "/net/reactivated/Fprint/Device/0"
    manager = "/net/reactivated/Fprint/Manager"

    def __init__(self, bus, **code):
        """bus: a SystemBus that runs. code: Python that runs before the answer to a call, by the method's name (see ``saying``)."""
        self.bus = bus
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dbusmock", "--system", FPRINT, self.manager, f"{FPRINT}.Manager"],
            env={"DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_until(lambda: bus.connection.name_has_owner(FPRINT), what="the start of the pretended fprintd")
        mock = self.interface(self.manager, MOCK)
        reader = dbus.ObjectPath(self.path)
        mock.AddMethods(f"{FPRINT}.Manager", [
            ("GetDefaultDevice", "", "o", f"ret = dbus.ObjectPath({self.path!r})"),
            ("GetDevices", "", "ao", f"ret = dbus.Array([dbus.ObjectPath({self.path!r})], signature='o')")])
        methods = [("ListEnrolledFingers", "s", "as", "ret = dbus.Array(['right-index-finger'], signature='s')")]
        for name, signature in [("Claim", "s"), ("Release", ""), ("VerifyStart", "s"), ("VerifyStop", "")]:
            methods.append((name, signature, "", code.get(name, "")))
        properties = {"name": "Pretended reader", "scan-type": "press"}
        for path in (reader, dbus.ObjectPath(self.path[:-1] + "1")):
            mock.AddObject(path, DEVICE, properties, methods)

    @classmethod
    def saying(cls, result, path=None):
        """Python that says something of a finger, of this reader or of another one."""
        return f"objects[{path or cls.path!r}].EmitSignal({DEVICE!r}, 'VerifyStatus', 'sb', [{result!r}, True])"

    def interface(self, path, name):
        return dbus.Interface(self.bus.connection.get_object(FPRINT, path, introspect=False), name)

    def calls(self):
        """The methods of the reader that were called, with the arguments of each."""
        return [(str(call[1]), [str(value) for value in call[2]]) for call in self.interface(self.path, MOCK).GetCalls()]

    def says(self, result, done=True, path=None):
        self.interface(path or self.path, MOCK).EmitSignal(DEVICE, "VerifyStatus", "sb", dbus.Array([result, done], signature="v"))

    def end(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


OTHER_READER = PretendedFprintd.path[:-1] + "1"


def forge_matches(stranger, process, reader_path):
    """Sends a helper, from a connection that is not fprintd's, all that would say that a finger is right, or that fprintd is this one."""
    [name] = stranger.names_of(process)
    for destination in (name, None):
        for path in (reader_path, OTHER_READER):
            stranger.signal(destination, path, DEVICE, "VerifyStatus", "(sb)", "verify-match", True)
    owner = stranger.owner(FPRINT)
    stranger.signal(name, BUS_PATH, BUS, "NameOwnerChanged", "(sss)", FPRINT, owner, stranger.name)
    stranger.signal(name, BUS_PATH, BUS, "NameOwnerChanged", "(sss)", owner, owner, "")
    # The serial numbers of a connection's calls begin at one.
    for serial in range(1, 33):
        stranger.answer(name, serial, "(s)", stranger.name)
        stranger.answer(name, serial, "(sb)", "verify-match", True)
    # Of another type, and larger than the helper keeps.
    stranger.signal(name, reader_path, DEVICE, "VerifyStatus", "(ts)", 1, "verify-match")
    stranger.signal(name, reader_path, DEVICE, "VerifyStatus", "(sb)", "verify-match" * 20_000, True)
    stranger.arrive()


class PolicedBus(SystemBus):
    """A bus with the policy of a system bus: the distribution's own configuration, with the files of fprintd, logind and others."""

    def __init__(self, it):
        super().__init__(it)
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(POLICED.format(self.socket))


# What of /usr/share/dbus-1/system.conf is about who may do what; without what it says of where the bus listens and as whom it runs.
POLICED = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
  </policy>
  <includedir>/usr/share/dbus-1/system.d</includedir>
  <includedir>/etc/dbus-1/system.d</includedir>
</busconfig>
"""
