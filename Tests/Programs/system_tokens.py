# SPDX-License-Identifier: Apache-2.0
"""Private keys in tokens of a system service: each user's keys are separate, and independent of the others' tokens."""

import contextlib
import json
import os
import re
import signal
import subprocess

from cryptography.hazmat.primitives.ciphers import Cipher

from support.instance import has_ended, mode, read_text, wait_until
from support.sentences import cases, contains, equal, lacks
from support.system import SystemService, allowed_calls, ann, bob, needs_root, service_user
from support.tokens import (
    TPM, KeyTool, children, foreign, helpers_folder, install, message, not_available, others_do_not_wait, read_public, sign, verify)

not_found = -25300
kinds = ["software", "TPM"]
programs = {"software": "chatelaine-token-software", "TPM": "chatelaine-token-tpm"}


@contextlib.contextmanager
def system(it, kind="software", start=True):
    """A system service with that token, and two users."""
    needs_root()
    install(it)
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(SystemService(it))
        service.environment["CHATELAINE_TPM"] = "none"
        if kind == "TPM":
            token = stack.enter_context(TPM(it))
            # The service's user may use it, as the group tss may use the kernel's device.
            os.chmod(token.folder, 0o755)
            os.chmod(token.socket, 0o666)
            service.environment["CHATELAINE_TPM"] = token.socket
        first, second = service.user(ann), service.user(bob)
        stack.callback(first.remove)
        stack.callback(second.remove)
        yield (service.start() if start else service), first, second


def tokens(service):
    """The numbers of the service's tokens."""
    return [number for name in programs.values() for number in children(service.process.pid, name)]


def end_tokens(service):
    for number in tokens(service):
        os.kill(number, signal.SIGKILL)
    wait_until(lambda: not tokens(service), what="the end of the tokens")


def token_key(service, user):
    return os.path.join(service.store(user), "token.key")


@cases("kind", kinds)
def test_two_users_each_have_keys_in_their_token_also_when_the_token_was_killed_and_the_service_restarted(it, kind):
    """Two users each have keys in their token (…), also when the token was killed and the service restarted, and only their own."""
    with system(it, kind) as (service, first, second):
        public = {}

        def check(user):
            with KeyTool(user) as tool:
                verify(public[user], tool.data("sign", "own", sign, message))
                # Of the other's key there is nothing: neither under its name nor to be found.
                tool.refuses(not_found, "sign", "bob's" if user is first else "ann's", sign, message)
                tool.data("sign", "ann's" if user is first else "bob's", sign, message)
            # A TPM in software has one visitor at a time, unlike the kernel's device.
            end_tokens(service)

        for user, name in [(first, "ann's"), (second, "bob's")]:
            with KeyTool(user) as tool:
                public[user] = read_public(tool.data("make-in-token", "own"))
                tool.data("make-in-token", name)
                equal(len(children(service.process.pid, programs[kind])), 1)
            end_tokens(service)
        for user in (first, second, first):
            check(user)
        equal(service.stop(), 0)
        service.start()
        for user in (second, first):
            check(user)
        equal(service.stop(signal.SIGKILL), -signal.SIGKILL)
        service.start()
        for user in (first, second):
            check(user)


def test_the_secret_of_a_users_token_lies_with_that_users_keychain_for_the_service_alone(it):
    """The secret of a user's token lies with that user's keychain, for the service alone, and opens no other user's keys."""
    with system(it) as (service, first, second):
        public = {}
        for user in (first, second):
            with KeyTool(user) as tool:
                public[user] = read_public(tool.data("make-in-token", "t"))
        files = [token_key(service, number) for number in (ann, bob)]
        for file in files:
            equal((mode(file), os.lstat(file).st_uid), (0o600, service_user))
            for user in (first, second):
                assert user.run("cat", file).returncode != 0
        contents = [open(file, "rb").read() for file in files]
        assert contents[0] != contents[1]

        def put(pair):
            equal(service.stop(), 0)
            for file, content in zip(files, pair):
                with open(file, "wb") as opened:
                    opened.write(content)
            service.start()

        put(contents[::-1])
        for user in (first, second):
            with KeyTool(user) as tool:
                tool.refuses(foreign, "sign", "t", sign, message)
        put(contents)
        for user in (first, second):
            with KeyTool(user) as tool:
                verify(public[user], tool.data("sign", "t", sign, message))


