# SPDX-License-Identifier: Apache-2.0
"""Keys for SSH in the keychain: their rules and certificates, `chatelaine setup ssh`, and attacks through the agent."""

import base64
import json
import os
import signal
import socket
import stat
import struct
import subprocess
import threading

from backup import owner_at_display
from passcode import given
from ssh_agent import (
    FAILURE, LIST, SIGN, Agent, Connection, account, agent, blob, generate, needs_sshd, new_key, open_to_bridges, servers, text, user_name, uses)
from support.instance import read_text, wait_until
from support.killing import killed_at, needs_root
from support.prompters import PinentryQuestion
from support.sentences import both, cases, contains, equal, lacks, ordinary, python

__all__ = ["account"]
SIGNED, REMOVE = b"\x0e", b"\x12"


def write(path, text_, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_)
    os.chmod(path, mode)


def begin(it, *words):
    return it.popen(*words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def ends(process, status):
    out, err = process.communicate(timeout=60)
    equal((process.returncode, err.decode() if process.returncode != status else ""), (status, ""))
    return out.decode()


def shown(question):
    return " ".join(question.said["SETDESC"].split())


def blob_of(line):
    return base64.b64decode(line.split()[1])


def signing(key):
    return SIGN + text(key) + text(b"data") + bytes(4)


def signature(connection, key):
    return connection.ask(signing(key))[:1]


class Client:
    """A connection of a program of the instance's user: the service identifies the program that connects."""

    CODE = """
import socket, struct, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
for line in sys.stdin:
    message = bytes.fromhex(line)
    connection.sendall(struct.pack(">I", len(message)) + message)
    size = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))[0]
    print(connection.recv(size, socket.MSG_WAITALL).hex(), flush=True)
"""

    def __init__(self, it, running):
        self.process = it.popen(
            it.python(), "-c", self.CODE, running.socket, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def ask(self, message):
        self.process.stdin.write(message.hex() + "\n")
        self.process.stdin.flush()
        return bytes.fromhex(self.process.stdout.readline())


# MARK: Rules

@needs_sshd
@ordinary
def test_a_key_with_a_host_logs_in_there_alone_and_the_prompt_names_user_and_host(it):
    with owner_at_display(it) as pinentry, servers(it, "one", "two") as (one, two), agent(it) as running:
        line = generate(it)
        for server in one, two:
            server.admit(line)
        it.run(
            "chatelaine", "ssh", "allow", "laptop", "--host", f"{user_name(it)}@one.example", "--known-hosts", one.known, check=0)
        login = one.begin_login()
        question = pinentry.expect("CONFIRM")
        contains(shown(question), "sign or decrypt", "laptop", f"log in as {user_name(it)} on one.example", "through chatelaine-ssh-agent")
        # Every program can run ssh.
        lacks(question.said, "SETNOTOK")
        question.answer("OK")
        equal(login.wait(timeout=60), 0)
        equal(one.accepted(), 1)
        # On this connection the agent does not even list the key.
        assert not two.login()
        public = os.path.join(it.scratch, "laptop.pub")
        write(public, line)
        uses(it, public, check=255)
        contains(running.said(), "the client did not bind its connection")
        equal(pinentry.was_started(), False)


@ordinary
def test_no_program_loosens_the_rules_without_the_owner(it):
    with owner_at_display(it) as pinentry, agent(it) as running:
        line = generate(it)
        public = os.path.join(it.scratch, "laptop.pub")
        write(public, line)
        it.run("chatelaine", "ssh", "allow", "laptop", "--program", "/usr/bin/ssh", check=0)

        def rules():
            return json.loads(it.run("chatelaine", "ssh", "allow", "laptop", "--json", check=0).out)["programs"]
        for answer, status in (PinentryQuestion.cancelled, 4), ("OK", 0):
            equal(rules(), ["/usr/bin/ssh"])
            uses(it, public, check=255)
            contains(running.said(), "by other programs only")
            command = begin(it, "chatelaine", "ssh", "allow", "laptop", "--any-program")
            question = pinentry.expect("CONFIRM")
            contains(shown(question), "change")
            question.answer(answer)
            command.communicate(timeout=60)
            equal(command.returncode == 0, status == 0)
        equal(rules(), [])
        # It stays a private item.
        signing = it.popen("ssh-keygen", "-Y", "sign", "-n", "file", "-f", public, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        signing.stdin.close()
        question = pinentry.expect("CONFIRM")
        contains(shown(question), "sign data for ‘file’")
        question.answer("OK")
        equal(signing.wait(timeout=60), 0)


@ordinary
def test_rules_count_in_the_mode_open_too_and_for_connections_that_listed_the_key_before(it):
    it.start()
    key = blob_of(generate(it))
    open_to_bridges(it)
    with agent(it) as running, Client(it, running) as connection:
        equal(connection.ask(LIST)[:5], b"\x0c\0\0\0\1")
        equal(signature(connection, key), SIGNED)
        it.run("chatelaine", "ssh", "allow", "laptop", "--program", "/usr/bin/ssh", check=0)
        equal(signature(connection, key), FAILURE)
        contains(running.said(), "by other programs only")


@ordinary
def test_a_certificate_is_offered_beside_its_key_and_both_sign(it):
    it.start()
    authority = new_key(it, "authority")
    path = new_key(it, "key")
    it.run("ssh-keygen", "-q", "-s", authority, "-I", "id", "-n", "ann", path + ".pub", check=0)
    it.run("chatelaine", "ssh", "add", path, "--name", "work", check=0)
    open_to_bridges(it)
    with agent(it):
        lines = it.run("ssh-add", "-L", check=0).out.splitlines()
        equal([line.split()[0] for line in lines], ["ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com"])
        for public in path + ".pub", path + "-cert.pub":
            it.run("ssh-add", "-T", public, check=0)
        it.run("chatelaine", "ssh", "certify", "work", "--remove", check=0)
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 1)
        it.run("ssh-keygen", "-q", "-s", authority, "-h", "-I", "id", path + ".pub", check=0)
        contains(it.run("chatelaine", "ssh", "certify", "work", path + "-cert.pub", check=1).err, "of a host")


# MARK: Moving keys

def folder(it):
    path = os.path.join(it.directories["home"], ".ssh")
    os.mkdir(path, 0o700)
    it.own(path, 0o700)
    return path


def key_in(it, path, name="id_ed25519", *words):
    it.run("ssh-keygen", "-q", *(words or ("-t", "ed25519")), "-N", "", "-C", "mine", "-f", os.path.join(path, name), check=0)
    return os.path.join(path, name)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


@both
def test_keys_are_moved_after_the_agent_has_signed_and_undo_restores_them(it):
    with owner_at_display(it) as pinentry, agent(it):
        path = folder(it)
        files = [key_in(it, path, *words) for words in [
            ("id_ed25519",), ("id_ecdsa", "-t", "ecdsa", "-b", "384"), ("id_rsa", "-t", "rsa", "-b", "2048")]]
        before = {file: contents(file) for file in files}
        os.unlink(files[1] + ".pub")
        contains(it.run("chatelaine", "doctor").out, f"{files[0]} is a private key without a passphrase")
        command = begin(it, "chatelaine", "setup", "ssh", "--yes")
        for _ in files:
            question = pinentry.expect("CONFIRM")
            contains(shown(question), "sign data of an unknown kind")
            question.answer("OK")
        ends(command, 0)
        equal(sorted(os.listdir(path)), ["id_ecdsa.pub", "id_ed25519.pub", "id_rsa.pub"])
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 3)
        # No program gets an old file without the owner.
        reading = begin(it, "chatelaine", "get", f"ssh:{files[0]}")
        pinentry.expect("CONFIRM").answer(PinentryQuestion.cancelled)
        equal(reading.communicate(timeout=60)[0], b"")
        command = begin(it, "chatelaine", "setup", "ssh", "--undo")
        for _ in files:
            for wish in "read the secret of", "delete":
                question = pinentry.expect("CONFIRM")
                contains(shown(question), wish)
                question.answer("OK")
        ends(command, 0)
        for file, old in before.items():
            equal(contents(file), old)
            equal(stat.S_IMODE(os.stat(file).st_mode), 0o600)
        it.run("ssh-add", "-L", check=1)
        equal(it.run("chatelaine", "setup", "ssh", "--undo", check=0).out, "There is nothing to undo.\n")


@ordinary
def test_a_denied_check_moves_nothing_and_keeps_nothing(it):
    with owner_at_display(it) as pinentry, agent(it):
        file = key_in(it, folder(it))
        old = contents(file)
        command = begin(it, "chatelaine", "setup", "ssh", "--yes")
        pinentry.expect("CONFIRM").answer(PinentryQuestion.cancelled)
        _, err = command.communicate(timeout=60)
        equal(command.returncode, 6)
        contains(err.decode(), f"{file} was not moved: the agent for SSH refused to use the key")
        equal(contents(file), old)
        equal(it.run("chatelaine", "ssh", check=0).out, "")
        lacks(it.run("chatelaine", "list", check=0).out, "ssh:")


@ordinary
def test_links_folders_that_cannot_be_written_and_files_in_the_way_lose_nothing(it):
    it.start()
    open_to_bridges(it)
    with agent(it):
        path = folder(it)
        file = key_in(it, path)
        old = contents(file)
        os.symlink(file, os.path.join(path, "link"))
        os.symlink("missing", os.path.join(path, "broken"))
        os.chmod(path, 0o500)
        done = it.run("chatelaine", "setup", "ssh", "--yes", check=6)
        contains(done.err, "link was not moved: it is a symbolic link", "the file cannot be removed")
        lacks(done.err, "broken")
        equal(contents(file), old)
        os.chmod(path, 0o700)
        # The second run continues.
        it.run("chatelaine", "setup", "ssh", "--yes", check=6)
        assert not os.path.exists(file)
        equal(len(it.run("chatelaine", "ssh", check=0).out.splitlines()), 2)


@ordinary
def test_an_agent_that_does_not_offer_keys_of_the_keychain_moves_nothing(it):
    it.start()
    file = key_in(it, folder(it))
    path = os.path.join(it.scratch, "other.sock")
    other = it.popen("ssh-agent", "-D", "-a", path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: os.path.exists(path), what="ssh-agent")
        environment = {**it.environment, "SSH_AUTH_SOCK": path}
        contains(
            it.run("chatelaine", "setup", "ssh", "--yes", env=environment, check=6).err, "does not offer the keys of the keychain")
        it.run("ssh-add", "-q", file, env=environment, check=0)
        contains(it.run("chatelaine", "setup", "ssh", "--yes", env=environment, check=6).err, "has the key in its memory")
        assert os.path.exists(file)
        equal(it.run("chatelaine", "ssh", check=0).out, "")
    finally:
        other.terminate()
        other.wait(timeout=60)


class HeldAgent:
    """An agent that passes messages on, and holds the number-th one until it is released."""

    def __init__(self, it, target, number):
        self.path, self.target, self.left = os.path.join(it.scratch, f"held-{number}.sock"), target, number
        self.reached = threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        os.chmod(self.path, 0o666)
        it.own(self.path, 0o600)
        self.listener.listen(8)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=[client], daemon=True).start()

    def pass_on(self, client):
        with client, Connection(self.target) as behind:
            while head := client.recv(4, socket.MSG_WAITALL):
                message = client.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL)
                self.left -= 1
                if self.left <= 0:
                    self.reached.set()
                    return
                reply = behind.ask(message)
                client.sendall(text(reply))

    def close(self):
        self.listener.close()


