# SPDX-License-Identifier: Apache-2.0
"""The agent for SSH, with the programs of OpenSSH and git: ssh-add, ssh, sshd on loopback, ssh-keygen, git."""

import base64
import contextlib
import os
import pwd
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading

import pytest

from passcode import given
from support.instance import has_ended, ordinary_user, read_text, root_of_repository, wait_until
from support.sentences import both, cases, contains, equal, lacks, ordinary, python

SSHD = "/usr/sbin/sshd"
LIST, SIGN, FAILURE = b"\x0b", b"\x0d", b"\x05"
needs_sshd = pytest.mark.skipif(not os.path.exists(SSHD), reason="there is no sshd")


@pytest.fixture(scope="module", autouse=True)
def account(tmp_path_factory):
    """An account for the ordinary user of the tests: the programs of OpenSSH run for no other user. It is in the mount namespace of the
    tests only."""
    if os.geteuid() != 0:
        yield
        return
    if " /etc/passwd " not in read_text("/proc/self/mountinfo"):
        pytest.skip("the tests have no list of accounts of their own: run them with Tools/test-programs")
    accounts = tmp_path_factory.mktemp("accounts") / "passwd"
    accounts.write_text(read_text("/etc/passwd") + f"ann-of-a-test:x:{ordinary_user}:{ordinary_user}::/nonexistent:/bin/sh\n")
    accounts.chmod(0o644)
    subprocess.run(["mount", "--bind", accounts, "/etc/passwd"], check=True)
    yield
    subprocess.run(["umount", "/etc/passwd"], check=True)


def program(it):
    """The agent, beside the keychain service."""
    path = os.path.join(it.programs.folder, "chatelaine-ssh-agent")
    if not os.path.exists(path):
        folder = os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
        it.programs.copy(os.path.join(folder, "chatelaine-ssh-agent"), path)
    return path


