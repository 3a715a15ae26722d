# SPDX-License-Identifier: Apache-2.0
"""A system service on a machine with the real system bus and the real polkit: in a mount namespace of the test's own, with users
who have passwords."""

import contextlib
import json
import os
import shutil
import signal
import subprocess


import pytest

from .instance import read_text, root_of_repository, wait_until
from .system import AUTHORIZATION, Accounts, SystemService, ann, bob, needs_root, service_user

POLKITD = "/usr/lib/polkit-1/polkitd"
AGENT = "/usr/bin/pkttyagent"
POLICY = os.path.join(root_of_repository, "Packaging/polkit/org.chatelaine.policy")
ACTION = "org.chatelaine.administer-own-keychain"
PASSWORDS = {"ann": "ann's own password", "bob": "bob's own password"}

# What polkit has agents check passwords with: accounts and passwords of the test, without a delay after a wrong one.
PAM = """auth required pam_unix.so nodelay
account required pam_unix.so
"""

SETUP = """
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -m 755 /run/dbus
# Mounts below these folders would be hidden, and still be in the list of mounts.
awk '$5 ~ "^/etc/" { print $5 }' /proc/self/mountinfo | sort -r | while read -r place; do umount "$place"; done
mount -t tmpfs tmpfs "$1/layers"
mkdir "$1/layers/upper" "$1/layers/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$1/layers/upper,workdir=$1/layers/work" none /etc
rm -rf /etc/chatelaine /etc/polkit-1/rules.d
mkdir -m 755 -p /etc/chatelaine/policy.d /etc/polkit-1/rules.d
cp "$1/passwd" /etc/passwd
cp "$1/shadow" /etc/shadow
cp "$1/pam" /etc/pam.d/polkit-1
mount --bind "$1/actions" /usr/share/polkit-1/actions
mount --bind "$1/rules" /usr/share/polkit-1/rules.d
if [ -n "$2" ]; then mount --bind "$1/services" /usr/share/dbus-1/system-services; fi
echo ready
exec cat
"""

# Answers polkit's questions as an authentication agent would that was told the password, but cannot check one.
LIAR = """
import sys
import dbus, dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()

class Agent(dbus.service.Object):
    @dbus.service.method("org.freedesktop.PolicyKit1.AuthenticationAgent", in_signature="sssa{ss}saa{sv}")
    def BeginAuthentication(self, action, message, icon, details, cookie, identities):
        print("asked", flush=True)
        try:
            authority.AuthenticationAgentResponse2(dbus.UInt32(USER), cookie, identities[0])
            print("believed", flush=True)
        except dbus.DBusException as error:
            print("refused", flush=True)

    @dbus.service.method("org.freedesktop.PolicyKit1.AuthenticationAgent", in_signature="s")
    def CancelAuthentication(self, cookie): pass

process = int(sys.argv[1])
USER = int(sys.argv[2])
start = int(open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[19])
agent = Agent(bus, "/agent")
authority = dbus.Interface(
    bus.get_object("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", introspect=False),
    "org.freedesktop.PolicyKit1.Authority")
subject = dbus.Struct(("unix-process", dbus.Dictionary(
    {"pid": dbus.UInt32(process), "start-time": dbus.UInt64(start), "uid": dbus.Int32(USER)}, signature="sv")))
authority.RegisterAuthenticationAgent(subject, "C", "/agent")
print("ready", flush=True)
GLib.MainLoop().run()
"""


