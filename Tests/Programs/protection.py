#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What other processes of the user get to see of the service and of its clients, also when they crash."""

import os
import resource
import signal
import struct
import subprocess

from support.instance import read_text, wait_until
from support.sentences import LeftOut, both, contains, equal, is_root, lacks, python, run, test
from support.wire import COPY, Client, frame, query

secret = "correct horse battery staple"


@test("the user's other processes cannot open /proc/PID/{} of the service", users=("ordinary",),
      cases=["mem", "environ", "maps", "auxv", "pagemap", "io"])
def _(it, name):
    it.start()
    done = it.run("cat", f"/proc/{it.daemon.pid}/{name}")
    equal((done.returncode, done.out), (1, ""))
    contains(done.err, "denied" if "denied" in done.err else "not permitted")


@test("the user's other processes cannot look into the service's descriptors and working directory",
      users=("ordinary",))
def _(it):
    it.start()
    for name in ["fd", "cwd", "root", "exe"]:
        done = it.run("ls", f"/proc/{it.daemon.pid}/{name}/")
        assert done.returncode != 0, name


@test("the user's other processes cannot attach to the service or read its memory", users=("ordinary",))
def _(it):
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


@test("a service that was started by a client is protected in the same way", users=("ordinary",))
def _(it):
    it.set("name", secret)
    assert it.run("cat", f"/proc/{it.pid()}/mem").returncode == 1
    contains(read_text(f"/proc/{it.pid()}/limits"), "Max core file size        0                    0")


@test("the service tells what protects it, and all of it that this kernel has is on", users=both)
def _(it):
    protections = it.status()["protections"]
    names = [text.partition(":")[0] for text in protections]
    equal(names, [
        "crashes left to the kernel", "no core dumps, not dumpable", "freed memory overwritten", "no new privileges", "system call filter",
        "keys in memfd_secret pages"])
    for text in protections[:5]:
        assert text.endswith(": on"), text
    status = read_text(f"/proc/{it.pid()}/status")
    contains(status, "NoNewPrivs:\t1", "Seccomp:\t2")


@test("a service that {} ends leaves no core file and says nothing of its memory", users=both,
      cases=["SIGSEGV", "SIGABRT", "SIGILL", "SIGBUS", "SIGFPE"])
def _(it, name):
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


@test("neither SIGPIPE nor a client that goes away in the middle of an answer ends the service")
def _(it):
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


@test("no secret is in the arguments or the environment of the service or of a client that waits for it")
def _(it):
    if not is_root:
        raise LeftOut("only root may look at the service's environment")
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
    equal([one.wait(timeout=20) for one in clients], [0] * 5)
    equal(it.get("s", "--user", "with -X"), secret.encode())
    equal(it.get("s", "--user", "joined"), secret.encode())


def has_socket(pid):
    folder = f"/proc/{pid}/fd"
    return any(os.readlink(os.path.join(folder, name)).startswith("socket:") for name in os.listdir(folder))


@test("none of the instance's files holds a secret or the name of an item", users=both)
def _(it):
    it.set("a name to look for", secret, "--user", "a user to look for", "--comment", "a comment to look for")
    it.get("a name to look for", "--user", "a user to look for")
    for folder, _, names in os.walk(it.scratch):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
                for words in [secret, "to look for"]:
                    assert words.encode() not in content, f"{path} holds {words!r}"
    it.stop_detached()
    with open(it.database, "rb") as file:
        lacks(file.read(), secret.encode(), b"to look for")


run()
