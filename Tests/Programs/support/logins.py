# SPDX-License-Identifier: Apache-2.0
"""A machine on which users log in with real programs and the PAM module: a mount namespace with accounts, settings of PAM and a system
log of its own. The settings are those that pam-auth-update makes of Packaging/pam/chatelaine."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile

import pytest

from .instance import has_ended, read_text, root_of_repository, wait_until
from .sentences import contains
from .system import ann, bob, needs_root
from .terminal import Terminal

PASSWORD = "correct horse battery staple 7f"
NEW = "another long password 91c"

# In the place of chatelaine-login: writes down its input, its environment and the rights of its process.
RECORD = """#!/bin/sh
folder=${0%/*}/said
file=$(mktemp "$folder/new.XXXXXX")
{
    echo "action $*"
    echo "input $(od -An -v -tx1 | tr -d ' \\n')"
    echo "user $(id -ru) $(id -u)"
    echo "groups $(id -rg) $(id -g) $(id -G)"
    echo "folder $(pwd)"
    echo "umask $(umask)"
    echo "core $(sed -n 's/^Max core file size *//p' /proc/self/limits | tr -s ' ')"
    sed -n 's/^\\(SigIgn\\|SigBlk\\|CapPrm\\|CapAmb\\):/\\1/p' /proc/self/status
    echo "session $(ps -o sid= -p $$ | tr -d ' ') $$"
    for link in /proc/$$/fd/*; do echo "descriptor $(readlink "$link")"; done
    env | sed 's/^/env /'
} >"$file"
echo "the program says this" >&2
mv "$file" "$folder/$1"
"""

SETUP = """
mount --make-rprivate /
mkdir -p "$1/dev"
mount --rbind /dev "$1/dev"
mount -t tmpfs -o mode=755 tmpfs /dev
for entry in "$1"/dev/*; do [ "${entry##*/}" = log ] || ln -s "$entry" /dev; done
ln -s "$1/log" /dev/log
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -m 755 /run/sshd /run/user
# Mounts below these folders would be hidden, and still be in the list of mounts.
awk '$5 ~ "^/etc/" { print $5 }' /proc/self/mountinfo | sort -r | while read -r place; do umount "$place"; done
mkdir "$1/layers"
mount -t tmpfs tmpfs "$1/layers"
for place in etc usr/share/pam-configs var/lib/pam var/cache/debconf; do
    mkdir -p "$1/layers/$place/upper" "$1/layers/$place/work"
    mount -t overlay -o "lowerdir=/$place,upperdir=$1/layers/$place/upper,workdir=$1/layers/$place/work" none "/$place"
