# SPDX-License-Identifier: Apache-2.0
"""The agent that prompts users for the system service: with the real programs, and a simulated user who types."""

import json
import os
import signal

from support.agents import AGENT, GROUP, system
from support.caller import Caller, compile_caller, compile_library, root_owned_folder
from support.instance import read_text, wait_until
from support.prompters import questions, running_prompters
from support.sentences import cases, contains, equal, lacks, python
from support.system import Usual, ann, bob
from support.terminal import Terminal

PASSCODE = "hünter2"
SECRET = "correct horse"
QUESTION = "[d]eny, [a]llow once? "
FIELD = "Passcode of the keychain: "


def given(it, passcode=PASSCODE):
    """Another program's item, and a passcode."""
    it.environment["SOCKET"] = it.environment["CHATELAINE_SERVICE"].removeprefix("system:") + "/chatelaine.socket"
    python(it, f"""
import os
from support.wire import Client
assert Client(os.environ["SOCKET"]).add({{"svce": "mail", "acct": "ann", "labl": "Post"}}, b"{SECRET}").status == 0
""")
    if passcode:
        it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=passcode, check=0)


def get(it, **environment):
    return Terminal(it, "chatelaine", "get", "mail", "--user", "ann", **environment)


def say(terminal, question, text):
    terminal.expect(question)
    terminal.type(text + "\n")
    terminal.shown = terminal.shown.partition(question)[2]


def prompters(it):
    """The process IDs of the running prompters beside this service."""
    return running_prompters(it.programs.folder)


def all_gone(it):
    wait_until(lambda: not prompters(it), what="the end of the prompters")


def waiting(user):
    """How many prompts of the user's keychain wait or are shown, and the most at any moment."""
    return questions(json.loads(user.run("chatelaine", "status", "--verbose", "--json", check=0).out)["figures"])


def test_a_user_is_asked_on_the_terminal_of_the_program_by_the_prompter_without_the_agents_group(it):
    """A user is asked on the terminal of the program, by the prompter without the agent's group, and Allow takes the passcode."""
    with system(it) as (service, first, second, agent):
        given(first)
        asking = agent().wait_until_accepted()
        with get(first) as terminal:
            terminal.expect(QUESTION)
            [prompter] = prompters(it)
            status = read_text(f"/proc/{prompter}/status")
            for name in ("Uid", "Gid"):
                equal([line.split()[1:] for line in status.splitlines() if line.startswith(name + ":")], [[str(ann)] * 4])
            for words in ("Keychain: allow this request?", 'chatelaine" (process', 'password "Post"'):
                contains(" ".join(terminal.shown.split()), words)
            say(terminal, QUESTION, "a")
            say(terminal, FIELD, PASSCODE)
            equal(terminal.end(), 0)
            contains(terminal.shown, SECRET)
            lacks(terminal.shown, PASSCODE)
            assert terminal.echoes()
        all_gone(it)
        with get(first) as terminal:
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)
            lacks(terminal.shown, SECRET)
        # The kernel keeps the agent from its user's other programs.
        pid = asking.process.pid
        contains(read_text(f"/proc/{pid}/status"), "NoNewPrivs:\t1", "Seccomp:\t2")
        for words in (["head", "-c1", f"/proc/{pid}/mem"], ["cat", f"/proc/{pid}/environ"], ["ls", f"/proc/{pid}/fd"]):
            assert first.run(*words).returncode != 0, " ".join(words)
        equal(service.stop(), 0)


def test_without_an_agent_of_their_own_users_are_told_at_once_that_there_was_no_prompt(it):
    """Without an agent of their own users are told at once that no prompt was possible, and an agent makes no keychain."""
    with system(it) as (service, first, second, agent):
        given(first)
        agent(second).wait_until_accepted()
        assert not os.path.exists(service.store(bob))
        done = first.run("chatelaine", "get", "mail", "--user", "ann", check=4, start_new_session=True)
        contains(done.err, "belongs to another program")
        with get(first) as terminal:
            equal(terminal.end(), 4)
            lacks(terminal.shown, QUESTION)
        # No request entered the queue of prompts, and there it would have had to wait.
        equal(waiting(first), (0, 0))
        agent(first).wait_until_accepted()
        with get(first) as terminal:
            terminal.expect(QUESTION)
            equal(waiting(first), (1, 1))


def test_without_a_passcode_no_terminal_counts_and_the_hint_says_what_would(it):
    with system(it) as (service, first, second, agent):
        given(first, passcode=None)
        agent().wait_until_accepted()
        with get(first) as terminal:
            equal(terminal.end(), 4)
            contains(terminal.shown, "chatelaine passcode set")
            lacks(terminal.shown, QUESTION)


@cases("what", [
    "the program of a user", "the agent without its group", "a copy of the agent", "the agent with a library of the user's",
    "the agent without new privileges"])