@cases("number", [1, 2, 3])
@ordinary
def test_a_move_that_is_killed_loses_nothing_and_the_next_one_continues(it, number):
    it.start()
    open_to_bridges(it)
    with agent(it) as running:
        file = key_in(it, folder(it))
        old = contents(file)
        held = HeldAgent(it, running.socket, number)
        try:
            command = begin_held(it, held)
            held.reached.wait(60)
            command.kill()
            command.wait(timeout=60)
        finally:
            held.close()
        equal(contents(file), old)
        it.run("chatelaine", "setup", "ssh", "--yes", check=0)
        assert not os.path.exists(file)
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 1)


def begin_held(it, held):
    return it.popen(
        "chatelaine", "setup", "ssh", "--yes", stdin=subprocess.DEVNULL, env={**it.environment, "SSH_AUTH_SOCK": held.path})


@ordinary
def test_a_move_whose_service_is_killed_loses_nothing(it):
    needs_root()
    it.start()
    open_to_bridges(it)
    it.stop()

    def move(it, check=None):
        return given(it, "setup", "ssh", "--yes", passcode_fd="hunter2", check=check).returncode
    with agent(it):
        path = folder(it)
        for number in range(1, 60, 4):
            file = key_in(it, path, f"key{number}")
            old = contents(file)
            _, killed = killed_at(it, "fsync,fdatasync,pwrite64", number, move)
            if killed:
                # The command may have started another one.
                it.status()
                it.stop_detached()
            it.start()
            given(it, "unlock", passcode_fd="hunter2", check=0)
            if os.path.exists(file):
                equal(contents(file), old)
                move(it, check=0)
            assert not os.path.exists(file)
            contains(it.run("chatelaine", "list", "--json", check=0).out, f"ssh:{os.path.realpath(file)}")
            contains(it.run("ssh-add", "-L", check=0).out, " ".join(read_text(file + ".pub").split()[:2]))
            it.stop()
            if not killed:
                break