def test_a_user_whose_token_does_not_answer_waits_and_the_others_do_not(it):
    with system(it) as (service, first, second):
        with KeyTool(first) as tool, KeyTool(second) as other:
            public = read_public(tool.data("make-in-token", "t"))
            [hers] = tokens(service)
            his = read_public(other.data("make-in-token", "t"))
            [its] = set(tokens(service)) - {hers}

            def hanging():
                # It may be another one than before.
                verify(public, tool.data("sign", "t", sign, message))
                [token] = set(tokens(service)) - {its}
                os.kill(token, signal.SIGSTOP)
                return token

            words = ["keychain", "sign", "t", sign, "bWVzc2FnZQ=="]
            others_do_not_wait(tool, words, hanging, lambda: verify(his, other.data("sign", "t", sign, message)))
            verify(public, tool.data("sign", "t", sign, message))


def test_each_users_token_runs_as_the_services_user_without_its_capabilities(it):
    """Each user's token runs as the service's user, without its capabilities, its files and its environment, and cannot be reached."""
    with system(it) as (service, first, second):
        for user in (first, second):
            with KeyTool(user) as tool:
                tool.data("make-in-token", "t")
        equal(len(tokens(service)), 2)
        for token in tokens(service):
            lines = dict(line.split(":", 1) for line in read_text(f"/proc/{token}/status").splitlines())
            for name, expected in [
                ("CapPrm", "0" * 16), ("CapEff", "0" * 16), ("CapInh", "0" * 16), ("CapAmb", "0" * 16), ("NoNewPrivs", "1"),
                ("Seccomp", "2"), ("Groups", ""),
            ]:
                equal((name, lines[name].strip()), (name, expected))
            equal(lines["Uid"].split(), [str(service_user)] * 4)
            equal(sorted(os.listdir(f"/proc/{token}/fd")), ["0", "1", "2"])
            equal(read_text(f"/proc/{token}/environ"), "")
            for words in [["kill", "-9", str(token)], ["cat", f"/proc/{token}/maps"], ["ls", f"/proc/{token}/fd"]]:
                assert first.run(*words).returncode != 0, " ".join(words)
        numbers = tokens(service)
        equal(service.stop(), 0)
        wait_until(lambda: all(map(has_ended, numbers)), what="the end of the tokens")


@cases("kind", kinds)
def test_users_are_told_of_their_own_token_and_that_the_device_key_stays_where_it_is(it, kind):
    with system(it, kind) as (service, first, second):
        for user, number in [(first, ann), (second, bob)]:
            status = json.loads(user.run("chatelaine", "token", "status", "--json", check=0).out)
            equal(status["deviceKey"], "file")
            best = status["tokens"][0]
            equal((best["kind"], best["available"]), (kind.lower(), True))
            equal(best["place"], service.environment["CHATELAINE_TPM"] if kind == "TPM" else token_key(service, number))
            equal(len(status["tokens"]), 2 if kind == "TPM" else 1)
            end_tokens(service)
        before = open(os.path.join(service.store(ann), "device.key"), "rb").read()
        for words in [["--device-key", "tpm"], ["--device-key", "software", "--pin"], ["--pin"], []]:
            done = first.run("chatelaine", "setup", *words, check=5)
            contains(done.err, "the device key of the system service stays in its file", "hint: ")
        equal(open(os.path.join(service.store(ann), "device.key"), "rb").read(), before)