def test_is_no_agent_or_none_that_its_user_could_change(it, what):
    with system(it) as (service, first, second, agent):
        given(first)
        path = first.program(AGENT)
        if what == "the program of a user":
            first.environment["SOCKET"] = service.socket_path
            output = python(first, """
import os
from support.wire import Client
client = Client(os.environ["SOCKET"])
answer = client.request(0x28)
print(answer.status, answer.reason)
""")
            equal(output, "-34018 75\n")
        else:
            if what == "the agent without its group":
                os.chmod(path, 0o755)
                pretended = agent(path=path)
            elif what == "a copy of the agent":
                copy = it.programs.copy(path, os.path.join(os.path.dirname(path), "agent-too"))
                os.chown(copy, 0, GROUP)
                os.chmod(copy, 0o2755)
                pretended = agent(path=copy)
            elif what == "the agent without new privileges":
                pretended = agent(first, path, "setpriv", "--no-new-privs")
            else:
                library = compile_library(it)
                pretended = agent(first, path, "env", f"LD_PRELOAD={library}").wait_until_accepted()
                lacks(read_text(f"/proc/{pretended.process.pid}/maps"), library)
                return
            equal(pretended.process.wait(timeout=60), 77)
            contains(pretended.text, "accepts no answers from this program", "hint: ", "chatelaine enforce")
        with get(first) as terminal:
            equal(terminal.end(), 4)
            lacks(terminal.shown, QUESTION)


def to_question(terminal):
    terminal.expect(QUESTION)


def to_passcode(terminal):
    say(terminal, QUESTION, "a")
    terminal.expect(FIELD)
    terminal.type("half")


steps = [("the question", to_question), ("the passcode", to_passcode)]


@cases("_, go", steps)
def test_an_agent_that_is_killed_at_leaves_the_terminal_as_it_was_and_is_no_yes(it, _, go):
    with system(it) as (service, first, second, agent):
        given(first)
        asking = agent().wait_until_accepted()
        with get(first) as terminal:
            go(terminal)
            asking.end()
            equal(terminal.end(), 4)
            lacks(terminal.shown, SECRET)
            wait_until(terminal.echoes, what="the terminal as it was")
        all_gone(it)
        # The next one asks again.
        agent().wait_until_accepted()
        with get(first) as terminal:
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)


@cases("_, go", steps)
def test_a_program_that_is_killed_at_takes_its_question_along_also_of_an_agent(it, _, go):
    with system(it) as (service, first, second, agent):
        given(first)
        agent().wait_until_accepted()
        with get(first) as terminal:
            go(terminal)
            terminal.signal("SIGKILL")
            terminal.program.wait()
            all_gone(it)
            wait_until(terminal.echoes, what="the terminal as it was")
        with get(first) as terminal:
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)


def test_a_service_that_ends_takes_the_question_along_and_the_agent_finds_the_next_one(it):
    with system(it) as (service, first, second, agent):
        given(first)
        asking = agent().wait_until_accepted()
        with get(first) as terminal:
            terminal.expect(QUESTION)
            service.stop(signal.SIGKILL)
            assert terminal.end() > 0
            wait_until(terminal.echoes, what="the terminal as it was")
        all_gone(it)
        service.start()
        first.run("chatelaine", "unlock", "--passcode-fd", "0", input=PASSCODE, check=0)
        wait_until(lambda: asking.text.count("showing prompts of") == 2, what="the agent's new place")
        with get(first) as terminal:
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)


def test_where_the_machine_has_no_system_service_the_agent_has_nothing_to_do_and_says_so(it):
    with system(it) as (service, first, second, agent):
        done = Usual.run(first, None, first.program(AGENT))
        equal(done.returncode, 0)
        contains(done.err, "no system service")
        equal(first.run(AGENT, "nonsense").returncode, 64)
        contains(first.run(AGENT, "--help", check=0).out, "usage: chatelaine-agent")


def test_the_items_of_a_program_that_is_enforced_from_now_on_are_moved_with_an_approval_and_back(it):
    with system(it) as (service, first, second, agent), root_owned_folder() as folder:
        path = it.programs.copy(compile_caller(it), os.path.join(folder, "keeper"))
        item = {"svce": "mail", "acct": "ann"}

        def found():
            with Caller(first, path, arguments=[service.socket_path]) as program:
                return [data for _, _, data in program.connect().copy(item).items]

        def moved(*words, answer="a"):
            with Terminal(first, "chatelaine", "enforce", *words, "--move-items", path) as terminal:
                terminal.expect('"mail"')
                say(terminal, QUESTION, answer.lower())
                if answer == "a":
                    say(terminal, FIELD, PASSCODE)
                return terminal.end()

        first.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
        first.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=PASSCODE, check=0)
        with Caller(first, path, arguments=[service.socket_path]) as program:
            equal(program.connect().add(item, SECRET.encode()).status, 0)
        contains(first.run("chatelaine", "enforce", "--move-items", path, check=1).err, "does not identify", "whoami")
        agent().wait_until_accepted()
        os.chown(path, 0, GROUP)
        os.chmod(path, 0o2755)
        equal(found(), [])
        equal((moved(answer="d"), found()), (4, []))
        equal((moved(), found()), (0, [SECRET.encode()]))
        contains(first.run("chatelaine", "enforce", "--move-items", path, check=0).out, "no items to move")
        contains(first.run("chatelaine", "enforce", "--undo", "--move-items", path, check=1).err, "still enforced")
        os.chmod(path, 0o755)
        equal(found(), [])
        equal((moved("--undo"), found()), (0, [SECRET.encode()]))