class Machine:
    """The machine: its bus, which starts polkit, and a system service with users."""

    def __init__(self, it, has_polkit=True, policy=""):
        needs_root()
        for path in (POLKITD, AGENT):
            if not os.access(path, os.X_OK):
                pytest.skip("polkit is not installed (Tools/setup test)")
        self.it = it
        self.folder = os.path.join(it.scratch, "machine")
        for name in ("", "actions", "rules", "services", "layers"):
            os.mkdir(os.path.join(self.folder, name))
            os.chmod(os.path.join(self.folder, name), 0o755)
        accounts = Accounts(it, chatelaine=service_user, ann=ann, bob=bob)
        shutil.move(accounts.path, os.path.join(self.folder, "passwd"))
        lines = [line for line in read_text("/etc/shadow").splitlines() if line.split(":")[0] not in PASSWORDS]
        for name, password in PASSWORDS.items():
            words = ["openssl", "passwd", "-6", "-stdin"]
            done = subprocess.run(words, input=password, capture_output=True, text=True, check=True)
            lines.append(f"{name}:{done.stdout.strip()}:19000:0:99999:7:::")
        self.write("shadow", "\n".join(lines) + "\n", 0o600)
        self.write("pam", PAM)
        shutil.copy(POLICY, os.path.join(self.folder, "actions"))
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "sh", "-ec", SETUP, "sh", self.folder, "" if has_polkit else "none"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"ready\n":
            raise AssertionError("the machine was not made: " + self.holder.stderr.read().decode())
        if policy:
            with open(f"/proc/{self.holder.pid}/root/etc/chatelaine/policy.d/10.conf", "w", encoding="utf-8") as file:
                file.write(policy)
        self.bus = None
        self.service = None
        self.users = []

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def words(self, words):
        """The same words, for a process on this machine."""
        return ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", "--", *words]

    def __enter__(self):
        try:
            self.start_bus()
            self.service = SystemService(self.it)
            # The bus is where it is on every machine.
            del self.service.environment["DBUS_SYSTEM_BUS_ADDRESS"]
            self.service.start(wrapped=self.words)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for user in self.users:
            user.remove()
        if self.service:
            self.service.__exit__()
        self.stop_bus()
        self.end_polkit()
        self.holder.kill()
        self.holder.wait()
        for stream in (self.holder.stdin, self.holder.stdout, self.holder.stderr):
            stream.close()

    # MARK: The bus and polkit

    def start_bus(self):
        self.bus = subprocess.Popen(
            self.words(["dbus-daemon", "--system", "--nofork", "--nopidfile", "--print-address=1"]),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.bus.stdout.readline().startswith(b"unix:"), "the bus did not start"

    def stop_bus(self):
        if self.bus:
            self.bus.kill()
            self.bus.wait()
            self.bus.stdout.close()
            self.bus = None

    def polkits(self):
        """The numbers of the polkits on this machine."""
        own = os.readlink(f"/proc/{self.holder.pid}/ns/mnt")
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{name}/exe") == POLKITD and os.readlink(f"/proc/{name}/ns/mnt") == own:
                    found.append(int(name))
        return found

    def start_polkit(self):
        """Has the bus start polkit."""
        done = subprocess.run(
            self.words(["dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                        "org.freedesktop.DBus.StartServiceByName", "string:org.freedesktop.PolicyKit1", "uint32:0"]),
            capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        [number] = wait_until(self.polkits, what="the start of polkit")
        return number

    def end_polkit(self):
        for number in self.polkits():
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        wait_until(lambda: not self.polkits(), what="the end of polkit")

    def rule(self, text):
        """A rule of the administrator's."""
        self.write("rules/10.rules", text)

    # MARK: Users

    def user(self, number=ann):
        """An instance whose programs run on this machine, as this user."""
        it = self.service.user(number)
        # Root enters the namespace, then becomes the user.
        it.enter = self.words(
            ["setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups"]) if number else self.words([])
        it.user = None
        self.users.append(it)
        return it

    def helpers(self):
        """The numbers of the helpers that run."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read().split(b"\0")[0].decode() == os.path.join(self.it.programs.folder, AUTHORIZATION):
                    found.append(int(name))
        return found


def audit(it, action):
    """The last line of the audit log about an action."""
    lines = [json.loads(line) for line in it.run("chatelaine", "log", "--json", check=0).out.splitlines()]
    return [line for line in lines if line["action"] == action][-1]


__all__ = ["ACTION", "LIAR", "Machine", "PASSWORDS", "audit", "ann", "bob"]