# MARK: Attacks

@ordinary
def test_a_stranger_lists_public_keys_and_signs_with_none(it):
    it.start()
    key = blob_of(generate(it))
    with agent(it) as running, Client(it, running) as connection:
        equal(connection.ask(LIST)[:5], b"\x0c\0\0\0\1")
        equal(signature(connection, key), FAILURE)
        equal(connection.ask(REMOVE + text(key)), FAILURE)
        contains(running.said(), "the keychain does not sign")
    equal(len(it.run("chatelaine", "ssh", check=0).out.splitlines()), 2)


@ordinary
def test_an_item_of_a_stranger_with_the_public_key_of_a_key_does_not_disable_it(it):
    it.start()
    line = generate(it)
    public = os.path.join(it.scratch, "laptop.pub")
    write(public, line)
    open_to_bridges(it)
    stranger = it.programs.example("KeyTool")
    tag = "org.chatelaine.ssh " + " ".join(line.split()[:2])
    it.run(stranger, "keychain", "make", tag, "ed25519", "256", check=0)
    with agent(it):
        equal(it.run("ssh-add", "-L", check=0).out, line)
        uses(it, public)
    listed = it.run("chatelaine", "ssh", "list", check=0).out
    equal(len(listed.splitlines()), 2)
    contains(listed, "laptop")
    equal(it.run("chatelaine", "ssh", "show", "laptop", check=0).out, line)


