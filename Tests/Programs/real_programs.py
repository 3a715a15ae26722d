# SPDX-License-Identifier: Apache-2.0
"""Large programs that use the Secret Service: a browser, the accounts of Evolution, and a program that shows keyrings in a window. Each runs
unchanged on a bus and a display of the test's own."""

import contextlib
import http.server
import json
import os
import shutil
import sqlite3
import subprocess
import threading

import pytest

from backup import owner_at_display
from support.accessibility import ScreenReader
from support.instance import read_text, wait_until
from support.secrets import session
from support.sentences import cases, contains, equal
from support.windows import Display

pytestmark = pytest.mark.long
CHROMIUM = "chromium"
REGISTRY, REGISTRY_NAME = "/usr/libexec/evolution-source-registry", "org.gnome.evolution.dataserver.Sources5"


def installed(*names):
    for name in names:
        if not shutil.which(name):
            pytest.skip(f"{name} is not installed (Tools/setup test-all)")


# MARK: A browser

@contextlib.contextmanager
def web_site():
    """A server on the loopback interface that gives a cookie to each client without one. Yields its port and the cookies that clients
    sent, None for a client without one."""
    cookies = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path == "/":
                cookies.append(self.headers.get("Cookie"))
            self.send_response(200)
            if self.path == "/" and not cookies[-1]:
                self.send_header("Set-Cookie", "user=of-ann; Max-Age=86400")
            self.send_header("Content-Type", "text/html")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port, cookies
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=60)


