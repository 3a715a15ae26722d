# SPDX-License-Identifier: Apache-2.0
"""The portal for secrets: xdg-desktop-portal, sandboxed applications and programs outside, and libsecret's encrypted file."""

import contextlib
import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import dbus
import dbus.bus

import pytest

from backup import owner_at_display
from setup_desktop import IMPORTER, provider
from support.bus import CONFIGURATION
from support.instance import read_text, root_of_repository, wait_until
from support.prompters import PinentryQuestion
from support.secrets import NAME, program
from support.sentences import contains, equal, lacks

FRONTEND = "org.freedesktop.portal.Desktop"
BACKEND = "org.freedesktop.impl.portal.desktop.chatelaine"
OBJECT = "/org/freedesktop/portal/desktop"
REAL_FRONTEND = "/usr/libexec/xdg-desktop-portal"

MAIL, MUSIC = "org.example.Mail", "org.example.Music"


def has_user_namespaces():
    return subprocess.run(["unshare", "--user", "true"], stderr=subprocess.DEVNULL).returncode == 0


needs_user_namespaces = pytest.mark.skipif(not has_user_namespaces(), reason="this machine gives no user namespaces")


class Session:
    """A session bus that starts the backend by its activation file, and the real portal on it."""

    def __init__(self, it):
        self.it = it
        self.folder = os.path.join(it.scratch, "session")
        os.mkdir(self.folder, 0o755)
        self.services, self.portals = os.path.join(self.folder, "services"), os.path.join(self.folder, "portals")
        for folder in self.services, self.portals:
            os.mkdir(folder, 0o755)
        program(it, "chatelaine-portal")
        activation = read_text(os.path.join(root_of_repository, "Packaging/dbus", BACKEND + ".service"))
        self.write(os.path.join(self.services, BACKEND + ".service"), activation.replace("@bindir@", it.programs.folder))
        shutil.copy(os.path.join(root_of_repository, "Packaging/portal/chatelaine.portal"), self.portals)
        self.socket = os.path.join(self.folder, "bus")
        self.address = f"unix:path={self.socket}"
        self.log = os.path.join(self.folder, "log")
        self.environment = dict(
            it.environment, DBUS_SESSION_BUS_ADDRESS=self.address, XDG_DESKTOP_PORTAL_DIR=self.portals,
            XDG_CURRENT_DESKTOP="GNOME", PYTHONDONTWRITEBYTECODE="1")
        self.processes = []
        self.connection = None

    @staticmethod
    def write(path, text):
        with open(path, "w") as file:
            file.write(text)

    def __enter__(self):
        configuration = os.path.join(self.folder, "bus.conf")
        self.write(configuration, CONFIGURATION.format(self.socket).replace(
            "<auth>", f"<servicedir>{self.services}</servicedir>\n  <auth>"))
        self.it.start()
        daemon = self.start(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"],
                            stdout=subprocess.PIPE)
        assert daemon.stdout.readline().startswith(b"unix:"), "the bus did not start"
        self.connection = self.connect()
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait(timeout=60)

    def start(self, words, **more):
        with open(self.log, "ab") as log:
            process = self.it.popen(*words, **{"env": self.environment, "stdin": subprocess.DEVNULL, "stdout": log,
                                               "stderr": log, **more})
        self.processes.append(process)
        return process

    def connect(self):
        connection = dbus.bus.BusConnection(self.address)
        connection.set_exit_on_disconnect(False)
        return connection

    def start_portal(self):
        """Starts xdg-desktop-portal, and waits until it serves the interface for secrets."""
        assert os.path.exists(REAL_FRONTEND), "install xdg-desktop-portal (Tools/setup test)"
        portal = self.start([REAL_FRONTEND])
        wait_until(lambda: self.connection.name_has_owner(FRONTEND) or portal.poll() is not None, what="the portal")
        assert portal.poll() is None, read_text(self.log)
        version = self.connection.get_object(FRONTEND, OBJECT).Get(
            "org.freedesktop.portal.Secret", "version", dbus_interface="org.freedesktop.DBus.Properties")
        equal(int(version), 1)

    def backend(self):
        """The number of the backend's process."""
        return int(self.connection.call_blocking(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s",
            (BACKEND,)))

    def owner(self):
        """The number of the process that provides the Secret Service; None for none."""
        try:
            return int(self.connection.call_blocking(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s",
                (NAME,)))
        except dbus.DBusException:
            return None

    # MARK: Applications

    @contextlib.contextmanager
    def sandbox(self, application):
        """The words that start a program in a sandbox as Flatpak makes it, and the options for them."""
        info = os.path.join(self.folder, application + ".info")
        self.write(info, f"[Application]\nname={application}\n\n[Instance]\ninstance-id=4711\n")
        with open(info, "rb") as file:
            words = ["bwrap", "--unshare-user", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
                     "--dev", "/dev", "--bind", "/tmp", "/tmp", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib",
                     "/lib", "--symlink", "usr/lib64", "/lib64", "--file", str(file.fileno()), "/.flatpak-info"]
            yield words, {"pass_fds": [file.fileno()]}

    def proxy(self, application):
        """Starts the proxy between an application and the bus, as Flatpak does; its address."""
        socket = os.path.join(self.folder, application + ".bus")
        with self.sandbox(application) as (words, options):
            self.start([*words, "xdg-dbus-proxy", self.address, socket], **options)
        wait_until(lambda: os.path.exists(socket), what="the proxy")
        return f"unix:path={socket}"

    def run(self, words, application=None, python=None, address=None, input=b"", **more):
        """Runs portal_client.py: in the sandbox of an application, or outside."""
        script = os.path.join(self.it.programs.modules, "support", "portal_client.py")
        environment = dict(self.environment, PYTHONHOME="/usr", SECRET_BACKEND="file", **more)
        if address:
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
        with self.sandbox(application) if application else contextlib.nullcontext(([], {})) as (sandbox, options):
            return self.it.run(*sandbox, python or "/usr/bin/python3", script, *words, input=input, env=environment, **options)

    def retrieve(self, application=None, **more):
        done = self.run(["retrieve"], application, **more)
        assert done.returncode == 0, f"{done.err}\n{read_text(self.log)}"
        response, _, secret = done.out.strip().partition(" ")
        return int(response), secret

    def secret(self, application=None, **more):
        response, secret = self.retrieve(application, **more)
        assert response == 0, read_text(self.log)
        equal(len(secret), 128)
        return secret

    def groups(self):
        """The access groups of the secrets that the keychain has."""
        return sorted(item["group"] for item in self.it.list() if item["name"] == "org.freedesktop.portal.Secret")