class Agent:
    """A running agent, which the programs of the instance find by their environment."""

    def __init__(self, it, *words, **variables):
        self.it = it
        self.socket = os.path.join(it.scratch, "agent.sock")
        self.log = os.path.join(it.scratch, "agent.log")
        environment = {**it.environment, **variables}
        with open(self.log, "ab") as log:
            self.process = it.popen(
                program(it), "-D", "-a", self.socket, *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                env=environment)
        line = self.process.stdout.readline().decode()
        equal(line, f"SSH_AUTH_SOCK={self.socket}; export SSH_AUTH_SOCK;\n")
        equal(self.process.stdout.readline().decode(), f"echo Agent pid {self.process.pid};\n")
        it.environment["SSH_AUTH_SOCK"] = self.socket

    def said(self):
        return read_text(self.log)

    def end(self):
        """Ends it, and returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        return status

    def ask(self, message):
        """The answer to one message, without its length."""
        with Connection(self.socket) as connection:
            return connection.ask(message)


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        # With a time limit, the call would fail while too many connections wait.
        self.socket.connect(path)
        self.socket.settimeout(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, message):
        self.socket.sendall(struct.pack(">I", len(message)) + message)
        return self.receive(struct.unpack(">I", self.receive(4))[0])

    def receive(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data


@contextlib.contextmanager
def agent(it, *words, **variables):
    running = Agent(it, *words, **variables)
    try:
        yield running
        equal(running.process.poll(), None)
    finally:
        if running.process.poll() is None:
            equal(running.end(), 0)


def text(data):
    return struct.pack(">I", len(data)) + data


def new_key(it, name, *words):
    """A key of ssh-keygen without a passphrase, of Ed25519 by default."""
    path = os.path.join(it.scratch, name)
    if "-t" not in words:
        words = ("-t", "ed25519", *words)
    it.run("ssh-keygen", "-q", "-N", "", "-C", f"{name} comment", "-f", path, *words, check=0)
    return path


def blob(path):
    """The bytes of a public key."""
    return base64.b64decode(read_text(path + ".pub").split()[1])


def uses(it, path, check=0):
    """Signs with the key of a public file, which the agent has."""
    it.run("ssh-keygen", "-Y", "sign", "-n", "file", "-f", path, input="signed\n", check=check)


def user_name(it):
    return pwd.getpwuid(it.user or os.getuid()).pw_name


TYPES = [("ed25519", "-t", "ed25519"), ("p256", "-t", "ecdsa", "-b", "256"), ("p384", "-t", "ecdsa", "-b", "384"),
         ("p521", "-t", "ecdsa", "-b", "521"), ("rsa", "-t", "rsa", "-b", "3072")]


# ssh-add and ssh-keygen

@both
def test_ssh_add_adds_lists_uses_and_removes_keys_of_all_types(it):
    with agent(it) as running:
        equal(it.run("ssh-add", "-l", check=1).out, "The agent has no identities.\n")
        for name, *words in TYPES:
            path = new_key(it, name, *words)
            it.run("ssh-add", "-q", path, check=0)
            os.unlink(path)
            uses(it, path + ".pub")
            # ssh-add verifies a signature of the agent. Of RSA keys it requests one with SHA-1.
            it.run("ssh-add", "-T", path + ".pub", check=1 if name == "rsa" else 0)
        lines = it.run("ssh-add", "-L", check=0).out.splitlines()
        equal(lines, [read_text(os.path.join(it.scratch, name + ".pub")).strip() for name, *_ in TYPES])
        it.run("ssh-add", "-q", "-d", os.path.join(it.scratch, "p384.pub"), check=0)
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), len(TYPES) - 1)
        it.run("ssh-add", "-q", "-D", check=0)
        equal(it.run("ssh-add", "-l", check=1).out, "The agent has no identities.\n")
        # ssh-add -D also sends a request of the first version of the protocol.
        contains(running.said(), "the request is not supported")


@ordinary
def test_an_option_allows_rsa_with_sha1(it):
    path = new_key(it, "key", "-t", "rsa")
    with agent(it, "-O", "allow-rsa-sha1"):
        it.run("ssh-add", "-q", path, check=0)
        it.run("ssh-add", "-T", path + ".pub", check=0)


@ordinary
def test_certificates_are_added_with_their_keys(it):
    authority = new_key(it, "authority")
    with agent(it):
        for name, *words in TYPES:
            path = new_key(it, name, *words)
            it.run("ssh-keygen", "-q", "-s", authority, "-I", "id", "-n", "ann", path + ".pub", check=0)
            it.run("ssh-add", "-q", path, check=0)
            if name != "rsa":
                it.run("ssh-add", "-T", path + "-cert.pub", check=0)
        equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 2 * len(TYPES))


@ordinary
def test_a_locked_agent_has_no_keys_until_it_is_unlocked(it):
    path = new_key(it, "key")
    asking = os.path.join(it.scratch, "ask")
    with open(asking, "w", encoding="ascii") as file:
        file.write('#!/bin/sh\ncat "$WORD"\n')
    os.chmod(asking, 0o755)
    word = os.path.join(it.scratch, "word")

    def lock(option, passphrase, check):
        with open(word, "w", encoding="ascii") as file:
            file.write(passphrase + "\n")
        os.chmod(word, 0o644)
        it.run(
            "ssh-add", option, check=check,
            env={**it.environment, "SSH_ASKPASS": asking, "SSH_ASKPASS_REQUIRE": "force", "WORD": word})
    with agent(it):
        it.run("ssh-add", "-q", path, check=0)
        lock("-x", "sesame", 0)
        it.run("ssh-add", "-l", check=1)
        it.run("ssh-add", "-T", path + ".pub", check=1)
        lock("-X", "wrong", 1)

        def unlocks():
            with contextlib.suppress(AssertionError):
                lock("-X", "sesame", 0)
                return True
        wait_until(unlocks, what="the next attempt")
        it.run("ssh-add", "-T", path + ".pub", check=0)


@cases("word, status, expected", [("yes", 0, 0), ("", 0, 0), ("no", 0, 1), ("yes", 1, 1)])
@ordinary
def test_a_key_with_confirmation_asks_for_each_signature(it, word, status, expected):
    path = new_key(it, "key")
    question = os.path.join(it.scratch, "question")
    asking = os.path.join(it.scratch, "ask")
    with open(asking, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$SSH_ASKPASS_PROMPT" "$1" >>{question}\necho {word}\nexit {status}\n')
    os.chmod(asking, 0o755)
    with agent(it, SSH_ASKPASS=asking, SSH_ASKPASS_REQUIRE="force"):
        it.run("ssh-add", "-q", "-c", path, check=0)
        it.run("ssh-add", "-T", path + ".pub", check=expected)
        contains(
            read_text(question), "confirm\nAllow ssh-add (process ", "to sign data of an unknown kind with the key ‘key comment’?")


@ordinary
def test_many_requests_show_one_confirmation_and_after_three_denials_none(it):
    path = new_key(it, "key")
    questions, answers, asking = (os.path.join(it.scratch, name) for name in ("questions", "answers", "ask"))
    os.mkfifo(answers)
    with open(asking, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\necho asked >>{questions}\nread -r answer <{answers}\nexit 1\n")
    os.chmod(asking, 0o755)

    def asked():
        return len(read_text(questions).splitlines()) if os.path.exists(questions) else 0

    ended = []
    message = SIGN + text(blob(path)) + text(b"data") + bytes(4)
    with agent(it, SSH_ASKPASS=asking, SSH_ASKPASS_REQUIRE="force") as running:
        it.run("ssh-add", "-q", "-c", path, check=0)
        clients = [threading.Thread(target=lambda: ended.append(running.ask(message))) for _ in range(20)]
        for client in clients:
            client.start()
        # One is shown and two wait; the others are refused at once.
        wait_until(lambda: len(ended) == 17, what="the refusals")
        for number in range(1, 4):
            wait_until(lambda: asked() == number, what="the prompt")
            with open(answers, "w", encoding="ascii") as file:
                file.write("no\n")
        for client in clients:
            client.join(60)
        equal(ended, [FAILURE] * 20)
        equal(running.ask(message), FAILURE)
        equal(asked(), 3)
        contains(running.said(), "too many prompts wait for the user already", "the user has denied 3 prompts of the client")


@ordinary
def test_without_a_display_a_confirmation_is_refused(it):
    path = new_key(it, "key")
    with agent(it) as running:
        it.run("ssh-add", "-q", "-c", path, check=0)
        it.run("ssh-add", "-T", path + ".pub", check=1)
        contains(running.said(), "the agent has no display")


@ordinary
def test_a_key_with_a_lifetime_is_removed(it):
    path = new_key(it, "key")
    with agent(it, "-t", "1h"):
        it.run("ssh-add", "-q", "-t", "1", path, check=0)
        wait_until(lambda: it.run("ssh-add", "-l").returncode == 1, what="the end of the lifetime")
        it.run("ssh-add", "-q", path, check=0)
        it.run("ssh-add", "-l", check=0)


@ordinary
def test_ssh_keygen_and_git_sign_with_the_agent(it):
    path = new_key(it, "key")
    signers = os.path.join(it.scratch, "signers")
    with open(signers, "w", encoding="ascii") as file:
        file.write("ann@example.com " + read_text(path + ".pub"))
    message = os.path.join(it.scratch, "message")
    with open(message, "w", encoding="ascii") as file:
        file.write("signed\n")
    with agent(it):
        it.run("ssh-add", "-q", path, check=0)
        os.unlink(path)
        signature = it.run("ssh-keygen", "-Y", "sign", "-n", "file", "-f", path + ".pub", input="signed\n", check=0)
        with open(message + ".sig", "wb") as file:
            file.write(signature.stdout)
        it.run(
            "ssh-keygen", "-Y", "verify", "-n", "file", "-f", signers, "-I", "ann@example.com", "-s", message + ".sig",
            input="signed\n", check=0)
        if not shutil.which("git"):
            pytest.skip("git is not installed")
        folder = os.path.join(it.scratch, "repository")
        os.mkdir(folder)
        it.own(folder)
        settings = [
            "-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "gpg.format=ssh", "-c", f"user.signingKey={path}.pub",
            "-c", f"gpg.ssh.allowedSignersFile={signers}"]
        it.run("git", "init", "-q", cwd=folder, check=0)
        it.run("git", *settings, "commit", "-q", "-S", "--allow-empty", "-m", "signed", cwd=folder, check=0)
        it.run("git", *settings, "verify-commit", "HEAD", cwd=folder, check=0)


# The command line

@both
def test_the_output_and_the_variables_are_those_of_openssh(it):
    own = it.run(program(it), "-s", check=0).out
    other = it.run("ssh-agent", "-s", check=0).out
    numbers = []
    for printed in own, other:
        [number] = re.findall(r"SSH_AGENT_PID=(\d+)", printed)
        [path] = re.findall(r"SSH_AUTH_SOCK=([^;]+)", printed)
        numbers.append((number, path))
        assert os.stat(path).st_mode & 0o777 == 0o600 and os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700

    def shape(printed):
        return re.sub(r"\d+", "N", re.sub(r"ssh-\w+/agent", "ssh-X/agent", printed))
    equal(shape(own), shape(other))
    for (number, path), name in zip(numbers, (program(it), "ssh-agent")):
        environment = {**it.environment, "SSH_AGENT_PID": number, "SSH_AUTH_SOCK": path}
        equal(it.run("ssh-add", "-l", env=environment, check=1).out, "The agent has no identities.\n")
        printed = it.run(name, "-k", env=environment, check=0).out
        equal(printed, f"unset SSH_AUTH_SOCK;\nunset SSH_AGENT_PID;\necho Agent pid {number} killed;\n")
        wait_until(lambda path=path: not os.path.exists(os.path.dirname(path)), what="the removal of the folder")


@ordinary
def test_the_output_for_a_c_shell_is_that_of_openssh(it):
    environment = {**it.environment, "SHELL": "/bin/tcsh"}
    printed = it.run(program(it), env=environment, check=0).out
    assert re.fullmatch(r"setenv SSH_AUTH_SOCK \S+;\nsetenv SSH_AGENT_PID \d+;\necho Agent pid \d+;\n", printed), printed
    [number] = re.findall(r"SSH_AGENT_PID (\d+)", printed)
    printed = it.run(program(it), "-c", "-k", env={**environment, "SSH_AGENT_PID": number}, check=0).out
    equal(printed, f"unsetenv SSH_AUTH_SOCK;\nunsetenv SSH_AGENT_PID;\necho Agent pid {number} killed;\n")


@ordinary
def test_an_agent_of_a_command_ends_with_it(it):
    done = it.run(
        program(it), "-t", "60", "sh", "-c", 'ssh-add -l; echo "$SSH_AGENT_PID $SSH_AUTH_SOCK"; exit 7', check=7)
    first, second = done.out.splitlines()
    equal(first, "The agent has no identities.")
    number, path = second.split()
    wait_until(lambda: has_ended(int(number)), what="the end of the agent")
    wait_until(lambda: not os.path.exists(os.path.dirname(path)), what="the removal of the folder")
    equal(it.run(program(it), "/no/such/program", check=1).err, "chatelaine-ssh-agent: /no/such/program: No such file or directory\n")


@cases("words, reason", [
    (["-x"], "unknown option -- x"), (["-t", "x"], "Invalid lifetime"), (["-E", "x"], "Invalid hash algorithm"),
    (["-O", "x"], "Unknown -O option"), (["-d", "-D"], "usage:"), (["-k", "sh"], "usage:")])
@ordinary
def test_a_wrong_command_line_is_refused_with_the_usage(it, words, reason):
    done = it.run(program(it), *words, check=1)
    equal(done.out, "")
    contains(done.err, reason, "usage: chatelaine-ssh-agent")


@ordinary
def test_without_a_number_or_with_a_wrong_one_no_process_is_ended(it):
    contains(it.run(program(it), "-k", check=1).err, "SSH_AGENT_PID not set, cannot kill agent")
    for number in "1", "0", "-1", "x", "":
        environment = {**it.environment, "SSH_AGENT_PID": number}
        contains(it.run(program(it), "-k", env=environment, check=1).err, "which is not a good PID")


@ordinary
def test_a_socket_in_use_is_left_alone_and_a_stale_one_replaced(it):
    with agent(it) as running:
        contains(it.run(program(it), "-a", running.socket, check=1).err, "another service listens")
    killed = Agent(it)
    killed.process.kill()
    killed.process.wait(timeout=60)
    killed.process.stdout.close()
    assert os.path.exists(killed.socket)
    with agent(it) as second:
        equal(second.ask(LIST), b"\x0c\0\0\0\0")
    assert not os.path.exists(second.socket)


@ordinary
def test_the_service_manager_passes_a_socket(it):
    path = os.path.join(it.scratch, "passed.sock")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    os.chmod(path, 0o666)
    listening.listen(8)
    process = it.popen(
        "bash", "-c", f'exec 3<&{listening.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec {program(it)} -D',
        pass_fds=[listening.fileno()], stdin=subprocess.DEVNULL)
    try:
        equal(it.run("ssh-add", "-l", env={**it.environment, "SSH_AUTH_SOCK": path}, check=1).out, "The agent has no identities.\n")
    finally:
        process.terminate()
        equal(process.wait(timeout=60), 0)
    # The socket is the service manager's.
    assert os.path.exists(path)
    listening.close()


# Bad input

@ordinary
def test_malformed_messages_fail_and_change_nothing(it):
    path = new_key(it, "key")
    with agent(it) as running:
        it.run("ssh-add", "-q", path, check=0)
        listed = running.ask(LIST)
        key = blob(path)
        for message in [
                b"\x00", b"\xff", SIGN, SIGN + text(key), SIGN + text(key) + text(b"data"), SIGN + text(key) + text(b"d") + b"\0\0\0\0\0",
                b"\x11", b"\x11" + text(b"ssh-ed25519"), b"\x11" + text(b"ssh-dss"), b"\x19" + text(b"ssh-ed25519") + text(key),
                b"\x12", b"\x12" + text(key) + b"\0", b"\x1b", b"\x1b" + text(b"unknown@example.com"),
                b"\x11" + struct.pack(">I", 0xFFFFFFFF), LIST + b"\0"]:
            equal((message, running.ask(message)), (message, FAILURE))
        equal(running.ask(b"\x1b" + text(b"session-bind@openssh.com") + text(key)), b"\x1c")
        equal(running.ask(b"\x1b" + text(b"query")), b"\x1d" + text(b"query") + text(b"session-bind@openssh.com"))
        equal(running.ask(LIST), listed)
        for size in 0, (256 << 10) + 1, 0xFFFFFFFF:
            with Connection(running.socket) as connection, pytest.raises(EOFError):
                connection.socket.sendall(struct.pack(">I", size))
                connection.receive(1)
        equal(running.ask(LIST), listed)


@ordinary
def test_64_clients_at_the_same_time_each_get_their_signatures(it):
    path = new_key(it, "key")
    with agent(it) as running:
        it.run("ssh-add", "-q", path, check=0)
        key, answers = blob(path), []

        def client(number):
            with Connection(running.socket) as connection:
                for _ in range(8):
                    answers.append(connection.ask(SIGN + text(key) + text(b"%d" % number) + bytes(4))[:1])
        threads = [threading.Thread(target=client, args=[number]) for number in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
        equal(answers, [b"\x0e"] * 512)


# Keys of the keychain

def generate(it, name="laptop", *words):
    return it.run("chatelaine", "ssh", "generate", name, *words, check=0).out


def open_to_bridges(it):
    """Lets each program use each key, which takes a passcode."""
    given(it, "passcode", "set", passcode_fd="hunter2", check=0)
    given(it, "settings", "set", "bridges", "open", passcode_fd="hunter2", check=0)


@cases("words", [[], ["--type", "ecdsa"], ["--type", "rsa"]])
@ordinary
def test_keys_of_the_keychain_are_listed_and_sign_for_a_program_that_may_use_them(it, words):
    it.start()
    line = generate(it, "laptop", *words)
    with agent(it) as running:
        equal(it.run("ssh-add", "-L", check=0).out, line)
        public = os.path.join(it.scratch, "laptop.pub")
        with open(public, "w", encoding="ascii") as file:
            file.write(line)
        # Another program than the one that made the key, and no way to ask.
        uses(it, public, check=255)
        contains(running.said(), "the keychain does not sign")
        open_to_bridges(it)
        uses(it, public)
        # Requests of ssh-add remove no key of the keychain.
        it.run("ssh-add", "-q", "-D", check=0)
        equal(it.run("ssh-add", "-L", check=0).out, line)
        contains(read_text(os.path.join(it.data, "audit.log")), "chatelaine-ssh-agent")
        it.run("chatelaine", "ssh", "remove", "laptop", check=0)
        it.run("ssh-add", "-L", check=1)


@ordinary
def test_an_inherited_connection_has_no_keys_of_the_keychain(it):
    it.start()
    generate(it)
    with agent(it) as running:
        said = python(it, """
