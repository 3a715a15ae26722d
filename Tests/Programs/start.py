# SPDX-License-Identifier: Apache-2.0
"""How the service starts, who starts it, and how it ends."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest

from support.instance import Instance, digest, is_root, mode, ordinary_user, processes, read_text, wait_until
from support.sentences import both, cases, contains, equal, lacks, ordinary
from support.system import covering
from support.wire import INTERPRETER, Client

# MARK: By a client


@both
def test_the_first_program_that_needs_the_service_starts_it(it):
    equal(processes(it.programs.folder), [])
    it.set("name", "secret")
    # The process that started it may take a moment longer to end than the client that waited for the service.
    wait_until(lambda: processes(it.programs.folder) == [it.pid()], what="one service only")
    equal(it.get("name"), b"secret")
    equal(processes(it.programs.folder), [it.pid()])


@both
def test_twenty_programs_at_once_start_one_service(it):
    clients = [
        it.popen("chatelaine", "set", f"name {n}", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for n in range(20)
    ]
    for n, client in enumerate(clients):
        client.stdin.write(b"secret %d" % n)
    for client in clients:
        client.stdin.close()
    equal([client.wait(timeout=120) for client in clients], [0] * 20)
    wait_until(lambda: processes(it.programs.folder) == [it.pid()], what="one service only")
    equal(len(it.list()), 20)
    equal(it.get("name 7"), b"secret 7")


def test_a_start_after_a_kill_reads_the_log_and_of_a_large_database_no_more_than_it_needs(it):
    if not is_root:
        pytest.skip("only root may look at what the service reads")
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


def test_the_program_that_started_the_service_keeps_no_child_and_no_zombie(it):
    client = it.popen("security", "-i", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    client.stdin.write(b"find-generic-password -s none\n")
    client.stdin.flush()
    contains(client.stderr.readline().decode(), "could not be found")
    service = it.pid()
    wait_until(lambda: processes(it.programs.folder) == [service], what="the end of the programs that started the service")
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
    client.wait(timeout=60)
    assert it.pid() in processes(it.programs.folder), "the service ended with its client"


def test_a_started_service_has_a_session_of_its_own_and_keeps_no_descriptor_of_the_program_that_started(it):
    """A started service has a session of its own and keeps no descriptor of the program that started it."""
    if not is_root:
        pytest.skip("only root may look at the service's descriptors")
    reading, writing = os.pipe()
    it.run("chatelaine", "list", check=0, pass_fds=[writing])
    os.close(writing)
    # End of file at once, because no other process holds the other end.
    os.set_blocking(reading, False)
    equal(os.read(reading, 1), b"")
    os.close(reading)
    pid = it.pid()
    equal(int(read_text(f"/proc/{pid}/stat").rpartition(")")[2].split()[3]), pid)
    for stream in range(3):
        equal(os.readlink(f"/proc/{pid}/fd/{stream}"), "/dev/null")


def test_a_client_that_finds_no_service_program_says_where_it_looked(it):
    alone = os.path.join(it.scratch, "alone")
    os.mkdir(alone, 0o755)
    program = it.programs.copy(it.program("chatelaine"), os.path.join(alone, "chatelaine"))
    environment = dict(it.environment, PATH="/nowhere")
    # A service that is installed on this machine is not seen.
    installed = [path for path in ["/usr/local/bin/chatelained", "/usr/bin/chatelained"] if os.path.exists(path)]
    done = it.run(*covering(dict.fromkeys(installed, "/dev/null"), [program, "list"]), env=environment, check=5)
    contains(done.err, "error: ", "/nowhere/chatelained", f"{alone}/chatelained", "hint: ")


def test_a_service_that_cannot_start_is_reported_to_the_client_that_wanted_it(it):
    os.mkdir(it.data, 0o700)
    it.own(it.data)
    with open(it.database, "w") as file:
        file.write("this is a text, and no database" * 50)
    it.own(it.database, 0o600)
    for words in ["list"], ["get", "name"], ["status"]:
        done = it.run("chatelaine", *words, check=5)
        contains(done.err, "error: the keychain service could not be started: ", it.data)
        lacks(done.err, "ended with status", "PATH")
    reason = done.err.splitlines()[0].partition("started: ")[2]
    contains(it.run("chatelaine", "doctor", check=7).out, reason)
    contains(read_text(os.path.join(it.data, "chatelained.log")), "error: the service does not start: " + reason)


def test_a_folder_that_others_can_write_is_named_to_the_client_that_wanted_the_service(it):
    os.mkdir(it.data)
    os.chmod(it.data, 0o777)
    for words, status in (["get", "name"], 5), (["status"], 5), (["doctor"], 7):
        done = it.run("chatelaine", *words, check=status)
        contains(done.out + done.err, f"could not be started: {it.data} has mode 0777", "chmod 0700 " + it.data)
        lacks(done.out + done.err, "ended with status")


def test_a_client_that_looks_for_the_socket_elsewhere_is_told_that_the_store_is_served(it):
    it.start()
    other = os.path.join(it.scratch, "other")
    os.mkdir(other, 0o700)
    it.own(other)
    done = it.run("chatelaine", "status", check=5, env=dict(it.environment, XDG_RUNTIME_DIR=other))
    contains(done.err, "another service already serves the keychain " + it.database, "XDG_RUNTIME_DIR")


# MARK: One service for one store


@both
def test_a_second_service_ends_with_a_message_and_the_first_one_goes_on(it):
    daemon = it.start()
    it.set("name", "secret")
    done = it.start_in_vain()
    equal(done.returncode, 1)
    contains(done.err, f"error: process {daemon.pid} already serves {it.data}\n", "hint: ")
    equal(done.out, "")
    equal(it.get("name"), b"secret")


def test_a_second_service_is_refused_for_another_socket_of_the_same_store_as_well(it):
    it.start()
    other = os.path.join(it.scratch, "other")
    os.mkdir(other, 0o700)
    it.own(other)
    contains(it.start_in_vain(env=dict(it.environment, XDG_RUNTIME_DIR=other)).err, "already", "hint: ")


@both
def test_detach_succeeds_when_a_service_runs_already(it):
    daemon = it.start()
    done = it.run("chatelained", "--detach", check=0)
    equal(done.out + done.err, "")
    # The process that found the other service may take a moment longer to end than the process that the test waited
    # for.
    wait_until(lambda: processes(it.programs.folder) == [daemon.pid], what="the second service's end")


@both
def test_detach_returns_when_clients_can_connect(it):
    for _ in range(5):
        it.run("chatelained", "--detach", check=0)
        Client(it.socket_path).close()
        it.stop_detached()


def test_detach_passes_on_why_the_service_did_not_start(it):
    os.mkdir(it.data, 0o700)
    os.chmod(it.data, 0o777)
    done = it.run("chatelained", "--detach", check=1)
    contains(done.err, "error: ", it.data, "0777")
    # It may take a moment longer to end than the process that passed its error on.
    wait_until(lambda: processes(it.programs.folder) == [], what="the end of the service")


def test_another_store_has_another_service(it):
    other = Instance(it.programs, it.user)
    try:
        it.set("name", "here")
        other.set("name", "there")
        wait_until(lambda: sorted(processes(it.programs.folder)) == sorted([it.pid(), other.pid()]), what="two services")
        equal((it.get("name"), other.get("name")), (b"here", b"there"))
    finally:
        other.remove()


# MARK: What a killed service leaves behind


@both
def test_the_socket_and_the_lock_of_a_killed_service_are_taken_over(it):
    it.start()
    it.set("name", "secret")
    equal(it.stop(signal.SIGKILL), -signal.SIGKILL)
    assert os.path.exists(it.socket_path), "the test needs the socket that was left behind"
    daemon = it.start()
    equal(it.get("name"), b"secret")
    equal(it.pid(), daemon.pid)


def test_a_client_starts_a_service_in_the_place_of_a_killed_one(it):
    it.set("name", "secret")
    it.stop_detached(signal.SIGKILL)
    assert os.path.exists(it.socket_path), "the test needs the socket that was left behind"
    equal(it.get("name"), b"secret")


def test_a_file_other_than_a_socket_in_the_sockets_place_is_not_removed(it):
    os.mkdir(os.path.dirname(it.socket_path), 0o700)
    it.own(os.path.dirname(it.socket_path))
    with open(it.socket_path, "w") as file:
        file.write("mine")
    contains(it.start_in_vain().err, "error: ", it.socket_path)
    equal(read_text(it.socket_path), "mine")


@both
def test_programs_that_come_while_a_service_ends_by_sigterm_or_sigkill_are_served_by_the_next_one(it):
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
            out, err = client.communicate(timeout=120)
            # Reading may be asked for again, so not even those notice who had asked already.
            equal((out, err), (b"secret\n", b""))


# MARK: The end


@cases("name", ["SIGTERM", "SIGINT"])
def test_ends_the_service_with_status_0_without_socket_and_without_write_ahead_log(it, name):
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


def test_sigterm_does_not_wait_for_clients_that_are_connected_and_silent(it):
    it.start()
    clients = [Client(it.socket_path) for _ in range(20)]
    equal(it.stop(), 0)
    for client in clients:
        equal(client.socket.recv(1), b"")
        client.close()


def test_a_client_that_stays_connects_to_the_next_service_by_itself(it):
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
    equal(client.wait(timeout=60), 0)


@both
def test_a_service_ends_when_its_runtime_folder_is_removed(it):
    daemon = it.start()
    it.set("name", "secret")
    shutil.rmtree(os.path.dirname(it.socket_path))
    equal(daemon.wait(timeout=60), 0)
    contains(read_text(it.log), "the runtime folder was removed")
    # The store is intact, and the next client starts the next service.
    equal(it.get("name"), b"secret")


# MARK: Sockets of a service manager


def listen(it, credentials=True):
    """The socket that a service manager makes; without credentials, like a manager that does not know PassCredentials=."""
    folder = os.path.dirname(it.socket_path)
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
        it.own(folder)
    listener = socket.socket(socket.AF_UNIX)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, int(credentials))
    listener.bind(it.socket_path)
    it.own(it.socket_path, 0o600)
    # The kernel records the user of the listening process, and systemd's user manager runs as that user.
    os.seteuid(it.user or os.geteuid())
    try:
        listener.listen(16)
    finally:
        os.seteuid(os.getuid())
    return listener


def connected(it):
    """A socket of a client that waits in the listener's queue."""
    early = socket.socket(socket.AF_UNIX)
    early.connect(it.socket_path)
    return early


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


