# SPDX-License-Identifier: Apache-2.0
"""A system service of the keychain, started like its unit: under a user of its own, with three capabilities, in separate
namespaces where it can write only its folders. And users of it."""

import os
import pwd
import shutil
import signal
import socket
import subprocess

import pytest

from .instance import Instance, has_crashed, is_root, mode, ordinary_user, read_text, root_of_repository, wait_until
from .prompters import built_helpers
from .sentences import equal


def without_account(number):
    """Returns the first number from this one on that is no user's on this machine."""
    while True:
        try:
            pwd.getpwuid(number)
        except KeyError:
            return number
        number += 1


# Numbers without accounts: the kernel asks for no more, and no program shows a name in their place.
ann = without_account(ordinary_user)
bob = without_account(ann + 1)
service_user = without_account(1600)

# Asks polkit for the service, which looks for it beside itself.
AUTHORIZATION = "chatelaine-authorization"

unit_path = os.path.join(root_of_repository, "Packaging/systemd/system/chatelaine.service")

# Mounts what the unit has systemd mount, and becomes the words behind. It is one process, because a shell starts two for each mount of the
# machine, which takes longer than the service. setpriv stands for the service manager, which starts the service from outside.
SANDBOX = """
import ctypes, errno, os, signal, sys
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
libc = ctypes.CDLL(None, use_errno=True)
def mount(place, flags):
    if libc.mount(place.encode(), place.encode(), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), "mount", place)
def remount(place, flags):
    kept = os.statvfs(place).f_flag & (NO_SUID | NO_DEVICES)
    mount(place, REMOUNT | BIND | NO_EXEC | kept | flags)
state, runtime, runnable, *words = sys.argv[1:]
mount("/", RECURSIVE | PRIVATE)
with open("/proc/self/mountinfo") as file:
    places = sorted({line.split()[4] for line in file}, reverse=True)
for folder in state, runtime:
    mount(folder, BIND)
    remount(folder, 0)
[setpriv, *_] = [path for folder in os.get_exec_path() if os.access(path := os.path.join(folder, "setpriv"), os.X_OK)]
for program in [*runnable.split(), setpriv]:
    if os.path.exists(program):
        mount(program, BIND)
for place in places:
    try:
        remount(place, READ_ONLY)
    except OSError as error:
        # Another mount may hide it: the path leads nowhere, or to no mount.
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL):
            raise
# Python ignores these.
for number in signal.SIGPIPE, signal.SIGXFSZ:
    signal.signal(number, signal.SIG_DFL)
os.execvp(words[0], words)
"""


USUAL_PLACES = """
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=755 tmpfs /var/lib
mkdir /run/chatelaine /var/lib/chatelaine
mount --bind "$1" /var/lib/chatelaine
mount --bind "$2" /run/chatelaine
shift 2
exec "$@"
"""


# For one process and what it starts.
NAMED = """
mount --make-rprivate /
mount --bind "$1" /etc/passwd
shift
exec "$@"
"""


# Puts files over others, in pairs, for one process and what it starts.
COVERED = """
mount --make-rprivate /
while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done
shift
exec "$@"
"""


def covering(files, words):
    """The same words, for a process that sees other files in the place of these."""
    if not files:
        return words
    # An ordinary user may mount in a user namespace alone.
    namespace = ["unshare", "--mount"] if is_root else ["unshare", "--user", "--map-root-user", "--mount"]
    pairs = [path for place, file in files.items() for path in (file, place)]
    return [*namespace, "sh", "-ec", COVERED, "sh", *pairs, "--", *words]


def needs_root():
    if not is_root:
        pytest.skip("only root may start a service under another user")


