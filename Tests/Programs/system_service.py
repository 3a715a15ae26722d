# SPDX-License-Identifier: Apache-2.0
"""One service for all users of a system: the view of each user, the denied operations, and moving keychains into
it and out of it."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile

import pytest

from support.instance import mode, processes, read_text, wait_until
from support.migration import check_items, look, migrate, own_keychain, use_system
from support.seeds import stride
from support.sentences import cases, contains, equal, lacks, python
from support.system import SystemService, Usual, allowed_calls, ann, bob, covering, needs_root, service_user
from support.wire import NOT_AVAILABLE, NOT_FOUND, Client, Reader

OF_USER, UNAVAILABLE = 33, 34
# In the place of a database's first page.
DAMAGE = hashlib.shake_256(b"no page of a database").digest(4096)


@contextlib.contextmanager
def system(it, start=True):
    """A system service, and two users."""
    with SystemService(it) as service:
        first, second = service.user(ann), service.user(bob)
        try:
            yield (service.start() if start else service), first, second
        finally:
            first.remove()
            second.remove()


def client_of(it, service, code, *words):
    """What Python code of the user prints; `client` is a connection."""
    it.environment["SOCKET"] = service.socket_path
    return python(it, "import os, sys\nfrom support.wire import *\nclient = Client(os.environ['SOCKET'])\n" + code, *words)


# MARK: Users


def test_each_user_has_a_keychain_of_their_own_and_root_is_a_user_like_any_other(it):
    with system(it) as (service, first, second):
        root = service.user(None)
        first.set("name", "ann's")
        second.set("name", "bob's")
        root.set("name", "root's")
        equal([each.get("name") for each in (first, second, root)], [b"ann's", b"bob's", b"root's"])
        for each in (first, second, root):
            equal(len(each.list()), 1)
        first.run("chatelaine", "remove", "name", check=0)
        equal(first.list(), [])
        equal(second.get("name"), b"bob's")
        equal(sorted(os.listdir(os.path.join(service.state, "users"))), ["0", str(ann), str(bob)])
        for each in (first, second, root):
            equal(os.listdir(each.directories["data"]), [])
        root.remove()


def test_another_user_who_connects_with_a_program_of_theirs_gets_an_empty_keychain_and_nothing_of_others(it):
    with system(it) as (service, first, second):
        add = "print(client.add({'svce': 's', 'acct': 'a'}, b'secret').status, client.copy({}, limit=0).status)"
        equal(client_of(first, service, add), "0 0\n")
        code = "print(client.copy({}, limit=0).status, client.delete({}).status, client.copy({'svce': 's'}).status)"
        equal(client_of(second, service, code), f"{NOT_FOUND} {NOT_FOUND} {NOT_FOUND}\n")
        equal(client_of(first, service, "print(client.copy({'svce': 's'}).items[0][2])"), "b'secret'\n")


def test_each_users_figures_are_of_their_own_keychain_and_say_nothing_of_others_connections_and_programs(it):
    with system(it) as (service, first, second):
        def figures(user):
            return json.loads(user.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"]

        first.set("name", "ann's")
        first.set("other", "ann's")
        code = "print(client.copy({}, limit=0).status)\n"
        equal(client_of(first, service, code), f"{NOT_FOUND}\n")
        second.set("name", "bob's")
        seen = figures(second)
        equal(seen["items"]["genp"], 1)
        equal([entry["served"] for entry in seen["requests"] if entry["kind"] == "add"], [1])
        queues = {entry["kind"]: entry for entry in seen["queues"]}
        equal((queues["connections"]["now"], queues["connections"]["bound"]), (1, 256))
        lacks([entry["kind"] for entry in seen["caches"]], "programs")
        equal(figures(first)["items"]["genp"], 2)


def test_the_status_says_that_the_system_service_answered_and_whose_keychain_it_is(it):
    with system(it) as (service, first, _second):
        status = first.status()
        equal((status["service"], status["callerTier"]), ("system", "unsigned"))
        text = first.run("chatelaine", "status", check=0).out
        contains(text, ", system service\n", "only CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_LEASE: on", "system call filter: on")


def test_a_lock_a_passcode_and_settings_are_one_users_alone(it):
    with system(it) as (service, first, second):
        for each in (first, second):
            each.set("name", "s3cret")
        first.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        first.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
        first.run("chatelaine", "lock", check=0)
        equal(first.status()["state"], "locked")
        equal(second.status()["state"], "no-passcode")
        equal(second.get("name"), b"s3cret")
        assert first.run("chatelaine", "get", "name").returncode != 0
        first.run("chatelaine", "unlock", "--passcode-fd", "0", input="1234", check=0)
        equal(first.get("name"), b"s3cret")


def test_the_audit_log_of_a_user_names_that_users_requests_alone_and_users_cannot_read_it(it):
    with system(it) as (service, first, second):
        first.set("name", "s3cret")
        second.set("name", "s3cret")
        lines = read_text(os.path.join(service.store(ann), "audit.log"))
        contains(lines, f'"uid":{ann}')
        lacks(lines, f'"uid":{bob}')
        assert first.run("cat", os.path.join(service.store(ann), "audit.log")).returncode != 0


# MARK: Out of reach


def test_users_can_neither_read_the_state_nor_replace_the_socket_nor_signal_or_trace_the_service(it):
    with system(it) as (service, first, _second):
        first.set("name", "s3cret")
        pid = service.process.pid
        key = os.path.join(service.store(ann), "device.key")
        equal([mode(path) for path in (service.state, service.store(ann), key)], [0o700, 0o700, 0o600])
        equal({os.lstat(path).st_uid for path in (service.state, service.store(ann), key)}, {service_user})
        for words in [
            ["ls", service.state], ["ls", service.store(ann)], ["cat", key],
            ["rm", "-f", service.socket_path], ["mv", service.runtime, service.runtime + ".old"],
            ["touch", os.path.join(service.runtime, "file")], ["kill", str(pid)], ["kill", "-9", str(pid)],
            ["cat", f"/proc/{pid}/environ"], ["head", "-c1", f"/proc/{pid}/mem"], ["ls", f"/proc/{pid}/fd"],
            ["readlink", f"/proc/{pid}/exe"],
        ]:
            done = first.run(*words)
            assert done.returncode != 0, " ".join(words)
        output = python(first, """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for request in (16, 0x4206):
    print(libc.ptrace(request, int(sys.argv[2]), 0, 0), ctypes.get_errno())