@ordinary
def test_a_client_that_executes_another_program_has_no_keys_of_the_keychain(it):
    it.start()
    key = blob_of(generate(it))
    open_to_bridges(it)
    with agent(it) as running:
        said = python(it, """
import os, socket, struct, sys
def ask(connection, message):
    connection.sendall(struct.pack(">I", len(message)) + message)
    size = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))[0]
    return connection.recv(size, socket.MSG_WAITALL)[0]
message = bytes.fromhex(sys.argv[2])
if len(sys.argv) > 3:
    print(ask(socket.socket(fileno=int(sys.argv[3])), message), flush=True)
else:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    print(ask(connection, message), flush=True)
    connection.set_inheritable(True)
    os.execv(sys.executable, [sys.executable, "-c", CODE, sys.argv[1], sys.argv[2], str(connection.fileno())])
""".replace("CODE", "sys.orig_argv[2]"), signing(key).hex(), socket_path=running.socket)
        equal(said.split(), ["14", "5"])


@ordinary
def test_after_a_session_that_cannot_be_verified_a_key_of_the_keychain_needs_a_confirmation(it):
    it.start()
    key = blob_of(generate(it))
    host = blob(new_key(it, "host"))
    open_to_bridges(it)
    with agent(it) as running, Client(it, running) as connection:
        equal(signature(connection, key), SIGNED)
        binding = text(b"session-bind@openssh.com") + text(host) + text(b"session") + text(text(b"ssh-ed25519") + text(bytes(64))) + b"\0"
        equal(connection.ask(b"\x1b" + binding), b"\x1c")
        equal(signature(connection, key), FAILURE)
        contains(running.said(), "could not bind its connection", "the agent has no display")