@pytest.fixture
def session(it):
    with Session(it) as running:
        yield running


# MARK: The tests

@needs_user_namespaces
def test_each_application_gets_one_secret_of_its_own(session):
    session.start_portal()
    mail = session.secret(MAIL)
    equal(session.secret(MAIL), mail)
    music = session.secret(MUSIC)
    outside = session.secret()
    other = session.secret(python=session.it.other_python(1))
    equal(session.secret(), outside)
    equal(len({mail, music, outside, other}), 4)
    groups = session.groups()
    equal(len(groups), 4)
    equal([group for group in groups if group.startswith("flatpak:")], ["flatpak:" + MAIL, "flatpak:" + MUSIC])
    # The values are in no log.
    for secret in mail, music, outside, other:
        lacks(read_text(session.log), secret)


@needs_user_namespaces
def test_an_application_behind_the_proxy_of_its_sandbox_is_the_same_application(session):
    session.start_portal()
    mail = session.secret(MAIL)
    address = session.proxy(MAIL)
    equal(session.secret(MAIL, address=address), mail)
    # The process that asks is behind the proxy, so its own sandbox does not count.
    equal(session.secret(MUSIC, address=address), mail)
    equal(session.groups(), ["flatpak:" + MAIL])


def test_a_proxy_without_a_sandbox_gets_nothing(session):
    session.start_portal()
    socket = os.path.join(session.folder, "proxy")
    session.start(["xdg-dbus-proxy", session.address, socket])
    wait_until(lambda: os.path.exists(socket), what="the proxy")
    equal(session.retrieve(address=f"unix:path={socket}"), (2, ""))
    equal(session.groups(), [])
    contains(read_text(session.log), "chatelaine-portal: The keychain refuses the request of the application")


@needs_user_namespaces
def test_libsecret_opens_its_encrypted_file_with_the_secret(session):
    session.start_portal()
    equal(session.run(["store", "ann"], MAIL, input=b"correct horse").returncode, 0)
    done = session.run(["lookup", "ann"], MAIL)
    equal((done.out, done.err), ("correct horse\n", ""))
    path = os.path.join(session.it.directories["data"], "keyrings", "default.keyring")
    with open(path, "rb") as file:
        assert b"correct horse" not in file.read()
    # Another application with the same file, and a program outside that claims to be a snap.
    for stranger, more in (MUSIC, {}), (None, {"SNAP_NAME": "mail"}):
        done = session.run(["lookup", "ann"], stranger, **more)
        lacks(done.out, "correct horse")