""".replace("import ctypes", "import ctypes, sys"), str(pid))
        equal(output, "-1 1\n-1 1\n")
        equal(first.get("name"), b"s3cret")


def test_the_service_has_two_capabilities_cannot_get_others_and_runs_with_a_filter(it):
    with system(it) as (service, first, _second):
        first.set("name", "s3cret")
        lines = dict(line.split(":", 1) for line in read_text(f"/proc/{service.process.pid}/status").splitlines())
        both = f"{1 << 28 | 1 << 19 | 1 << 2:016x}"
        for name, expected in [
            ("CapPrm", both), ("CapEff", both), ("CapBnd", both), ("CapInh", "0" * 16), ("CapAmb", "0" * 16),
            ("NoNewPrivs", "1"), ("Seccomp", "2"), ("Groups", ""),
        ]:
            equal((name, lines[name].strip()), (name, expected))
        equal(lines["Uid"].split(), [str(service_user)] * 4)
        for task in os.listdir(f"/proc/{service.process.pid}/task"):
            # Threads but the first end when they have nothing to do.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                contains(read_text(f"/proc/{service.process.pid}/task/{task}/status"), f"CapEff:\t{both}")


def test_the_service_refuses_to_run_as_root_or_without_its_capabilities_and_says_what_to_do(it):
    with system(it, start=False) as (service, _first, _second):
        done = it.start_in_vain("--system", *service.places)
        contains(done.err, "does not run as root", "hint: start the system service with systemd")
        words = service.words()
        for missing, name in [("sys_ptrace", "CAP_SYS_PTRACE"), ("dac_read_search", "CAP_DAC_READ_SEARCH"), ("lease", "CAP_LEASE")]:
            without = [word.replace("+" + missing, "-" + missing) for word in words]
            done = subprocess.run(without, capture_output=True, text=True, timeout=60)
            equal(done.returncode, 1)
            contains(done.stderr, f"without {name}\n", "hint: ")
        equal(os.listdir(service.runtime), [])


def test_the_service_refuses_folders_that_others_control(it):
    with system(it, start=False) as (service, _first, _second):
        for path, change, back in [
            (service.state, lambda path: os.chown(path, ann, ann), lambda path: os.chown(path, service_user, service_user)),
            (service.runtime, lambda path: os.chmod(path, 0o777), lambda path: os.chmod(path, 0o755)),
            (service.runtime, lambda path: os.chown(path, ann, ann), lambda path: os.chown(path, service_user, service_user)),
        ]:
            change(path)
            done = subprocess.run(service.words(), capture_output=True, text=True, timeout=60)
            equal(done.returncode, 1)
            contains(done.stderr, f"error: {path} ")
            back(path)


def test_a_second_service_of_the_same_folders_ends_at_once(it):
    with system(it) as (service, first, _second):
        done = subprocess.run(service.words(), capture_output=True, text=True, timeout=60)
        equal(done.returncode, 1)
        contains(done.stderr, "already")
        first.set("name", "s3cret")


def test_by_itself_the_service_uses_the_folders_in_run_and_var_lib_that_clients_know(it):
    with system(it, start=False) as (service, first, _second):
        service.start(sandboxed=False, wrapped=service.in_usual_places)
        # It says so once clients can connect already.
        words = "serving all users at /run/chatelaine/chatelaine.socket"
        wait_until(lambda: words in read_text(service.log), what="the end of the start")
        Usual.run(first, service.runtime, "chatelaine", "set", "name", input="s3cret", check=0)
        equal(Usual.run(first, service.runtime, "chatelaine", "get", "name", check=0).out, "s3cret\n")
        contains(Usual.run(first, service.runtime, "chatelaine", "status", check=0).out,
                 f"/var/lib/chatelaine/users/{ann}/keychain.db")
        assert os.path.exists(os.path.join(service.store(ann), "keychain.db"))


def test_the_unit_allows_every_system_call_of_the_service_from_its_start_to_its_end(it):
    with system(it, start=False) as (service, first, second):
        service.start_traced()
        for each in (first, second):
            each.set("name", "s3cret")
            equal(each.get("name"), b"s3cret")
            each.run("chatelaine", "status", check=0)
        first.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        first.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="1234", check=0)
        first.run("chatelaine", "lock", check=0)
        first.run("chatelaine", "unlock", "--passcode-fd", "0", input="1234", check=0)
        client_of(second, service, "clients = [Client(os.environ['SOCKET']) for _ in range(20)]")
        names = set(re.findall(r"^\d+ +([a-z_0-9]+)\(", service.stop_traced(), re.M))
        assert {"openat", "accept4", "capset", "seccomp", "fdatasync"} <= names, names
        # execve is strace's, in the place of the service manager. libdispatch tries to set priorities of its threads, and does without.
        equal(sorted(names - allowed_calls() - {"execve", "setpriority"}), [])


# MARK: Programs


def test_programs_that_the_kernel_shields_and_those_only_their_owner_may_read_are_known(it):
    with system(it) as (service, first, _second):
        own = os.path.join(first.scratch, "own")
        os.mkdir(own)
        first.own(own, 0o755)
        private = it.programs.copy(it.program("chatelaine"), os.path.join(own, "private"))
        first.own(private, 0o700)
        status = json.loads(first.run(private, "status", "--json", check=0).out)
        equal(status["callerTier"], "unsigned")
        [group] = status["groups"]
        assert group.startswith("unsigned:"), group
        def by_group(path):
            os.chown(path, 0, 1700)
            os.chmod(path, 0o2755)

        def by_capability(path):
            # CAP_IPC_LOCK, effective (struct vfs_cap_data, version 2).
            os.setxattr(path, "security.capability", struct.pack("<5I", 0x02000001, 1 << 14, 0, 0, 0))

        for number, shield in enumerate([by_group, by_capability]):
            shielded = it.programs.copy(it.program("chatelaine"), os.path.join(it.scratch, f"shielded-{number}"))
            shield(shielded)
            # A shielded program uses no other service on behalf of a user with fewer privileges.
            for variable in ["", "user", "system:" + first.scratch]:
                done = Usual.run(first, service.runtime, shielded, "status", "--json", check=0,
                                 environment={"CHATELAINE_SERVICE": variable})
                status = json.loads(done.out)
                equal((variable, status["service"]), (variable, "system"))
                assert status["callerTier"] != "unidentified" and status["groups"], status
            # Heeded, the first would be refused its own group, and the other would make a keychain file.
            for variable in [{"CHATELAINE_REQUIRE_ENTITLEMENTS": "1"}, {"CHATELAINE_PLAIN_CALLS": "all"}]:
                keeper = it.programs.copy(it.program("PasswordKeeper"), os.path.join(it.scratch, f"keeper-{number}"))
                shield(keeper)
                name = f"{number} {list(variable)[0]}"
                Usual.run(first, service.runtime, keeper, "set", name, "ann", input=b"s3cret\n", check=0, environment=variable)
                equal(Usual.run(first, service.runtime, keeper, "get", name, "ann", check=0).out.strip(), "s3cret")
        equal(os.listdir(first.directories["data"]), [])


def test_no_user_looks_into_closed_folders_by_the_path_of_a_program_nor_has_a_pipe_opened(it):
    with system(it) as (service, first, _second), tempfile.TemporaryDirectory(dir="/usr/local/lib") as closed:
        # Root's alone, as the folder is made.
        program = os.path.join(closed, "program")
        shutil.copyfile("/bin/true", program)
        os.chmod(program, 0o755)
        os.symlink("/bin/true", os.path.join(closed, "link"))
        pipe = os.path.join(closed, "pipe")
        os.mkfifo(pipe, 0o666)
        code = """