import os, socket, struct, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
def count():
    connection.sendall(bytes([0, 0, 0, 1, 11]))
    size = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))[0]
    return struct.unpack(">xI", connection.recv(size, socket.MSG_WAITALL)[:5])[0]
print(count(), flush=True)
child = os.fork()
if not child:
    print(count(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(count(), flush=True)
""", socket_path=running.socket)
        equal(said.split(), ["1", "0", "0"])


@ordinary
def test_without_the_keychain_service_the_keys_in_memory_are_of_use(it):
    path = new_key(it, "key")
    with agent(it) as running:
        os.rename(os.path.join(it.programs.folder, "chatelained"), os.path.join(it.programs.folder, "away"))
        try:
            it.run("ssh-add", "-q", path, check=0)
            it.run("ssh-add", "-T", path + ".pub", check=0)
            equal(len(it.run("ssh-add", "-L", check=0).out.splitlines()), 1)
            contains(running.said(), "cannot be listed")
        finally:
            os.rename(os.path.join(it.programs.folder, "away"), os.path.join(it.programs.folder, "chatelained"))


@ordinary
def test_nothing_secret_is_in_the_logs(it):
    it.start()
    path = new_key(it, "key")
    secret = "".join(read_text(path).splitlines()[1:-1])
    with agent(it) as running:
        it.run("ssh-add", "-q", path, check=0)
        running.ask(SIGN + text(blob(path)) + text(b"do-not-log-me") + bytes(4))
        running.ask(b"\x17" + text(b"do-not-log-me"))
        for log in running.log, it.log:
            lacks(read_text(log), "do-not-log-me", secret[40:80])


# Logins

class Server:
    """sshd on loopback, as the user of the instance. It admits keys for its own user; whether the user has a shell does not matter."""

    def __init__(self, it, name):
        self.it, self.name = it, name
        self.key = new_key(it, name)
        self.log = os.path.join(it.scratch, name + ".log")
        self.authorized = os.path.join(it.scratch, name + ".authorized")
        open(self.authorized, "w", encoding="ascii").close()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        configuration = os.path.join(it.scratch, name + ".conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(
                f"ListenAddress 127.0.0.1:{self.port}\nHostKey {self.key}\nAuthorizedKeysFile {self.authorized}\nUsePAM no\n"
                "StrictModes no\nPidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nLogLevel VERBOSE\n")
        with open(self.log, "ab") as log:
            self.process = it.popen(SSHD, "-D", "-e", "-f", configuration, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(lambda: "Server listening" in read_text(self.log) or self.process.poll() is not None, what="sshd")
        assert self.process.poll() is None, read_text(self.log)
        # The alias under which clients know the host.
        self.known = os.path.join(it.scratch, "known_hosts")
        with open(self.known, "a", encoding="ascii") as file:
            file.write(f"{name}.example {' '.join(read_text(self.key + '.pub').split()[:2])}\n")
        os.chmod(self.known, 0o644)

    def admit(self, line):
        with open(self.authorized, "a", encoding="ascii") as file:
            file.write(line)

    def words(self, *words):
        return [
            "ssh", "-F", "none", "-p", str(self.port), "-o", f"HostKeyAlias={self.name}.example",
            "-o", f"UserKnownHostsFile={self.known}", "-o", "GlobalKnownHostsFile=none", "-o", "StrictHostKeyChecking=yes",
            "-o", "BatchMode=yes", "-o", "IdentityFile=none", *words, f"{user_name(self.it)}@127.0.0.1"]

    def accepted(self):
        """The number of logins."""
        return read_text(self.log).count("Accepted publickey")

    def login(self, *words):
        """Whether a login succeeds."""
        accepted = self.accepted()
        self.it.run(*self.words(*words), "true")
        return self.accepted() > accepted

    def begin_login(self):
        """A login that is about to cause a prompt."""
        return self.it.popen(*self.words(), "true", stdin=subprocess.DEVNULL)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=60)


@contextlib.contextmanager
def servers(it, *names):
    running = []
    try:
        for name in names:
            running.append(Server(it, name))
        yield running if len(running) > 1 else running[0]
    finally:
        for server in running:
            server.end()


@needs_sshd
@ordinary
def test_ssh_logs_in_with_keys_in_memory_and_with_keys_of_the_keychain(it):
    it.start()
    path = new_key(it, "key")
    line = generate(it)
    open_to_bridges(it)
    with servers(it, "one") as server, agent(it):
        assert not server.login()
        server.admit(line)
        assert server.login()
        os.truncate(server.authorized, 0)
        assert not server.login()
        server.admit(read_text(path + ".pub"))
        it.run("ssh-add", "-q", path, check=0)
        assert server.login()


@needs_sshd
@ordinary
def test_a_login_of_a_program_without_approval_is_refused(it):
    it.start()
    line = generate(it)
    with servers(it, "one") as server, agent(it) as running:
        server.admit(line)
        assert not server.login()
        contains(running.said(), "A request of ssh (process ", "the keychain does not sign")


@needs_sshd
@ordinary
def test_a_restricted_key_logs_in_to_its_host_and_user_alone(it):
    path = new_key(it, "key")
    with servers(it, "one", "two") as (one, two), agent(it) as running:
        for server in one, two:
            server.admit(read_text(path + ".pub"))
        it.run("ssh-add", "-q", "-H", one.known, "-h", f"{user_name(it)}@one.example", path, check=0)
        assert one.login()
        assert not two.login()
        # Without a session.
        equal(running.ask(SIGN + text(blob(path)) + text(b"data") + bytes(4)), FAILURE)
        it.run("ssh-add", "-q", "-H", one.known, "-h", "another@one.example", path, check=0)
        assert not one.login()
        contains(running.said(), "do not allow this host or user")
        # A message is no login.
        os.unlink(path)
        uses(it, path + ".pub", check=255)


@needs_sshd
@ordinary
def test_a_confirmation_names_the_user_and_the_host(it):
    path = new_key(it, "key")
    question = os.path.join(it.scratch, "question")
    asking = os.path.join(it.scratch, "ask")
    with open(asking, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$1" >>{question}\n')
    os.chmod(asking, 0o755)
    with servers(it, "one") as server:
        # The agent reads the names of hosts in the user's home folder.
        folder = os.path.join(it.directories["home"], ".ssh")
        os.mkdir(folder)
        shutil.copy(server.known, folder)
        it.own(folder, 0o755)
        with agent(it, SSH_ASKPASS=asking, SSH_ASKPASS_REQUIRE="force"):
            server.admit(read_text(path + ".pub"))
            it.run("ssh-add", "-q", "-c", path, check=0)
            assert server.login()
            contains(read_text(question), f"to log in as {user_name(it)} on one.example with the key ‘key comment’?")
