#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Private keys in tokens, made and used by Apple's functions: in the token without hardware, and in a TPM, which swtpm plays.

What they sign OpenSSL verifies. They work after a restart of everything, and nowhere else than where they were made."""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

try:
    from cryptography.hazmat.primitives.ciphers import Cipher
except ImportError:
    # Debian's package is for Debian's Python.
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from support.instance import end_tracer, examples_folder, has_ended, mode, processes, read_text, wait_until
from support.sentences import LeftOut, both, contains, equal, is_root, lacks, run, test
from support.terminal import Terminal
from support.tokens import (
    KeyTool, NoTPM, TPM, children, foreign, helpers_folder, install, message, not_available, point, read_public, sign, verify)

agree = "algid:keyexchange:ECDH"
ecies = "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
kinds = ["software", "TPM"]


def with_token(it, kind):
    install(it)
    return TPM(it) if kind == "TPM" else NoTPM(it)


def openssl_verifies(it, public, signature):
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    for name, content in [("key.pem", pem), ("signature", signature), ("text", message)]:
        with open(os.path.join(it.scratch, name), "wb") as file:
            file.write(content)
    done = it.run("openssl", "dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "text")
    contains(done.out, "Verified OK")


def memory(pid):
    """All that can be written of a process's memory."""
    parts = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        for line in maps:
            addresses, access = line.split()[:2]
            if not access.startswith("rw"):
                continue
            start, end = (int(text, 16) for text in addresses.split("-"))
            file.seek(start)
            try:
                parts.append(file.read(end - start))
            except (OSError, OverflowError):
                # Pages of memfd_secret, which nobody can read.
                continue
    return b"\0".join(part for part in parts if part)


@test("a key in the token ({}) signs, agrees and decrypts, and OpenSSL verifies it", users=both, cases=kinds)
def _(it, kind):
    with with_token(it, kind), KeyTool(it) as tool:
        public = read_public(tool.data("make-in-token", "t"))
        signature = tool.data("sign", "t", sign, message)
        verify(public, signature)
        openssl_verifies(it, public, signature)
        peer = ec.generate_private_key(ec.SECP256R1())
        secret = tool.data("agree", "t", agree, "ec", point(peer.public_key()))
        equal(secret, peer.exchange(ec.ECDH(), public))
        sealed = base64.b64decode(tool.ask("encrypt", "ec", point(public), ecies, message))
        equal(tool.data("decrypt", "t", ecies, sealed), message)
        tool.refuses(-50, "decrypt", "t", ecies, sealed[:-1] + bytes([sealed[-1] ^ 1]))
        for word in ["export", "data"]:
            tool.refuses(-4, word, "t")


@test("a key in the token ({}) survives the end of everything", cases=kinds)
def _(it, kind):
    with with_token(it, kind) as token:
        it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
        equal(it.stop(), 0)
        if kind == "TPM":
            token.stop()
            token.start()
        it.start()
        with KeyTool(it) as tool:
            verify(public, tool.data("sign", "t", sign, message))


@test("a token ({}) that is killed in the middle is started again", cases=kinds)
def _(it, kind):
    with with_token(it, kind):
        service = it.start()
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            for _ in range(5):
                numbers = children(service.pid, name)
                equal(len(numbers), 1)
                os.kill(numbers[0], signal.SIGKILL)
                verify(public, tool.data("sign", "t", sign, message))
        equal(it.stop(), 0)
        wait_until(lambda: not children(service.pid, name), what="the end of the token")


@test("a token ({}) ends with its service, however that ends", cases=kinds)
def _(it, kind):
    with with_token(it, kind):
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        for number in [signal.SIGTERM, signal.SIGKILL]:
            service = it.start()
            with KeyTool(it) as tool:
                tool.data("make-in-token", "t" + str(number))
            token = children(service.pid, name)[0]
            it.stop(number)
            wait_until(lambda: has_ended(token), what="the end of the token")


