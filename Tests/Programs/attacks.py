# SPDX-License-Identifier: Apache-2.0
"""The attacks of Documentation/Attacks.md, "Pretending to be another program", run against the real service.

Those with which Python will do are in isolation.py: a connection that a child inherits or that is handed on, exec after
connecting, a user namespace of one's own, a request before the nonce. Here are those that take a program in C.

An attack that the service cannot stop in its user's own account is a test too: that it works is what SECURITY.md says.
The day such a test fails, a kernel has closed the hole, and the documents have to change.
"""

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess

import pytest

from support.agents import GROUP
from support.caller import Caller, compile_caller, compile_library, root_owned_folder
from support.instance import digest, is_root, read_text, wait_until
from support.sentences import all_services, cases, contains, equal, ordinary_and_system, python
from support.system import SystemService, ann
from support.wire import (
    ADD, ATTRIBUTES, COPY, DATA, ENFORCED, INSTALLED, INTERACTION_NOT_ALLOWED, INTERPRETER, MISSING_ENTITLEMENT, NOT_FOUND,
    NOT_GREETED, PARAMETER, PERSISTENT, STATUS, UNIDENTIFIED, UNSIGNED, Client, Reader, attributes, block, frame, optional, query)

secret = b"correct horse battery staple"
item = {"svce": "com.example.service", "acct": "ann"}
copy_request = query(item) + (1).to_bytes(4, "big") + bytes([DATA])


def store(it, path):
    """Has the program keep the secret; how the service sees it."""
    with Caller(it, path) as victim:
        client = victim.connect()
        equal(client.add(item, secret).status, 0)
        return client.identity()


def still_keeps(it, path):
    with Caller(it, path) as victim:
        answer = victim.connect().copy(item)
        equal((answer.status, [data for _, _, data in answer.items]), (0, [secret]))


@contextlib.contextmanager
def installed_victim(it):
    """A program that root installed and that keeps the secret; how the service sees it."""
    with root_owned_folder() as folder:
        path = it.programs.copy(compile_caller(it, "victim"), os.path.join(folder, "keeper"))
        report = store(it, path)
        equal((report.tier, report.kind, report.name), (INSTALLED, "installed", (path,)))
        yield path


@contextlib.contextmanager
def stopped(process):
    """Any program of its user can stop the service like this, to win a race."""
    threads = f"/proc/{process.pid}/task"

    def all_have_stopped():
        try:
            states = [read_text(f"{threads}/{thread}/stat").rpartition(")")[2].split()[0] for thread in os.listdir(threads)]
        except OSError:
            # A thread has just ended.
            return False
        return set(states) == {"T"}

    process.send_signal(signal.SIGSTOP)
    wait_until(all_have_stopped, what="the stop")
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


class Process:
    """A process that this test did not start."""

    def __init__(self, pid):
        self.pid = pid

    def send_signal(self, number):
        os.kill(self.pid, number)


def is_closed(connection):
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except ConnectionResetError:
        # The bytes that it had sent were not read any more.
        return True
    except BlockingIOError:
        return False


def refused(answer, reason=1):
    equal((answer.status, answer.reason, answer.items), (MISSING_ENTITLEMENT, reason, []))


def is_turned_away(client):
    """Whether the service refused the connection in place of a hello, as a system service does with a caller that it does not identify."""
    if client.refusal is None:
        return False
    reader = Reader(client.refusal)
    equal((reader.take("i"), reader.take("B")), (MISSING_ENTITLEMENT, 1))
    return True


def needs_user_namespaces(it):
    done = it.run("unshare", "--user", "--map-root-user", "true")
    if done.returncode != 0:
        pytest.skip("this kernel gives nobody a user namespace: " + done.err.strip())


# MARK: Races


@ordinary_and_system
def test_a_process_that_gets_the_number_of_the_process_that_connected_is_not_taken_for_it(it):
    if not is_root:
        pytest.skip("needs root, to choose the number of a process")
    attacker = compile_caller(it)
    it.start()
    with installed_victim(it) as path, socket.socket(socket.AF_UNIX) as channel:
        with stopped(it.daemon):
            with Caller(it, attacker, connecting=channel) as first:
                first.do("connect")
                number = first.pid
            # The connection lives on in this process and in the next ones; its maker is gone.
            successor = with_number(it, attacker, number, path)
        with successor, Caller(it, attacker, connecting=channel) as sibling:
            client = Client(sibling)
            if not is_turned_away(client):
                refused(client.answer(), NOT_GREETED)