with Client(os.environ['SOCKET']) as client:
    for path in sys.argv[2:]:
        print(client.identity(b"\\x03" + block(path)))
"""
        paths = [os.path.join(closed, name) for name in ("program", "link", "nothing", "../../../../bin/true", "pipe")]
        with subprocess.Popen(["sh", "-c", f"echo waiting; echo x > {pipe}"], stdout=subprocess.PIPE) as writer:
            writer.stdout.readline()
            environment = {"SOCKET": service.socket_path}
            first.environment.update(environment)
            equal(python(first, "import os, sys\nfrom support.wire import *\n" + code, *paths), "-50\n" * len(paths))
            os.chmod(closed, 0o755)
            os.chmod(pipe, 0o755)
            equal(python(first, "import os, sys\nfrom support.wire import *\n" + code, pipe), "-50\n")
            equal(writer.poll(), None)
            writer.kill()
        output = python(first, "import os, sys\nfrom support.wire import *\n" + code, program, paths[1])
        equal(output.count("Report"), 2)


def test_no_user_looks_into_closed_folders_by_the_path_of_a_keychain(it):
    with system(it) as (_service, first, _second), tempfile.TemporaryDirectory(dir="/usr/local/lib") as closed:
        # Root's alone, as the folder is made.
        os.mkdir(os.path.join(closed, "there"))
        folder = os.path.join(first.directories["home"], "Library")
        os.mkdir(folder)
        answers = []
        for name in "there", "nothing":
            link = os.path.join(folder, "Keychains")
            os.symlink(os.path.join(closed, name), link)
            done = first.run("chatelaine", "keychains", "lock", os.path.join(link, "x"))
            answers.append((done.returncode, done.out, done.err))
            os.unlink(link)
        equal(answers[0], answers[1])
        contains(answers[0][2], "no keychain exists at this path")


def test_a_program_in_a_user_namespace_of_its_own_makes_no_keychain_and_gets_nothing(it):
    with system(it) as (service, first, _second):
        if first.run("unshare", "--user", "--map-root-user", "true").returncode != 0:
            pytest.skip("this kernel allows no user namespaces")
        done = first.run("unshare", "--user", "--map-root-user", first.program("chatelaine"), "list")
        assert done.returncode != 0
        contains(done.err, "could not identify the calling program")
        assert not os.path.exists(service.store(ann))
        first.set("name", "s3cret")
        done = first.run("unshare", "--user", "--map-root-user", first.program("chatelaine"), "get", "name")
        assert done.returncode != 0
        lacks(done.out + done.err, "s3cret")


def test_the_numbers_of_a_users_range_have_no_keychain_and_take_no_connection(it):
    """A user runs programs under the numbers of its range in /etc/subuid by set-user-id files, outside of a user namespace: each is another
    user to the kernel."""
    if not os.path.exists("/etc/subuid"):
        pytest.skip("this machine has no file /etc/subuid that another can be put over")
    low, count = 200_000, 65_536
    ranges = os.path.join(it.scratch, "subuid")
    with open(ranges, "w", encoding="utf-8") as file:
        file.write(f"ann:{low}:{count}\n")
    os.chmod(ranges, 0o644)
    with SystemService(it) as service:
        service.start(wrapped=lambda words: covering({"/etc/subuid": ranges}, words))
        for number in low, low + count - 1:
            stranger = service.user(number)
            done = stranger.run("chatelaine", "set", "name", input="s3cret")
            assert done.returncode != 0
            contains(done.err, "could not identify the calling program")
            assert not os.path.exists(service.store(number))
            stranger.remove()
        # A number beyond the range is a user.
        other = service.user(low + count)
        other.set("name", "s3cret")
        assert os.path.exists(service.store(low + count))
        other.remove()


# MARK: One user's trouble


def test_a_thousand_connections_of_one_program_lock_no_other_program_out(it):
    """A thousand connections of one program do not exclude other programs, and the longest idle connections of that program are
    closed."""
    with system(it) as (service, first, second):
        second.set("name", "s3cret")
        code = """
