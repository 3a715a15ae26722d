# SPDX-License-Identifier: Apache-2.0
"""A keychain service of its own: copies of the programs, scratch directories, and what runs in them."""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

root_of_repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

# An ordinary user, who need not have an account.
ordinary_user = 1500
is_root = os.geteuid() == 0

# PF_KTHREAD of the kernel.
KERNEL_THREAD = 0x00200000


def examples_folder():
    return os.environ.get("CHATELAINE_EXAMPLES", os.path.join(root_of_repository, ".build/release"))


def built_programs():
    """The folder with the programs to test, and PasswordKeeper's path."""
    folder = os.environ.get("CHATELAINE_PROGRAMS", os.path.join(root_of_repository, ".build/release"))
    return folder, os.path.join(examples_folder(), "PasswordKeeper")


class Timeout(Exception):
    pass


def wait_until(condition, seconds=60, what="what was waited for"):
    """Polls, within a bound. Returns what the condition returned."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise Timeout(f"{what} did not happen within {seconds} seconds")
        time.sleep(0.005)


def shortest(work, runs=5):
    """The seconds that the shortest of some runs takes: whatever else the machine does makes them longer only."""
    times = []
    for _ in range(runs):
        start = time.monotonic()
        work()
        times.append(time.monotonic() - start)
    return min(times)


def end_tracer(tracer):
    """Ends a strace. When a tracer is killed, the kernel detaches the processes that it traces, and they continue. A strace that is
    asked to end could wait for ever, for a thread of a process that was killed meanwhile."""
    tracer.kill()
    tracer.wait(timeout=60)


def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def processes(folder):
    """The numbers of the living processes of chatelained in this folder, by their argument list."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                program = file.read().split(b"\0")[0]
            state = read_text(f"/proc/{name}/stat").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if program == os.path.join(folder, "chatelained").encode() and state != "Z":
            found.append(int(name))
    return found


def has_ended(number):
    """Whether no such process runs any more."""
    # Looking for its folder first would not do: it may go before the file is read.
    try:
        return read_text(f"/proc/{number}/stat").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def is_waiting(number):
    """Whether every thread of the process waits in a system call."""
    try:
        return all(
            read_text(f"/proc/{number}/task/{thread}/syscall").split()[0] not in ("running", "-1")
            for thread in os.listdir(f"/proc/{number}/task"))
    except OSError:
        return False


def inhabitants(folder):
    """The numbers of the services of this folder, and of other programs of it that are about to become one."""
    # Only root can read the program of a service that other processes may not inspect.
    found = set(processes(folder))
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{name}/exe").startswith(folder + "/"):
                found.add(int(name))
    return found


def is_of(number, folder):
    """Whether the process runs a program of this folder or of one below it, or has such a folder as its current one."""
    prefix = folder + "/"
    with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline", "rb") as file:
        # Another user's process tells no more than its argument list.
        if file.read().startswith(prefix.encode()):
            return True
    for link in "exe", "cwd":
        with contextlib.suppress(OSError):
            if (os.readlink(f"/proc/{number}/{link}") + "/").startswith(prefix):
                return True
    return False