@all_services
def test_a_program_that_writes_its_request_and_becomes_a_trusted_one_before_the_service_looks_gets(it):
    """A program that writes its request and becomes a trusted one before the service looks gets nothing."""
    attacker = compile_caller(it)
    it.start()
    with installed_victim(it) as path, socket.socket(socket.AF_UNIX) as channel:
        with stopped(it.daemon), Caller(it, attacker, connecting=channel) as early:
            early.do("connect")
            # It cannot know the nonce.
            early.do("send", frame(COPY, bytes(16) + copy_request).hex())
            early.do("exec", path, it.socket_path)
            equal(early._line(), "ready")
            it.daemon.send_signal(signal.SIGCONT)
            # The same connection, in a sibling's hands: the answer to the request that was sent too early.
            with Caller(it, attacker, connecting=channel) as sibling:
                refused(Client(sibling, greeting=False).answer(), NOT_GREETED)
                wait_until(lambda: is_closed(channel), what="the end of the connection")
        still_keeps(it, path)


@all_services
def test_the_sibling_of_a_program_that_became_a_trusted_one_gets_nothing_with_the_nonce_of_the_connection(it):
    attacker = compile_caller(it)
    it.start()
    with installed_victim(it) as path, socket.socket(socket.AF_UNIX) as channel:
        with stopped(it.daemon), Caller(it, attacker, connecting=channel) as early:
            early.do("connect")
            early.do("exec", path, it.socket_path)
            equal(early._line(), "ready")
            it.daemon.send_signal(signal.SIGCONT)
            # To the service the connection is the trusted program's now, and the sibling can read the nonce.
            with Caller(it, attacker, connecting=channel) as sibling:
                refused(Client(sibling).answer(), NOT_GREETED)


# A program that copies its input to its output, and the option that names the input.
copiers = {
    "cat": lambda pipe: [pipe],
    "dd": lambda pipe: [f"if={pipe}", "bs=4096", "status=none"],
    "tee": lambda pipe: ["/dev/null"],
    "curl": lambda pipe: ["-s", "-N", f"file://{pipe}"],
    "bash": lambda pipe: ["-c", f"while IFS= read -r line; do printf \"$line\"; done < {pipe}"],
}

# Connects, leaves the connection to a child, and becomes the victim, which owns the output. The child sends its
# arguments to the service: through the victim, or with a greeting of its own first.
reverse_exec = """
import os, signal, socket, sys
from support.wire import *
path, pipe, how, request, victim, *words = sys.argv[1:]
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
signal.alarm(60)
before, beside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
for each in (before, beside):
    each.set_inheritable(True)
ready, told = os.pipe()
parent = os.getpid()
if os.fork():
    os.dup2(connection.fileno(), 1)
    source = os.open(pipe, os.O_RDWR)
    if victim.endswith("tee"):
        os.dup2(source, 0)
    os.execv(victim, [victim, *words])
os.close(told)
# Closed by the exec.
assert os.read(ready, 1) == b""
print("became", flush=True)
sys.stdin.readline()
client = Client(connection, greeting=False)
# Open to the end, or the victim would find an end of its input.
stream = open(pipe, "r+b", buffering=0)
def copied(data):
    text = "".join("\\\\x%02x" % byte for byte in data) + "\\n" if victim.endswith("bash") else data
    stream.write(text.encode() if isinstance(text, str) else text)
if how == "copied":
    copied(frame(GREETING, client.nonce))
elif how == "own":
    greet(connection, frame(GREETING, client.nonce))
elif how == "kept":
    socket.send_fds(connection, [frame(GREETING, client.nonce)], [before.fileno()])
elif how == "half":
    # The descriptor from the child, the nonce from the victim.
    socket.send_fds(connection, [frame(GREETING, client.nonce)[:8]], [before.fileno()])
    copied(client.nonce)
copied(frame(int(request[:2], 16), client.nonce + bytes.fromhex(request[2:])))
try:
    answer = client.answer()
    print(answer.status, answer.reason, len(answer.items), flush=True)
except Closed:
    print("closed", flush=True)
os.kill(parent, signal.SIGKILL)
"""