@test("a token that does not answer any more ({}) holds up nobody but who asks it", cases=kinds)
def _(it, kind):
    with with_token(it, kind):
        service = it.start()
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        with KeyTool(it) as tool, KeyTool(it) as other:
            public = read_public(tool.data("make-in-token", "t"))
            other.data("make", "held", "ec", 256)
            os.kill(children(service.pid, name)[0], signal.SIGSTOP)
            begin = time.monotonic()
            tool.process.stdin.write(f"keychain sign t {sign} {base64.b64encode(message).decode()}\n")
            tool.process.stdin.flush()
            for _ in range(20):
                other.data("sign", "held", sign, message)
            assert time.monotonic() - begin < 4, "others waited for the token"
            contains(tool.process.stdout.readline(), f"error {not_available} ")
            assert time.monotonic() - begin < 9, "nobody waits for so long"
            verify(public, tool.data("sign", "t", sign, message))


@test("a keychain beside the file of another token ({}) refuses its keys, and keeps them", cases=["software"])
def _(it, kind):
    with with_token(it, kind):
        it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
        it.stop()
        file = os.path.join(it.data, "token.key")
        equal(mode(file), 0o600)
        os.rename(file, file + ".away")
        it.start()
        with KeyTool(it) as tool:
            tool.refuses(foreign, "sign", "t", sign, message)
            equal(tool.data("public", "t"), point(public))
        it.stop()
        os.rename(file + ".away", file)
        it.start()
        with KeyTool(it) as tool:
            verify(public, tool.data("sign", "t", sign, message))
        it.stop()
        with open(file, "r+b") as damaged:
            damaged.seek(20)
            damaged.write(b"x")
        it.start()
        with KeyTool(it) as tool:
            tool.refuses(not_available, "sign", "t", sign, message)


@test("a TPM that was cleared refuses the keys from before, and makes new ones")
def _(it):
    with with_token(it, "TPM") as token, KeyTool(it) as tool:
        tool.data("make-in-token", "t")
        token.clear()
        tool.refuses(foreign, "sign", "t", sign, message)
        public = read_public(tool.data("make-in-token", "new"))
        verify(public, tool.data("sign", "new", sign, message))


@test("a TPM that is gone is said to be, and used when it is back")
def _(it):
    with with_token(it, "TPM") as token, KeyTool(it) as tool:
        public = read_public(tool.data("make-in-token", "t"))
        token.stop()
        tool.refuses(not_available, "sign", "t", sign, message)
        tool.refuses(not_available, "make-in-token", "u")
        token.start()
        verify(public, tool.data("sign", "t", sign, message))


@test("the tokens are listed with what they are, also the one that is {}", cases=kinds)
def _(it, kind):
    with with_token(it, kind) as token:
        status = json.loads(it.run("chatelaine", "token", "status", "--json", check=0).out)
        equal(status["deviceKey"], "file")
        first = status["tokens"][0]
        equal((first["kind"], first["available"]), ("tpm" if kind == "TPM" else "software", True))
        equal(first["place"], token.socket if kind == "TPM" else os.path.join(it.data, "token.key"))
        if kind == "TPM":
            equal(first["manufacturer"], "IBM")
            equal(first["lockout"]["failures"], 0)
            equal([one["kind"] for one in status["tokens"]], ["tpm", "software"])
            contains(it.run("chatelaine", "token", "status", check=0).out, "TPM 2.0; makes new keys", "software, no hardware")


@test("a device key that is sealed to the TPM opens the keychain with that TPM alone", users=both)
def _(it):
    with with_token(it, "TPM") as token:
        it.start()
        it.set("name", "secret")
        with open(os.path.join(it.data, "device.key"), "rb") as file:
            clear = file.read()
        # Without a terminal it does not ask.
        contains(it.run("chatelaine", "setup", check=64).err, "--device-key file, tpm or software")
        it.run("chatelaine", "setup", "--device-key", "tpm", check=0)
        for folder, _, names in os.walk(it.data):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    lacks(file.read(), clear[8:40])
        equal(it.get("name"), b"secret")
        it.stop()
        it.start()
        equal(it.get("name"), b"secret")
        equal(json.loads(it.run("chatelaine", "token", "status", "--json", check=0).out)["deviceKey"], "tpm")
        it.stop()
        token.stop()
        contains(it.start_in_vain().err, "sealed to a TPM", "nothing was changed")
        token.start()
        it.start()
        equal(it.get("name"), b"secret")
        it.run("chatelaine", "setup", "--device-key", "file", check=0)
        it.stop()
        with open(os.path.join(it.data, "device.key"), "rb") as file:
            equal(file.read(), clear)
        token.stop()
        it.start()
        equal(it.get("name"), b"secret")


