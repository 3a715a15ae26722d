#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the service starts, who starts it, and how it ends."""

import os
import re
import signal
import socket
import subprocess

from support.instance import Instance, digest, mode, processes, read_text, wait_until
from support.sentences import LeftOut, both, contains, equal, is_root, lacks, run, test
from support.wire import INTERPRETER, Client

# MARK: By a client


@test("the first program that needs the service starts it", users=both)
def _(it):
    equal(processes(it.programs.folder), [])
    it.set("name", "secret")
    equal(len(processes(it.programs.folder)), 1)
    equal(it.get("name"), b"secret")
    equal(processes(it.programs.folder), [it.pid()])


@test("twenty programs at once start one service", users=both)
def _(it):
    clients = [
        it.popen("chatelaine", "set", f"name {n}", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for n in range(20)
    ]
    for n, client in enumerate(clients):
        client.stdin.write(b"secret %d" % n)
    for client in clients:
        client.stdin.close()
    equal([client.wait(timeout=60) for client in clients], [0] * 20)
    wait_until(lambda: processes(it.programs.folder) == [it.pid()], what="one service only")
    equal(len(it.list()), 20)
    equal(it.get("name 7"), b"secret 7")


@test("a start after a kill reads the log, and of a large database no more than it needs")
def _(it):
    if not is_root:
        raise LeftOut("only root may look at what the service reads")
    it.start()
    it.set("name", "secret")
    it.stop(signal.SIGKILL)
    assert os.path.getsize(it.database + "-wal"), "the test needs a log"
    # SQLite goes by the number of pages that the header names.
    os.truncate(it.database, 1 << 30)
    it.start()
    equal(it.get("name"), b"secret")
    numbers = dict(line.split(": ") for line in read_text(f"/proc/{it.pid()}/io").splitlines())
    assert int(numbers["rchar"]) < 100 << 20, numbers


@test("the program that started the service keeps no child and no zombie")
def _(it):
    client = it.popen("security", "-i", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    client.stdin.write(b"find-generic-password -s none\n")
    client.stdin.flush()
    contains(client.stderr.readline().decode(), "could not be found")
    [service] = processes(it.programs.folder)
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = read_text(f"/proc/{name}/stat").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
    equal([number for number, parent in parents.items() if parent == client.pid], [])
    assert parents[service] != client.pid
    client.stdin.close()
    client.wait(timeout=10)
    assert it.pid() in processes(it.programs.folder), "the service ended with its client"


@test("a started service has a session of its own and keeps no descriptor of the program that started it")
def _(it):
    if not is_root:
        raise LeftOut("only root may look at the service's descriptors")
    reading, writing = os.pipe()
    it.run("chatelaine", "list", check=0, pass_fds=[writing])
    os.close(writing)
    # End of file at once, since nobody else holds the other end.
    os.set_blocking(reading, False)
    equal(os.read(reading, 1), b"")
    os.close(reading)
    pid = it.pid()
    equal(int(read_text(f"/proc/{pid}/stat").rpartition(")")[2].split()[3]), pid)
    for stream in range(3):
        equal(os.readlink(f"/proc/{pid}/fd/{stream}"), "/dev/null")


@test("a client that finds no service program says where it looked")
def _(it):
    alone = os.path.join(it.scratch, "alone")
    os.mkdir(alone, 0o755)
    program = it.programs.copy(it.program("chatelaine"), os.path.join(alone, "chatelaine"))
    environment = dict(it.environment, PATH="/nowhere")
    done = it.run(program, "list", env=environment, check=5)
    contains(done.err, "error: ", "/nowhere/chatelained", f"{alone}/chatelained", "hint: ")


@test("a service that cannot start is reported to the client that wanted it")
def _(it):
    os.mkdir(it.data, 0o700)
    it.own(it.data)
    with open(it.database, "w") as file:
        file.write("this is a text, and no database" * 50)
    it.own(it.database, 0o600)
    done = it.run("chatelaine", "list", check=5)
    contains(done.err, "error: the keychain service could not be started", "hint: ")


# MARK: One service for one store


@test("a second service ends with a message, and the first one goes on", users=both)
def _(it):
    daemon = it.start()
    it.set("name", "secret")
    done = it.start_in_vain()
    equal(done.returncode, 1)
    contains(done.err, f"error: {it.data} is served by process {daemon.pid} already\n", "hint: ")
    equal(done.out, "")
    equal(it.get("name"), b"secret")


@test("a second service is refused for another socket of the same store as well")
def _(it):
    it.start()
    other = os.path.join(it.scratch, "other")
    os.mkdir(other, 0o700)
    it.own(other)
    contains(it.start_in_vain(env=dict(it.environment, XDG_RUNTIME_DIR=other)).err, "already", "hint: ")


@test("--detach succeeds when a service runs already", users=both)
def _(it):
    daemon = it.start()
    done = it.run("chatelained", "--detach", check=0, timeout=20)
    equal(done.out + done.err, "")
    # The process that found the other one may take a moment longer to end than the one that was waited for.
    wait_until(lambda: processes(it.programs.folder) == [daemon.pid], what="the second service's end")


@test("--detach returns when clients can connect", users=both)
def _(it):
    for _ in range(5):
        it.run("chatelained", "--detach", check=0, timeout=20)
        Client(it.socket_path).close()
        it.stop_detached()


@test("--detach passes on why the service did not start")
def _(it):
    os.mkdir(it.data, 0o700)
    os.chmod(it.data, 0o777)
    done = it.run("chatelained", "--detach", timeout=20, check=1)
    contains(done.err, "error: ", it.data, "0777")
    # It may take a moment longer to end than the process that passed its error on.
    wait_until(lambda: processes(it.programs.folder) == [], what="the end of the service")


@test("another store has another service")
def _(it):
    other = Instance(it.programs, it.user)
    try:
        it.set("name", "here")
        other.set("name", "there")
        equal(len(processes(it.programs.folder)), 2)
        equal((it.get("name"), other.get("name")), (b"here", b"there"))
    finally:
        other.remove()


# MARK: What a killed service leaves behind


@test("the socket and the lock of a killed service are taken over", users=both)
def _(it):
    it.start()
    it.set("name", "secret")
    equal(it.stop(signal.SIGKILL), -signal.SIGKILL)
    assert os.path.exists(it.socket_path), "the test needs the socket that was left behind"
    daemon = it.start()
    equal(it.get("name"), b"secret")
    equal(it.pid(), daemon.pid)


@test("a client starts a service in the place of a killed one")
def _(it):
    it.set("name", "secret")
    it.stop_detached(signal.SIGKILL)
    assert os.path.exists(it.socket_path), "the test needs the socket that was left behind"
    equal(it.get("name"), b"secret")


@test("what is no socket in the socket's place is not removed")
def _(it):
    os.mkdir(os.path.dirname(it.socket_path), 0o700)
    it.own(os.path.dirname(it.socket_path))
    with open(it.socket_path, "w") as file:
        file.write("mine")
    contains(it.start_in_vain().err, "error: ", it.socket_path)
    equal(read_text(it.socket_path), "mine")


@test("programs that come while a service ends, by SIGTERM or SIGKILL, are served by the next one", users=both)
def _(it):
    def start_clients():
        streams = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return [it.popen("chatelaine", "get", "name", **streams) for _ in range(3)]

    it.set("name", "secret")
    for round in range(24):
        clients = start_clients()
        wait_until(lambda: processes(it.programs.folder), what="a service")
        for pid in processes(it.programs.folder):
            try:
                os.kill(pid, signal.SIGKILL if round % 3 == 2 else signal.SIGTERM)
            except ProcessLookupError:
                pass
        clients += start_clients()
        for client in clients:
            out, err = client.communicate(timeout=30)
            # Reading may be asked for again, so not even those notice who had asked already.
            equal((out, err), (b"secret\n", b""))


# MARK: The end


@test("{} ends the service with status 0, without socket and without write-ahead log", cases=["SIGTERM", "SIGINT"])
def _(it, name):
    it.start()
    it.set("name", "secret")
    equal(it.stop(getattr(signal, name)), 0)
    equal(os.listdir(os.path.dirname(it.socket_path)), [])
    equal([name for name in os.listdir(it.data) if name.startswith("keychain.db-")], [])
    before = digest(it.database)
    it.start()
    equal(it.get("name"), b"secret")
    it.stop()
    equal(digest(it.database), before)


@test("SIGTERM does not wait for clients that are connected and silent")
def _(it):
    it.start()
    clients = [Client(it.socket_path) for _ in range(20)]
    equal(it.stop(), 0)
    for client in clients:
        equal(client.socket.recv(1), b"")
        client.close()


@test("a client that stays connects to the next service by itself")
def _(it):
    it.start()
    client = it.popen("security", "-i", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    client.stdin.write(b"add-generic-password -a a -s s -w p\nfind-generic-password -s s -w\n")
    client.stdin.flush()
    equal(client.stdout.readline(), b"p\n")
    it.stop()
    client.stdin.write(b"find-generic-password -s s -w\n")
    client.stdin.flush()
    equal(client.stdout.readline(), b"p\n")
    client.stdin.close()
    equal(client.wait(timeout=10), 0)


# MARK: Sockets of a service manager


def listen(it, credentials=True):
    """The socket that a service manager makes; without credentials, one that knows no PassCredentials=."""
    folder = os.path.dirname(it.socket_path)
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
        it.own(folder)
    listener = socket.socket(socket.AF_UNIX)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, int(credentials))
    listener.bind(it.socket_path)
    it.own(it.socket_path, 0o600)
    # The kernel keeps the user who listens, and a user's service manager is that user.
    os.seteuid(it.user or os.geteuid())
    try:
        listener.listen(16)
    finally:
        os.seteuid(os.getuid())
    return listener


def activate(it, *words, count="1", make=None, pid="$$"):
    """Starts the service as systemd does: a listening socket as descriptor 3."""
    listener = make() if make else listen(it)
    log = open(os.path.join(it.scratch, "activated.log"), "wb")
    command = f'export LISTEN_PID={pid} LISTEN_FDS={count}; exec "$0" "$@"'
    daemon = it.popen(
        "/bin/sh", "-c", command, it.program("chatelained"), *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        pass_fds=[3], preexec_fn=lambda: os.dup2(listener.fileno(), 3))
    it.daemon = daemon
    return daemon, listener, log.name


@test("the service takes the socket that the service manager passes, and leaves it alone at the end", users=both)
def _(it):
    _, listener, _ = activate(it)
    it.set("name", "secret")
    equal(it.get("name"), b"secret")
    equal(processes(it.programs.folder), [it.daemon.pid])
    equal(it.stop(), 0)
    assert os.path.exists(it.socket_path), "the service manager's socket was removed"
    listener.close()


@test("a client that connects before the activated service is up is served, {} PassCredentials=",
      cases=["with", "without"])
def _(it, credentials):
    listener = listen(it, credentials == "with")
    early = socket.socket(socket.AF_UNIX)
    early.connect(it.socket_path)
    activate(it, make=lambda: listener)
    assert Client(early).status()[0] == INTERPRETER
    it.set("name", "secret")
    equal(it.get("name"), b"secret")
    listener.close()


@test("--idle-exit 1 ends an activated service that nobody uses, with status 0")
def _(it):
    daemon, listener, log = activate(it, "--idle-exit", "1")
    it.set("name", "secret")
    equal(daemon.wait(timeout=10), 0)
    contains(read_text(log), "nobody is connected")
    listener.close()
    equal([name for name in os.listdir(it.data) if name.startswith("keychain.db-")], [])


@test("--idle-exit does not end an activated service while a client is connected, nor one with a socket of its own")
def _(it):
    activated, listener, _ = activate(it, "--idle-exit", "1")
    other = Instance(it.programs, it.user)
    idle, third = other.start("--idle-exit", "1"), Instance(it.programs, it.user)
    with Client(it.socket_path) as client:
        # A third service measures the time: it is idle for longer than the first two have been up.
        measure, third_listener, _ = activate(third, "--idle-exit", "2")
        equal(measure.wait(timeout=15), 0)
        equal(activated.poll(), None)
        equal(client.status()[0] > 0, True)
    equal(idle.poll(), None)
    equal(activated.wait(timeout=10), 0)
    for one in (other, third):
        one.remove()
    listener.close()
    third_listener.close()


@test("a passed descriptor that is no listening Unix socket is refused with a hint")
def _(it):
    made = {
        "a pipe": lambda: os.fdopen(os.pipe()[0]),
        "an unbound socket": lambda: socket.socket(socket.AF_UNIX),
        "a datagram socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
    }
    for what, make in made.items():
        daemon, listener, log = activate(it, make=make)
        equal((what, daemon.wait(timeout=10)), (what, 1))
        contains(read_text(log), "error: the socket that the service manager passed cannot be used", "hint: ")
        listener.close()


@test("several passed sockets are refused, and those for another process are ignored")
def _(it):
    daemon, listener, log = activate(it, count="2", make=lambda: socket.socket(socket.AF_UNIX))
    equal(daemon.wait(timeout=10), 1)
    contains(read_text(log), "LISTEN_FDS is 2, expected 1")
    listener.close()
    daemon, listener, _ = activate(it, make=lambda: socket.socket(socket.AF_UNIX), pid="1")
    wait_until(lambda: it.is_listening() or daemon.poll() is not None, what="the start")
    equal(daemon.poll(), None)
    listener.close()


# MARK: Directories


@test("all directories are made with mode 0700 and all files with 0600, whatever the umask", users=both)
def _(it):
    for umask in (0o000, 0o022):
        base = os.path.join(it.scratch, f"umask {umask:03o}")
        os.mkdir(base)
        it.own(base, 0o755)
        it.directories.update(runtime=base + "/run/deep", data=base + "/data/deep")
        it.environment.update(
            XDG_RUNTIME_DIR=it.directories["runtime"], XDG_DATA_HOME=it.directories["data"],
            XDG_CONFIG_HOME=base + "/config/deep")
        it.run("chatelained", "--detach", check=0, umask=umask)
        it.set("name", "secret")
        for folder, folders, files in os.walk(base):
            for name in folders:
                equal((name, oct(mode(os.path.join(folder, name)))), (name, "0o700"))
            for name in files:
                equal((name, oct(mode(os.path.join(folder, name)))), (name, "0o600"))
        for name in ["keychain.db", "device.key", "store.lock", "audit.log", "audit.log.seal", "chatelained.log"]:
            assert os.path.exists(os.path.join(it.data, name)), f"there is no {name}"
        it.stop_detached()


@test("without XDG variables the store is below HOME")
def _(it):
    environment = {name: it.environment[name] for name in ["PATH", "HOME", "XDG_RUNTIME_DIR"]}
    it.run("chatelaine", "set", "name", input="secret", check=0, env=environment)
    it.directories["data"] = os.path.join(it.directories["home"], ".local/share")
    assert os.path.exists(it.database)
    assert os.path.isdir(os.path.join(it.directories["home"], ".config/chatelaine"))
    equal(oct(mode(it.data)), "0o700")


@test("relative and empty XDG variables are ignored")
def _(it):
    environment = dict(it.environment, XDG_DATA_HOME="relative", XDG_CONFIG_HOME="")
    it.run("chatelaine", "set", "name", input="secret", check=0, env=environment)
    it.directories["data"] = os.path.join(it.directories["home"], ".local/share")
    assert os.path.exists(it.database)
    assert not os.path.exists(os.path.join(it.scratch, "relative"))


@test("without a session directory the socket lies in a private directory of /tmp")
def _(it):
    if not is_root:
        raise LeftOut("needs root, to be a user without a session")
    # A number that no other user has, so that its place in /tmp is free.
    it.user = 1_500_000_000 + os.getpid()
    path = f"/tmp/chatelaine-{it.user}"
    for folder in [it.scratch, *it.directories.values()]:
        os.chown(folder, it.user, it.user)
    environment = {name: value for name, value in it.environment.items() if name != "XDG_RUNTIME_DIR"}
    try:
        it.run("chatelaine", "set", "name", input="secret", check=0, env=environment)
        equal(oct(mode(path)), "0o700")
        equal(os.listdir(path), ["socket"])
        it.stop_detached()
        equal(os.listdir(path), [])
    finally:
        if os.path.isdir(path):
            os.rmdir(path)


@test("a directory that others can write is refused: {}", users=both, cases=["runtime", "data", "config"])
def _(it, name):
    path = os.path.join(it.directories[name], "chatelaine")
    os.mkdir(path)
    it.own(path, 0o777)
    done = it.start_in_vain()
    contains(done.err, f"error: {path} has mode 0777", "chmod 0700")
    equal(processes(it.programs.folder), [])
    equal(os.listdir(path), [])


@test("a directory of another user is refused", users=("ordinary",))
def _(it):
    if not is_root:
        raise LeftOut("needs root, to give files away")
    for name in ["runtime", "data", "config"]:
        path = os.path.join(it.directories[name], "chatelaine")
        os.mkdir(path, 0o755)
        contains(it.start_in_vain().err, f"error: {path} belongs to user 0")
        os.rmdir(path)


@test("a symbolic link in place of a directory is refused")
def _(it):
    for name in ["runtime", "data", "config"]:
        path = os.path.join(it.directories[name], "chatelaine")
        os.symlink(it.scratch, path)
        contains(it.start_in_vain().err, f"error: {path} is a symbolic link")
        os.unlink(path)


@test("a runtime directory that others may only read is closed to them")
def _(it):
    path = os.path.dirname(it.socket_path)
    os.mkdir(path)
    it.own(path, 0o755)
    it.start()
    equal(oct(mode(path)), "0o700")


@test("a path too long for a socket is refused by both programs, with its length and the limit")
def _(it):
    path = os.path.join(it.scratch, "x" * 100)
    environment = dict(it.environment, XDG_RUNTIME_DIR=path)
    for done in [it.start_in_vain(env=environment), it.run("chatelaine", "list", env=environment, check=5)]:
        socket_path = path + "/chatelaine/socket"
        contains(done.err, "error: ", f"{socket_path} has {len(socket_path)} bytes", "107", "shorter XDG_RUNTIME_DIR")


@test("another user does not reach the socket", users=("ordinary",))
def _(it):
    if not is_root:
        raise LeftOut("needs root, to be another user")
    it.set("name", "secret")
    it.user = it.user + 1
    done = it.run("chatelaine", "list")
    assert done.returncode != 0
    lacks(done.out + done.err, "name\n")


# MARK: The command line


@test("a wrong command line ends with usage and status 64: {}", cases=["--nonsense", "word", "--idle-exit=0"])
def _(it, word):
    done = it.run("chatelained", word, check=64)
    contains(done.err, "Error: ", "Usage: chatelained")


@test("--version and --help print on standard output and start nothing")
def _(it):
    version = it.run("chatelained", "--version", check=0).out
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", version), version
    equal(it.run("chatelaine", "--version", check=0).out, version)
    contains(it.run("chatelained", "--help", check=0).out, "--detach", "--idle-exit")
    equal(os.listdir(it.directories["data"]), [])


run()
