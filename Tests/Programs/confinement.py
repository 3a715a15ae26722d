# SPDX-License-Identifier: Apache-2.0
"""The installed system service under AppArmor and under SELinux, in virtual machines with Debian's kernel and systemd.

The tests of a machine run in their order: those that provoke denials come after the one that finds none in the kernel's log."""

import json
import re

import pytest

from support.guest import Guest
from support.instance import wait_until
from support.sentences import cases, contains, equal, lacks

# Minutes of emulation each. The first test of a machine starts it.
pytestmark = [pytest.mark.long, pytest.mark.timeout(2400)]

SECRET = "s3cret-of-ann"
SERVICE = "chatelaine.service"

# What a service that was taken over could try. It becomes confined as the service is, with all rights of root besides, so that
# whatever is denied is denied by the security module. The words are printed with what the kernel says.
ATTEMPTS = r"""
import ctypes, os, signal, socket, subprocess, sys

attribute, label = sys.argv[1:3]
other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
library = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

def opening(path, flags=os.O_RDONLY):
    return lambda: os.close(os.open(path, flags, 0o600))

def starting(*words):
    return lambda: os.posix_spawn(words[0], words, {})

WRITE = os.O_WRONLY | os.O_CREAT
attempts = {
    "read /proc/PID/exe": opening(f"/proc/{other.pid}/exe"),
    "read /proc/PID/environ": opening(f"/proc/{other.pid}/environ"),
    "make a Unix socket": lambda: socket.socket(socket.AF_UNIX),
    "write /etc": opening("/etc/written", WRITE),
    "write /home/ann": opening("/home/ann/written", WRITE),
    "write /tmp": opening("/tmp/written", WRITE),
    "write /etc through /proc/PID/root": opening(f"/proc/{other.pid}/root/etc/written", WRITE),
    "write /proc/PID/mem": opening(f"/proc/{other.pid}/mem", os.O_RDWR),
    "read /proc/PID/mem": opening(f"/proc/{other.pid}/mem"),
    "write /proc/PID/oom_score_adj": opening(f"/proc/{other.pid}/oom_score_adj", os.O_WRONLY),
    "attach to a process": lambda: call("ptrace", 16, other.pid, None, None),
    "make an IPv4 socket": lambda: socket.socket(socket.AF_INET),
    "make an IPv6 socket": lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM),
    "make a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "make a packet socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "start a shell": starting("/bin/sh", "-c", "true"),
    "start the command": starting("/usr/local/bin/chatelaine", "--help"),
    "read /etc/shadow": opening("/etc/shadow"),
    "read the disk": opening("/dev/vda"),
    "kill a process": lambda: os.kill(other.pid, signal.SIGTERM),
    "mount a file system": lambda: call("mount", b"none", b"/mnt", b"tmpfs", 0, None),
    "become another user": lambda: os.setuid(1500),
}
own = os.open(f"/proc/self/attr/{attribute}", os.O_WRONLY)
os.write(own, label.encode())
os.close(own)
for name, attempt in attempts.items():
    try:
        attempt()
        print(f"{name}: allowed")
    except OSError as error:
        print(f"{name}: {'denied' if error.errno in (1, 13) else error.strerror}")
"""
# Writes a module that makes each domain permissive which is not the service's.
PERMISSIVE = """
import setools
domains = sorted(str(domain) for domain in setools.SELinuxPolicy().lookup_typeattr("domain").expand())
assert "chatelaine_t" in domains and "init_t" in domains
with open("/root/others.cil", "w") as module:
    module.writelines(f"(typepermissive {name})\\n" for name in domains if not name.startswith("chatelaine_"))
"""
ALLOWED = ["read /proc/PID/exe", "read /proc/PID/environ", "make a Unix socket"]


class Machine(Guest):
    """A virtual machine on which the service was installed."""

    def as_user(self, name, *words, **more):
        return self.run("runuser", "-u", name, "--", *words, **more)

    def tier(self, name, *words):
        """The tier of the program, a copy of the command, that these words start."""
        return json.loads(self.as_user(name, *words, "status", "--json").stdout)["callerTier"]

    def label(self, program):
        """The security label of the one process of a program."""
        labels = {line.split()[0] for line in self.run("ps", "-eo", "label:120,comm").stdout.splitlines()
                  if line.split()[-1] == program[:15]}
        assert len(labels) == 1, f"{program} has the labels {labels}"
        return labels.pop()

    def denials(self):
        """The lines of the kernel's log that tell of the service."""
        return [line for line in self.kernel_log().splitlines() if self.DENIAL.search(line)]

    def attempts(self):
        self.write("/root/attempts.py", ATTEMPTS)
        # The kernel limits how many denials it logs at a time.
        self.shell("sysctl -q kernel.printk_ratelimit=0")
        out = self.run("python3", "/root/attempts.py", *self.OWN_LABEL).stdout
        return dict(line.split(": ", 1) for line in out.splitlines())


