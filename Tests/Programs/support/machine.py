# SPDX-License-Identifier: Apache-2.0
"""A separate machine in which systemd is process 1: for units as they are installed, under the manager they are for.

It has this machine's kernel and, read-only, its programs; its processes, mounts, network, names and control groups are
separate, and its files are in memory. It is removed completely when it ends, or when the process that started it is killed."""

import atexit
import contextlib
import glob
import os
import select
import shlex
import shutil
import subprocess
import tempfile

import pytest

from .instance import Instance, built_programs, is_root, read_text, root_of_repository, wait_until

# The parts of this machine's /etc that the separate machine gets. It gets no units, so that only the requested programs
# run.
SETTINGS = """
alternatives bash.bashrc dbus-1 default ld.so.cache ld.so.conf ld.so.conf.d localtime login.defs nsswitch.conf pam.d
polkit-1 profile security skel
"""

# Waits for the end of its input, which comes when the process at the other end is gone, and then removes everything.
KEEPER = """
group=$1 place=$2 disk=$3 assemble=$4 start=$5
shift 5
status=0
if mkdir "$group" "$group/keeper" "$group/machine"; then
    (
        echo 0 >"$group/keeper/cgroup.procs" &&
            unshare --mount --uts --ipc --net sh -ec "$assemble" sh "$group" "$place" "$disk" "$start" "$@"
        echo "the machine ended: $?"
    ) </dev/null &
    cat >/dev/null
    echo 1 >"$group/cgroup.kill"
    # The control groups can be removed once the kernel has ended their processes.
    tries=0
    until find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; do
        tries=$((tries + 1))
        if [ "$tries" -gt 1200 ]; then status=1; break; fi
        sleep 0.05
    done
else
    echo "the machine ended: it has no control group"
    cat >/dev/null
fi
rm -r -- "$disk"
rmdir "$place"
exit "$status"
"""

# What outlives a start of the machine: its disk. Then the machine itself, again after each reboot.
ASSEMBLE = """
group=$1 place=$2 disk=$3 start=$4 repository=$5 settings=$6
umask 022
mount --make-rprivate /
mount --bind / "$place"
mount -o remount,bind,ro "$place"
for folder in etc var home root usr/local; do
    mount -t tmpfs -o mode=755 tmpfs "$place/$folder"
done
for name in $settings; do
    if [ -e "/etc/$name" ]; then cp -a "/etc/$name" "$place/etc/"; fi
done
# An installer links the action of polkit there.
actions=usr/share/polkit-1/actions
if [ -d "/$actions" ]; then
    mount -t tmpfs -o mode=755 tmpfs "$place/$actions"
    cp -a "/$actions/." "$place/$actions/"
fi
# The accounts of programs, and no person's.
for list in passwd group; do
    awk -F: '$1 !~ /^chatelaine/ && ($3 < 1000 || $3 == 65534)' "/etc/$list" >"$place/etc/$list"
done
for list in shadow gshadow; do (umask 077 && : >"$place/etc/$list"); done
awk -F: '{ print $1 ":*:::::::" }' "$place/etc/passwd" >"$place/etc/shadow"
: >"$place/etc/machine-id"
echo machine >"$place/etc/hostname"
mkdir -p "$place/etc/systemd/system" "$place/var/lib/dpkg" "$place/var/log" "$place/var/cache"
mkdir -m 1777 "$place/var/tmp"
# systemd keeps no key of the machine in memory.
mkdir "$place/var/lib/systemd"
mount --bind "$disk" "$place/var/lib/systemd"
: >"$place/var/lib/dpkg/statoverride"
ln -s /run "$place/var/run"
# There is no terminal to log in at.
ln -s /dev/null "$place/etc/systemd/system/getty.target"
# However slow the machine is, programs have the time to do what they hold up its sleep for.
mkdir "$place/etc/systemd/logind.conf.d"
printf '[Login]\nInhibitDelayMaxSec=300\n' >"$place/etc/systemd/logind.conf.d/test.conf"
while :; do
    status=0
    sh -ec 'echo 0 >"$1/machine/cgroup.procs"; shift; exec "$@"' sh "$group" \
        unshare --mount --pid --fork --cgroup sh -ec "$start" sh "$place" "$repository" || status=$?
    # The kernel ends process 1 with this signal when it is told to reboot.
    if [ "$status" -ne 129 ]; then exit "$status"; fi
done
"""

