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

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher

from support.instance import end_tracer, examples_folder, has_ended, is_root, mode, processes, read_text, wait_until
from support.seeds import stride
from support.sentences import both, cases, contains, equal, lacks
from support.terminal import Terminal
from support.tokens import (
    KeyTool, NoTPM, TPM, children, foreign, helpers_folder, install, message, not_available, others_do_not_wait, point, read_public,
    sign, verify)

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
                # Pages of memfd_secret, which no process can read.
                continue
    return b"\0".join(part for part in parts if part)


def memory_loses(process, *secrets):
    """Waits until a process has none of these in its memory: an answer is sent first, and what it was made of is wiped then."""
    def has_none():
        content = memory(process)
        assert len(content) > 100_000, f"the search does not see the memory of process {process}"
        return not any(secret in content for secret in secrets)

    wait_until(has_none, what=f"the end of the secrets in the memory of process {process}")


@both
@cases("kind", kinds)
def test_a_key_in_the_token_signs_agrees_and_decrypts_and_openssl_verifies_it(it, kind):
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
        tool.refuses(-4, "export", "t")


@cases("kind", kinds)
def test_a_key_in_the_token_survives_the_end_of_everything(it, kind):
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


@cases("kind", kinds)
def test_a_token_that_is_killed_in_the_middle_is_started_again(it, kind):
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


@cases("kind", kinds)
def test_a_token_ends_with_its_service_however_that_ends(it, kind):
    with with_token(it, kind):
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        for number in [signal.SIGTERM, signal.SIGKILL]:
            service = it.start()
            with KeyTool(it) as tool:
                tool.data("make-in-token", "t" + str(number))
            token = children(service.pid, name)[0]
            it.stop(number)
            wait_until(lambda: has_ended(token), what="the end of the token")


@cases("kind", kinds)
def test_a_token_that_does_not_answer_any_more_delays_only_its_own_callers(it, kind):
    with with_token(it, kind):
        service = it.start()
        name = "chatelaine-token-tpm" if kind == "TPM" else "chatelaine-token-software"
        with KeyTool(it) as tool, KeyTool(it) as other:
            public = read_public(tool.data("make-in-token", "t"))
            other.data("make", "held", "ec", 256)

            def hanging():
                verify(public, tool.data("sign", "t", sign, message))
                [token] = children(service.pid, name)
                os.kill(token, signal.SIGSTOP)
                return token

            words = ["keychain", "sign", "t", sign, base64.b64encode(message).decode()]
            others_do_not_wait(tool, words, hanging, lambda: other.data("sign", "held", sign, message))
            verify(public, tool.data("sign", "t", sign, message))


@cases("kind", ["software"])
def test_a_keychain_beside_the_file_of_another_token_refuses_its_keys_and_keeps_them(it, kind):
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


def test_a_tpm_that_was_cleared_refuses_the_keys_from_before_and_makes_new_ones(it):
    with with_token(it, "TPM") as token, KeyTool(it) as tool:
        tool.data("make-in-token", "t")
        token.clear()
        tool.refuses(foreign, "sign", "t", sign, message)
        public = read_public(tool.data("make-in-token", "new"))
        verify(public, tool.data("sign", "new", sign, message))


def test_a_tpm_that_is_gone_is_said_to_be_and_used_when_it_is_back(it):
    with with_token(it, "TPM") as token, KeyTool(it) as tool:
        public = read_public(tool.data("make-in-token", "t"))
        token.stop()
        tool.refuses(not_available, "sign", "t", sign, message)
        tool.refuses(not_available, "make-in-token", "u")
        token.start()
        verify(public, tool.data("sign", "t", sign, message))


@cases("kind", kinds)
def test_the_tokens_are_listed_with_their_kinds_and_the_token_in_use(it, kind):
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
            contains(it.run("chatelaine", "token", "status", check=0).out, "TPM 2.0; makes new keys", "software, without hardware protection")


@both
def test_a_device_key_that_is_sealed_to_the_tpm_opens_the_keychain_with_that_tpm_alone(it):
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


