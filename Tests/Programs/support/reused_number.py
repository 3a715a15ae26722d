# SPDX-License-Identifier: Apache-2.0
"""A reused process number at the Secret Service, in a PID namespace of its own (unshare --pid --mount-proc), where the program chooses the
next number. For Debian's Python, which has the module gi.

    reused_number BUS-CONFIGURATION SERVICE SOCKET BRIDGE VICTIM

SERVICE and BRIDGE are chatelained and chatelaine-secrets; VICTIM is another program, a copy of Python. Prints how many items the victim
finds, and then what the connection of the ended process gets: the number of items, or the name of the error."""

import os
import socket
import subprocess
import sys
import time

from gi.repository import Gio, GLib

from .instance import wait_until

NAME, ROOT = "org.freedesktop.secrets", "/org/freedesktop/secrets"
SERVICE, COLLECTION, ITEM = (f"org.freedesktop.Secret.{name}" for name in ("Service", "Collection", "Item"))
BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"


class Connection:
    """A connection to the bus on a socket, which another process can have opened. It reads no byte beyond an answer."""

    def __init__(self, end):
        self.socket = end
        self.serial = 0

    @classmethod
    def open(cls):
        end = socket.socket(socket.AF_UNIX)
        end.connect(os.environ["DBUS_SESSION_BUS_ADDRESS"].removeprefix("unix:path="))
        end.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert end.recv(200).startswith(b"OK"), "the bus refused the user"
        end.sendall(b"BEGIN\r\n")
        connection = cls(end)
        connection.call(BUS, BUS_PATH, BUS, "Hello")
        return connection

    def call(self, destination, path, interface, member, arguments=None):
        """Returns the results; raises RuntimeError with the name of an error."""
        message = Gio.DBusMessage.new_method_call(destination, path, interface, member)
        self.serial += 1
        message.set_serial(self.serial)
        if arguments:
            message.set_body(arguments)
        self.socket.sendall(message.to_blob(Gio.DBusCapabilityFlags.NONE))
        while True:
            head = self._exactly(16)
            rest = self._exactly(Gio.DBusMessage.bytes_needed(head) - len(head))
            answer = Gio.DBusMessage.new_from_blob(head + rest, Gio.DBusCapabilityFlags.NONE)
            if answer.get_reply_serial() != self.serial:
                continue
            if answer.get_message_type() == Gio.DBusMessageType.ERROR:
                raise RuntimeError(answer.get_error_name())
            body = answer.get_body()
            return body.unpack() if body else ()

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the bus closed the connection"
            data += piece
        return data

    def found(self):
        """The number of items that the program can read."""
        unlocked, _ = self.call(NAME, ROOT, SERVICE, "SearchItems", GLib.Variant("(a{ss})", ({"user": "ann"},)))
        return len(unlocked)

    def store(self):
        _, session = self.call(NAME, ROOT, SERVICE, "OpenSession", GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))))
        properties = {
            f"{ITEM}.Label": GLib.Variant("s", "Mail"), f"{ITEM}.Attributes": GLib.Variant("a{ss}", {"user": "ann"})}
        item, _ = self.call(
            NAME, f"{ROOT}/aliases/default", COLLECTION, "CreateItem",
            GLib.Variant("(a{sv}(oayays)b)", (properties, (session, b"", b"secret", "text/plain"), False)))
        assert item != "/", "the item was not stored"


def connection_of_an_ended_process():
    """A child opens a connection, passes it on and ends. Returns the connection and the number of the child."""
    here, there = socket.socketpair()
    number = os.fork()
    if not number:
        connection = Connection.open()
        socket.send_fds(there, [b"x"], [connection.socket.fileno()])
        os._exit(0)
    there.close()
    _, descriptors, _, _ = socket.recv_fds(here, 1, 1)
    os.waitpid(number, 0)
    connection = Connection(socket.socket(fileno=descriptors[0]))
    connection.serial = 100
    return connection, number


def ticks():
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def is_listening(path):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def process_with(number, words):
    """Starts a program as the process of a number. Other processes can take the number first; then it is tried again."""
    for _ in range(1000):
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(number - 1))
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if process.pid == number:
            return process
        process.kill()
        process.wait()
    raise AssertionError("the number did not become free")


def main(configuration, service, socket_path, bridge, victim):
    bus = subprocess.Popen(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"], stdout=subprocess.PIPE)
    assert bus.stdout.readline().startswith(b"unix:"), "the bus did not start"
    started = [subprocess.Popen([service], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
    wait_until(lambda: is_listening(socket_path), what="the socket of the service")
    started.append(subprocess.Popen([bridge], stdin=subprocess.DEVNULL))
    own = Connection.open()
    name = GLib.Variant("(s)", (NAME,))
    wait_until(lambda: own.call(BUS, BUS_PATH, BUS, "NameHasOwner", name) == (True,), what="the name on the bus")
    words = [victim, "-m", "support.reused_number"]
    subprocess.run([*words, "store"], check=True)

    stale, number = connection_of_an_ended_process()
    # The bridge has seen that connection when it answers, because the bus announced the connection before.
    own.call(NAME, ROOT, "org.freedesktop.DBus.Peer", "Ping")
    seen = ticks()
    wait_until(lambda: ticks() > seen, what="the next tick of the clock")
    other = process_with(number, [*words, "find"])
    print(other.stdout.readline().decode().strip(), flush=True)
    try:
        print(stale.found(), flush=True)
    except RuntimeError as error:
        print(error, flush=True)
    for process in [other, *reversed(started), bus]:
        process.kill()
        process.wait()


if __name__ == "__main__":
    if sys.argv[1:] == ["store"]:
        Connection.open().store()
    elif sys.argv[1:] == ["find"]:
        print(Connection.open().found(), flush=True)
        # Until the end of the test.
        sys.stdin.read()
    else:
        main(*sys.argv[1:])