# Process 1: mounts what does not outlive a start, and becomes systemd.
START = """
place=$1 repository=$2
for folder in run tmp; do
    mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$place/$folder"
done
chmod 1777 "$place/tmp"
mkdir -p "$place$repository"
mount --bind "$repository" "$place$repository"
mount -o remount,bind,ro "$place$repository"

mount -t tmpfs -o mode=755,nosuid tmpfs "$place/dev"
for name in null zero full random urandom tty; do
    touch "$place/dev/$name"
    mount --bind "/dev/$name" "$place/dev/$name"
done
ln -s /proc/self/fd "$place/dev/fd"
for number in 0 1 2; do
    ln -s "/proc/self/fd/$number" "$place/dev/$(echo stdin stdout stderr | cut -d ' ' -f "$((number + 1))")"
done
mkdir "$place/dev/pts" "$place/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec devpts "$place/dev/pts"
ln -s pts/ptmx "$place/dev/ptmx"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$place/dev/shm"

# The kernel is not the machine's own: its settings are to be looked at alone.
mount -t proc -o nosuid,nodev,noexec proc "$place/proc"
for path in sys sysrq-trigger; do
    if [ -e "$place/proc/$path" ]; then
        mount --bind "$place/proc/$path" "$place/proc/$path"
        mount -o remount,bind,ro,nosuid,nodev,noexec "$place/proc/$path"
    fi
done
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$place/sys"
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 "$place/sys/fs/cgroup"
# It sleeps by itself: logind finds that it could, and what it writes here wakes nobody.
if [ -d "$place/sys/power" ]; then
    mount -t tmpfs -o mode=755,nosuid,nodev,noexec tmpfs "$place/sys/power"
    echo mem >"$place/sys/power/state"
fi

cd "$place"
mkdir run/outside
pivot_root . run/outside
umount --lazy /run/outside
rmdir /run/outside
# As systemd does by itself on a whole machine: what it mounts for a unit's credentials gets through to the unit.
mount --make-rshared /
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin setpriv \
    --bounding-set=-sys_module,-sys_rawio,-sys_time,-wake_alarm /lib/systemd/systemd --system
"""

PROGRAMS = ["nsenter", "unshare", "setpriv", "runuser", "pivot_root", "loginctl", "useradd", "make"]
FILES = ["/lib/systemd/systemd", "/lib/systemd/system/dbus.socket", "/lib/*/security/pam_systemd.so"]


def unified_hierarchy():
    """Where this machine has the control groups of which systemd needs one."""
    for line in read_text("/proc/self/mounts").splitlines():
        _, path, kind, options = line.split()[:4]
        if kind == "cgroup2" and "rw" in options.split(","):
            return path
    pytest.skip("this machine has no control groups of the second version that could be written")