def parents():
    """The number of the parent of each living process, but for threads of the kernel."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            state, parent, _, _, _, _, flags = read_text(f"/proc/{name}/stat").rpartition(")")[2].split()[:7]
            if state not in "ZX" and not int(flags) & KERNEL_THREAD:
                found[int(name)] = int(parent)
    return found


def descendants(number, of):
    """The numbers of the living children of a process, of their children, and so on, by their parents."""
    found, following = set(), {number}
    while following:
        following = {child for child, parent in of.items() if parent in following} - found
        found |= following
    return found


def kill_all(find, what):
    """Kills the processes that `find` returns, until it returns none."""
    looks = 0

    def are_gone():
        nonlocal looks
        running = find()
        for number in running:
            # The handle stays with the process, and its number may be used again.
            with contextlib.suppress(ProcessLookupError):
                handle = os.pidfd_open(number)
                try:
                    if number in find():
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                finally:
                    os.close(handle)
        # If a process starts another one and ends during a search, the search can miss both.
        looks = 0 if running else looks + 1
        return looks == 3
    wait_until(are_gone, what=what)


class Programs:
    """Copies of the programs where everybody may read and run them, removed at the end."""

    names = ("chatelained", "chatelaine", "security", "chatelaine-agent", "PasswordKeeper")

    def __init__(self):
        # In /tmp, whatever TMPDIR says: the path of a socket has at most 107 bytes.
        self.scratch = tempfile.mkdtemp(prefix="chatelaine.", dir="/tmp")
        os.chmod(self.scratch, 0o755)
        self.folder = os.path.join(self.scratch, "bin")
        os.mkdir(self.folder, 0o755)
        folder, keeper = built_programs()
        self.built = folder
        for name in ["chatelained", "chatelaine", "chatelaine-crypto"]:
            program = os.path.join(folder, name)
            if os.path.exists(program):
                self.copy(program, os.path.join(self.folder, name))
        if os.path.exists(keeper):
            self.example("PasswordKeeper")
        os.symlink("chatelaine", os.path.join(self.folder, "security"))
        # What callers were compiled to (caller.py), and the Pythons that each user may run.
        self.compiled = {}
        self.pythons = {}
        # The first of the instances that are there now; others belong to the same test.
        self.owner = None
        # These modules, for Python programs that ordinary users run.
        self.modules = os.path.join(self.scratch, "modules")
        here = os.path.dirname(os.path.abspath(__file__))
        shutil.copytree(here, os.path.join(self.modules, "support"), ignore=shutil.ignore_patterns("__pycache__"))
        for folder, _, files in os.walk(self.modules):
            os.chmod(folder, 0o755)
            for name in files:
                os.chmod(os.path.join(folder, name), 0o644)

    @staticmethod
    def copy(source, target):
        shutil.copyfile(source, target)
        os.chmod(target, 0o755)
        return target

    def example(self, name):
        """A copy of an example beside the programs, which every user may run. It is stripped, as installed programs are, because
        the service reads all of a program to identify it."""
        target = os.path.join(self.folder, name)
        if not os.path.exists(target):
            built = os.path.join(examples_folder(), name)
            if not os.path.exists(built):
                raise AssertionError("build the example first: swift build --package-path Examples -c release")
            if shutil.which("strip"):
                subprocess.run(["strip", "-o", target, built], check=True)
                os.chmod(target, 0o755)
            else:
                self.copy(built, target)
        return target

    def leave_no_process(self, but=frozenset()):
        """Kills the processes that these programs or this Python started, except some. A process that has left its parent is
        found by its program or its current folder."""
        def left():
            of = parents()
            numbers = {number for number in of if is_of(number, self.scratch)} | descendants(os.getpid(), of)
            return numbers - but - {os.getpid()}
        kill_all(left, "the end of the processes that a test left")

    def remove(self):
        self.leave_no_process()
        shutil.rmtree(self.scratch, ignore_errors=True)


class Instance:
    """One keychain, in directories of its own."""

    count = 0

    def __init__(self, programs, user=None):
        Instance.count += 1
        self.programs = programs
        self.user = user if is_root and user else None
        self.scratch = os.path.join(programs.scratch, str(Instance.count))
        self.directories = {}
        os.mkdir(self.scratch)
        self.own(self.scratch, 0o755)
        for name in ["home", "runtime", "data", "config"]:
            path = os.path.join(self.scratch, name)
            os.mkdir(path)
            self.own(path)
            self.directories[name] = path
        self.environment = {
            "PATH": f"{programs.folder}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "HOME": self.directories["home"],
            "XDG_RUNTIME_DIR": self.directories["runtime"],
            "XDG_DATA_HOME": self.directories["data"],
            "XDG_CONFIG_HOME": self.directories["config"],
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        self.daemon = None
        self.log = None
        # The words before each program that the instance runs, such as those that enter a namespace.
        self.enter = []
        if programs.owner is None:
            programs.owner = self
            self.earlier = descendants(os.getpid(), parents())

    def own(self, path, mode=0o700):
        """Gives the file to the instance's user."""
        os.chmod(path, mode)
        if self.user:
            os.chown(path, self.user, self.user)

    def program(self, name):
        return os.path.join(self.programs.folder, name) if name in self.programs.names else name

    @property
    def data(self):
        return os.path.join(self.directories["data"], "chatelaine")

    @property
    def database(self):
        return os.path.join(self.data, "keychain.db")

    @property
    def socket_path(self):
        return os.path.join(self.directories["runtime"], "chatelaine", "socket")

    def options(self, **more):
        options = dict(env=self.environment, cwd=self.scratch)
        if self.user:
            options.update(user=self.user, group=self.user, extra_groups=[])
        options.update(more)
        return options

    def popen(self, *words, **more):
        return subprocess.Popen([*self.enter, self.program(words[0]), *words[1:]], **self.options(**more))

    def run(self, *words, input=b"", check=None, timeout=120, **more):
        """Runs a program to its end. With `check`, that has to be its exit status."""
        if isinstance(input, str):
            input = input.encode()
        done = subprocess.run(
            [*self.enter, self.program(words[0]), *words[1:]], input=input, capture_output=True, timeout=timeout,
            **self.options(**more))
        done.out = done.stdout.decode(errors="replace")
        done.err = done.stderr.decode(errors="replace")
        if check is not None:
            assert done.returncode == check, (
                f"{' '.join(words)}: exit status {done.returncode}, expected {check}\n{done.out}{done.err}")
        return done

    def python(self):
        """A Python that the instance's user may run, or None."""
        if self.user not in self.programs.pythons:
            self.programs.pythons[self.user] = self._find_python()
        return self.programs.pythons[self.user]

    def _find_python(self):
        for path in [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]:
            try:
                if subprocess.run([path, "-c", ""], **self.options(), stderr=subprocess.DEVNULL).returncode == 0:
                    return path
            except OSError:
                continue
        return None

    def other_python(self, number):
        """A Python that is another program than ``python()``: a copy with other bytes. Or None."""
        path = self.python()
        if not path:
            return None
        copy = os.path.join(self.scratch, f"python-{number}")
        if not os.path.exists(copy):
            shutil.copyfile(os.path.realpath(path), copy)
            with open(copy, "ab") as file:
                file.write(b"%d" % number)
            os.chmod(copy, 0o755)
        # It looks for its modules beside itself, and then where it was built for.
        return copy

    @contextlib.contextmanager
    def holding(self, count, path=None):
        """A program of the user that has so many connections, all of them at work."""
        code = f"""
import os, sys
from support.wire import *
clients = [Client(os.environ["SOCKET"]) for _ in range({count})]
for one in clients:
    assert one.request(WATCH).status == 0
print("ready", flush=True)
sys.stdin.readline()
"""
        environment = {
            "SOCKET": self.socket_path, **self.environment, "PYTHONPATH": self.programs.modules,
            "PYTHONDONTWRITEBYTECODE": "1"}
        path = path or self.python()
        with self.popen(path, "-c", code, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
            try:
                said = process.stdout.readline()
                assert said == b"ready\n", said
                yield process
            finally:
                process.stdin.close()

    def set(self, name, secret, *more):
        return self.run("chatelaine", "set", name, *more, input=secret, check=0)

    def get(self, name, *more):
        return self.run("chatelaine", "get", name, "--no-newline", *more, check=0).stdout

    def list(self):
        return json.loads(self.run("chatelaine", "list", "--json", check=0).out)

    def status(self):
        return json.loads(self.run("chatelaine", "status", "--json", check=0).out)

    # MARK: The service

    def start(self, *words, **more):
        """Starts the service in the foreground and waits until it can be connected to."""
        self.log = os.path.join(self.scratch, "chatelained.log")
        with open(self.log, "ab") as log:
            self.daemon = self.popen("chatelained", *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more)
        wait_until(lambda: self.is_listening() or self.daemon.poll() is not None, what="the start of the service")
        assert self.daemon.poll() is None, f"the service ended at once:\n{read_text(self.log)}"
        return self.daemon

    def start_in_vain(self, *words, **more):
        """Starts a service that must end by itself; what it says."""
        done = self.run("chatelained", *words, **more)
        assert done.returncode != 0, f"the service should have refused to start; it said: {done.out}{done.err}"
        return done

    def is_listening(self):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self.socket_path)
                return True
            except OSError:
                return False

    def pid(self):
        """The number of the service's process, from its lock."""
        return int(read_text(os.path.join(self.data, "store.lock")))

    def stop(self, number=signal.SIGTERM, may_crash=False):
        """Ends the service that start() started, which must not have crashed; its exit status."""
        daemon, self.daemon = self.daemon, None
        daemon.send_signal(number)
        daemon.wait(timeout=60)
        assert may_crash or not has_crashed(daemon), f"the service crashed:\n{self.log and read_text(self.log)}"
        return daemon.returncode

    def stop_detached(self, number=signal.SIGTERM):
        pid = self.pid()
        assert pid in processes(self.programs.folder), "the lock does not name the service"
        os.kill(pid, number)
        wait_until(lambda: pid not in processes(self.programs.folder), what="the end of the service")

    def end_services(self):
        """Kills the services that programs of the instance have started, those too that do not listen yet: of two that
        are started at once the second one serves when the first is killed."""
        kill_all(lambda: inhabitants(self.programs.folder), "the end of the services")

    def remove(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait()
        if self.programs.owner is self:
            self.programs.leave_no_process(but=self.earlier)
            self.programs.owner = None
        else:
            # The rest of the test goes on, with other services of the same programs.
            kill_all(self._own_processes, "the end of the processes of an instance")
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _own_processes(self):
        """The numbers of the processes that began in the instance's folders, and of its service."""
        found = {number for number in parents() if is_of(number, self.scratch)}
        with contextlib.suppress(OSError, ValueError):
            # Only a process of this folder's copy of the program: numbers are used again.
            found |= {self.pid()} & set(processes(self.programs.folder))
        return found


def has_crashed(process):
    """Returns whether the service ended by a signal of a crash."""
    crashes = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
    return -(process.poll() or 0) in crashes


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def resident_kilobytes(pid):
    return status_kilobytes(pid, "VmRSS")


def own_kilobytes(pid):
    """What the process itself wrote: without the pages of its program and libraries, which come and go."""
    return status_kilobytes(pid, "RssAnon")


def status_kilobytes(pid, name):
    for line in read_text(f"/proc/{pid}/status").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise AssertionError("the process has no memory")