clients = [client] + [Client(os.environ['SOCKET']) for _ in range(999)]
print(clients[-1].status()[0] > 0)
sys.stdout.flush()
sys.stdin.readline()
gone = 0
for one in clients:
    try:
        one.status()
    except Closed:
        gone += 1
print(gone)
"""
        first.environment["SOCKET"] = service.socket_path
        path = first.python()
        environment = dict(first.environment, PYTHONPATH=it.programs.modules, PYTHONDONTWRITEBYTECODE="1")
        # For a thousand descriptors.
        process = first.popen(
            "sh", "-c", 'ulimit -n 4096; exec "$@"', "sh", path, "-c",
            "import os, sys\nfrom support.wire import *\nclient = Client(os.environ['SOCKET'])\n" + code,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        with process:
            equal(process.stdout.readline(), b"True\n")
            equal(second.get("name"), b"s3cret")
            first.set("own", "works")
            process.stdin.write(b"\n")
            process.stdin.flush()
            gone = int(process.stdout.readline())
            equal(gone, 872)


def test_a_user_whose_connections_are_all_at_work_is_told_so_and_the_others_are_served(it):
    with system(it) as (service, first, second):
        second.set("name", "s3cret")
        first.environment["SOCKET"] = service.socket_path
        with first.holding(128), first.holding(128, first.other_python(1)):
            output = python(first, """