@needs_user_namespaces
def test_an_imported_secret_of_gnome_keyring_is_the_applications_after_the_users_approval(it):
    secret = "0123456789abcdef" * 4
    items = [["", {"app_id": MAIL}, secret], ["", {"app_id": MUSIC, "user": "ann"}, "x" * 64]]
    with Session(it) as session:
        it.environment["DBUS_SESSION_BUS_ADDRESS"] = session.address
        program(it)
        program(it, IMPORTER)
        with provider(it, session, items):
            contains(it.run("chatelaine", "setup", "desktop", "--yes", check=0).out, "2 imported")
        session.start_portal()
        # Without a way to prompt the application gets no other secret, with which it could not open its file.
        equal(session.retrieve(MAIL), (2, ""))
        it.stop()
        with owner_at_display(it) as pinentry, ThreadPoolExecutor() as pool:
            waiting = pool.submit(session.retrieve, MAIL)
            question = pinentry.expect("CONFIRM")
            contains("".join(question.said["SETDESC"].split()), "readthesecretof", ",throughchatelaine-portal")
            question.answer(PinentryQuestion.cancelled)
            equal(waiting.result(), (1, ""))
            equal(session.groups(), [])
            waiting = pool.submit(session.secret, MAIL)
            pinentry.expect("CONFIRM").answer("OK")
            equal(waiting.result(), secret.encode().hex())
            # From now on it is the application's own. The other item is no secret of a portal.
            equal(session.secret(MAIL), secret.encode().hex())
            assert session.secret(MUSIC) != ("x" * 64).encode().hex()
            equal(session.groups(), ["flatpak:" + MAIL, "flatpak:" + MUSIC])
            equal(pinentry.was_started(), False)
        lacks(read_text(session.log), secret)


def test_a_program_outside_keeps_its_encrypted_file_as_well(session):
    session.start_portal()
    # libsecret uses the portal in sandboxes only; this variable makes it believe that it is in one.
    equal(session.run(["store", "ann"], input=b"correct horse", SNAP_NAME="mail").returncode, 0)
    equal(session.run(["lookup", "ann"], SNAP_NAME="mail").out, "correct horse\n")
    lacks(session.run(["lookup", "ann"], python=session.it.other_python(1), SNAP_NAME="mail").out, "correct horse")


def retrieve_directly(connection, client):
    """Calls the backend in the name of the portal. Returns the name of the error, and what arrived."""
    reading, writing = os.pipe()
    handle = f"{OBJECT}/request/{client[1:].replace('.', '_')}/t"
    try:
        connection.call_blocking(
            BACKEND, OBJECT, "org.freedesktop.impl.portal.Secret", "RetrieveSecret", "osha{sv}",
            (handle, MAIL, dbus.types.UnixFd(writing), {}), timeout=60)
        error = None
    except dbus.DBusException as refusal:
        error = refusal.get_dbus_name()
    os.close(writing)
    os.set_blocking(reading, False)
    try:
        received = os.read(reading, 4096)
    except BlockingIOError:
        received = b""
    os.close(reading)
    return error, received


def test_only_the_portal_gets_the_secrets_of_applications(session):
    stranger = session.connect()
    client = session.connection.get_unique_name()
    denied = ("org.freedesktop.DBus.Error.AccessDenied", b"")
    equal(retrieve_directly(stranger, client), denied)
    # A program that takes the name of the portal is not the portal.
    stranger.request_name(FRONTEND)
    equal(retrieve_directly(stranger, client), denied)
    equal(session.groups(), [])
    contains(read_text(session.log), "chatelaine-portal: A program that is not the portal was refused.")
    stranger.release_name(FRONTEND)
    session.start_portal()
    equal(retrieve_directly(stranger, client), denied)


def test_a_killed_backend_is_started_again_and_has_lost_nothing(session):
    session.start_portal()
    secret = session.secret()
    number = session.backend()
    os.kill(number, signal.SIGKILL)
    wait_until(lambda: not session.connection.name_has_owner(BACKEND), what="the end of the backend")
    equal(session.secret(), secret)
    assert session.backend() != number
    equal(len(session.groups()), 1)


def test_a_second_backend_says_that_the_name_is_taken(session):
    session.start_portal()
    session.secret()
    done = session.it.run(os.path.join(session.it.programs.folder, "chatelaine-portal"), env=session.environment)
    equal(done.returncode, 1)
    contains(done.err, "Another program owns the name " + BACKEND)


def test_without_a_bus_the_backend_says_what_is_missing(it):
    session = Session(it)
    backend = program(it, "chatelaine-portal")
    done = it.run(backend, env=session.environment)
    equal(done.returncode, 1)
    contains(done.err, "The session bus cannot be used")
    done = it.run(backend, env=dict(session.environment, DBUS_SESSION_BUS_ADDRESS="nonsense"))
    equal(done.returncode, 1)
    contains(done.err, "must name the session bus")
