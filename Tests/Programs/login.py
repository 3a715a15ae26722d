# SPDX-License-Identifier: Apache-2.0
"""Users log in with real programs, through the real PAM modules, and the keychain opens with the login password."""

import os
import signal

import pytest

from memory import Image, absent
from passcode import given
from support.instance import is_root, wait_until
from support.login_keychain import LOGIN, LoginKeychain
from support.logins import HOSTS, NEW, PASSWORD, LoginMachine, message
from support.sentences import cases, contains, equal
from support.system import ann
from support.terminal import Terminal

WRONG = "not the password"

pytestmark = pytest.mark.skipif(not is_root, reason="only root may log other users in")


# MARK: With a program in the place of chatelaine-login


@pytest.fixture
def played():
    with LoginMachine(None) as machine:
        yield machine


@cases("host", HOSTS)
def test_each_login_program_passes_a_verified_password_on_and_no_other(played, host):
    log_in = HOSTS[host]
    assert not log_in(played, WRONG)
    equal(os.listdir(played.said), [])
    assert log_in(played)
    found = played.recorded()
    equal((found["input"], found["user"]), ([message(PASSWORD)], [f"{ann} {ann}"]))


def test_root_that_becomes_a_user_without_a_password_passes_nothing_on(played):
    equal(played.run("su", "-", "ann", "-c", "id -u", check=0).stdout, f"{ann}\n")
    assert played.su()
    equal(len(played.recorded()["input"]), 1)
    equal(os.listdir(played.said), [])


def test_passwd_passes_both_passwords_on_after_a_successful_change(played):
    assert not played.passwd(old=WRONG)
    # As long as the old one, but too simple.
    assert not played.passwd(new="aaa")
    equal(os.listdir(played.said), [])
    assert played.passwd()
    found = played.recorded("change")
    equal((found["input"], found["user"]), ([message(NEW, PASSWORD)], [f"{ann} {ann}"]))


def test_root_that_sets_a_password_passes_nothing_on_and_the_log_says_so(played):
    played.run("passwd", "ann", input=f"{NEW}\n{NEW}\n", check=0)
    played.logged("the password of ann is changed without the old one")
    assert played.su(NEW)
    equal(played.recorded()["input"], [message(NEW)])
    equal(os.listdir(played.said), [])


def test_an_expired_password_is_changed_at_login_and_both_are_passed_on(played):
    played.run("passwd", "--expire", "ann", check=0)
    with Terminal(played, "login", "ann") as terminal:
        for question, text in [("Password: ", PASSWORD), ("Current password: ", PASSWORD), ("New password: ", NEW),
                               ("Retype new password: ", NEW)]:
            terminal.expect(question)
            terminal.expect_silence()
            terminal.type(text + "\n")
        terminal.expect("$ ")
        terminal.type("exit\n")
        terminal.end()
    equal(played.recorded()["input"], [message(NEW, PASSWORD)])
    equal(os.listdir(played.said), [])


# MARK: With a keychain


@pytest.fixture(params=["user", "system"])
def keychain(programs, request):
    made = LoginKeychain(programs, request.param)
    yield made
    made.remove()


@cases("host", HOSTS)
def test_a_login_unlocks_the_keychain_and_a_failed_login_does_not(keychain, host):
    keychain.protect()
    log_in = HOSTS[host]
    assert not log_in(keychain.machine, WRONG)
    equal(keychain.state(), "locked")
    assert log_in(keychain.machine)
    keychain.wait_for("unlock", "granted")
    equal(keychain.state(), "unlocked")
    # The failed login has made no request.
    equal(keychain.it.run("chatelaine", "log", "--program", LOGIN, "--outcome", "refused", "--json", check=0).out, "")


def test_a_changed_password_keeps_unlocking_and_the_old_one_does_not(keychain):
    keychain.protect()
    assert keychain.machine.passwd()
    keychain.wait_for("add-protector", "granted")
    equal(keychain.state(), "locked")
    assert keychain.machine.su(NEW)
    keychain.wait_for("unlock", "granted")
    equal(keychain.state(), "unlocked")
    given(keychain.it, "unlock", login_password_fd=PASSWORD, check=4)


def test_a_keychain_without_a_login_password_stays_as_it_is(keychain):
    keychain.protect(login_password=None)
    before = keychain.protectors()
    assert keychain.machine.su()
    [line] = keychain.wait_for("unlock", "refused")
    equal(line["reason"], "noSuchProtector")
    assert keychain.machine.passwd()
    keychain.wait_for("add-protector", "refused")
    equal((keychain.state(), keychain.protectors()), ("locked", before))
    # That is no failure.
    assert not any(LOGIN in line for line in keychain.machine.log_lines()), keychain.machine.lines


def test_a_user_without_a_keychain_gets_none_and_no_service(programs):
    keychain = LoginKeychain(programs, "user")
    try:
        assert keychain.machine.su()
        wait_until(lambda: not keychain.machine.processes(), what="the end of the program")
        equal(os.listdir(keychain.it.directories["home"]), [])
        equal(os.listdir(keychain.it.directories["runtime"]), [])
    finally:
        keychain.remove()


def test_a_login_goes_on_while_the_service_does_not_answer_and_unlocks_when_it_does(keychain):
    keychain.protect()
    keychain.daemon.send_signal(signal.SIGSTOP)
    try:
        assert keychain.machine.su()
    finally:
        keychain.daemon.send_signal(signal.SIGCONT)
    keychain.wait_for("unlock", "granted")
    equal(keychain.state(), "unlocked")


def test_a_login_starts_a_user_service_and_goes_on_without_a_system_service(keychain):
    keychain.protect()
    keychain.daemon.kill()
    keychain.daemon.wait()
    assert keychain.machine.su()
    if keychain.is_of_system:
        keychain.machine.logged("the system service of this machine is not running")
        keychain.start()
        equal(keychain.state(), "before-first-unlock")
    else:
        keychain.wait_for("unlock", "granted")
        equal(keychain.state(), "unlocked")


def test_the_passwords_are_in_no_memory_of_the_service(keychain):
    keychain.protect()
    assert keychain.machine.su()
    keychain.wait_for("unlock", "granted")
    absent(Image(keychain.daemon.pid), {"the password": PASSWORD})
    assert keychain.machine.passwd()
    keychain.wait_for("add-protector", "granted")
    absent(Image(keychain.daemon.pid), {"the old password": PASSWORD, "the new password": NEW})


def test_a_password_that_root_sets_is_reported_and_the_command_renews_it(keychain):
    keychain.protect()
    keychain.machine.run("passwd", "ann", input=f"{NEW}\n{NEW}\n", check=0)
    assert keychain.machine.su(NEW)
    [line] = keychain.wait_for("unlock", "refused")
    equal(line["reason"], "wrongSecret")
    keychain.machine.logged("`chatelaine setup login` renews it")
    contains(keychain.it.run("chatelaine", "doctor").out, "warning  login", "chatelaine setup login")
    given(keychain.it, "setup", "login", passcode_fd="hunter2", login_password_fd=NEW, check=0)
    contains(keychain.it.run("chatelaine", "doctor").out, "ok       login")
    assert keychain.machine.su(NEW)
    keychain.wait_for("unlock", "granted")
    equal(keychain.state(), "unlocked")


def test_the_setup_is_undone(keychain):
    keychain.protect()
    given(keychain.it, "setup", "login", "--undo", passcode_fd="hunter2", check=0)
    assert keychain.machine.su()
    [line] = keychain.wait_for("unlock", "refused")
    equal(line["reason"], "noSuchProtector")