@both
def test_the_service_takes_the_socket_that_the_service_manager_passes_and_leaves_it_alone_at_the_end(it):
    _, listener, _ = activate(it)
    it.set("name", "secret")
    equal(it.get("name"), b"secret")
    equal(processes(it.programs.folder), [it.daemon.pid])
    equal(it.stop(), 0)
    assert os.path.exists(it.socket_path), "the service manager's socket was removed"
    listener.close()


@cases("credentials", ["with", "without"])
def test_a_client_that_connects_before_the_activated_service_is_up_is_served_passcredentials(it, credentials):
    listener = listen(it, credentials == "with")
    early = connected(it)
    activate(it, make=lambda: listener)
    assert Client(early).status()[0] == INTERPRETER
    it.set("name", "secret")
    equal(it.get("name"), b"secret")
    listener.close()


def test_idle_exit_1_ends_an_unused_activated_service_with_status_0(it):
    # A client is connected before the service is, so that it is not idle before the item is there.
    listener = listen(it)
    with connected(it) as early:
        daemon, _, log = activate(it, "--idle-exit", "1", make=lambda: listener)
        Client(early)
        it.set("name", "secret")
    equal(daemon.wait(timeout=60), 0)
    contains(read_text(log), "no client is connected")
    listener.close()
    equal([name for name in os.listdir(it.data) if name.startswith("keychain.db-")], [])