import os
from support.wire import *
print(Client(os.environ['SOCKET']).refusal.hex())
""")
            reader = Reader(bytes.fromhex(output.strip()))
            equal((reader.take("i"), reader.take("B")), (NOT_AVAILABLE, OF_USER))
            equal(second.get("name"), b"s3cret")


def test_while_one_user_has_every_connection_at_work_another_users_request_is_answered(it):
    with system(it) as (service, first, second):
        second.set("name", "s3cret")
        first.environment["SOCKET"] = service.socket_path
        with first.holding(128), first.holding(128, first.other_python(1)):
            equal(second.get("name"), b"s3cret")
            done = first.run("chatelaine", "list")
            contains(done.err, "limit of connections")


def test_a_damaged_keychain_of_one_user_is_refused_and_disturbs_no_other_user(it):
    with system(it) as (service, first, second):
        for each in (first, second):
            each.set("name", "s3cret")
        equal(service.stop(), 0)
        # The next one has the item.
        shutil.rmtree(os.path.join(service.store(ann), "snapshots"))
        service.start()
        equal(first.get("name"), b"s3cret")
        equal(service.stop(), 0)
        with open(os.path.join(service.store(ann), "keychain.db"), "r+b") as file:
            file.write(DAMAGE)
        service.start()
        done = first.run("chatelaine", "get", "name")
        contains(done.err, "keychain cannot be opened", "hint: ")
        assert done.returncode != 0
        with Client(service.socket_path) as root:
            equal(root.copy({}).status, NOT_FOUND)
        equal(second.get("name"), b"s3cret")
        contains(read_text(service.log), f"the keychain of user {ann} cannot be opened: ")
        # Root saves it, while the others are served.
        contains(first.run("chatelaine", "salvage").err, "only root can recover it", "salvage --of-user")
        contains(first.run("chatelained", "salvage", "--of-user", str(ann)).err, "only root")
        words = ["chatelained", "salvage", "--of-user", str(ann), "--system-directory", service.state]
        contains(it.run(*words, check=0).out, "0 items are lost")
        for folder, folders, files in os.walk(service.store(ann)):
            for name in folders + files:
                equal(os.lstat(os.path.join(folder, name)).st_uid, service_user)
        # The service tries again after a while.
        wait_until(lambda: first.run("chatelaine", "get", "name").out == "s3cret\n", what="the keychain that was saved")
        contains(it.run(*words, check=1).err, "is running", "hint: ")


def test_a_service_that_was_killed_serves_what_was_acknowledged_when_it_runs_again(it):
    with system(it) as (service, first, second):
        first.set("name", "ann's")
        second.set("name", "bob's")
        equal(service.stop(signal.SIGKILL), -signal.SIGKILL)
        service.start()
        equal((first.get("name"), second.get("name")), (b"ann's", b"bob's"))


def test_a_service_that_the_service_manager_listens_for_is_used_as_well(it):
    with system(it, start=False) as (service, first, _second):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(service.socket_path)
        os.chmod(service.socket_path, 0o666)
        listener.listen(128)
        # Not sh: as dash, it takes no number of two digits there.
        words = ["bash", "-ec", 'exec 3<&"$1"; LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; shift; exec "$@"',
                 "bash", str(listener.fileno()), *service.words()]
        with open(service.log, "ab") as log:
            service.process = subprocess.Popen(
                words, pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        first.set("name", "s3cret")
        equal(first.get("name"), b"s3cret")
        equal(service.stop(), 0)
        # The socket is the manager's and stays.
        assert os.path.exists(service.socket_path)
        listener.close()


def test_keychains_are_closed_again_the_service_does_not_grow_with_users_that_were_there_once(it):
    with system(it) as (service, _first, _second):
        it.environment["SOCKET"] = service.socket_path
        output = python(it, """
import os
from support.wire import *
for number in range(2000, 2080):
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setresgid(number, number, number)
        os.setresuid(number, number, number)
        os._exit(Client(os.environ["SOCKET"]).copy({}, limit=0).status == NOT_FOUND)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
        equal(output, "1\n" * 80)

        def open_databases():
            folder = f"/proc/{service.process.pid}/fd"
            found = set()
            for name in os.listdir(folder):
                with contextlib.suppress(OSError):
                    found.add(os.readlink(os.path.join(folder, name)))
            return [path for path in found if path.endswith("/store.lock")]
        assert open_databases()
        wait_until(lambda: len(open_databases()) <= 65, what="the end of the keychains that were used longest ago")
        first_again = service.user(2000)
        first_again.set("name", "again")
        equal(first_again.get("name"), b"again")
        first_again.remove()