class SystemService:
    def __init__(self, it):
        needs_root()
        self.it = it
        self.folder = os.path.join(it.scratch, "system")
        self.state = os.path.join(self.folder, "state")
        self.runtime = os.path.join(self.folder, "run")
        os.mkdir(self.folder, 0o755)
        for path, bits in [(self.state, 0o700), (self.runtime, 0o755)]:
            os.mkdir(path)
            os.chmod(path, bits)
            os.chown(path, service_user, service_user)
        helper = os.path.join(it.programs.folder, AUTHORIZATION)
        if not os.path.exists(helper):
            it.programs.copy(os.path.join(built_helpers(), AUTHORIZATION), helper)
        # All of it, as a unit has it; and no system bus, whatever the machine has.
        self.environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/no-bus"}
        self.process = None
        self.log = os.path.join(self.folder, "log")

    @property
    def socket_path(self):
        return os.path.join(self.runtime, "chatelaine.socket")

    @property
    def places(self):
        return ["--state-directory", self.state, "--runtime-directory", self.runtime]

    def store(self, user):
        return os.path.join(self.state, "users", str(user))

    def words(self, *more):
        capabilities = "+sys_ptrace,+dac_read_search,+lease"
        return [
            "setpriv", f"--reuid={service_user}", f"--regid={service_user}", "--clear-groups",
            f"--inh-caps=-all,{capabilities}", f"--ambient-caps=-all,{capabilities}",
            f"--bounding-set=-all,{capabilities}", "--no-new-privs", self.it.program("chatelained"), "--system",
            *self.places, *more]

    def sandboxed(self, words):
        return [
            "unshare", "--mount", "--net", "--ipc", "--uts", "/usr/bin/python3", "-I", "-S", "-B", "-c", SANDBOX, self.state,
            self.runtime, " ".join(self.runnable_paths), *words]

    @property
    def runnable_paths(self):
        """What the unit lets the service run."""
        paths = []
        for line in read_text(unit_path).splitlines():
            if line.startswith("ExecPaths="):
                paths += [path.lstrip("-").replace("@bindir@", self.it.programs.folder)
                          for path in line.partition("=")[2].split()]
        # A link would be followed, and what it leads to be covered twice.
        return [path for path in paths if not os.path.islink(path)]

    def in_usual_places(self, words):
        """The same words where this service's folders are those that clients and the service know by themselves."""
        words = [word for word in words if word not in self.places]
        return ["unshare", "--mount", "sh", "-ec", USUAL_PLACES, "sh", self.state, self.runtime, *words]

    def start(self, *more, sandboxed=True, wrapped=None, **options):
        words = self.words(*more)
        words = self.sandboxed(words) if sandboxed else words
        words = wrapped(words) if wrapped else words
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=self.environment,
                **options)
        wait_until(lambda: self.is_listening() or self.process.poll() is not None, what="the start of the service")
        assert self.process.poll() is None, f"the service ended at once:\n{read_text(self.log)}"
        return self

    def start_traced(self, wrapped=lambda words: words):
        """Starts it with strace looking at it and at what it starts. What setpriv does before is not the service's."""
        if not shutil.which("strace"):
            pytest.skip("there is no strace")
        words = self.words()
        place = words.index(self.it.program("chatelained"))
        self.trace = os.path.join(self.it.scratch, "trace")
        os.chmod(self.it.scratch, 0o1777)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                wrapped([*words[:place], "strace", "-f", "-o", self.trace, *words[place:]]), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=self.environment)
        wait_until(lambda: self.is_listening() or self.process.poll() is not None, what="the start of the service")
        if self.process.poll() is not None:
            said = read_text(self.log).strip()
            assert "ptrace" in said, f"the service ended at once:\n{said}"
            pytest.skip("strace may not look at the service: " + said)

    def stop_traced(self):
        """Ends the service and returns strace's output. The signal goes to the service, because strace does not pass it on."""
        os.kill(int(read_text(os.path.join(self.runtime, "service.lock"))), signal.SIGTERM)
        self.process.wait(timeout=60)
        self.process = None
        return read_text(self.trace)

    def is_listening(self):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self.socket_path)
                return True
            except OSError:
                return False

    def stop(self, number=signal.SIGTERM):
        process, self.process = self.process, None
        process.send_signal(number)
        process.wait(timeout=60)
        assert not has_crashed(process), f"the service crashed:\n{read_text(self.log)}"
        return process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()

    def user(self, number):
        """An instance of a user whose programs use this service."""
        it = Instance(self.it.programs, number)
        it.user = number
        it.environment["CHATELAINE_SERVICE"] = "system:" + self.runtime
        return it


class SystemInstance(Instance):
    """An instance whose service is a system service, which the instance owns. A test that uses `start`, `daemon`, `socket_path` and `data`
    runs with it as with a user service."""

    def __init__(self, programs, user=None):
        """user: the number of the user whose keychain it is; without it, root's."""
        needs_root()
        # The first instance ends the processes of all of them, so it is the one that is removed last.
        self.host = Instance(programs)
        super().__init__(programs, user)
        self.service = SystemService(self.host)
        self.environment["CHATELAINE_SERVICE"] = "system:" + self.service.runtime

    @property
    def data(self):
        return self.service.store(self.user or 0)

    @property
    def socket_path(self):
        return self.service.socket_path

    def start(self, *words, **more):
        self.service.start(*words, **more)
        self.log = self.service.log
        self.daemon = self.service.process
        return self.daemon

    def remove(self):
        super().remove()
        self.host.remove()


class Accounts:
    """Names for users that the machine does not know."""

    def __init__(self, it, **numbers):
        self.path = os.path.join(it.scratch, "passwd")
        taken = {*numbers, *map(str, numbers.values())}
        lines = [line for line in read_text("/etc/passwd").splitlines() if not taken & set(line.split(":")[:3:2])]
        lines += [f"{name}:x:{number}:{number}::/:/usr/sbin/nologin" for name, number in numbers.items()]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        os.chmod(self.path, 0o644)

    def words(self, words):
        """The same words, for a process that knows them."""
        return ["unshare", "--mount", "sh", "-ec", NAMED, "sh", self.path, *words]


def allowed_calls():
    """The system calls that the unit allows."""

    def calls(name):
        if not name.startswith("@"):
            return {name}
        done = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
        lines = [line.strip() for line in done.stdout.splitlines()[1:]]
        return set().union(*(calls(line) for line in lines if line and not line.startswith("#")))

    allowed = set()
    for line in read_text(unit_path).splitlines():
        if line.startswith("SystemCallFilter="):
            names = line.partition("=")[2]
            denied = names.startswith("~")
            for name in names.lstrip("~").split():
                allowed = allowed - calls(name) if denied else allowed | calls(name)
    assert "openat" in allowed and "ptrace" not in allowed and "setuid" not in allowed
    return allowed


class Usual:
    """The folders that clients know, leading to a system service: for processes in a separate mount namespace."""

    words = """
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
if [ -n "$1" ]; then mkdir /run/chatelaine; mount --bind "$1" /run/chatelaine; fi
user=$2
shift 2
exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"
"""

    @classmethod
    def run(cls, it, runtime, *words, check=None, **more):
        """Runs a program of the instance's user that finds this folder at /run/chatelaine, or none."""
        user, it.user = it.user or 0, None
        environment = dict(it.environment)
        environment.pop("CHATELAINE_SERVICE", None)
        environment.update(more.pop("environment", {}))
        try:
            return it.run(
                "unshare", "--mount", "sh", "-ec", cls.words, "sh", runtime or "", str(user), it.program(words[0]),
                *words[1:], check=check, env=environment, **more)
        finally:
            it.user = user


__all__ = [
    "Accounts", "SystemInstance", "SystemService", "Usual", "ann", "bob", "service_user", "allowed_calls", "needs_root", "equal", "mode"]
