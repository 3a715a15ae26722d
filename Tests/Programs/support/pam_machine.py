# SPDX-License-Identifier: Apache-2.0
"""The PAM module in a host that does one step of PAM at a time (pam_host.c), with a program of the test in the place of
chatelaine-login."""

import contextlib
import os
import signal
import socket
import subprocess

import pytest

from .instance import read_text, root_of_repository, wait_until
from .logins import NEW, PASSWORD, RECORD, recorded
from .sentences import equal
from .system import ann, bob

SUPPORT = os.path.dirname(os.path.abspath(__file__))
# PAM_ESTABLISH_CRED, PAM_REINITIALIZE_CRED, PAM_REFRESH_CRED, PAM_AUTH_ERR, PAM_AUTHTOK_ERR, PAM_DATA_SILENT
ESTABLISH, REINITIALIZE, REFRESH, DENIED, TOKEN_ERROR, SILENT = 0x2, 0x8, 0x10, 7, 20, 0x40000000

# A /dev with a log of the test's own, and accounts of its own. Everything else is a link.
SETUP = """
mount --make-rprivate /
mkdir -p "$1/dev"
mount --rbind /dev "$1/dev"
mount -t tmpfs -o mode=755 tmpfs /dev
for entry in "$1"/dev/*; do [ "${entry##*/}" = log ] || ln -s "$entry" /dev; done
ln -s "$1/log" /dev/log
mount --bind "$1/passwd" /etc/passwd
mount --bind "$1/group" /etc/group
shift
exec "$@"
"""


def built(folder):
    """Builds the module as it is installed, the host, and a module in the place of pam_unix.so. Returns the folder."""
    if not os.path.exists("/usr/include/security/pam_modules.h"):
        pytest.skip("the headers of PAM are not installed (Tools/setup build)")
    module = os.path.join(folder, "pam_chatelaine.so")
    script = os.path.join(root_of_repository, "Tools/common.bash")
    subprocess.run(["bash", "-c", f". {script}; build_login_module {module}"], check=True)
    compiler = ["cc", "-O1", "-Wall", "-Wextra", "-Werror"]
    for name, source, options in [("pam_host", "pam_host.c", []), ("played_pam.so", "played_pam.c", ["-shared", "-fPIC"])]:
        subprocess.run([*compiler, "-o", os.path.join(folder, name), os.path.join(SUPPORT, source), *options, "-lpam"], check=True)
    return folder


class PAMMachine:
    """The settings of PAM, a program in the place of chatelaine-login, accounts, and a system log."""

    def __init__(self, folder, built):
        self.folder, self.built = folder, built
        os.chmod(folder, 0o755)
        self.said = os.path.join(folder, "said")
        os.mkdir(self.said)
        os.chmod(self.said, 0o1777)
        self.numbers = self.write("numbers", "", 0o666)
        self.program = self.script("program", RECORD)
        accounts = [f"{name}:x:{number}:{number}::/home/{name}:/bin/sh" for name, number in [("ann", ann), ("bob", bob)]]
        self.write("passwd", "\n".join(["root:x:0:0:root:/root:/bin/sh", *accounts, ""]))
        self.write("group", f"root:x:0:\nann:x:{ann}:\nbob:x:{bob}:\nreaders:x:4711:bob,ann\nwriters:x:4712:bob\n")
        self.log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.log.bind(os.path.join(folder, "log"))
        os.chmod(os.path.join(folder, "log"), 0o666)
        self.lines = []
        self.configure()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)
        return path

    def script(self, name, text, mode=0o755):
        return self.write(name, text, mode)

    def configure(self, program=None, first=None, options=""):
        """Writes the settings of the service "test"."""
        module = os.path.join(self.built, "pam_chatelaine.so")
        played = os.path.join(self.built, "played_pam.so")
        options = options or f"program={program or self.program}"
        first = first if first is not None else f"auth requisite {played} [right={PASSWORD}]"
        os.makedirs(os.path.join(self.folder, "pam"), exist_ok=True)
        # PAM reports it in the log if this file is missing.
        self.write("pam/other", "auth required pam_deny.so\n")
        self.write("pam/test", "\n".join([
            first, f"auth optional {module} {options}", "auth required pam_permit.so", "account required pam_permit.so",
            f"password requisite {played}", f"password optional {module} {options}", "password required pam_permit.so",
            f"session optional {module} {options}", "session required pam_permit.so", ""]))

    @contextlib.contextmanager
    def host(self, user="ann", **more):
        words = ["unshare", "--mount", "sh", "-ec", SETUP, "sh", self.folder, os.path.join(self.built, "pam_host"),
                 os.path.join(self.folder, "pam"), "test", user]
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **more)
        try:
            yield PAMHost(self, process)
        finally:
            process.stdin.close()
            process.wait(timeout=60)
            process.stdout.close()

    def recorded(self, action="unlock"):
        """What the program wrote down, when it has."""
        return recorded(self.said, action)

    def started(self):
        """The process numbers that the hanging and stopped programs of the test wrote down."""
        return [int(line) for line in read_text(self.numbers).splitlines()]

    def remove(self):
        self.log.close()
        for process in self.started():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def log_lines(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.lines.append(self.log.recv(4096, socket.MSG_DONTWAIT).decode(errors="backslashreplace"))
        return self.lines

    def logged(self, text):
        """Waits for a line of the log."""
        wait_until(lambda: any(text in line for line in self.log_lines()), what=f"the line {text!r}")


class PAMHost:
    def __init__(self, machine, process):
        self.machine, self.process, self.milliseconds = machine, process, 0
        equal(self._result(), 0)

    def _result(self):
        status, milliseconds = self.process.stdout.readline().split()
        self.milliseconds = float(milliseconds)
        return int(status)

    def step(self, *words, expect=0):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        result = self._result()
        if expect is not None:
            assert result == expect, f"{words}: {result}, expected {expect}"
        return result

    def authenticate(self, password=PASSWORD, expect=0):
        self.answers(password)
        self.step("authenticate", expect=expect)

    def answers(self, *passwords):
        for number, password in enumerate(passwords):
            self.step("answer", self.machine.write(f"answer-{number}", password, 0o600))

    def change(self, old=PASSWORD, new=NEW):
        self.answers(old, new)
        self.step("chauthtok")

    def log_in(self):
        self.authenticate()
        self.step("setcred", ESTABLISH)
        self.step("open")