class Machine:
    count = 0

    def __init__(self):
        if not is_root:
            pytest.skip("only root may start a machine")
        for name in PROGRAMS:
            if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin"):
                pytest.skip(f"there is no {name}")
        for pattern in FILES:
            if not glob.glob(pattern):
                pytest.skip(f"there is no {pattern}")
        if not os.path.samefile(built_programs()[0], os.path.join(root_of_repository, ".build/release")):
            pytest.skip("what is installed are the programs of .build/release, and others are to be tested")
        Machine.count += 1
        self.accounts = 0
        name = f"chatelaine-test-{os.getpid()}-{Machine.count}"
        self.group = os.path.join(unified_hierarchy(), name)
        self.place = tempfile.mkdtemp(prefix="chatelaine.machine.", dir="/tmp")
        self.disk = tempfile.mkdtemp(prefix="chatelaine.machine.", dir="/var/tmp")
        for folder in (self.place, self.disk):
            os.chmod(folder, 0o755)
        self.output = tempfile.TemporaryFile("w+", prefix="chatelaine.")
        self.first_process = None
        # A session of its own: no signal that ends this process's group reaches it.
        self.keeper = subprocess.Popen(
            ["sh", "-c", KEEPER, "sh", self.group, self.place, self.disk, ASSEMBLE, START, root_of_repository,
             " ".join(SETTINGS.split())],
            stdin=subprocess.PIPE, stdout=self.output, stderr=self.output, cwd="/", start_new_session=True)
        atexit.register(self.remove)
        try:
            self.await_start()
        except BaseException:
            self.remove()
            raise

    # MARK: Beginning and end

    def remove(self):
        """Ends the machine; nothing of it is left."""
        if not self.keeper:
            return
        keeper, self.keeper = self.keeper, None
        keeper.stdin.close()
        keeper.wait(timeout=120)
        self.output.close()
        atexit.unregister(self.remove)
        left = [path for path in (self.group, self.place, self.disk) if os.path.exists(path)]
        assert keeper.returncode == 0 and not left, f"something of the machine is left: {left}"

    def said(self):
        """Returns the output outside of the machine's own journal."""
        self.output.seek(0)
        return self.output.read()

    def await_start(self):
        wait_until(self.find_first_process, what="process 1")

        def state():
            # The call returns when all units are started or failed; before that, the manager may not answer yet.
            answer = self.run("systemctl", "is-system-running", "--wait", check=None).out.strip()
            return answer if answer not in ("", "offline", "unknown") else None

        state = wait_until(state, what="an answer of systemd")
        assert state == "running", "\n".join([
            state, self.run("systemctl", "--failed", "--no-pager", check=None).out, self.journal(), self.said()])

    def find_first_process(self):
        """The number that the machine's process 1 has outside, once it is systemd."""
        for number, status in self.statuses().items():
            if status["NSpid"].split()[1:] == ["1"] and status["Name"] == "systemd" and status["State"][0] not in "ZX":
                self.first_process = number
                return True
        if "the machine ended: " in self.said():
            assert not self.first_process, "the machine did not start again:\n" + self.said()
            pytest.skip("this machine does not allow to start another one: " + " ".join(self.said().split()))
        return False

    def reboot(self):
        # The handle stays with the process, and its number may be used again.
        before = os.pidfd_open(self.first_process)
        try:
            self.run("systemctl", "reboot", check=None)
            wait_until(lambda: select.select([before], [], [], 0)[0], what="the end of process 1")
        finally:
            os.close(before)
        self.await_start()

    # MARK: Inside

    def words(self, *words, user=None, environment=None):
        """A command that runs this one in the machine."""
        environment = environment or self.environment()
        inside = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), *words]
        if user:
            inside = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *inside]
        # Of the machine's control groups, too: systemd tells by them what belongs to what.
        return [
            "sh", "-ec", 'mkdir -p "$1"; echo 0 >"$1/cgroup.procs"; shift; exec "$@"', "sh",
            os.path.join(self.group, "machine/visitors"), "nsenter", "--target", str(self.first_process), "--mount",
            "--uts", "--ipc", "--net", "--pid", "--cgroup", "--wd=/", *inside]

    def environment(self, **more):
        # As in every login session.
        return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", **more}

    def run(self, *words, input=b"", check=0, timeout=180, **more):
        """Runs a command in the machine to its end. Unless `check` is None, that has to be its exit status."""
        if isinstance(input, str):
            input = input.encode()
        done = subprocess.run(self.words(*words, **more), input=input, capture_output=True, timeout=timeout)
        done.out = done.stdout.decode(errors="replace")
        done.err = done.stderr.decode(errors="replace")
        assert check is None or done.returncode == check, (
            f"{shlex.join(words)}: exit status {done.returncode}, expected {check}\n{done.out}{done.err}")
        return done

    def shell(self, text, **more):
        """Runs what an administrator would type."""
        return self.run("sh", "-ec", text, **more)

    def make(self, target):
        """Runs `sudo make …` in the repository: it installs the existing build."""
        environment = self.environment(SUDO_USER="nobody", HOME="/root", NO_COLOR="1")
        words = ["make", "--no-print-directory", "--directory", root_of_repository, *target.split()]
        done = self.run(*words, environment=environment)
        assert "error: " not in done.err, done.err
        return done.out

    def write(self, path, text):
        self.run("sh", "-ec", 'mkdir -p "$(dirname "$1")"; cat >"$1"', "sh", path, input=text)

    def journal(self, *words):
        return self.run("journalctl", "--sync", check=None).out + self.run(
            "journalctl", "--no-pager", "--quiet", "--output=short", *words, check=None).out

    def property(self, unit, name, *more, **options):
        return self.run("systemctl", *more, "show", "--property", name, "--value", unit, **options).out.strip()

    def statuses(self):
        """What the kernel says of each process of the machine, by the number that it has outside."""
        found = {}
        for folder, _, _ in os.walk(os.path.join(self.group, "machine")):
            with contextlib.suppress(OSError):
                for number in read_text(os.path.join(folder, "cgroup.procs")).split():
                    with contextlib.suppress(OSError):
                        lines = read_text(f"/proc/{number}/status").splitlines()
                        found[int(number)] = dict(line.split(":\t", 1) for line in lines)
        return found

    def process_outside(self, number):
        """The number that a process of the machine has outside."""
        for outside, status in self.statuses().items():
            if status["NSpid"].split()[1:] == [str(number)]:
                return outside
        raise AssertionError(f"no process {number} is in the machine")

    def processes(self, name, user=None):
        """Those of this name, and of this user, by the numbers that they have outside."""
        return [outside for outside, status in self.statuses().items()
                if status["Name"] == name[:15] and user in (None, int(status["Uid"].split()[0]))]

    @contextlib.contextmanager
    def person(self):
        """Returns a user with an account, who is logged in."""
        self.accounts += 1
        number = 1700 + self.accounts
        name = f"person{self.accounts}"
        self.run("useradd", "--create-home", "--uid", str(number), "--shell", "/bin/bash", name)
        person = Person(self, name, number)
        try:
            person.log_in()
            yield person
        finally:
            person.leave()