def refuses_reverse_exec(it, name, daemon, socket_path, log, capability=None):
    """it: whose attacker it is. daemon: the process of the service. capability: what the victim's file has, as that of an enforced
    program may."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"there is no {name}")
    planting = attributes({"svce": "planted", "acct": "a"}) + b"\0" + optional(block(secret))
    with root_owned_folder() as folder:
        victim = it.programs.copy(os.path.realpath(program), os.path.join(folder, name))
        if capability:
            subprocess.run(["setcap", capability, victim], check=True)
        pipe = os.path.join(it.scratch, "pipe")
        os.mkfifo(pipe)
        os.chown(pipe, it.user or 0, -1)
        environment = dict(it.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
        ways = ["none", "copied", "own", "kept", "half"]
        for way in ways:
            with stopped(daemon):
                attacker = it.popen(
                    it.python(), "-c", reverse_exec, socket_path, pipe, way, f"{ADD:02x}{planting.hex()}", victim,
                    *copiers[name](pipe), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
                equal(attacker.stdout.readline(), b"became\n")
            said, _ = attacker.communicate(b"\n", timeout=60)
            equal((way, said.decode()), (way, f"{MISSING_ENTITLEMENT} {NOT_GREETED} 0\n"))
        equal(read_text(log).count('"reason":"notGreeted"'), len(ways))


@all_services
@cases("name", list(copiers))
def test_nothing_that_a_program_copies_to_a_connection_that_it_inherited_counts(it, name):
    """Reverse exec: bytes from another program pass through a trusted one, whose process the kernel names as their sender."""
    it.start()
    refuses_reverse_exec(it, name, it.daemon, it.socket_path, os.path.join(it.data, "audit.log"))


def test_nor_does_it_in_the_system_service_where_the_program_has_a_file_capability_and_the_mode_is_strict(it):
    with SystemService(it) as service:
        first = service.user(ann)
        try:
            service.start()
            first.run("chatelaine", "settings", "set", "require-enforced-callers", "on", check=0)
            process = Process(int(read_text(os.path.join(service.runtime, "service.lock"))))
            refuses_reverse_exec(
                first, "cat", process, service.socket_path, os.path.join(service.store(ann), "audit.log"), "cap_sys_nice+ep")
        finally:
            first.remove()


def with_number(it, caller, number, program):
    """A process of that number, which runs the program."""
    def started():
        try:
            return Caller(it, caller, "--number", str(number), str(it.user), program, user=0, group=0)
        except AssertionError as error:
            if "error clone3 ENOSYS" in str(error) or "error clone3 EPERM" in str(error):
                pytest.skip("this kernel lets root choose no number of a process")
            # Another program of the machine has the number at the moment.
            assert "error clone3 EEXIST" in str(error), error
            return None
    successor = wait_until(started, what="the end of the process that has the number")
    equal(os.readlink(f"/proc/{number}/exe"), program)
    return successor


# MARK: Credentials


@ordinary_and_system
def test_no_process_can_send_in_another_processs_name_from_where_the_service_lives(it):
    attacker = compile_caller(it)
    it.start()
    with Caller(it, attacker) as trusted, Caller(it, attacker) as liar:
        client = liar.connect()
        # Root could, and everything else as well.
        equal(liar.ask("forge", trusted.pid, frame(STATUS, client.nonce).hex()), "error sendmsg EPERM")


@all_services
def test_a_process_that_sends_in_anothers_name_from_namespaces_of_its_own_is_not_identified(it):
    needs_user_namespaces(it)
    attacker = compile_caller(it)
    it.start()
    words = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", attacker]
    with installed_victim(it) as path, Caller(it, *words) as liar:
        client = liar.connect()
        report = client.identity()
        equal((report.tier, report.kind, report.groups), (UNIDENTIFIED, "unidentified", []))
        equal(report.findings, ["foreignUserNamespace"])
        # The process is number 1 in that namespace, and no client has that number here.
        equal(liar.ask("forge", 1, frame(COPY, client.nonce + copy_request).hex()), "ok")
        refused(client.answer())
        still_keeps(it, path)


@all_services
def test_in_a_user_namespace_a_sibling_of_a_trusted_program_gets_nothing_in_its_name(it):
    # "Attack C": the peer becomes the trusted program, and a sibling, both in namespaces of their own, sends as the peer.
    needs_user_namespaces(it)
    attacker = compile_caller(it)
    it.start()
    words = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", attacker]
    with installed_victim(it) as path, Caller(it, *words) as liar:
        client = liar.connect()
        # Number 1, which connected, is the trusted program from now on; its child answers.
        liar.do("become", path, it.socket_path)
        liar.do("forge", 1, frame(COPY, client.nonce + copy_request).hex())
        refused(client.answer())
        still_keeps(it, path)


# MARK: Files


# Sends a request about a file whose last page it has written to through a mapping, and changes that page afterwards.
# The mapping was made before the inspection, so the change does not show in the times of the file.
change_after_look = """
import mmap, os, sys, time
from support.wire import *
path = sys.argv[2]
with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapping:
    mapping[-1] = ord("V")
    while time.time() - os.stat(path).st_ctime < 2.5:
        time.sleep(0.1)
    with Client(sys.argv[1]) as client:
        before = client.identity(b"\\x03" + block(path)).name
    changed = os.stat(path).st_ctime_ns
    mapping[-1] = ord("W")
    print(before[0], os.stat(path).st_ctime_ns == changed)