@test("a device key that is sealed to a TPM that was cleared does not open the keychain, and says why")
def _(it):
    with with_token(it, "TPM") as token:
        it.start()
        it.set("name", "secret")
        it.run("chatelaine", "setup", "--device-key", "tpm", check=0)
        it.stop()
        token.clear()
        contains(it.start_in_vain().err, "sealed to a TPM", "restore a backup")


def enter(it, command, pin, *words, new_pin=None, check=None):
    """Runs a command with PINs from descriptors."""
    descriptors = []
    for option, text in [("--pin-fd", pin), ("--new-pin-fd", new_pin)]:
        if text is None:
            continue
        read, write = os.pipe()
        os.write(write, text.encode() + b"\n")
        os.close(write)
        descriptors.append(read)
        words = (*words, option, str(read))
    try:
        more = {} if check is None else {"check": check}
        return it.run("chatelaine", command, *words, pass_fds=descriptors, **more)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def state(it):
    return json.loads(it.run("chatelaine", "status", "--json", check=0).out)["state"]


@test("killed anywhere while the device key moves, the keychain opens as before or as after")
def _(it):
    with with_token(it, "TPM"):
        it.start()
        it.set("name", "secret")
        it.stop()
        points = 0
        # Each way goes through the token; the first one gets a PIN, which the second one gives up.
        for place, pins, calls in [("tpm", ["2468"], ["write", "fsync", "rename"]), ("file", ["2468"], ["fsync", "rename"])]:
            for call in calls:
                number = 0
                while True:
                    number += 1
                    kept = os.path.join(it.scratch, "kept")
                    shutil.copytree(it.data, kept)
                    it.start()
                    if place == "file":
                        enter(it, "unlock", "2468", check=0)
                    log = os.path.join(it.scratch, "strace")
                    with open(log, "wb") as file:
                        tracer = subprocess.Popen(
                            ["strace", "-f", "-o", "/dev/null", "-p", str(it.daemon.pid), "-e", f"trace={call}",
                             "-e", f"inject={call}:signal=KILL:when={number}"], stderr=file, stdin=subprocess.DEVNULL)
                    wait_until(lambda: b"attached" in open(log, "rb").read() or tracer.poll() is not None,
                               what="strace looking at the service")
                    if tracer.poll() is not None:
                        raise LeftOut("strace may not look at the service")
                    done = enter(it, "setup", *pins, "--device-key", place)
                    if done.returncode != 0:
                        it.daemon.wait(timeout=20)
                    end_tracer(tracer)
                    killed = it.daemon.poll() is not None
                    if killed:
                        it.daemon = None
                        points += 1
                        # The command may have started another one and gone on with it.
                        for service in processes(it.programs.folder):
                            os.kill(service, signal.SIGKILL)
                        wait_until(lambda: not processes(it.programs.folder), what="the end of the service")
                    else:
                        equal(done.returncode, 0)
                        it.stop()
                    it.start()
                    if state(it) == "awaiting-pin":
                        enter(it, "unlock", "2468", check=0)
                    equal(it.get("name"), b"secret")
                    it.stop()
                    if not killed:
                        shutil.rmtree(it.data)
                        os.rename(kept, it.data)
                        break
                    shutil.rmtree(it.data)
                    os.rename(kept, it.data)
            it.start()
            if place == "file":
                enter(it, "unlock", "2468", check=0)
            enter(it, "setup", *pins, "--device-key", place, check=0)
            it.stop()
        assert points > 4, f"killed only {points} times"


def seal_with_pin(it, kind, pin="2468"):
    enter(it, "setup", pin, "--device-key", "tpm" if kind == "TPM" else "software", check=0)


