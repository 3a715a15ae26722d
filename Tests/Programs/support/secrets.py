# SPDX-License-Identifier: Apache-2.0
"""A session bus of a test's own, the Secret Service on it, and programs that use it. For Debian's Python, which has the module gi."""

import contextlib
import os
import shutil
import subprocess

import pytest
from gi.repository import GLib

from .bus import CONFIGURATION
from .forged_bus import Stranger
from .instance import is_root, read_text, root_of_repository, wait_until
from .system import Accounts, ann, bob

NAME = "org.freedesktop.secrets"
_here = os.path.dirname(os.path.abspath(__file__))


# dbus-broker-launch takes a listening socket, as systemd passes it, and connects to the bus that it starts. It requires the socket of
# systemd's journal; where there is none, it runs in a mount namespace that has a replacement.
BROKER = """
import os, socket, sys
journal = "/run/systemd/journal/socket"
if not os.path.exists(journal):
    os.makedirs(os.path.dirname(journal))
    log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    log.bind(journal)
    os.dup2(log.fileno(), 9)
bus = socket.socket(socket.AF_UNIX)
bus.bind(sys.argv[1])
bus.listen(64)
os.dup2(bus.fileno(), 3)
address = "unix:path=" + sys.argv[1]
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), DBUS_SESSION_BUS_ADDRESS=address)
print(address, flush=True)
os.execvp("dbus-broker-launch", ["dbus-broker-launch", "--scope", "user", "--config-file", sys.argv[2]])
"""


class SessionBus:
    """dbus-daemon, as the user of the instance. The programs of the instance find it by their environment."""

    def __init__(self, it, with_activation=False, with_user_folders=False, broker=False):
        """with_activation: the bus starts chatelaine-secrets. with_user_folders: it starts what the files of its user name.
        broker: the bus is dbus-broker, which starts nothing without systemd."""
        self.broker = broker
        self.it = it
        self.folder = os.path.join(it.scratch, "session-bus")
        os.makedirs(self.folder, exist_ok=True)
        it.own(self.folder, 0o755)
        self.socket = os.path.join(self.folder, "socket")
        self.address = f"unix:path={self.socket}"
        self.configuration = os.path.join(self.folder, "bus.conf")
        folders = "<standard_session_servicedirs/>" if with_user_folders else ""
        if with_activation:
            source = os.path.join(root_of_repository, "Packaging/dbus", f"{NAME}.service")
            text = read_text(source).replace("@bindir@", os.path.dirname(program(it)))
            with open(os.path.join(self.folder, f"{NAME}.service"), "w", encoding="utf-8") as file:
                file.write(text)
            folders += f"<servicedir>{self.folder}</servicedir>"
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(self.socket).replace("<auth>", f"{folders}\n  <auth>"))
        it.environment["DBUS_SESSION_BUS_ADDRESS"] = self.address
        self.daemon = None
        self.stranger = None

    def __enter__(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket)
        words = self.command()
        options = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if self.it.user:
            # The bus requires an account of its own user and of those that connect.
            accounts = Accounts(self.it, ann=ann, bob=bob)
            words = accounts.words(["setpriv", f"--reuid={self.it.user}", f"--regid={self.it.user}", "--clear-groups", *words])
            self.daemon = subprocess.Popen(words, env=self.it.environment, cwd="/", **options)
        else:
            self.daemon = self.it.popen(*words, **options)
        assert self.daemon.stdout.readline().startswith(b"unix:"), "the bus did not start"
        self.stranger = Stranger(self.address)
        return self

    def command(self):
        if not self.broker:
            return ["dbus-daemon", f"--config-file={self.configuration}", "--nofork", "--print-address=1"]
        if not shutil.which("dbus-broker-launch"):
            pytest.skip("dbus-broker is not installed")
        launch = ["/usr/bin/python3", "-c", BROKER, self.socket, self.configuration]
        if os.path.exists("/run/systemd/journal/socket"):
            return launch
        # A user namespace gives an ordinary user the right to mount; the user stays the same.
        user = [] if is_root else ["--user", "--map-current-user", "--keep-caps"]
        return ["unshare", *user, "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /run/systemd && exec "$@"', "sh", *launch]

    def __exit__(self, *_):
        with contextlib.suppress(GLib.Error):
            self.stranger.connection.close_sync()
        self.stop()
        self.daemon.stdout.close()

    def stop(self):
        if self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait()

    def owner(self):
        """The number of the process that owns the name of the Secret Service; None without one."""
        try:
            return self.stranger.ask("GetConnectionUnixProcessID", "(s)", NAME)
        except GLib.Error:
            return None


def program(it, name="chatelaine-secrets"):
    """A program of the package SecretService, beside the keychain service."""
    path = os.path.join(it.programs.folder, name)
    if not os.path.exists(path):
        folder = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
        it.programs.copy(os.path.join(folder, name), path)
    return path


@contextlib.contextmanager
def owner(bus, process):
    """Waits until a process owns the name, and ends it after the block."""
    try:
        wait_until(lambda: bus.owner() == process.pid or process.poll() is not None, what="the name on the bus")
        assert process.poll() is None, "the provider ended"
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


class Secrets:
    """The Secret Service, running on a bus."""

    def __init__(self, it, bus, *words):
        self.log = os.path.join(it.scratch, "secrets.log")
        self.bus = bus
        with open(self.log, "ab") as log:
            self.process = it.popen(program(it), *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def started(self):
        """Waits until it owns the name."""
        wait_until(
            lambda: self.bus.owner() == self.process.pid or self.process.poll() is not None,
            what="the name on the bus")
        assert self.process.poll() is None, f"the Secret Service ended:\n{self.said()}"
        return self

    def said(self):
        return read_text(self.log)

    def ended(self):
        """Waits for its end, and returns its exit status."""
        return self.process.wait(timeout=60)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def session(it, broker=False):
    """A session bus with the Secret Service."""
    with SessionBus(it, broker=broker) as bus:
        secrets = Secrets(it, bus).started()
        try:
            yield secrets
            assert secrets.process.poll() in (None, 0), f"the Secret Service failed:\n{secrets.said()}"
        finally:
            secrets.kill()


def compiled_client(it, number):
    """A small program in C that uses libsecret. Each number is another program."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    path = os.path.join(it.scratch, f"libsecret-client-{number}")
    source = os.path.join(_here, "libsecret_client.c")
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", f"-DNUMBER={number}", "-o", path, source], check=True)
    os.chmod(path, 0o755)
    return path