done
for name in passwd group shadow; do cat "$1/$name" >"/etc/$name"; done
rm -rf /etc/chatelaine /etc/nologin
cp "$1/profile" /usr/share/pam-configs/chatelaine
DEBIAN_FRONTEND=noninteractive pam-auth-update --force --enable chatelaine >&2
# Logins of tests must not depend on the kernel's audit.
sed -i '/pam_loginuid/d' /etc/pam.d/*
folder=$1
shift
while [ $# -gt 0 ]; do mkdir -p "$2"; mount --bind "$1" "$2"; shift 2; done
echo ready
exec cat
"""


def needs_pam():
    needs_root()
    if not shutil.which("pam-auth-update"):
        pytest.skip("pam-auth-update is not installed")
    if not os.path.exists("/usr/include/security/pam_modules.h"):
        pytest.skip("the headers of PAM are not installed (Tools/setup build)")


class LoginMachine:
    """`program` is started by the module. `homes` has the home folder of each user by name. `mounts` are pairs of a folder and a place
    where the machine shows it."""

    def __init__(self, program, homes=(), mounts=()):
        needs_pam()
        self.resources = contextlib.ExitStack()
        self.folder = self.resources.enter_context(tempfile.TemporaryDirectory(prefix="chatelaine.", dir="/tmp"))
        os.chmod(self.folder, 0o755)
        self.said = os.path.join(self.folder, "said")
        os.mkdir(self.said)
        os.chmod(self.said, 0o1777)
        self.program = program or self.write("program", RECORD, 0o755)
        self.module = os.path.join(self.folder, "pam_chatelaine.so")
        script = os.path.join(root_of_repository, "Tools/common.bash")
        subprocess.run(["bash", "-c", f". {script}; build_login_module {self.module}"], check=True)
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        # For Terminal, whose program root starts.
        self.user = None
        self._write_accounts(dict(homes))
        self._write_profile()
        self.log = self.resources.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self.log.bind(os.path.join(self.folder, "log"))
        os.chmod(os.path.join(self.folder, "log"), 0o666)
        self.lines = []
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "sh", "-ec", SETUP, "sh", self.folder, *(part for pair in mounts for part in pair)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=self.environment)
        if self.holder.stdout.readline() != b"ready\n":
            raise AssertionError("the machine was not made: " + self.holder.stderr.read().decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.holder.kill()
        self.holder.wait()
        for stream in (self.holder.stdin, self.holder.stdout, self.holder.stderr):
            stream.close()
        self.resources.close()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def _write_accounts(self, homes):
        users = {"ann": ann, "bob": bob}
        taken = {*users, *map(str, users.values()), "sshd"}

        def others(path):
            return [line for line in read_text(path).splitlines() if not taken & set(line.split(":")[:3:2])]
        rows = [f"{name}:x:{number}:{number}::{homes.get(name, '/')}:/bin/sh" for name, number in users.items()]
        self.write("passwd", "\n".join([*others("/etc/passwd"), *rows, "sshd:x:74:65534::/run/sshd:/usr/sbin/nologin", ""]))
        self.write("group", "\n".join([*others("/etc/group"), *(f"{name}:x:{number}:" for name, number in users.items()), ""]))
        done = subprocess.run(["openssl", "passwd", "-5", "-stdin"], input=PASSWORD, capture_output=True, text=True, check=True)
        hashed = done.stdout.strip()
        self.write(
            "shadow", "\n".join(["root:*:19000:0:99999:7:::", "sshd:*:19000:0:99999:7:::",
                                 *(f"{name}:{hashed}:19000:0:99999:7:::" for name in users), ""]), 0o600)

    def _write_profile(self):
        text = read_text(os.path.join(root_of_repository, "Packaging/pam/chatelaine"))
        text = text.replace("@prefix@/lib/security/pam_chatelaine.so", self.module)
        self.write("profile", text.replace("@prefix@/bin/chatelaine-login", self.program))

    # MARK: Programs

    def words(self, words, user=0):
        """The same words, for a process on this machine."""
        enter = ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", "--"]
        if user:
            enter += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        return [*enter, *words]

    def popen(self, *words, **more):
        return subprocess.Popen(self.words(words), **{"cwd": "/", "env": self.environment, **more})

    def run(self, *words, user=0, input="", check=None, **environment):
        done = subprocess.run(
            self.words(words, user), input=input, capture_output=True, text=True, timeout=120, cwd="/", check=False,
            env={**self.environment, **environment})
        # Programs wait for a log that is full.
        self.log_lines()
        assert check is None or done.returncode == check, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def processes(self):
        """The numbers of the processes on this machine, without the one that holds it."""
        own = os.readlink(f"/proc/{self.holder.pid}/ns/mnt")
        found = set()
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{name}/ns/mnt") == own and not has_ended(int(name)):
                    found.add(int(name))
        return found - {self.holder.pid}

    # MARK: The log and the played program

    def log_lines(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.lines.append(self.log.recv(4096, socket.MSG_DONTWAIT).decode(errors="backslashreplace"))
        return self.lines

    def logged(self, text):
        """Waits for a line of the log."""
        wait_until(lambda: any(text in line for line in self.log_lines()), what=f"the line {text!r}")

    def recorded(self, action="unlock"):
        return recorded(self.said, action)

    # MARK: Logins, each with a password. They return whether the user was logged in.

    def pamtester(self, password=PASSWORD):
        if not shutil.which("pamtester"):
            pytest.skip("pamtester is not installed (Tools/setup test)")
        done = self.run("pamtester", "login", "ann", "authenticate", "setcred(PAM_ESTABLISH_CRED)", "open_session", "close_session",
                        input=password + "\n")
        return done.returncode == 0

    def su(self, password=PASSWORD):
        done = self.run("su", "-", "ann", "-c", "id -u", user=bob, input=password + "\n")
        assert (done.returncode == 0) == (done.stdout == f"{ann}\n"), done
        return done.returncode == 0

    def login(self, password=PASSWORD):
        with Terminal(self, "login", "ann") as terminal:
            terminal.expect("Password: ")
            terminal.expect_silence()
            terminal.type(password + "\n")
            wait_until(lambda: terminal.shows("Login incorrect") or terminal.shows("$ "), what="the end of the login")
            logged_in = not terminal.shows("Login incorrect")
            if logged_in:
                terminal.type("exit\n")
                terminal.end()
            return logged_in

    def ssh(self, *command, password=PASSWORD):
        """The words that log ann in by ssh and run a command, and their environment."""
        if not os.path.exists("/usr/sbin/sshd") or not os.path.exists("/etc/pam.d/sshd") or not shutil.which("ssh"):
            pytest.skip("sshd is not installed (Tools/setup test)")
        key = os.path.join(self.folder, "host_key")
        if not os.path.exists(key):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        settings = self.write("sshd_config", f"HostKey {key}\nUsePAM yes\nPasswordAuthentication yes\n"
                              "KbdInteractiveAuthentication no\nPubkeyAuthentication no\n")
        ask = self.write("askpass", f"#!/bin/sh\nexec cat {self.write('ssh-password', password)}\n", 0o755)
        # The server reads the connection from its standard input, so the test needs no network.
        words = ["ssh", "-F", "none", "-o", f"ProxyCommand=/usr/sbin/sshd -i -e -f {settings}", "-o", "StrictHostKeyChecking=no",
                 "-o", "UserKnownHostsFile=/dev/null", "-o", "NumberOfPasswordPrompts=1", "-o", "PreferredAuthentications=password",
                 "ann@machine", *command]
        return words, {"SSH_ASKPASS": ask, "SSH_ASKPASS_REQUIRE": "force"}

    def sshd(self, password=PASSWORD):
        words, environment = self.ssh("id -u", password=password)
        done = self.run(*words, **environment)
        assert (done.returncode == 0) == (done.stdout == f"{ann}\n"), done
        return done.returncode == 0

    def passwd(self, old=PASSWORD, new=NEW):
        """Changes the password of ann; returns whether it was changed."""
        done = self.run("passwd", user=ann, input=f"{old}\n{new}\n{new}\n")
        if done.returncode == 0:
            contains(done.stderr, "password updated successfully")
        return done.returncode == 0


# The programs that log users in, by name.
HOSTS = {"pamtester": LoginMachine.pamtester, "login": LoginMachine.login, "su": LoginMachine.su, "sshd": LoginMachine.sshd}


def recorded(folder, action):
    """What the played program wrote down, when it has."""
    path = os.path.join(folder, action)
    wait_until(lambda: os.path.exists(path), what="the program's end")
    found = {}
    for line in read_text(path).splitlines():
        name, _, value = line.partition(" ") if "\t" not in line else line.partition("\t")
        found.setdefault(name, []).append(value)
    os.unlink(path)
    return found


def message(password, old=""):
    """What the module passes on, in hexadecimal."""
    parts = [part.encode() for part in (old, password)]
    return (b"".join(len(part).to_bytes(2, "little") for part in parts) + b"".join(parts)).hex()