# MARK: Which service


def test_clients_use_the_system_service_where_there_is_one_and_their_own_elsewhere(it):
    with system(it) as (service, first, _second):
        done = Usual.run(first, service.runtime, "chatelaine", "set", "name", input="s3cret", check=0)
        equal(os.listdir(first.directories["data"]), [])
        status = json.loads(Usual.run(first, service.runtime, "chatelaine", "status", "--json", check=0).out)
        equal((status["service"], status["items"], status["unusedKeychain"]), ("system", 1, None))
        status = json.loads(Usual.run(first, None, "chatelaine", "status", "--json", check=0).out)
        equal((status["service"], status["items"]), ("user", 0))
        # Now there are both, and nothing is hidden.
        done = Usual.run(first, service.runtime, "chatelaine", "status", check=0)
        contains(done.out, "not used    " + first.database, "migrate to-system", ", system service")
        own = Usual.run(first, service.runtime, "chatelaine", "status", "--json", check=0,
                        environment={"CHATELAINE_SERVICE": "user"})
        equal(json.loads(own.out)["service"], "user")
        lists = [Usual.run(first, service.runtime, "chatelaine", "list", "--json", check=0, environment=each).out
                 for each in ({}, {"CHATELAINE_SERVICE": "user"}, {"CHATELAINE_SERVICE": "system"})]
        equal([len(json.loads(text)) for text in lists], [1, 0, 1])
        first.stop_detached()


def test_while_the_system_service_is_down_no_user_service_takes_its_place(it):
    with system(it) as (service, first, _second):
        equal(service.stop(), 0)
        done = Usual.run(first, service.runtime, "chatelaine", "set", "name", input="s3cret")
        assert done.returncode != 0
        contains(done.err, "no keychain service listens at /run/chatelaine/chatelaine.socket", "systemctl start")
        equal(os.listdir(first.directories["data"]), [])
        equal(processes(it.programs.folder), [])


def test_a_value_of_chatelaine_service_that_means_nothing_is_an_error(it):
    """A value of CHATELAINE_SERVICE that means nothing is an error, and so is a system without a service."""
    needs_root()
    it.environment["CHATELAINE_SERVICE"] = "systen"
    contains(it.run("chatelaine", "list", check=5).err, "CHATELAINE_SERVICE is 'systen'")
    contains(Usual.run(it, None, "chatelaine", "list", environment={"CHATELAINE_SERVICE": "system"}).err,
             "this machine has no system service")
    equal(processes(it.programs.folder), [])


def test_a_service_in_a_folder_that_a_user_made_is_told_nothing(it):
    """A user who can set a variable in a program's environment could redirect its secrets to another service."""
    with system(it) as (_service, first, _second):
        for folder in ["own", "own/run"]:
            os.mkdir(os.path.join(first.scratch, folder), 0o755)
            first.own(os.path.join(first.scratch, folder), 0o755)
        runtime = os.path.join(first.scratch, "own/run")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.join(runtime, "chatelaine.socket"))
            listener.listen()
            os.chmod(os.path.join(runtime, "chatelaine.socket"), 0o777)
            for owner in [first.user, 0]:
                os.chown(runtime, owner, owner)
                first.environment["CHATELAINE_SERVICE"] = "system:" + runtime
                done = first.run("chatelaine", "set", "name", input=b"s3cret\n", check=5)
                contains(done.err, runtime)
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.accept()


def test_no_client_trusts_a_folder_of_the_socket_that_others_could_write(it):
    with system(it) as (service, first, _second):
        os.chmod(service.runtime, 0o777)
        done = Usual.run(first, service.runtime, "chatelaine", "set", "name", input="s3cret")
        assert done.returncode != 0
        contains(done.err, "can be written by other users")
        assert not os.path.exists(service.store(ann))
        equal(os.listdir(first.directories["data"]), [])


@cases("kind", ["system", "user"])
def test_a_client_tells_nothing_to_another_user_who_listens_in_the_place_of_a_service(it, kind):
    needs_root()
    with system(it, start=False) as (service, first, _second):
        path = service.socket_path if kind == "system" else first.socket_path
        if kind == "user":
            first.environment.pop("CHATELAINE_SERVICE")
            os.mkdir(os.path.dirname(path))
            first.own(os.path.dirname(path))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        os.chmod(path, 0o666)
        # The kernel keeps the user who listens.
        os.seteuid(bob)
        try:
            listener.listen(8)
        finally:
            os.seteuid(0)
        done = first.run("chatelaine", "set", "name", input=b"s3cret")
        contains(done.err, f"runs as user {bob}, who must not run this service")
        # The connection waits here, with what the client wrote before it ended.
        listener.settimeout(60)
        accepted, _ = listener.accept()
        equal(accepted.recv(1000), b"")
        accepted.close()
        listener.close()