def test_a_device_key_that_is_sealed_to_a_tpm_that_was_cleared_does_not_open_the_keychain_and_says_why(it):
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


def test_killed_anywhere_while_the_device_key_moves_the_keychain_opens_as_before_or_as_after(it):
    with with_token(it, "TPM"):
        it.start()
        it.set("name", "secret")
        it.stop()
        points, step = 0, stride(3, "kills while the device key moves")
        # Each way goes through the token; the first one gets a PIN, which the second one gives up.
        for place, pins, calls in [("tpm", ["2468"], ["write", "fsync", "rename"]), ("file", ["2468"], ["fsync", "rename"])]:
            for call in calls:
                number = 0
                while True:
                    number += step()
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
                        pytest.skip("strace may not look at the service")
                    done = enter(it, "setup", *pins, "--device-key", place)
                    if done.returncode != 0:
                        it.daemon.wait(timeout=60)
                    end_tracer(tracer)
                    killed = it.stop() == -signal.SIGKILL
                    if killed:
                        points += 1
                        # The command may have started another service and gone on with it.
                        it.end_services()
                    else:
                        equal(done.returncode, 0)
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
        assert points > 2, f"killed only {points} times"


def seal_with_pin(it, kind, pin="2468"):
    enter(it, "setup", pin, "--device-key", "tpm" if kind == "TPM" else "software", check=0)


@cases("kind", kinds)
def test_a_device_key_with_a_pin_opens_the_keychain_with_that_alone(it, kind):
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
            contains(wrong.err, "the PIN of the device key is wrong", "more wrong PIN")
            equal(enter(it, "unlock", "2468", check=0).out, "Open.\n")
            # An earlier program continues to work, and so does a new one.
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
            contains(enter(it, "setup", "2469", "--device-key", place, new_pin="1357").err, "the PIN of the device key is wrong")
        enter(it, "setup", "2468", "--device-key", place, new_pin="1357", check=0)
        it.stop()
        it.start()
        contains(enter(it, "unlock", "2468").err, "the PIN of the device key is wrong")
        enter(it, "unlock", "1357", check=0)
        enter(it, "setup", "1357", "--device-key", "file", check=0)
        it.stop()
        with open(key_file, "rb") as file:
            equal(file.read(), clear)
        it.start()
        equal(it.get("name"), b"secret")


@both
def test_unlocking_asks_for_the_pin_first_and_for_the_passcode_then_on_the_terminal(it):
    """Unlocking asks for the PIN first and for the passcode then, on the terminal, also after a power cut."""
    with with_token(it, "TPM") as token:
        it.start()
        it.set("name", "secret")
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input="correct horse\n", check=0)
        with Terminal(it, "chatelaine", "setup") as terminal:
            for question, answer in [
                    ("press Return to change nothing: ", "2"), ("Protect the device key with a PIN? [y/N] ", "y"), ("Make this change? [y/N] ", "y"),
                    ("Passcode: ", "correct horse"), ("New PIN: ", "2468"), ("Once more: ", "2468")]:
                terminal.expect(question)
                if not question.endswith(("] ", "nothing: ")):
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


def test_too_many_wrong_pins_lock_the_tpm_for_a_time_and_that_is_said(it):
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
            contains(enter(it, "unlock", "1111").err, "the PIN of the device key is wrong")
        locked = enter(it, "unlock", "2468")
        assert locked.returncode != 0
        contains(locked.err, "too many wrong PINs", "accepts the next PIN in")
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


@cases("kind", kinds)
def test_a_pin_is_in_no_memory_after_its_use(it, kind):
    if not is_root:
        pytest.skip("only root may look at the memory of the service")
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
            memory_loses(process, pin.encode(), pin.encode()[:24], pin.encode()[-24:])