@test("a device key with a PIN ({}) opens the keychain with that alone", cases=kinds)
def _(it, kind):
    with with_token(it, kind):
        it.start()
        it.set("name", "secret")
        key_file = os.path.join(it.data, "device.key")
        with open(key_file, "rb") as file:
            clear = file.read()
        seal_with_pin(it, kind)
        equal(it.get("name"), b"secret")
        status = json.loads(it.run("chatelaine", "token", "status", "--json", check=0).out)
        equal((status["deviceKey"], status["deviceKeyHasPIN"]), ("tpm" if kind == "TPM" else "software", True))
        for folder, _, names in os.walk(it.data):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    lacks(file.read(), clear[8:40])
        it.stop()
        it.start()
        equal(state(it), "awaiting-pin")
        for words in [["get", "name"], ["list"], ["log"], ["passcode", "status"], ["remove", "name"]]:
            done = it.run("chatelaine", *words)
            assert done.returncode != 0
            contains(done.err, "PIN", "chatelaine unlock")
        lacks(it.run("chatelaine", "list").out, "name")
        with KeyTool(it) as tool:
            tool.refuses(-25308, "make", "early", "ec", 256)
            wrong = enter(it, "unlock", "2469")
            assert wrong.returncode != 0
            contains(wrong.err, "not the PIN", "more wrong PIN")
            equal(enter(it, "unlock", "2468", check=0).out, "Open.\n")
            # A program that was there before goes on, and so does one that comes now.
            tool.data("make", "late", "ec", 256)
        equal(it.get("name"), b"secret")
        # It is open until the service ends, whatever is locked.
        it.run("chatelaine", "lock")
        equal(it.get("name"), b"secret")
        contains(it.run("chatelaine", "log", check=0).out, "open-device-key")
        # Another one, and none.
        place = "tpm" if kind == "TPM" else "software"
        if kind == "software":
            # A TPM would take one more wrong one, which comes below.
            contains(enter(it, "setup", "2469", "--device-key", place, new_pin="1357").err, "not the PIN")
        enter(it, "setup", "2468", "--device-key", place, new_pin="1357", check=0)
        it.stop()
        it.start()
        contains(enter(it, "unlock", "2468").err, "not the PIN")
        enter(it, "unlock", "1357", check=0)
        enter(it, "setup", "1357", "--device-key", "file", check=0)
        it.stop()
        with open(key_file, "rb") as file:
            equal(file.read(), clear)
        it.start()
        equal(it.get("name"), b"secret")


@test("unlocking asks for the PIN first and for the passcode then, on the terminal, also after a power cut", users=both)
def _(it):
    with with_token(it, "TPM") as token:
        it.start()
        it.set("name", "secret")
        it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="correct horse\n", check=0)
        with Terminal(it, "chatelaine", "setup") as terminal:
            for question, answer in [
                    ("Return to leave everything as it is: ", "2"), ("Shall a PIN open it? [y/N] ", "y"), ("Do that? [y/N] ", "y"),
                    ("Passcode: ", "correct horse"), ("New PIN: ", "2468"), ("Once more: ", "2468")]:
                terminal.expect(question)
                if not question.endswith(("] ", "is: ")):
                    terminal.expect_silence()
                terminal.shown = terminal.shown.partition(question)[2]
                terminal.type(answer + "\n")
            equal(terminal.end(), 0)
            contains(terminal.shown, "sealed to the TPM, with a PIN now")
        it.stop()
        token.stop()
        token.start()
        it.start()
        with Terminal(it, "chatelaine", "unlock") as terminal:
            for question, answer in [("PIN: ", "2468"), ("Passcode: ", "correct horse")]:
                terminal.expect(question)
                terminal.expect_silence()
                terminal.shown = terminal.shown.partition(question)[2]
                terminal.type(answer + "\n")
            equal(terminal.end(), 0)
            contains(terminal.shown, "Unlocked.")
            lacks(terminal.shown, "2468", "correct horse")
        equal(it.get("name"), b"secret")


@test("too many wrong PINs lock the TPM for a time, and that is said")
def _(it):
    with with_token(it, "TPM") as token:
        it.start()
        it.set("name", "secret")
        seal_with_pin(it, "TPM")
        it.stop()
        it.start()
        limit = json.loads(it.run("chatelaine", "token", "status", "--json", check=0).out)["tokens"][0]["lockout"]["limit"]
        # Fewer than have the service wait by itself.
        assert limit < 5, limit
        for _ in range(limit):
            contains(enter(it, "unlock", "1111").err, "not the PIN")
        locked = enter(it, "unlock", "2468")
        assert locked.returncode != 0
        contains(locked.err, "too many wrong PINs", "looks at the next PIN in")
        equal(state(it), "awaiting-pin")
        it.stop()
        # As its owner can: TPM2_DictionaryAttackLockReset.
        with socket.socket(socket.AF_UNIX) as way:
            way.connect(token.socket)
            way.sendall(bytes.fromhex("80020000001b000001394000000a0000000940000009000001" + "0000"))
            equal(way.recv(100)[6:10], bytes(4))
        it.start()
        enter(it, "unlock", "2468", check=0)
        equal(it.get("name"), b"secret")