# MARK: Migration


def test_a_keychain_with_a_passcode_moves_into_the_system_service_and_back(it):
    """A keychain with a passcode moves into the system service and back, with its snapshots and its log."""
    with system(it) as (service, first, second):
        second.set("name", "bob's")
        own_keychain(first, "1234")
        snapshots = os.listdir(os.path.join(first.data, "snapshots"))
        done = migrate(it, service, "to-system", ann, first.data)
        contains(done.out, "with 2 items", "The old folder is kept: ", "rm -r ")
        assert not os.path.exists(first.data)
        store = service.store(ann)
        equal(mode(store), 0o700)
        for folder, folders, files in os.walk(store):
            for name in folders + files:
                facts = os.lstat(os.path.join(folder, name))
                equal((facts.st_uid, facts.st_gid), (service_user, service_user))
                equal(facts.st_mode & 0o077, 0)
        equal(os.listdir(os.path.join(store, "snapshots")), snapshots)
        use_system(first, service)
        equal(first.status()["state"], "before-first-unlock")
        check_items(first, "1234")
        first.set("third", "three")
        contains(migrate(it, service, "to-user", ann, first.data, check=1).err, "has", "open", "hint: ")
        equal(service.stop(), 0)
        done = migrate(it, service, "to-user", ann, first.data)
        contains(done.out, "with 3 items", "CHATELAINE_SERVICE=user")
        assert not os.path.exists(store)
        service.start()
        first.environment["CHATELAINE_SERVICE"] = "user"
        check_items(first, "1234")
        equal(first.get("third"), b"three")
        contains(read_text(os.path.join(first.data, "audit.log")), '"outcome":"granted"')
        first.stop_detached()
        equal(second.get("name"), b"bob's")


def test_a_user_with_an_account_is_known_by_name_and_the_keychain_is_found_in_the_home_folder(it):
    with system(it) as (service, first, _second):
        first.environment.pop("XDG_DATA_HOME")
        first.environment["CHATELAINE_SERVICE"] = "user"
        first.set("name", "s3cret")
        store = os.path.join(first.directories["home"], ".local/share/chatelaine")
        own = int(read_text(os.path.join(store, "store.lock")))
        os.kill(own, signal.SIGTERM)
        wait_until(lambda: own not in processes(it.programs.folder), what="the end of the user's service")
        accounts = os.path.join(it.scratch, "passwd")
        with open(accounts, "w") as file:
            file.write(read_text("/etc/passwd") + f"ann-of-a-test:x:{ann}:{ann}::{first.directories['home']}:/bin/sh\n")
        words = ["chatelained", "migrate", "to-system", "ann-of-a-test", "--system-directory", service.state]
        done = it.run("unshare", "--mount", "sh", "-ec", 'mount --bind "$1" /etc/passwd; shift; exec "$@"', "sh", accounts,
                      it.program(words[0]), *words[1:], check=0)
        contains(done.out, "The keychain of 'ann-of-a-test' with 1 items", store + ".migrated-")
        use_system(first, service)
        equal(first.get("name"), b"s3cret")


def test_an_empty_keychain_such_as_a_first_look_makes_does_not_stand_in_the_way_one_with_items_does(it):
    with system(it) as (service, first, _second):
        own_keychain(first)
        use_system(first, service)
        equal(first.status()["items"], 0)
        equal(service.stop(), 0)
        migrate(it, service, "to-system", ann, first.data)
        service.start()
        check_items(first)
        # Root's is of this test's own looks.
        equal(sorted(os.listdir(os.path.join(service.state, "users"))), ["0", str(ann)])
        equal(service.stop(), 0)
        # Another one, of the user's own.
        own_keychain(first)
        done = migrate(it, service, "to-system", ann, first.data, check=1)
        contains(done.err, "another keychain with 2 items", "nothing was changed", "hint: ")
        first.environment["CHATELAINE_SERVICE"] = "user"
        check_items(first)
        first.stop_detached()