def test_a_damaged_database_behind_a_pin_is_saved_with_the_pin_and_with_no_other(it):
    with with_token(it, "TPM"):
        it.start()
        it.set("name", "secret")
        seal_with_pin(it, "TPM")
        it.stop()
        contains(it.run("chatelaine", "salvage").err, "opens only with its PIN")
        contains(enter(it, "salvage", "1111").err, "the PIN of the device key is wrong")
        contains(enter(it, "salvage", "2468", check=0).out, "1 items were saved")
        it.start()
        enter(it, "unlock", "2468", check=0)
        equal(it.get("name"), b"secret")


class KeyToolOnTerminal:
    """The example on a terminal, where the service can prompt its user."""

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
        """Types a command; later output is in the terminal's `shown`."""
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
        wait_until(is_there, what="the answer of the program")
        return found[0]


@cases("kind", kinds)
def test_a_key_in_a_token_that_asks_for_its_owner_has_the_person_asked_at_each_use_and_in_a_context_once(it, kind):
    for name in ["chatelaine-prompt-tty", "chatelaine-prompt-pinentry"]:
        target = os.path.join(it.programs.folder, name)
        if not os.path.exists(target):
            it.programs.copy(os.path.join(helpers_folder(), name), target)
    question = "Passcode of the keychain: "
    with with_token(it, kind):
        it.start()
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
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
        # Without a way to prompt, no signature is made.
        with KeyTool(it) as tool:
            tool.refuses(-25308, "sign", "t", sign, message)


def test_each_key_goes_to_the_token_that_made_it(it):
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


def test_without_a_tokens_program_there_is_no_token_and_everything_else_works(it):
    for name in ["chatelaine-token-software", "chatelaine-token-tpm"]:
        path = os.path.join(it.programs.folder, name)
        if os.path.exists(path):
            os.unlink(path)
    with KeyTool(it) as tool:
        tool.refuses(not_available, "make-in-token", "t")
        tool.data("make", "t", "ec", 256)


def test_a_tokens_program_that_others_can_write_is_not_run(it):
    install(it)
    it.environment["CHATELAINE_TPM"] = "none"
    program = os.path.join(it.programs.folder, "chatelaine-token-software")
    os.chmod(program, 0o777)
    try:
        with KeyTool(it) as tool:
            tool.refuses(not_available, "make-in-token", "t")
    finally:
        os.chmod(program, 0o755)


def test_neither_the_client_nor_the_service_nor_the_token_that_is_asked_nothing_has_the_private_key(it):
    # The one key that can be known from outside: in the token without hardware, a wrapped one is opened here as it does.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    if not is_root:
        pytest.skip("only root may look at the memory of the service")
    with with_token(it, "software"):
        service = it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            for _ in range(3):
                verify(public, tool.data("sign", "t", sign, message))
            token = children(service.pid, "chatelaine-token-software")[0]
            with open(os.path.join(it.data, "token.key"), "rb") as file:
                content = file.read()
            equal(content[:8], b"CHTLSWT\1")
            machine = read_text("/etc/machine-id").strip().encode() if content[8] else b""
            wrapping = HKDF(hashes.SHA256(), 32, machine, b"chatelaine software token, wrapping key").derive(content[9:41])
            # No memory has the secret of the token's file, nor what opens the blobs.
            for process in [tool.process.pid, service.pid, token]:
                memory_loses(process, content[9:41], content[9:25], wrapping, wrapping[:16])
        # The blob is in the service's memory for as long as it is asked for; on disk it is sealed. So the token is asked for one.
        request = bytes([1, 0x31, 0, 0, 0, 0, 0, 0])
        program = os.path.join(it.programs.folder, "chatelaine-token-software")
        answer = it.run(program, os.path.join(it.data, "token.key"), input=request, check=0).stdout
        point_size = int.from_bytes(answer[8:12], "big")
        blob = answer[8 + 4 + point_size + 4:]
        private = AESGCM(wrapping).decrypt(blob[2:14], blob[14:], blob[:2])
        equal(point(ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1()).public_key()), answer[12:12 + point_size])


def test_the_token_without_hardware_opens_no_file_starts_no_program_and_cannot_be_looked_into(it):
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