def test_only_the_programs_beside_the_service_are_its_tokens_whatever_its_environment_says(it):
    """Only the programs beside the service are its tokens, regardless of its environment, and only if no other user can write them."""
    with system(it, start=False) as (service, first, _second):
        program = os.path.join(it.programs.folder, programs["software"])
        elsewhere = os.path.join(it.scratch, "elsewhere")
        os.mkdir(elsewhere, 0o755)
        it.programs.copy(os.path.join(helpers_folder(), programs["software"]), os.path.join(elsewhere, programs["software"]))
        os.unlink(program)
        service.environment["CHATELAINE_HELPERS"] = elsewhere
        # In the sandbox the kernel would not run a program that is added later.
        service.start(sandboxed=False)
        with KeyTool(first) as tool:
            tool.refuses(not_available, "make-in-token", "t")
            # Everything else works.
            tool.data("make", "held", "ec", 256)
            install(it)
            os.chmod(program, 0o777)
            tool.refuses(not_available, "make-in-token", "t")
            os.chmod(program, 0o755)
            os.chown(program, ann, ann)
            tool.refuses(not_available, "make-in-token", "t")
            os.chown(program, 0, 0)
            verify(read_public(tool.data("make-in-token", "t")), tool.data("sign", "t", sign, message))
        lacks(read_text(service.log), elsewhere)


def test_the_unit_allows_every_system_call_of_the_tokens_too(it):
    """Every system call of the tokens, too, is allowed by the unit, and they give up their access to files."""
    with system(it, start=False) as (service, first, _second):
        service.start_traced()
        with KeyTool(first) as tool:
            public = read_public(tool.data("make-in-token", "t"))
            verify(public, tool.data("sign", "t", sign, message))
        lines = service.stop_traced().splitlines()
        [token] = {line.split()[0] for line in lines if f'/{programs["software"]}"' in line and " execve(" in line}
        calls = [line.partition(" ")[2].strip() for line in lines if line.split()[0] == token]
        calls = calls[next(place for place, call in enumerate(calls) if call.startswith("execve(")):]
        equal(sorted({call.partition("(")[0] for call in calls if call[0].isalpha()} - allowed_calls()), [])
        for name in ["landlock_restrict_self", "seccomp"]:
            # In two lines where another process's call came in between.
            assert any(re.match(rf"({name}\(|<\.\.\. {name} resumed>).* = 0$", call) for call in calls), name


def test_the_unit_lets_the_kernel_run_nothing_but_the_service_its_tokens_and_what_asks_for_fingers(it):
    with system(it, start=False) as (service, _first, _second):
        name = "chatelaine-fingerprint"
        helper = it.programs.copy(os.path.join(helpers_folder(), name), os.path.join(it.programs.folder, name))
        words = service.words()
        place = words.index(it.program("chatelained"))
        for program, may_run in [
            (it.program("chatelained"), True), *((os.path.join(it.programs.folder, name), True) for name in programs.values()),
            (helper, True), (it.program("chatelaine"), False), ("/usr/bin/true", False), (os.path.join(service.state, "own"), False),
        ]:
            if program.startswith(service.state):
                it.programs.copy("/usr/bin/true", program)
            done = subprocess.run(service.sandboxed([*words[:place], program, "--help"]), capture_output=True, text=True)
            equal((program, done.returncode == 0), (program, may_run))
            if not may_run:
                contains(done.stderr, "Permission denied")


def test_a_key_in_the_token_without_hardware_goes_with_its_keychain_into_the_system_service(it):
    """A key in the token without hardware moves with its keychain into the system service, and back."""
    with system(it) as (service, first, _second):
        first.environment.pop("CHATELAINE_SERVICE")
        first.environment["CHATELAINE_TPM"] = "none"
        first.start()
        with KeyTool(first) as tool:
            public = read_public(tool.data("make-in-token", "t"))
        equal(first.stop(), 0)

        def migrate(direction):
            it.run("chatelained", "migrate", direction, str(ann), "--user-directory", first.data, "--system-directory",
                   service.state, check=0)

        migrate("to-system")
        first.environment["CHATELAINE_SERVICE"] = "system:" + service.runtime
        with KeyTool(first) as tool:
            verify(public, tool.data("sign", "t", sign, message))
        equal((mode(token_key(service, ann)), os.lstat(token_key(service, ann)).st_uid), (0o600, service_user))
        equal(service.stop(), 0)
        migrate("to-user")
        first.environment["CHATELAINE_SERVICE"] = "user"
        first.start()
        with KeyTool(first) as tool:
            verify(public, tool.data("sign", "t", sign, message))