class AppArmor(Machine):
    DENIAL = re.compile('apparmor="(DENIED|AUDIT)".*chatelaine')
    OWN_LABEL = "apparmor/current", "changeprofile chatelaine-system"

    def __init__(self):
        super().__init__("apparmor", "apparmor=1 lsm=landlock,lockdown,yama,integrity,apparmor")
        self.installed = self.install()


class SELinux(Machine):
    # Its own, and what others are denied about its files and processes.
    DENIAL = re.compile("avc: +denied .*:chatelaine_")
    OWN_LABEL = "current", "system_u:system_r:chatelaine_t:s0"

    def __init__(self):
        super().__init__("selinux", "security=selinux selinux=1 enforcing=0 lsm=landlock,lockdown,yama,integrity,selinux")
        self.installed = self.install()
        # Debian's policy keeps systemd from working where it is enforced: it is enforced for the service's domains alone.
        self.run("python3", "-c", PERMISSIVE)
        self.run("semodule", "--install", "/root/others.cil")
        self.run("setenforce", "1")


KINDS = {"apparmor": AppArmor, "selinux": SELinux}


@pytest.fixture(scope="module", params=list(KINDS))
def here(request):
    """Each machine in turn: the tests of one come before those of the next."""
    machine = KINDS[request.param]()
    yield machine
    machine.end()


def expects(here, apparmor, selinux):
    return apparmor if here.module == "apparmor" else selinux


def test_the_installation_loads_the_policy_and_the_service_runs_under_it(here):
    contains(here.installed, expects(here, "AppArmor confines the service.", "SELinux confines the service."))
    here.as_user("ann", "chatelaine", "set", "mail", "--user", "ann", input=SECRET)
    equal(here.label("chatelained"), expects(here, "chatelaine-system", "system_u:system_r:chatelaine_t:s0"))
    equal(here.run("systemctl", "is-active", SERVICE).stdout, "active\n")


def test_each_user_finds_the_own_items_and_no_others(here):
    equal(here.as_user("ann", "chatelaine", "get", "mail", "--user", "ann").stdout, SECRET + "\n")
    done = here.as_user("bob", "chatelaine", "get", "mail", "--user", "ann", check=3)
    lacks(done.stdout + done.stderr, SECRET)


def test_callers_are_identified_wherever_their_executable_is(here):
    """Callers are identified, also where their executable was removed, or is in another mount namespace."""
    here.shell("install -o ann -m 755 /usr/local/bin/chatelaine /home/ann/own; install -m 755 /home/ann/own /dev/shm/own\n"
               "! selinuxenabled || restorecon -R /home/ann")
    equal(here.tier("ann", "chatelaine"), "installed")
    equal(here.tier("ann", "/home/ann/own"), "unsigned")
    equal(here.tier("ann", "/dev/shm/own"), "unsigned")
    equal(here.tier("ann", "python3", "-c", (
        "import os; os.system('cp --preserve=all /home/ann/own /home/ann/removed')\n"
        "program = os.open('/home/ann/removed', os.O_RDONLY); os.unlink('/home/ann/removed')\n"
        "os.set_inheritable(program, True); os.execve(program, ['removed', 'status', '--json'], {'HOME': '/home/ann'})")),
        "unsigned")
    for prepare in "true", "mount -t tmpfs tmpfs /opt && cp /home/ann/own /opt/":
        out = here.run("unshare", "--mount", "bash", "-ec", (
            f"{prepare}; place=/opt/own; [ -e $place ] || place=/home/ann/own\n"
            "exec setpriv --reuid=ann --regid=ann --clear-groups $place status --json")).stdout
        equal(json.loads(out)["callerTier"], "unsigned")


def test_a_caller_in_a_user_namespace_is_not_identified(here):
    out = here.as_user("ann", "unshare", "--user", "--map-root-user", "/home/ann/own", "whoami").stdout
    contains(out, "unidentified")


def test_enforced_programs_are_known_as_such(here):
    """A set-group-id program and a unit with a dynamic user are enforced; what the first stores is for itself alone."""
    here.shell("install -m 755 /home/ann/own /usr/local/bin/mail-program && chatelaine enforce /usr/local/bin/mail-program")
    equal(here.tier("ann", "mail-program"), "enforced")
    here.as_user("ann", "mail-program", "set", "token", "--user", "ann", input=SECRET)
    equal(here.as_user("ann", "mail-program", "get", "token", "--user", "ann").stdout, SECRET + "\n")
    here.as_user("ann", "chatelaine", "get", "token", "--user", "ann", check=3)
    here.write("/run/systemd/system/mail.service", (
        "[Service]\nType=oneshot\nDynamicUser=yes\nExecStart=/usr/local/bin/chatelaine status --json\n"
        "StandardOutput=truncate:/run/mail.json\n"))
    here.shell("systemctl daemon-reload && systemctl start mail.service")
    equal(json.loads(here.run("cat", "/run/mail.json").stdout)["callerTier"], "enforced")