"""


@all_services
def test_a_program_that_is_changed_through_a_mapping_after_the_service_looked_at_it_is_another_program(it):
    it.start()
    numbers = iter(range(1000))

    def changed_unnoticed():
        """The program, once it was changed so that the times of its file tell nothing. They do where the kernel wrote the page to the disk
        between the two changes, as it does when another process asks for that."""
        path = compile_caller(it, f"changing-{next(numbers)}")
        with open(path, "ab") as file:
            file.write(bytes(8192) + b"V")
        it.own(path, 0o755)
        looked_at = digest(path)
        seen, is_unnoticed = python(it, change_after_look, path).split()
        equal(seen, looked_at)
        assert digest(path) != looked_at
        return path if is_unnoticed == "True" else None

    path = wait_until(changed_unnoticed, seconds=240, what="a change that the times of the file do not tell")
    with Caller(it, path) as changed:
        equal(changed.connect().identity().name, (digest(path),))


# Opens the program for writing repeatedly while the service inspects it, which breaks the service's lease each time.
write_during_look = """
import os, sys, threading
from support.wire import *
path = sys.argv[2]
done = threading.Event()
def write():
    while not done.is_set():
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except BlockingIOError:
            pass
writer = threading.Thread(target=write)
writer.start()
try:
    with Client(sys.argv[1]) as client:
        reports = {str(client.identity(b"\\x03" + block(path)).name) for _ in range(8)}
finally:
    done.set()
    writer.join()
print(len(reports))
"""


@all_services
def test_a_service_whose_lease_on_a_program_is_wanted_back_goes_on(it):
    it.start()
    path = compile_caller(it, "large")
    os.truncate(path, 64 << 20)
    it.own(path, 0o755)
    equal(python(it, write_during_look, path), "1\n")
    equal(it.daemon.poll(), None)


@all_services
def test_a_file_that_is_mounted_over_a_trusted_path_is_known_by_its_bytes(it):
    if not is_root:
        pytest.skip("needs root, to mount")
    attacker = compile_caller(it)
    it.start()
    with installed_victim(it) as path:
        script = 'mount --bind "$1" "$2" && shift && exec setpriv --reuid "$0" --regid "$0" --clear-groups "$@"'
        words = ["unshare", "--mount", "/bin/sh", "-c", script, str(it.user or 0), attacker, path]
        with Caller(it, *words, user=0, group=0) as liar:
            equal(os.readlink(f"/proc/{liar.pid}/exe"), path)
            client = liar.connect()
            report = client.identity()
            equal((report.tier, report.kind, report.name), (UNSIGNED, "unsigned", (digest(attacker),)))
            equal(client.copy(item).status, NOT_FOUND)
        still_keeps(it, path)


@all_services
def test_a_program_on_an_overlay_that_its_user_laid_is_not_identified_by_its_bytes(it):
    # Below an overlay there can be a file system that shows each reader something else (FUSE). Out of the namespace in
    # which it was made comes the file alone, as a descriptor.
    needs_user_namespaces(it)
    attacker = compile_caller(it)
    it.start()
    script = """