def test_idle_exit_does_not_end_an_activated_service_while_a_client_is_connected(it):
    """--idle-exit does not end an activated service while a client is connected, nor one with a socket of its own."""
    listener = listen(it)
    other, third = Instance(it.programs, it.user), Instance(it.programs, it.user)
    with connected(it) as early:
        activated, _, _ = activate(it, "--idle-exit", "1", make=lambda: listener)
        client = Client(early)
        idle = other.start("--idle-exit", "1")
        # A third service measures the time: it is idle, from now on, for longer than the first two would have to be.
        measure, third_listener, _ = activate(third, "--idle-exit", "2")
        equal(measure.wait(timeout=60), 0)
        equal(activated.poll(), None)
        equal(client.status()[0] > 0, True)
    equal(idle.poll(), None)
    equal(activated.wait(timeout=60), 0)
    for one in (other, third):
        one.remove()
    listener.close()
    third_listener.close()


def test_a_passed_descriptor_that_is_no_listening_unix_socket_is_refused_with_a_hint(it):
    made = {
        "a pipe": lambda: os.fdopen(os.pipe()[0]),
        "an unbound socket": lambda: socket.socket(socket.AF_UNIX),
        "a datagram socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
    }
    for what, make in made.items():
        daemon, listener, log = activate(it, make=make)
        equal((what, daemon.wait(timeout=60)), (what, 1))
        contains(read_text(log), "error: the socket that the service manager passed cannot be used", "hint: ")
        listener.close()