class Person:
    """An account of the machine, with a session as a login makes it and a service manager of its own."""

    status = Instance.status

    def __init__(self, machine, name, number):
        self.machine = machine
        self.name = name
        self.number = number
        self.home = f"/home/{name}"
        self.runtime = f"/run/user/{number}"
        self.login = None

    def log_in(self):
        # Without a terminal it would pass for a job, as cron's are.
        self.login = subprocess.Popen(
            self.machine.words(
                "runuser", "--login", self.name, "--command", 'echo "$XDG_SESSION_ID"; exec cat',
                environment=self.machine.environment(XDG_SESSION_CLASS="user", XDG_SESSION_TYPE="tty")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.session = self.login.stdout.readline().decode().strip()
        assert self.session, "logind made no session:\n" + self.machine.journal()

    def log_out(self):
        login, self.login = self.login, None
        login.stdin.close()
        login.wait(timeout=60)
        login.stdout.close()

    def leave(self):
        if self.login:
            self.log_out()
        self.machine.run("loginctl", "terminate-user", self.name, check=None)
        unit = f"user@{self.number}.service"
        wait_until(lambda: self.machine.property(unit, "ActiveState") in ("inactive", "failed"), what=f"the end of {unit}")

    def environment(self):
        return self.machine.environment(
            HOME=self.home, USER=self.name, LOGNAME=self.name, SHELL="/bin/bash", XDG_RUNTIME_DIR=self.runtime,
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={self.runtime}/bus")

    def run(self, *words, **more):
        return self.machine.run(*words, user=self.name, environment=self.environment(), **more)

    def shell(self, text, **more):
        """Runs what this person would type."""
        return self.run("sh", "-ec", text, **more)

    def set(self, name, secret):
        return self.run("chatelaine", "set", name, input=secret)

    def get(self, name):
        return self.run("chatelaine", "get", name, "--no-newline").stdout

    def systemctl(self, *words, **more):
        return self.run("systemctl", "--user", *words, **more)

    def property(self, unit, name):
        return self.machine.property(unit, name, "--user", user=self.name, environment=self.environment())

    def process(self, unit):
        return int(self.property(unit, "MainPID"))

    def await_state(self, unit, state):
        wait_until(lambda: self.property(unit, "ActiveState") == state, what=f"{unit} {state}")
