# SPDX-License-Identifier: Apache-2.0
"""What other processes of the user get to see of the service and of its clients, also when they crash."""

import contextlib
import os
import resource
import signal
import struct
import subprocess

import pytest

from support.instance import is_root, read_text, wait_until
from support.sentences import both, cases, contains, equal, lacks, ordinary, python
from support.wire import COPY, Client, frame, query

secret = "correct horse battery staple"


@ordinary
@cases("name", ["mem", "environ", "maps", "auxv", "pagemap", "io"])
def test_the_users_other_processes_cannot_open_proc_pid_of_the_service(it, name):
    it.start()
    done = it.run("cat", f"/proc/{it.daemon.pid}/{name}")
    equal((done.returncode, done.out), (1, ""))
    contains(done.err, "denied" if "denied" in done.err else "not permitted")


@ordinary
def test_the_users_other_processes_cannot_look_into_the_services_descriptors_and_working_directory(it):
    it.start()
    for name in ["fd", "cwd", "root", "exe"]:
        done = it.run("ls", f"/proc/{it.daemon.pid}/{name}/")
        assert done.returncode != 0, name


@ordinary
def test_the_users_other_processes_cannot_attach_to_the_service_or_read_its_memory(it):
    it.start()
    output = python(it, """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
pid = int(sys.argv[2])
for request in (16, 0x4206):  # PTRACE_ATTACH, PTRACE_SEIZE
    print(libc.ptrace(request, pid, 0, 0), ctypes.get_errno())
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(8)
here, there = Vector(ctypes.addressof(buffer), 8), Vector(0x400000, 8)
print(libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0), ctypes.get_errno())
""", str(it.daemon.pid))
    equal(output, "-1 1\n" * 3)
    it.set("name", secret)


@ordinary
def test_a_service_that_was_started_by_a_client_is_protected_in_the_same_way(it):
    it.set("name", secret)
    assert it.run("cat", f"/proc/{it.pid()}/mem").returncode == 1
    contains(read_text(f"/proc/{it.pid()}/limits"), "Max core file size        0                    0")


@both
def test_the_service_tells_what_protects_it_and_all_of_it_that_this_kernel_has_is_on(it):
    protections = it.status()["protections"]
    names = [text.partition(":")[0] for text in protections]
    equal(names, [
        "crashes left to the kernel", "no core dumps, not dumpable", "freed memory overwritten", "no new privileges", "system call filter",
        "keys in memfd_secret pages"])
    for text in protections[:5]:
        assert text.endswith(": on"), text
    status = read_text(f"/proc/{it.pid()}/status")
    contains(status, "NoNewPrivs:\t1", "Seccomp:\t2")


@both
@cases("name", ["SIGSEGV", "SIGABRT", "SIGILL", "SIGBUS", "SIGFPE"])
def test_a_service_that_ends_leaves_no_core_file_and_says_nothing_of_its_memory(it, name):
    number = getattr(signal, name)
    # The limit that the service starts with must not matter.
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    it.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)))
    it.set("name", secret)
    daemon = it.daemon
    daemon.send_signal(number)
    _, status = os.waitpid(daemon.pid, 0)
    daemon.returncode = -number
    it.daemon = None
    equal((os.WTERMSIG(status), os.WCOREDUMP(status)), (number, False))
    equal([name for folder, _, names in os.walk(it.scratch) for name in names if "core" in name], [])
    # The names of the test's own folders are made of chance.
    log = read_text(it.log).replace(it.programs.scratch, "")
    lacks(log, secret, "0x", "Crash", "crash", "Backtrace", "Registers", "rax")
    equal(it.get("name"), secret.encode())


def test_neither_sigpipe_nor_a_client_that_goes_away_in_the_middle_of_an_answer_ends_the_service(it):
    it.start()
    it.daemon.send_signal(signal.SIGPIPE)
    with Client(it.socket_path) as client:
        for n in range(3):
            equal(client.add({"svce": "large", "acct": str(n)}, b"x" * 4_000_000).status, 0)
    for _ in range(5):
        client = Client(it.socket_path)
        client.send(frame(COPY, client.nonce + query({"svce": "large"}) + struct.pack(">IB", 0, 1)))
        client.receive()
        client.close()
    equal(it.daemon.poll(), None)
    it.set("name", secret)
    equal(it.get("name"), secret.encode())


def arguments_and_environment(pid):
    texts = []
    for name in ["cmdline", "environ"]:
        try:
            with open(f"/proc/{pid}/{name}", "rb") as file:
                texts.append(file.read())
        except PermissionError:
            texts.append(b"")
    return b"\n".join(texts).decode(errors="replace")


def test_no_secret_is_in_the_arguments_or_the_environment_of_the_service_or_of_a_client_that_waits_for_it(it):
    if not is_root:
        pytest.skip("only root may look at the service's environment")
    it.start()
    it.set("before", secret)
    # The service stands still, so the clients do.
    it.daemon.send_signal(signal.SIGSTOP)
    clients = []
    try:
        client = it.popen("chatelaine", "set", "name", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        clients.append(client)
        for option in ["-w", "-p", "-X"]:
            word = secret.encode().hex() if option == "-X" else secret
            words = ["security", "add-generic-password", "-a", "with " + option, "-s", "s", option, word]
            clients.append(it.popen(*words, stdin=subprocess.DEVNULL))
        joined = it.popen("security", "add-generic-password", "-a", "joined", "-s", "s", "-w" + secret)
        clients.append(joined)
        client.stdin.write(secret.encode())
        client.stdin.close()
        for one in clients:
            wait_until(lambda: has_socket(one.pid), what="the client's connection")
        for pid in [it.daemon.pid] + [one.pid for one in clients]:
            text = arguments_and_environment(pid)
            contains(text, "XDG_DATA_HOME=")
            lacks(text, secret, secret.encode().hex(), "horse")
    finally:
        it.daemon.send_signal(signal.SIGCONT)
    equal([one.wait(timeout=60) for one in clients], [0] * 5)
    equal(it.get("s", "--user", "with -X"), secret.encode())
    equal(it.get("s", "--user", "joined"), secret.encode())


def has_socket(pid):
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        # The client may have closed it meanwhile.
        with contextlib.suppress(FileNotFoundError):
            if os.readlink(os.path.join(folder, name)).startswith("socket:"):
                return True
    return False


@both
def test_none_of_the_instances_files_holds_a_secret_or_the_name_of_an_item(it):
    it.set("a name to look for", secret, "--user", "a user to look for", "--comment", "a comment to look for")
    it.get("a name to look for", "--user", "a user to look for")
    hold_no_names(it)
    it.stop_detached()
    assert os.path.getsize(it.database)
    hold_no_names(it)


def hold_no_names(it):
    for folder, _, names in os.walk(it.scratch):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                # The service may remove files of its own meanwhile.
                with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                    content = file.read()
                    for words in [secret, "to look for"]:
                        assert words.encode() not in content, f"{path} holds {words!r}"