def test_several_passed_sockets_are_refused_and_those_for_another_process_are_ignored(it):
    daemon, listener, log = activate(it, count="2", make=lambda: socket.socket(socket.AF_UNIX))
    equal(daemon.wait(timeout=60), 1)
    contains(read_text(log), "LISTEN_FDS is 2, expected 1")
    listener.close()
    daemon, listener, _ = activate(it, make=lambda: socket.socket(socket.AF_UNIX), pid="1")
    wait_until(lambda: it.is_listening() or daemon.poll() is not None, what="the start")
    equal(daemon.poll(), None)
    listener.close()


# MARK: Directories


@both
def test_all_directories_are_made_with_mode_0700_and_all_files_with_0600_whatever_the_umask(it):
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


def test_without_xdg_variables_the_store_is_below_home(it):
    environment = {name: it.environment[name] for name in ["PATH", "HOME", "XDG_RUNTIME_DIR"]}
    it.run("chatelaine", "set", "name", input="secret", check=0, env=environment)
    it.directories["data"] = os.path.join(it.directories["home"], ".local/share")
    assert os.path.exists(it.database)
    assert os.path.isdir(os.path.join(it.directories["home"], ".config/chatelaine"))
    equal(oct(mode(it.data)), "0o700")


def test_relative_and_empty_xdg_variables_are_ignored(it):
    environment = dict(it.environment, XDG_DATA_HOME="relative", XDG_CONFIG_HOME="")
    it.run("chatelaine", "set", "name", input="secret", check=0, env=environment)
    it.directories["data"] = os.path.join(it.directories["home"], ".local/share")
    assert os.path.exists(it.database)
    assert not os.path.exists(os.path.join(it.scratch, "relative"))


def test_without_a_session_directory_the_socket_lies_in_a_private_directory_of_tmp(it):
    if not is_root:
        pytest.skip("needs root, to be a user without a session")
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