@cases("kind", ["software", "tpm"])
def test_a_token_makes_a_key_and_runs_under_a_policy_of_its_own(here, kind):
    here.run("install", "-m", "755", "/mnt/.build/release/KeyTool", "/usr/local/bin/KeyTool")
    device = {"software": "none", "tpm": "/dev/tpmrm0"}[kind]
    here.write(f"/run/systemd/system/{SERVICE}.d/tpm.conf", f"[Service]\nEnvironment=CHATELAINE_TPM={device}\n")
    # Debian's rules for TPMs come with tpm2 packages, which the machine does not have.
    here.shell(f"chgrp chatelaine /dev/tpmrm0; chmod 660 /dev/tpmrm0; systemctl daemon-reload; systemctl stop {SERVICE}")
    made = here.as_user("ann", "KeyTool", input=f"keychain make-in-token {kind}\n").stdout
    assert made.strip() and "error" not in made, made
    equal(here.label(f"chatelaine-token-{kind}"), expects(
        here, "chatelaine-system//&chatelaine-token", "system_u:system_r:chatelaine_token_t:s0"))


def test_the_program_for_fingerprints_reaches_fprintd(here):
    # The reader that libfprint has for tests. The answer is another one where fprintd cannot be asked.
    here.write("/etc/systemd/system/fprintd.service.d/reader.conf", (
        "[Service]\nEnvironment=FP_VIRTUAL_DEVICE=/run/fprint/reader\nRuntimeDirectory=fprint\n"))
    here.shell("systemctl daemon-reload && systemctl restart fprintd.service")

    def biometry():
        return json.loads(here.as_user("ann", "chatelaine", "auth", "status", "--json").stdout)["biometry"]

    # fprintd takes a while to start; the program waits for it only so long.
    wait_until(lambda: biometry() == "not-enrolled", seconds=300, what="the reader")


def test_the_program_for_authorizations_reaches_polkit(here):
    """polkit allows ann by a rule what it would ask for otherwise, so the change of a setting succeeds."""
    rule = "/etc/polkit-1/rules.d/10-ann.rules"
    here.write(rule, (
        "polkit.addRule(function (action, subject) {\n"
        "    if (action.id === 'org.chatelaine.administer-own-keychain' && subject.user === 'ann') {\n"
        "        return polkit.Result.YES;\n    }\n});\n"))
    here.shell(f"! selinuxenabled || restorecon {rule}; systemctl restart polkit.service")
    here.as_user("ann", "chatelaine", "settings", "set", "passcode-time", "50ms")
    assert here.as_user("bob", "chatelaine", "settings", "set", "passcode-time", "50ms", check=None).returncode != 0


def test_the_session_lock_watches_sessions_under_its_own_profile(here):
    if here.module != "apparmor":
        pytest.skip("under SELinux it runs in its user's domain")
    here.run("systemd-run", "--unit=lock", "--uid=ann", "/usr/local/bin/chatelaine-session-lock", "--verbose")
    wait_until(lambda: "watching 0 sessions" in here.run("journalctl", "--unit=lock").stdout, seconds=300, what="the watch")
    equal(here.label("chatelaine-session-lock"), "chatelaine-session-lock")
    here.run("systemctl", "stop", "lock.service")


def test_the_service_is_denied_nothing_that_it_does(here):
    here.shell(f"systemctl restart {SERVICE}")
    equal(here.as_user("bob", "chatelaine", "list").returncode, 0)
    equal(here.denials(), [])


def test_a_service_that_was_taken_over_is_denied_everything_else(here):
    """Under the service's policy, root itself writes no other file, no memory of a process, uses no network and starts nothing else."""
    results = here.attempts()
    equal({name: result for name, result in results.items() if (result == "allowed") != (name in ALLOWED)}, {})
    contains("\n".join(here.denials()), "mem")


def test_setpriv_selects_the_profile_as_the_manual_says(here):
    if here.module != "apparmor":
        pytest.skip("SELinux finds the domain by the label of the program")
    words = "setpriv", "--no-new-privs", "--apparmor-profile=chatelaine-system", "cat"
    here.run(*words, "/etc/machine-id")
    assert here.run(*words, "/etc/shadow", check=None).returncode != 0


def test_uninstalling_removes_the_policy(here):
    here.shell("cd /mnt && PREFIX=/usr/local NO_COLOR=1 HOME=/root Tools/uninstall-system")
    if here.module == "apparmor":
        lacks(here.run("cat", "/sys/kernel/security/apparmor/profiles").stdout, "chatelaine")
        equal(here.shell("ls /etc/apparmor.d | grep chatelaine || true").stdout, "")
    else:
        lacks(here.run("semodule", "--list").stdout, "chatelaine")