@test("a PIN is in no memory after its use ({})", cases=kinds)
def _(it, kind):
    if not is_root:
        return
    pin = "a very long PIN that nothing else looks like, 2468"
    with with_token(it, kind):
        it.start()
        it.set("name", "secret")
        seal_with_pin(it, kind, pin)
        it.stop()
        service = it.start()
        enter(it, "unlock", pin, check=0)
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        tokens = children(service.pid, name)
        assert tokens, "the token was used"
        for process in [service.pid, *tokens]:
            content = memory(process)
            assert len(content) > 100_000
            lacks(content, pin.encode(), pin.encode()[:24], pin.encode()[-24:])


@test("a damaged database behind a PIN is saved with the PIN, and with no other")
def _(it):
    with with_token(it, "TPM"):
        it.start()
        it.set("name", "secret")
        seal_with_pin(it, "TPM")
        it.stop()
        contains(it.run("chatelaine", "salvage").err, "opens only with its PIN")
        contains(enter(it, "salvage", "1111").err, "not the PIN")
        contains(enter(it, "salvage", "2468", check=0).out, "1 items were saved")
        it.start()
        enter(it, "unlock", "2468", check=0)
        equal(it.get("name"), b"secret")


class KeyToolOnTerminal:
    """The example on a terminal, where the service can ask whoever types there."""

    def __init__(self, it):
        program = os.path.join(it.programs.folder, "KeyTool")
        if not os.path.exists(program):
            it.programs.copy(os.path.join(examples_folder(), "KeyTool"), program)
        self.terminal = Terminal(it, program)

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.terminal.__exit__(*arguments)

    def says(self, *words):
        """Types a command; what is shown from then on is in the terminal's `shown`."""
        words = [base64.b64encode(word).decode() if isinstance(word, bytes) else str(word) for word in words]
        command = " ".join(["keychain", *words])
        self.terminal.shown = ""
        self.terminal.type(command + "\n")
        self.terminal.expect(command)
        self.terminal.shown = self.terminal.shown.partition(command)[2]

    def answer(self):
        """The next whole line that is no part of a prompt."""
        found = []

        def is_there():
            self.terminal._read(0.01)
            lines = self.terminal.shown.replace("\r", "").split("\n")[:-1]
            found[:] = [line for line in lines if line.startswith("error ") or len(line) > 60 and " " not in line]
            return found
        wait_until(is_there, 15, "the answer of the program")
        return found[0]


@test("a key in a token ({}) that asks for its owner has the person asked at each use, and in a context once", cases=kinds)
def _(it, kind):
    for name in ["chatelaine-prompt-tty", "chatelaine-prompt-pinentry"]:
        target = os.path.join(it.programs.folder, name)
        if not os.path.exists(target):
            it.programs.copy(os.path.join(helpers_folder(), name), target)
    question = "Passcode of the keychain: "
    with with_token(it, kind):
        it.start()
        it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="correct horse\n", check=0)
        with KeyToolOnTerminal(it) as tool:
            terminal = tool.terminal
            tool.says("make-in-token-for-owner", "t")
            public = read_public(base64.b64decode(tool.answer()))
            tool.says("public", "t")
            equal(base64.b64decode(tool.answer()), point(public))

            def answers_prompt(word, *typed):
                tool.says(word, "t", sign, message)
                for text in typed:
                    terminal.expect(question)
                    terminal.expect_silence()
                    terminal.shown = terminal.shown.partition(question)[2]
                    terminal.type(text)
                return tool.answer()

            # Ctrl-D gives up.
            contains(answers_prompt("sign", "\x04"), "error -128 ")
            contains(answers_prompt("sign", "wrong\n", "wrong\n", "wrong\n"), "error -25293 ")
            for _ in range(2):
                verify(public, base64.b64decode(answers_prompt("sign", "correct horse\n")))
            verify(public, base64.b64decode(answers_prompt("sign-in-context", "correct horse\n")))
            for _ in range(2):
                verify(public, base64.b64decode(answers_prompt("sign-in-context")))
                lacks(terminal.shown, question)
            verify(public, base64.b64decode(answers_prompt("sign", "correct horse\n")))
        # Where nobody can be asked, nothing is signed.
        with KeyTool(it) as tool:
            tool.refuses(-25308, "sign", "t", sign, message)