mount -t tmpfs none "$1" && cd "$1" && mkdir lower upper work all && cp "$2" lower/program &&
mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work all && echo mounted && exec cat
"""
    place = os.path.join(it.scratch, "overlay")
    os.mkdir(place)
    it.own(place)
    words = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", place, attacker]
    maker = it.popen(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        if maker.stdout.readline() != b"mounted\n":
            pytest.skip("this kernel lays no overlays for users: " + maker.stderr.read().decode().strip())
        file = os.open(f"/proc/{maker.pid}/root{place}/all/program", os.O_RDONLY)
        try:
            with Caller(it, f"/proc/self/fd/{file}", pass_fds=[file]) as liar:
                assert os.readlink(f"/proc/{liar.pid}/ns/user") == os.readlink("/proc/self/ns/user")
                client = liar.connect()
                if not is_turned_away(client):
                    report = client.identity()
                    equal((report.tier, report.groups), (UNIDENTIFIED, []))
                    equal(report.findings, ["untrustedFileSystem"])
                    refused(client.request(COPY, copy_request))
        finally:
            os.close(file)
    finally:
        maker.kill()
        maker.wait()
        for stream in (maker.stdin, maker.stdout, maker.stderr):
            stream.close()


@all_services
def test_a_file_flatpak_info_makes_a_program_neither_more_nor_less(it):
    if not is_root:
        pytest.skip("needs root, to change the root directory")
    attacker = compile_caller(it, "caller", "-static")
    it.start()
    plain = store(it, attacker)
    root = os.path.join(it.scratch, "root")
    os.makedirs(os.path.join(root, "run"))
    os.makedirs(os.path.join(root, "app"))
    with open(os.path.join(root, ".flatpak-info"), "w") as file:
        file.write("[Application]\nname=org.example.Trusted\n")
    runtime, name = os.path.split(it.socket_path)
    script = """
mount --bind "$2" "$1/run" && mount --bind "$3" "$1/app" &&
exec chroot --userspec="$0:$0" --groups= "$1" /app/caller "/run/$4"
"""
    words = [
        "unshare", "--mount", "/bin/sh", "-c", script, str(it.user or 0), root, runtime, os.path.dirname(attacker), name]
    with Caller(it, *words, arguments=[], user=0, group=0) as liar:
        client = liar.connect()
        report = client.identity()
        equal((report.tier, report.name, report.groups), (plain.tier, plain.name, plain.groups))
        equal(client.copy(item).items[0][2], secret)


# MARK: Programs that run others


@all_services
def test_python_is_an_interpreter_with_a_group_of_its_own_and_sees_no_other_programs_items(it):
    it.start()
    store(it, compile_caller(it))
    output = python(it, """
import os, sys
from support.wire import *
with Client(sys.argv[1]) as client:
    report = client.identity()
    print(report.tier, report.kind, "interpreter" in report.findings, len(report.groups))
    print(os.path.realpath(sys.executable) in report.groups[0] or report.kind == "unsigned")
    print(client.copy({"svce": "com.example.service"}).status)