def test_a_keychain_that_is_not_in_order_is_not_moved(it):
    with system(it) as (service, first, second):
        def refused(*parts, user=ann, folder=first.data, direction="to-system", **more):
            done = migrate(it, service, direction, user, folder, check=1, **more)
            contains(done.err, "error: ", *parts)
            assert not os.path.exists(service.store(ann))
            equal([name for name in os.listdir(service.state) if name != "users"], [])
            return done

        refused("has no keychain")
        refused("user 'nobody-of-that-name' does not exist", user="nobody-of-that-name")
        own_keychain(first)
        before = sorted(os.listdir(first.data))
        contains(migrate(first, service, "to-system", ann, first.data, check=1).err, "only root")
        # In ann's folders bob finds nothing, and so nothing is found in bob's name.
        refused("has no keychain", user=bob)
        os.chown(first.data, bob, bob)
        refused(f"belongs to user {bob}")
        os.chown(first.data, ann, ann)
        link = os.path.join(first.scratch, "link")
        os.symlink(first.data, link)
        refused("is a link", folder=link)
        # Names that a migration copies: a link, a FIFO and a file of another user.
        for name, make in [
            ("audit.log.7", lambda path: os.symlink("/etc/shadow", path)), ("audit.log.8", os.mkfifo),
            ("audit.log.9", lambda path: open(path, "w").close()),
        ]:
            path = os.path.join(first.data, name)
            make(path)
            if name == "audit.log.8":
                os.chown(path, ann, ann)
            refused(name)
            os.unlink(path)
        # The user chose this name, and root's terminal shows it without the characters that would deceive.
        keychains = os.path.join(first.data, "keychains")
        os.makedirs(keychains, mode=0o700, exist_ok=True)
        os.chown(keychains, ann, ann)
        path = os.path.join(keychains, "e\x1b]0;x\x07\nForged: all is well\u202e.keychain-db")
        os.symlink("/etc/shadow", path)
        shown = refused("Forged: all is well?.keychain-db").err
        assert not {"\x1b", "\x07", "\u202e"} & set(shown), ascii(shown)
        assert not [line for line in shown.splitlines() if line.startswith("Forged")], ascii(shown)
        os.unlink(path)
        os.rmdir(keychains)
        os.chmod(first.data, 0o777)
        refused("can be written by other users")
        os.chmod(first.data, 0o700)
        database = os.path.join(first.data, "keychain.db")
        with open(database, "rb") as file:
            good = file.read()
        with open(database, "r+b") as file:
            file.write(DAMAGE)
        refused("keychain.db")
        with open(database, "r+b") as file:
            file.write(good)
        first.environment["CHATELAINE_SERVICE"] = "user"
        first.start()
        refused("a service has", "open", "hint: ")
        first.stop()
        equal(sorted(name for name in os.listdir(first.data) if name != "snapshots"),
              sorted(name for name in before if name != "snapshots"))
        migrate(it, service, "to-system", ann, first.data)
        use_system(first, service)
        check_items(first)


@cases("direction", ["to-system", "to-user"])
def test_a_migration_that_is_killed_anywhere_leaves_one_complete_keychain_in_use(it, direction):
    """A migration that is killed anywhere leaves one complete keychain in use, and carries on afterwards."""
    needs_root()
    if not shutil.which("strace"):
        pytest.skip("there is no strace")
    with system(it, start=False) as (service, first, _second):
        own_keychain(first, "1234")
        if direction == "to-user":
            migrate(it, service, "to-system", ann, first.data)
        begin = os.path.join(it.scratch, "begin")
        places = [first.directories["data"], service.state]
        for number, place in enumerate(places):
            subprocess.run(["cp", "-a", place, f"{begin}-{number}"], check=True)

        def restore():
            for number, place in enumerate(places):
                subprocess.run(["rm", "-rf", place], check=True)
                subprocess.run(["cp", "-a", f"{begin}-{number}", place], check=True)

        points, apart = 0, stride(6, "kills while a keychain moves", direction)
        for call in ["renameat2", "mkdir", "fsync", "write", "unlink", "unlinkat", "openat"]:
            number = 0
            while True:
                # Files are opened by the hundred, most of them by the start of the program.
                number += apart() * (5 if call == "openat" else 1)
                restore()
                words = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                         f"inject={call}:signal=KILL:when={number}", it.program("chatelained"), "migrate", direction,
                         str(ann), "--user-directory", first.data, "--system-directory", service.state]
                done = subprocess.run(words, capture_output=True, text=True, timeout=120)
                if done.returncode == 1 and "ptrace" in done.stderr:
                    pytest.skip("strace may not look at the program")
                killed = done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
                assert killed or done.returncode == 0, done.stderr
                own, systems = (os.path.exists(os.path.join(folder, "keychain.db"))
                                for folder in (first.data, service.store(ann)))
                assert own or systems, f"{call} {number}: none is left"
                if killed:
                    points += 1
                    again = migrate(it, service, direction, ann, first.data, check=None)
                    # It may have been killed after all was done.
                    assert again.returncode == 0 or "has no keychain" in again.err, again.err
                own, systems = (os.path.exists(os.path.join(folder, "keychain.db"))
                                for folder in (first.data, service.store(ann)))
                equal((call, number, own, systems), (call, number, direction == "to-user", direction == "to-system"))
                # Looking at the items takes long, so not each time.
                if points % 12 == 1 or not killed:
                    look(first, service, direction)
                if not killed:
                    break
        assert points > 8, f"only {points} places to be killed at"