@test("each key goes to the token that made it")
def _(it):
    install(it)
    with NoTPM(it):
        it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "software"))
        it.stop()
    with TPM(it) as token:
        it.start()
        with KeyTool(it) as tool:
            verify(public, tool.data("sign", "software", sign, message))
            in_tpm = read_public(tool.data("make-in-token", "tpm"))
            verify(in_tpm, tool.data("sign", "tpm", sign, message))
            token.stop()
            verify(public, tool.data("sign", "software", sign, message))
            tool.refuses(not_available, "sign", "tpm", sign, message)
            token.start()
        it.stop()


@test("without a token's program there is no token, and everything else works")
def _(it):
    for name in ["chatelaine-token-software", "chatelaine-token-tpm"]:
        path = os.path.join(it.programs.folder, name)
        if os.path.exists(path):
            os.unlink(path)
    with KeyTool(it) as tool:
        tool.refuses(not_available, "make-in-token", "t")
        tool.data("make", "t", "ec", 256)


@test("a token's program that others can write is not run")
def _(it):
    install(it)
    it.environment["CHATELAINE_TPM"] = "none"
    program = os.path.join(it.programs.folder, "chatelaine-token-software")
    os.chmod(program, 0o777)
    try:
        with KeyTool(it) as tool:
            tool.refuses(not_available, "make-in-token", "t")
    finally:
        os.chmod(program, 0o755)


@test("neither the client nor the service, nor the token that is asked nothing, has the private key")
def _(it):
    # The one key that can be known from outside: in the token without hardware, a wrapped one is opened here as it does.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    if not is_root:
        return
    with with_token(it, "software"):
        service = it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            for _ in range(3):
                verify(public, tool.data("sign", "t", sign, message))
            token = children(service.pid, "chatelaine-token-software")[0]
            everything = {who: memory(pid) for who, pid in
                          [("client", tool.process.pid), ("service", service.pid), ("token", token)]}
        with open(os.path.join(it.data, "token.key"), "rb") as file:
            content = file.read()
        equal(content[:8], b"CHTLSWT\1")
        machine = read_text("/etc/machine-id").strip().encode() if content[8] else b""
        wrapping = HKDF(hashes.SHA256(), 32, machine, b"chatelaine software token, wrapping key").derive(content[9:41])
        # The blob is in the service's memory for as long as it is asked for; on disk it is sealed. So the token is asked for one.
        request = bytes([1, 0x31, 0, 0, 0, 0, 0, 0])
        program = os.path.join(it.programs.folder, "chatelaine-token-software")
        answer = it.run(program, os.path.join(it.data, "token.key"), input=request, check=0).stdout
        point_size = int.from_bytes(answer[8:12], "big")
        blob = answer[8 + 4 + point_size + 4:]
        private = AESGCM(wrapping).decrypt(blob[2:14], blob[14:], blob[:2])
        equal(point(ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1()).public_key()), answer[12:12 + point_size])
        # No memory has the secret of the token's file, nor what opens the blobs.
        for who, bytes_of in everything.items():
            assert len(bytes_of) > 100_000, f"the search does not see the memory of the {who}"
            lacks(bytes_of, content[9:41], content[9:25], wrapping, wrapping[:16])


@test("the token without hardware opens no file, starts no program and cannot be looked into")
def _(it):
    with with_token(it, "software"):
        service = it.start()
        with KeyTool(it) as tool:
            tool.data("make-in-token", "t")
        token = children(service.pid, "chatelaine-token-software")[0]
        status = read_text(f"/proc/{token}/status")
        contains(status, "NoNewPrivs:\t1", "Seccomp:\t2")
        # Descriptors: the conversation, and nothing else.
        if is_root:
            equal(sorted(os.listdir(f"/proc/{token}/fd")), ["0", "1", "2"])
            equal(read_text(f"/proc/{token}/environ"), "")


run()