@needs_sshd
@ordinary
def test_another_machine_uses_a_key_of_the_keychain_only_with_a_confirmation(it):
    it.start()
    line = generate(it)
    path = new_key(it, "key")
    open_to_bridges(it)
    with servers(it, "one") as server, agent(it) as running:
        server.admit(read_text(path + ".pub"))
        it.run("ssh-add", "-q", path, check=0)
        public = os.path.join(it.scratch, "laptop.pub")
        write(public, line)
        listed = it.run(*server.words("-A"), "ssh-add -L", check=0).out.splitlines()
        equal(len(listed), 2)
        it.run(*server.words("-A"), f"echo signed | ssh-keygen -Y sign -n file -f {public}", check=255)
        contains(running.said(), "the agent has no display")


@ordinary
def test_killed_services_and_agents_lose_no_key(it):
    it.start()
    for number, name in enumerate(["first", "second", "third"], 1):
        running = Agent(it)
        try:
            it.run("chatelaine", "ssh", "generate", name, check=0)
            with Client(it, running) as connection:
                equal(connection.ask(LIST)[4], number)
                it.daemon.kill()
                it.daemon.wait(timeout=60)
                it.start()
                # A connection that has lost the service finds it again.
                equal(connection.ask(LIST)[4], number)
        finally:
            running.process.kill()
            running.process.wait(timeout=60)
            running.process.stdout.close()


@ordinary
def test_a_key_is_stored_completely_or_not_at_all_when_the_service_is_killed(it):
    needs_root()
    path = new_key(it, "key")
    for number in range(1, 12):
        _, killed = killed_at(it, "fsync,fdatasync,pwrite64", number, lambda it: it.run("chatelaine", "ssh", "add", path).returncode)
        if killed:
            # The command may have started another one.
            it.status()
            it.stop_detached()
        it.start()
        listed = json.loads(it.run("chatelaine", "ssh", "--json", check=0).out)
        assert len(listed) <= 1
        if listed:
            equal(listed[0]["publicKey"], " ".join(read_text(path + ".pub").split()[:2]))
            it.run("chatelaine", "ssh", "remove", "key", check=0)
        it.stop()
        if not killed:
            break


@ordinary
def test_a_stopped_service_delays_the_keys_in_memory_for_a_bounded_time(it):
    it.start()
    generate(it)
    path = new_key(it, "key")
    with agent(it) as running:
        it.run("ssh-add", "-q", path, check=0)
        it.daemon.send_signal(signal.SIGSTOP)
        try:
            equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 1)
            it.run("ssh-add", "-T", path + ".pub", check=0)
            contains(running.said(), "cannot be listed")
        finally:
            it.daemon.send_signal(signal.SIGCONT)
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 2)


@ordinary
def test_ten_thousand_connections_leave_an_agent_that_serves(it):
    path = new_key(it, "key")
    with agent(it) as running:
        it.run("ssh-add", "-q", path, check=0)
        key = blob(path)
        for _ in range(10_000):
            with Connection(running.socket):
                pass
        # More at the same time than one process may have: the longest idle ones give way, and others are served.
        held = [Connection(running.socket) for _ in range(300)]
        equal(signature(held[-1], key), SIGNED)
        it.run("ssh-add", "-l", check=0)
        alive = [connection for connection in held if is_served(connection, key)]
        equal(len(alive), 128)
        # Half of a message holds no other connection up.
        alive[0].socket.sendall(b"\0\0\1\0\x0d")
        equal(signature(alive[1], key), SIGNED)
        for connection in held:
            connection.socket.close()
        wait_until(lambda: serves(running, key), what="a free connection")


def serves(running, key):
    with Connection(running.socket) as connection:
        return is_served(connection, key)


def is_served(connection, key):
    try:
        return signature(connection, key) == SIGNED
    except (EOFError, ConnectionError):
        return False
