# SPDX-License-Identifier: Apache-2.0
"""A TPM that lies, or a program between the token and its TPM: it changes, cuts, repeats, exchanges and holds back answers. The service
accepts no wrong key, tells no secret in clear, and goes on. And programs of the same user that try PINs."""

import contextlib
import os
import shutil
import signal

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from support import key_tool
from support.instance import Instance, read_text, wait_until
from support.lying_tpm import (
    AGREE, ASK_AGAIN, AUTHORIZATION_FAILED, CREATE, CREATE_PRIMARY, FAILURES, INTERVAL, LIMIT, LOAD, LOCKED_OUT, SIGN, START_SESSION,
    UNSEAL, Middle, OwnTPM, code_of, reset_lockout, response, set_lockout_password, sized, tpm_property, with_size)
from support.sentences import cases, contains, equal, lacks, ordinary
from support.tokens import TPM, KeyTool, children, install, message, point, read_public, sign, verify
from support.wire import STATUS, Client
from tokens import agree, enter, seal_with_pin, state

pin = "a PIN that nothing else looks like"


@contextlib.contextmanager
def middle(it):
    install(it)
    with TPM(it) as token, Middle(it, token) as between:
        yield token, between


def flipped(answer, place):
    changed = bytearray(answer)
    changed[place] ^= 0x41
    return bytes(changed)