""")
    kind, *rest = output.split()[1:]
    assert kind in ("installed", "unsigned"), output
    equal(output.split()[0], str(INTERPRETER))
    equal(rest, ["True", "1", "True", str(NOT_FOUND)])


@all_services
@cases("what", ["a copy of bash", "a program that the dynamic loader runs"])
def test_is_an_interpreter(it, what):
    attacker = compile_caller(it)
    it.start()
    store(it, attacker)
    if "bash" in what:
        # By name: a program in the place of the shell would be one as well.
        words = [it.programs.copy(attacker, os.path.join(it.scratch, "bash"))]
        os.truncate(words[0], os.path.getsize(words[0]) + 1)
    else:
        words = [loader(attacker), attacker]
    with Caller(it, *words) as other:
        client = other.connect()
        report = client.identity()
        equal((report.tier, len(report.groups)), (INTERPRETER, 1))
        assert "interpreter" in report.findings
        equal(client.copy(item).status, NOT_FOUND)


def loader(program):
    """The dynamic loader that the program names."""
    with open(program, "rb") as file:
        content = file.read()
    start = content.index(b"/lib64/ld-") if b"/lib64/ld-" in content else content.index(b"/lib/ld-")
    return content[start : content.index(b"\0", start)].decode()


# MARK: Not to be stopped within one user's account (SECURITY.md)


@all_services
def test_open_a_program_of_the_same_user_can_make_its_file_look_like_another_ones(it):
    needs_user_namespaces(it)
    library = compile_library(it)
    it.start()
    with installed_victim(it) as path:
        environment = dict(it.environment, LD_PRELOAD=library, LD_BIND_NOW="1")
        with Caller(it, "/usr/bin/true", env=environment) as liar:
            before = os.readlink(f"/proc/{liar.pid}/exe")
            assert before != path, before
            equal(liar.ask("pretend", path), "ok")
            equal(os.readlink(f"/proc/{liar.pid}/exe"), path)
            client = liar.connect()
            report = client.identity()
            equal((report.tier, report.name), (INSTALLED, (path,)))
            equal(client.copy(item).items[0][2], secret)


@all_services
def test_a_program_that_changes_what_its_file_looks_like_after_it_connected_is_found_out(it):
    needs_user_namespaces(it)
    library = compile_library(it)
    it.start()
    with installed_victim(it) as path:
        environment = dict(it.environment, LD_PRELOAD=library, LD_BIND_NOW="1")
        with Caller(it, "/usr/bin/true", env=environment) as liar:
            client = liar.connect()
            equal(client.copy(item).status, NOT_FOUND)
            equal(liar.ask("pretend", path), "ok")
            refused(client.request(COPY, copy_request))


@all_services
def test_open_a_program_that_starts_another_can_load_a_library_into_it(it):
    library = compile_library(it)
    it.start()
    with installed_victim(it) as path:
        environment = dict(it.environment, LD_PRELOAD=library)
        # The library's code runs before the program's, which never gets its turn.
        with Caller(it, path, env=environment) as liar:
            assert library in read_text(f"/proc/{liar.pid}/maps")
            equal(liar.connect().copy(item).items[0][2], secret)


@all_services
def test_open_programs_of_the_same_user_can_read_and_change_the_memory_of_a_program_that_has_a_secret(it):
    scope = "/proc/sys/kernel/yama/ptrace_scope"
    if os.path.exists(scope) and read_text(scope).strip() != "0":
        pytest.skip("Yama lets only parents attach here")
    it.start()
    with installed_victim(it) as path, Caller(it, path) as victim:
        client = victim.connect()
        equal(client.copy(item).items[0][2], secret)
        place = int(victim.do("buffer"), 16)
        # The last piece that it received: the reply's payload.
        output = python(it, """
import ctypes, os, sys
number, place = int(sys.argv[2]), int(sys.argv[3])
with open(f"/proc/{number}/mem", "r+b", buffering=0) as memory:
    memory.seek(place)
    print(sys.argv[4].encode() in memory.read(4096))
    memory.seek(place)
    print(memory.write(b"changed"))
libc = ctypes.CDLL(None, use_errno=True)
print(libc.ptrace(0x4206, number, None, None), libc.ptrace(17, number, None, None))
""", str(victim.pid), str(place), secret.decode())
        equal(output.split("\n")[:2], ["True", "7"])
        equal(output.split()[2], "0")


def test_a_library_beside_the_programs_is_not_theirs_they_take_the_systems(it):
    libraries = [os.path.join(it.programs.folder, name) for name in ["libm.so.6", "libsqlite3.so.0", "libstdc++.so.6"]]
    try:
        for path in libraries:
            with open(path, "wb") as file:
                # A process that loads it ends with an error.
                file.write(b"no library")
        it.start()
        it.set("name", "secret")
        equal(it.get("name"), b"secret")
    finally:
        for path in libraries:
            os.unlink(path)


# MARK: The same program without its shield


@contextlib.contextmanager
def shielded_program(it):
    """The path of a program that is enforced as `chatelaine enforce` does it."""
    with root_owned_folder() as folder:
        path = it.programs.copy(compile_caller(it), os.path.join(folder, "keeper"))
        os.chown(path, 0, GROUP)
        os.chmod(path, 0o2755)
        yield path


# How the same file runs without the group that shields it.
unshielded = {
    "without new privileges": lambda it, path: ["setpriv", "--no-new-privs", path],
    "with a library of the attacker's": lambda it, path: [
        "setpriv", "--no-new-privs", "env", "LD_PRELOAD=" + compile_library(it), path],
    "traced from its start": lambda it, path: [it.python(), "-c", tracer, path],
}
# PTRACE_TRACEME in the child before exec, PTRACE_DETACH at the stop that exec makes.
tracer = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
child = os.fork()
if child == 0:
    libc.ptrace(0, 0, None, None)
    os.execv(sys.argv[1], sys.argv[1:])
os.waitpid(child, 0)
libc.ptrace(17, child, None, None)
os.waitpid(child, 0)
"""