class Browser:
    """Chromium with a profile in the home of the test, driven through its DevTools protocol."""

    def __init__(self, it, display):
        self.count = 0
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self.profile = os.path.join(it.directories["home"], "profile")
        # The browser's sandbox is not for root, and needs a larger /dev/shm than containers have.
        words = [
            CHROMIUM, "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--password-store=gnome-libsecret", f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"]
        self.log = os.path.join(it.scratch, "chromium.log")
        with open(self.log, "ab") as log:
            self.process = it.popen(
                "bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "bash", *words, env=display.environment,
                pass_fds=[commands, answers], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        os.close(commands)
        os.close(answers)
        self._reader = os.fdopen(self._answers, "rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._reader.close()
        with contextlib.suppress(OSError):
            os.close(self._commands)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=60)

    def _message(self):
        data = bytearray()
        while (byte := self._reader.read(1)) != b"\0":
            assert byte, f"the browser ended:\n{read_text(self.log)}"
            data += byte
        return json.loads(data)

    def call(self, method, session=None, **parameters):
        """Calls a method of the protocol; returns its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def visit(self, address):
        """Opens a page in a new tab, and waits until it is loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        tab = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", tab)
        assert "errorText" not in self.call("Page.navigate", tab, url=address)

    def quit(self):
        """Ends it as its menu does."""
        self.call("Browser.close")
        equal(self.process.wait(timeout=60), 0)


def test_chromium_reads_in_its_next_run_a_cookie_that_is_encrypted_with_a_key_of_the_keychain(it):
    installed(CHROMIUM)
    it.start()
    with session(it), Display(it) as display, web_site() as (port, cookies):
        for _ in range(2):
            with Browser(it, display) as browser:
                browser.visit(f"http://127.0.0.1:{port}/")
                browser.quit()
        equal(cookies, [None, "user=of-ann"])
        database = sqlite3.connect(os.path.join(browser.profile, "Default/Cookies"))
        [(value, sealed)] = database.execute("SELECT value, encrypted_value FROM cookies WHERE name = 'user'")
        database.close()
        # v11 is encrypted with the key of a keyring, v10 with a key that is the same everywhere.
        equal((value, sealed[:3]), ("", b"v11"))
        [item] = it.list()
        equal(item["label"], "Chromium Safe Storage")
        # The key belongs to the browser alone. No prompt is possible here.
        assert item["program"].endswith("/chromium"), item["program"]
        equal(it.run("secret-tool", "lookup", "application", "chromium").returncode, 1)


# MARK: Accounts of Evolution

ACCOUNTS = r"""
import sys
import gi
gi.require_version("EDataServer", "1.2")
from gi.repository import EDataServer

registry = EDataServer.SourceRegistry.new_sync(None)
if sys.argv[1] == "add":
    source = EDataServer.Source.new_with_uid("of-ann", None)
    source.set_display_name("Ann's mail")
    collection = source.get_extension(EDataServer.SOURCE_EXTENSION_COLLECTION)
    collection.set_backend_name("none")
    authentication = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
    authentication.set_host("mail.example.org")
    authentication.set_user("ann")
    assert registry.commit_source_sync(source, None)
source = registry.ref_source("of-ann")
assert source
provider = EDataServer.SourceCredentialsProvider.new(registry)
if sys.argv[1] == "add":
    credentials = EDataServer.NamedParameters()
    credentials.set(EDataServer.SOURCE_CREDENTIAL_PASSWORD, sys.stdin.read())
    assert provider.store_sync(source, credentials, True, None)
elif sys.argv[1] == "delete":
    assert provider.delete_sync(source, None)
found, credentials = provider.lookup_sync(source, None)
print(credentials.get(EDataServer.SOURCE_CREDENTIAL_PASSWORD) if found else None)
"""


@contextlib.contextmanager
def registry(it, bus):
    """Evolution's registry of accounts."""
    if not os.path.exists(REGISTRY):
        pytest.skip(f"{REGISTRY} is not installed (Tools/setup test-all)")
    with open(os.path.join(it.scratch, "registry.log"), "ab") as log:
        process = it.popen(
            REGISTRY, env={**it.environment, "GSETTINGS_BACKEND": "memory"}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_until(lambda: bus.stranger.ask("NameHasOwner", "(s)", REGISTRY_NAME), what="the start of the registry")
        yield
    finally:
        process.kill()
        process.wait(timeout=60)


def test_evolution_keeps_the_password_of_an_account(it):
    it.start()

    def account(action, check=0):
        return it.run("/usr/bin/python3", "-c", ACCOUNTS, action, input="päss", check=check).out

    with session(it) as secrets:
        with registry(it, secrets.bus):
            equal(account("add"), "päss\n")
            equal([item["label"] for item in it.list()], ['Evolution Data Source "Ann\'s mail" (Collection - none) '])
        with registry(it, secrets.bus):
            equal(account("get"), "päss\n")
            contains(it.run("/usr/bin/python3", "-c", ACCOUNTS, "delete").err, "Password not found")
        equal(it.list(), [])


# MARK: A program that shows keyrings

@contextlib.contextmanager
def seahorse(it, bus):
    """Seahorse, with the items of the keychain on its screen."""
    installed("seahorse")
    with Display(it) as display, ScreenReader(it, bus, display) as windows:
        process = it.popen(
            "seahorse", env=windows.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            # The window is too small for both of its parts; this button leads to the list of keyrings.
            windows.press("push button", "Back")
            windows.select("Login")
            yield windows
        finally:
            process.kill()
            process.wait(timeout=60)


@cases("mode", ["ask", "open"])
def test_seahorse_lists_all_items_and_prompts_only_when_it_shows_a_secret_in_mode(it, mode):
    with owner_at_display(it) as pinentry, session(it) as secrets:
        with it.popen("chatelaine", "settings", "set", "bridges", mode, stdin=subprocess.DEVNULL) as setting:
            if mode == "open":
                question = pinentry.expect("CONFIRM")
                contains(" ".join(question.said["SETDESC"].split()), "programs use more items without a prompt")
                question.confirm()
            equal(setting.wait(timeout=60), 0)
        for name in "ann", "bob":
            it.run("secret-tool", "store", "--label=Mail", "user", name, input=f"of {name}", check=0)
        with seahorse(it, secrets.bus) as windows:
            windows.wait_for("Mail\nann", "Mail\nbob")
            equal(pinentry.was_started(), False)
            windows.open("Mail\nann")
            if mode == "ask":
                question = pinentry.expect("CONFIRM")
                contains(" ".join(question.said["SETDESC"].split()), "read the secret of", "ann", "seahorse")
                question.confirm()
            windows.wait_for("Item Properties", "\N{BLACK CIRCLE}" * len("of ann"))
            windows.press("icon", "dialog-password-symbolic")
            windows.wait_for("of ann")
        equal(pinentry.was_started(), False)