# What is passed on in place of an answer; `other` is the TPM's answer to the same command in another session.
lies = {
    "nothing": lambda answer, other: None,
    "its head": lambda answer, other: with_size(answer[:10]),
    "its first half": lambda answer, other: with_size(answer[: 10 + (len(answer) - 10) // 2]),
    "more than there is": lambda answer, other: with_size(answer + bytes(16)),
    "a size that no TPM has": lambda answer, other: answer[:2] + b"\xff" * 4 + answer[6:],
    "a field of 65535 bytes": lambda answer, other: answer[:14] + b"\xff\xff" + answer[16:],
    "a changed first byte": lambda answer, other: flipped(answer, 10),
    "a changed byte in the middle": lambda answer, other: flipped(answer, 10 + (len(answer) - 10) // 2),
    "a changed last byte": lambda answer, other: flipped(answer, -1),
    "that of another session": lambda answer, other: other,
    "success alone": lambda answer, other: response(sessions=True),
    "an error": lambda answer, other: response(code=0x101),
}


def lying(about, lie, others):
    """Changes each answer to one command."""
    def change(command, ask):
        answer = ask()
        return lie(answer, others[about]) if code_of(command) == about else answer
    return change


def end_token(service):
    """The next request is answered by a new one, which asks for the storage key and a session."""
    for number in children(service.pid, "chatelaine-token-tpm"):
        os.kill(number, signal.SIGKILL)
    wait_until(lambda: not children(service.pid, "chatelaine-token-tpm"), what="the end of the token")


def start_token(it):
    """After the end of one. A PIN is not asked for a second time, as the one that ended may have counted it."""
    it.run("chatelaine", "token", "status", check=0)


def test_whatever_a_tpm_answers_a_key_in_it_makes_no_wrong_signature_and_agrees_on_no_wrong_secret(it):
    with middle(it) as (_, between):
        service = it.start()
        peer = ec.generate_private_key(ec.SECP256R1())
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            secret = peer.exchange(ec.ECDH(), public)

            def works():
                end_token(service)
                verify(public, tool.data("sign", "t", sign, message))
                equal(tool.data("agree", "t", agree, "ec", point(peer.public_key())), secret)

            works()
            others = {code: between.answers_to(code)[0] for code in [CREATE_PRIMARY, START_SESSION, LOAD, SIGN, AGREE]}
            refused = 0
            for about in others:
                for name, lie in lies.items():
                    end_token(service)
                    between.change = lying(about, lie, others)
                    try:
                        if about == AGREE:
                            equal(tool.data("agree", "t", agree, "ec", point(peer.public_key())), secret)
                        else:
                            verify(public, tool.data("sign", "t", sign, message))
                        # What comes with the storage key behind its public area does not matter, nor whether it is another session's.
                        equal((name, about), (name, CREATE_PRIMARY))
                    except key_tool.Failure:
                        refused += 1
                    between.change = None
                works()
        assert refused >= len(lies) * 4, refused
        lacks(between.bytes, secret)
        equal(it.daemon.poll(), None)


def test_a_tpm_that_asks_for_patience_without_end_is_given_up(it):
    with middle(it) as (_, between):
        it.start()
        with KeyTool(it) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            between.change = lambda command, ask: response(code=ASK_AGAIN) if code_of(command) == SIGN else ask()
            tool.refuses(-25291, "sign", "t", sign, message)
            between.change = None
            verify(public, tool.data("sign", "t", sign, message))


# MARK: The device key


def clear_key(it):
    with open(os.path.join(it.data, "device.key"), "rb") as file:
        return file.read()


def authorization(it):
    """What the token is given in place of the PIN (Documentation/Formats/device-key.md)."""
    content = clear_key(it)
    assert content[7] == 3
    cost = 1 << content[9], int.from_bytes(content[10:14], "big"), int.from_bytes(content[14:18], "big")
    stretched = Scrypt(content[18:50], 32, *cost).derive(pin.encode())
    return HKDF(hashes.SHA256(), 32, None, b"chatelaine device key PIN v1").derive(stretched)


def filled(it):
    """A keychain with an item, whose service stretches PINs for a short time; the clear form of its device key."""
    it.start()
    it.set("name", "secret")
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    return clear_key(it)


def starts(it):
    """Whether a service starts; what it says where it does not."""
    it.log = os.path.join(it.scratch, "chatelained.log")
    with open(it.log, "wb") as log:
        it.daemon = it.popen("chatelained", stdin=-3, stdout=log, stderr=log)
    wait_until(lambda: it.is_listening() or it.daemon.poll() is not None, what="the start of the service, or its end")
    if it.daemon.poll() is None:
        return True, ""
    assert it.daemon.returncode > 0, it.daemon.returncode
    it.daemon = None
    return False, read_text(it.log)


def other_storage_key(answer):
    """The answer with another point in the public area of the storage key."""
    size = int.from_bytes(answer[18:20], "big")
    numbers = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    own = sized(numbers.x.to_bytes(32, "big")) + sized(numbers.y.to_bytes(32, "big"))
    return answer[: 20 + size - len(own)] + own + answer[20 + size :]


def in_clear(secret):
    """The answer of a TPM that gives out a secret of its choice, with a session's proof that it cannot make."""
    parameters = sized(secret)
    return response(len(parameters).to_bytes(4, "big") + parameters + sized(bytes(16)) + b"\1" + sized(bytes(32)), sessions=True)


device_key_lies = [
    (CREATE_PRIMARY, "another storage key", lambda answer, other: other_storage_key(answer)),
    (CREATE_PRIMARY, "nothing", lies["nothing"]),
    (START_SESSION, "a changed last byte", lies["a changed last byte"]),
    (START_SESSION, "that of another session", lies["that of another session"]),
    (LOAD, "that of another session", lies["that of another session"]),
    (LOAD, "an error about the blob", lambda answer, other: response(code=0x1DF)),
    (UNSEAL, "a secret of its choice", lambda answer, other: in_clear(bytes(72))),
    (UNSEAL, "that of another session", lies["that of another session"]),
    (UNSEAL, "a changed byte in the middle", lies["a changed byte in the middle"]),
    (UNSEAL, "its first half", lies["its first half"]),
    (UNSEAL, "a size that no TPM has", lies["a size that no TPM has"]),
    (UNSEAL, "success alone", lies["success alone"]),
]


def test_whatever_a_tpm_answers_no_wrong_device_key_opens_the_keychain(it):
    with middle(it) as (_, between):
        clear = filled(it)
        it.run("chatelaine", "setup", "--device-key", "tpm", check=0)
        equal(it.stop(), 0)
        sealed = clear_key(it)
        others = {code: between.answers_to(code)[0] for code in [CREATE_PRIMARY, START_SESSION, LOAD, UNSEAL]}
        for about, name, lie in device_key_lies:
            between.change = lying(about, lie, others)
            started, said = starts(it)
            equal((hex(about), name, started), (hex(about), name, False))
            contains(said, "sealed to a TPM", "nothing was changed", "hint: ")
            equal(clear_key(it), sealed)
        between.change = None
        it.start()
        equal(it.get("name"), b"secret")
        lacks(between.bytes, clear, clear[8:40])


def test_whatever_a_tpm_answers_no_wrong_pin_opens_the_keychain_and_no_lie_counts_as_a_wrong_one(it):
    with middle(it) as (token, between):
        clear = filled(it)
        seal_with_pin(it, "TPM", pin)
        equal(it.stop(), 0)
        it.start()
        # A right one, to be passed on again later.
        enter(it, "unlock", pin, check=0)
        others = {code: between.answers_to(code)[-1] for code in [CREATE_PRIMARY, START_SESSION, LOAD, UNSEAL]}
        equal(it.stop(), 0)
        it.start()
        for about, name, lie in device_key_lies:
            if about == UNSEAL or name == "another storage key":
                between.change = lying(about, lie, others)
                done = enter(it, "unlock", pin)
                equal((hex(about), name, done.returncode != 0, state(it)), (hex(about), name, True, "awaiting-pin"))
                contains(done.err, "error: ")
        equal(os.path.exists(os.path.join(it.data, "device.tries")), False)
        equal(failures(token, it), 0)
        # The TPM refuses a wrong PIN, and the program in the middle says that it was right. (At the third one the TPM would lock.)
        for lie in [lies["that of another session"], lambda answer, other: in_clear(bytes(72))]:
            between.change = lying(UNSEAL, lie, others)
            assert enter(it, "unlock", "1111").returncode != 0
            equal(state(it), "awaiting-pin")
        between.change = None
        equal(failures(token, it), 2)
        enter(it, "unlock", pin, check=0)
        equal(it.get("name"), b"secret")
        lacks(between.bytes, clear, clear[8:40], pin.encode(), authorization(it))


def failures(token, it):
    """The TPM's count. It is asked beside the service, whose token has the TPM for itself."""
    end_token(it.daemon)
    count = tpm_property(token, FAILURES)
    start_token(it)
    return count


def test_a_tpm_that_holds_its_answer_back_delays_no_other_user(it):
    with middle(it) as (_, between):
        filled(it)
        seal_with_pin(it, "TPM", pin)
        equal(it.stop(), 0)
        it.start()
        asked = between.asked_for(UNSEAL)

        def change(command, ask):
            answer = ask()
            if code_of(command) == UNSEAL:
                between.seen.append((command, answer, answer))
                between.silent.wait()
            return answer

        between.change = change
        read, write = os.pipe()
        os.write(write, pin.encode() + b"\n")
        os.close(write)
        waiting = it.popen("chatelaine", "unlock", "--pin-fd", str(read), pass_fds=[read], stdout=-1, stderr=-1)
        os.close(read)
        between.wait_for(UNSEAL, asked + 1)
        # Not the command's status, which asks the token as well.
        with Client(it.socket_path) as client:
            equal(client.request(STATUS).status, 0)
        between.change = None
        between.silent.set()
        said = waiting.communicate(timeout=60)[1]
        # On a machine that has much else to do, the service has given the token up by now.
        if waiting.returncode:
            contains(said.decode(), "does not answer")
            end_token(it.daemon)
            start_token(it)
            enter(it, "unlock", pin, check=0)
        equal(it.get("name"), b"secret")


# MARK: A TPM of the attacker's


@cases("protection", ["no PIN", "a PIN"])
def test_another_tpm_in_the_place_of_the_tpm_that_has_the_device_key_is_told_nothing(it, protection):
    with middle(it) as (_, between):
        filled(it)
        if protection == "a PIN":
            seal_with_pin(it, "TPM", pin)
        else:
            it.run("chatelaine", "setup", "--device-key", "tpm", check=0)
        equal(it.stop(), 0)
        own = between.change = OwnTPM()
        between.seen.clear()
        if protection == "a PIN":
            it.start()
            contains(enter(it, "unlock", pin).err, "the device key is sealed to another token")
        else:
            started, said = starts(it)
            equal(started, False)
            contains(said, "another TPM")
        # It learns which storage key is wanted, and no session begins.
        assert between.asked_for(CREATE_PRIMARY) > 0
        equal([between.asked_for(code) for code in (START_SESSION, CREATE, LOAD, UNSEAL)], [0] * 4)
        equal(own.sealed, [])
        between.change = None
        if protection == "a PIN":
            end_token(it.daemon)
            start_token(it)
            enter(it, "unlock", pin, check=0)
        else:
            it.start()
        equal(it.get("name"), b"secret")


def test_open_another_tpm_in_the_place_of_the_right_one_when_the_device_key_is_sealed_reads_it(it):
    """Nothing says which storage key is the right one, so the one who answers when a key is sealed reads it. A key that is sealed already
    tells it nothing."""
    with middle(it) as (_, between):
        clear = filled(it)
        own = between.change = OwnTPM()
        seal_with_pin(it, "TPM", pin)
        equal(own.sealed, [(authorization(it).rstrip(b"\0"), clear)])
        # The real TPM finds it out: it did not make this blob.
        between.change = None
        it.stop()
        it.start()
        contains(enter(it, "unlock", pin).err, "the device key is sealed to another token")


# MARK: Trying PINs


def restarted(it):
    assert enter(it, "unlock", "1111").returncode != 0
    it.stop()
    it.start()


def killed_in_the_middle(it, between):
    """Kills the service when the TPM has looked at the PIN, before the service has its answer."""
    service = it.daemon

    def change(command, ask):
        answer = ask()
        if code_of(command) == UNSEAL:
            service.kill()
            service.wait()
        return answer

    between.change = change
    assert enter(it, "unlock", "1111").returncode != 0
    between.change = None
    # The command may have started another service.
    it.daemon = None
    it.end_services()
    it.start()


def without_its_count(it):
    assert enter(it, "unlock", "1111").returncode != 0
    os.unlink(os.path.join(it.data, "device.tries"))


def in_a_copy(it):
    """Tries in a service of a copy of the data folder."""
    it.stop()
    other = Instance(it.programs, it.user)
    try:
        shutil.copytree(it.data, other.data)
        if it.user:
            shutil.chown(other.data, it.user, it.user)
            for folder, folders, files in os.walk(other.data):
                for name in folders + files:
                    shutil.chown(os.path.join(folder, name), it.user, it.user)
        other.environment["CHATELAINE_TPM"] = it.environment["CHATELAINE_TPM"]
        other.start()
        assert enter(other, "unlock", "1111").returncode != 0
        other.stop()
    finally:
        other.remove()
    it.start()


@ordinary
def test_a_program_of_the_same_user_has_no_more_pins_looked_at_than_the_tpm_allows(it):
    """A program of the same user restarts and kills the service, removes its count and copies its data: the TPM has looked at as many PINs
    as it allows, and looks at no other for the time that its owner has set."""
    with middle(it) as (token, between):
        filled(it)
        seal_with_pin(it, "TPM", pin)
        equal(it.stop(), 0)
        equal(tpm_property(token, FAILURES), 0)
        limit = tpm_property(token, LIMIT)
        assert tpm_property(token, INTERVAL) >= 60, "seconds until the TPM looks at another one"
        between.seen.clear()
        it.start()
        ways = [lambda: without_its_count(it), lambda: killed_in_the_middle(it, between), lambda: restarted(it), lambda: in_a_copy(it)]
        for way in ways:
            way()
        answers = [int.from_bytes(answer[6:10], "big") for command, answer, _ in between.seen if code_of(command) == UNSEAL]
        # A token that ends without flushing its session leaves the TPM as after a power cut, which may count as well.
        looked_at = answers.count(AUTHORIZATION_FAILED)
        assert 1 <= looked_at <= limit, answers
        equal(set(answers[looked_at:]), {LOCKED_OUT})
        contains(enter(it, "unlock", pin).err, "too many wrong PINs")
        equal(state(it), "awaiting-pin")
        it.stop()
        equal(tpm_property(token, FAILURES), limit)
        # As the owner of the TPM can.
        equal(reset_lockout(token), 0)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(it.data, "device.tries"))
        it.start()
        enter(it, "unlock", pin, check=0)
        equal(it.get("name"), b"secret")


def test_open_a_program_that_may_use_the_tpm_sets_its_count_back_unless_the_tpms_owner_has_a_password_for_that(it):
    with middle(it) as (token, between):
        filled(it)
        seal_with_pin(it, "TPM", pin)
        equal(it.stop(), 0)
        limit = tpm_property(token, LIMIT)

        def looks():
            return sum(
                code_of(command) == UNSEAL and answer[6:10] == AUTHORIZATION_FAILED.to_bytes(4, "big")
                for command, answer, _ in between.seen)

        def tries(count):
            before = looks()
            for _ in range(count):
                it.start()
                assert enter(it, "unlock", "1111").returncode != 0
                it.stop()
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(it.data, "device.tries"))
            return looks() - before

        equal(tries(limit + 1), limit)
        equal(reset_lockout(token), 0)
        equal(tries(limit + 1), limit)
        equal(reset_lockout(token), 0)
        # With a password for it, only its owner does that.
        equal(set_lockout_password(token, b"of the owner"), 0)
        equal(tries(limit + 1), limit)
        assert reset_lockout(token) != 0
        equal(tries(1), 0)