@cases("way", list(unshielded))
def test_a_shielded_program_without_its_shield_does_nothing_with_what_the_shielded_one_stored(it, way):
    with SystemService(it) as service, shielded_program(it) as path:
        user = service.user(ann)
        try:
            service.start()
            words = unshielded[way](user, path)
            group = "installed:" + path
            with Caller(user, path, arguments=[service.socket_path]) as shielded:
                client = shielded.connect()
                equal((client.identity().tier, client.identity().groups), (ENFORCED, ["enforced:" + group]))
                equal(client.add(item, secret).status, 0)
                # The program knows its group by the plain name.
                [(_, shown, data)] = client.copy(item, returning=DATA | ATTRIBUTES, group=group).items
                equal((shown["agrp"].decode(), data), (group, secret))
                [(reference, _, _)] = client.copy(item, returning=PERSISTENT).items

                with Caller(user, *words, arguments=[service.socket_path]) as attacker:
                    attack = attacker.connect()
                    equal((attack.identity().tier, attack.identity().groups), (INSTALLED, [group]))
                    for returning in (0, ATTRIBUTES, DATA):
                        equal(attack.copy(item, returning=returning).status, NOT_FOUND)
                        equal(attack.copy(item, returning=returning, group=group).status, NOT_FOUND)
                        equal(attack.copy(item, returning=returning, group="enforced:" + group).status, MISSING_ENTITLEMENT)
                    by_reference = query({}, reference=reference) + struct.pack(">IB", 1, DATA)
                    equal(attack.request(COPY, by_reference).status, NOT_FOUND)
                    equal(attack.update(item, {"labl": "changed"}).status, NOT_FOUND)
                    equal(attack.delete(item).status, NOT_FOUND)
                    equal(attack.add({**item, "agrp": "enforced:" + group}, b"planted").status, MISSING_ENTITLEMENT)
                    # It is another program's item: not a duplicate, and not found by the shielded program.
                    equal(attack.add(item, b"planted").status, 0)
                    equal(attack.update(item, {"agrp": "enforced:" + group}).status, MISSING_ENTITLEMENT)
                    equal([found[2] for found in client.copy({}, limit=0).items], [secret])
                    equal(attack.delete(item).status, 0)

                # Any program runs the command: it neither lists the item nor finds out whether it is there.
                equal(user.list(), [])
                contains(user.run("chatelaine", "get", item["svce"], "--user", item["acct"], check=3).err, "no item")
                user.run("chatelaine", "settings", "set", "require-enforced-callers", "on", check=0)
                with Caller(user, *words, arguments=[service.socket_path]) as attacker:
                    attack = attacker.connect()
                    equal(attack.add({"svce": "other"}, b"planted").status, INTERACTION_NOT_ALLOWED)
                equal([found[2] for found in client.copy({}, limit=0).items], [secret])
        finally:
            user.remove()


def test_a_program_whose_auxiliary_vector_claims_a_shield_is_not_enforced(it):
    """The kernel lets a process replace what it is said to have been told at its start, AT_SECURE among it."""
    with SystemService(it) as service, shielded_program(it) as path:
        user = service.user(ann)
        try:
            service.start()
            words = unshielded["without new privileges"](user, path)
            with Caller(user, *words, arguments=[service.socket_path]) as liar:
                equal(said_to_be_secure(liar.pid), 0)
                liar.do("shielded")
                equal(said_to_be_secure(liar.pid), 1)
                report = liar.connect().identity()
                equal((report.tier, report.groups), (INSTALLED, ["installed:" + path]))
                contains(report.findings, "notShielded")
        finally:
            user.remove()


def said_to_be_secure(number):
    """AT_SECURE (23) of a process."""
    with open(f"/proc/{number}/auxv", "rb") as file:
        return dict(struct.iter_unpack("@LL", file.read()))[23]