@cases("what", ["a folder", "a link"])
def test_what_another_user_prepared_in_tmp_gets_no_request_and_no_service(it, what):
    """Where a session has no directory, every user can make the socket's folder in /tmp first, and listen there."""
    if not is_root:
        pytest.skip("needs root, to be two other users")
    it.user, other = 1_500_000_000 + os.getpid(), ordinary_user
    path, elsewhere = f"/tmp/chatelaine-{it.user}", os.path.join(it.scratch, "elsewhere")
    for folder in [it.scratch, *it.directories.values()]:
        os.chown(folder, it.user, it.user)
    prepared = path if what == "a folder" else elsewhere
    os.mkdir(prepared)
    if what == "a link":
        os.symlink(elsewhere, path)
    environment = {name: value for name, value in it.environment.items() if name != "XDG_RUNTIME_DIR"}
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.join(prepared, "socket"))
            listener.listen()
            listener.setblocking(False)
            for owned in [prepared, os.path.join(prepared, "socket")]:
                os.chmod(owned, 0o777)
                os.chown(owned, other, other)
            os.chown(path, other, other, follow_symlinks=False)
            done = it.run("chatelaine", "set", "name", input="s3cret", env=environment)
            assert done.returncode != 0
            contains(it.start_in_vain(env=environment).err, f"error: {path} ")
            heard = b""
            with contextlib.suppress(BlockingIOError):
                while True:
                    with listener.accept()[0] as connection:
                        heard += connection.recv(1000)
            equal(heard, b"")
        equal(os.listdir(prepared), ["socket"])
    finally:
        if what == "a link":
            os.unlink(path)
        shutil.rmtree(prepared)


@both
@cases("name", ["runtime", "data", "config"])
def test_a_directory_that_others_can_write_is_refused(it, name):
    path = os.path.join(it.directories[name], "chatelaine")
    os.mkdir(path)
    it.own(path, 0o777)
    done = it.start_in_vain()
    contains(done.err, f"error: {path} has mode 0777", "chmod 0700")
    equal(processes(it.programs.folder), [])
    equal(os.listdir(path), [])


@ordinary
def test_a_directory_of_another_user_is_refused(it):
    if not is_root:
        pytest.skip("needs root, to give files away")
    for name in ["runtime", "data", "config"]:
        path = os.path.join(it.directories[name], "chatelaine")
        os.mkdir(path, 0o755)
        contains(it.start_in_vain().err, f"error: {path} belongs to user 0")
        os.rmdir(path)


def test_a_symbolic_link_in_place_of_a_directory_is_refused(it):
    for name in ["runtime", "data", "config"]:
        path = os.path.join(it.directories[name], "chatelaine")
        os.symlink(it.scratch, path)
        contains(it.start_in_vain().err, f"error: {path} is a symbolic link")
        os.unlink(path)


def test_a_runtime_directory_that_others_may_only_read_is_closed_to_them(it):
    path = os.path.dirname(it.socket_path)
    os.mkdir(path)
    it.own(path, 0o755)
    it.start()
    equal(oct(mode(path)), "0o700")


def test_a_path_too_long_for_a_socket_is_refused_by_both_programs_with_its_length_and_the_limit(it):
    path = os.path.join(it.scratch, "x" * 100)
    environment = dict(it.environment, XDG_RUNTIME_DIR=path)
    for done in [it.start_in_vain(env=environment), it.run("chatelaine", "list", env=environment, check=5)]:
        socket_path = path + "/chatelaine/socket"
        contains(done.err, "error: ", f"{socket_path} has {len(socket_path)} bytes", "107", "shorter XDG_RUNTIME_DIR")


@ordinary
def test_another_user_does_not_reach_the_socket(it):
    if not is_root:
        pytest.skip("needs root, to be another user")
    it.set("name", "secret")
    it.user = it.user + 1
    done = it.run("chatelaine", "list")
    assert done.returncode != 0
    lacks(done.out + done.err, "name\n")


# MARK: The command line


@cases("word", ["--nonsense", "word", "--idle-exit=0"])
def test_a_wrong_command_line_ends_with_usage_and_status_64(it, word):
    done = it.run("chatelained", word, check=64)
    contains(done.err, "Error: ", "Usage: chatelained")


def test_version_and_help_print_on_standard_output_and_start_nothing(it):
    version = it.run("chatelained", "--version", check=0).out
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", version), version
    equal(it.run("chatelaine", "--version", check=0).out, version)
    contains(it.run("chatelained", "--help", check=0).out, "--detach", "--idle-exit")
    equal(os.listdir(it.directories["data"]), [])
