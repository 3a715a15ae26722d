# SPDX-License-Identifier: Apache-2.0
"""What programs of a user can do to the agent of that user, which asks for the system service (Documentation/Attacks.md).

The agent answers for a person. So the programs must not get into it, and what they can do, such as starting it in surroundings of their
own or ending it, must not become a yes: that takes the passcode."""

import os
import shutil
import subprocess

import pytest

from agent import FIELD, PASSCODE, QUESTION, SECRET, all_gone, get, given, say
from support.agents import AGENT, system
from support.caller import compile_library
from support.instance import read_text, wait_until
from support.prompters import ScriptedPinentry
from support.sentences import contains, equal, lacks, python
from support.system import ann


def number_of_agents(service, user=ann):
    return read_text(service.log).count(f"an agent of user {user} connected")


def await_agent(service, started, before):
    """Waits until the service has taken the agent, or the agent has ended. Returns whether the service has taken it."""
    # It may also have said why it has to wait, and try again.
    wait_until(lambda: number_of_agents(service) > before or started.process.poll() is not None or started.text,
               what="the agent's place, its end or its complaint")
    return number_of_agents(service) > before


def asks_for_the_passcode(user):
    """A read that is allowed with the passcode, and gives nothing out before that."""
    with get(user) as terminal:
        say(terminal, QUESTION, "a")
        terminal.expect(FIELD)
        say(terminal, FIELD, "wrong")
        terminal.expect("Wrong passcode. Try again.")
        lacks(terminal.shown, SECRET)
        say(terminal, FIELD, PASSCODE)
        equal(terminal.end(), 0)
        contains(terminal.shown, SECRET)


# MARK: Getting into it

# Prints, for each way into a process, the error that the kernel gives, or 0.
WAYS_IN = """
import ctypes, errno, os, resource, sys
libc = ctypes.CDLL(None, use_errno=True)
number = int(sys.argv[2])
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("count", ctypes.c_size_t)]
room = ctypes.create_string_buffer(16)
own, other = Part(ctypes.addressof(room), 16), Part(int(sys.argv[3], 16), 16)
def call(function, *arguments):
    ctypes.set_errno(0)
    return ctypes.get_errno() if function(*arguments) < 0 else 0
def system_call(number, *arguments):
    # Of full size: the last ones are passed on the stack.
    return call(libc.syscall, *(ctypes.c_long(each) if isinstance(each, int) else each for each in (number, *arguments)))
def opened(name, flags=os.O_RDONLY):
    try:
        descriptor = os.open(f"/proc/{number}/{name}", flags)
        if not flags & os.O_DIRECTORY and flags & os.O_ACCMODE == os.O_RDONLY and name not in ("mem", "pagemap"):
            os.read(descriptor, 1)
        os.close(descriptor)
        return 0
    except OSError as error:
        return error.errno
def limit():
    try:
        resource.prlimit(number, resource.RLIMIT_NOFILE, (8, 8))
        return 0
    except OSError as error:
        return error.errno
handle = os.pidfd_open(number)
found = {"pidfd_getfd": system_call(438, handle, 2, 0)}
for name in ("environ", "maps", "auxv", "syscall", "stack", "mem", "pagemap", "io"):
    found[name] = opened(name)
found["mem for writing"] = opened("mem", os.O_RDWR)
for name in ("fd", "map_files", "cwd", "root"):
    found[name] = opened(name, os.O_RDONLY | os.O_DIRECTORY)
try:
    found["exe"] = os.readlink(f"/proc/{number}/exe") and 0
except OSError as error:
    found["exe"] = error.errno
found["process_vm_readv"] = system_call(310, number, ctypes.byref(own), 1, ctypes.byref(other), 1, 0)
found["process_vm_writev"] = system_call(311, number, ctypes.byref(own), 1, ctypes.byref(other), 1, 0)
found["kcmp"] = system_call(312, number, os.getpid(), 0, 0, 0)
found["move_pages"] = system_call(279, number, 0, 0, 0, 0, 0)
found["prlimit"] = limit()
found["PTRACE_SEIZE"] = call(libc.ptrace, 0x4206, number, 0, 0)
libc.ptrace(17, number, 0, 0)
found["PTRACE_ATTACH"] = call(libc.ptrace, 16, number, 0, 0) if found["PTRACE_SEIZE"] else 0
for name, error in found.items():
    print(name, errno.errorcode.get(error, error))
"""

# The kernel's stack is for root alone, and the table of pages opens for all.
FOR_ROOT = {"stack", "map_files"}


def ways_into(user, number):
    """The error of each way into a process of the user."""
    with open(f"/proc/{number}/maps", encoding="ascii") as file:
        [address] = [line.partition("-")[0] for line in file if line.rstrip().endswith("[stack]")]
    lines = python(user, WAYS_IN, str(number), address).splitlines()
    return {name: error for name, _, error in (line.rpartition(" ") for line in lines)}


def test_no_program_of_its_user_gets_into_the_agent_as_it_gets_into_any_other_program(it):
    with system(it) as (service, first, _second, agent):
        given(first)
        running = agent().wait_until_accepted()
        # The same in a program of the user that nothing shields. Attached, it stops.
        with first.popen("sleep", "600") as other:
            try:
                wait_until(lambda: os.readlink(f"/proc/{other.pid}/exe").endswith("sleep"), what="the other program")
                open_ways = {name for name, error in ways_into(first, other.pid).items() if error == "0"}
            finally:
                other.kill()
        usual = {"PTRACE_SEIZE", "mem", "mem for writing", "process_vm_readv", "process_vm_writev", "environ", "fd", "prlimit"}
        equal(usual - open_ways, set())
        found = ways_into(first, running.process.pid)
        equal({name for name in open_ways if found[name] == "0"}, set())
        asks_for_the_passcode(first)


# Starts the agent's file without what shields it.
FROM_MEMORY = """
import os, sys
copy = os.memfd_create("agent")
os.write(copy, open(sys.argv[1], "rb").read())
os.fchmod(copy, 0o2755)
os.execve(copy, ["agent"], os.environ)
"""


def test_an_agent_that_its_user_starts_traced_by_the_loader_or_from_memory_is_not_taken_for_the_agent(it):
    if not shutil.which("strace"):
        pytest.skip("there is no strace")
    [loader] = {line.split()[-1] for line in read_text(f"/proc/{os.getpid()}/maps").splitlines() if "/ld-linux" in line}
    with system(it) as (service, first, _second, agent):
        given(first)
        path = first.program(AGENT)
        for words in [["strace", "-o", "/dev/null"], [loader], ["/usr/bin/python3", "-c", FROM_MEMORY]]:
            pretended = agent(first, path, *words)
            equal(pretended.process.wait(timeout=60), 77)
            contains(pretended.text, "accepts no answers from this program")
        with get(first) as terminal:
            equal(terminal.end(), 4)
            lacks(terminal.shown, QUESTION, SECRET)
        agent().wait_until_accepted()
        asks_for_the_passcode(first)


# MARK: Surroundings of the user's choice

VARIABLES = [
    "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_ORIGIN_PATH", "LD_PROFILE", "LD_PROFILE_OUTPUT", "GCONV_PATH", "LOCPATH", "NLSPATH",
    "GETCONF_DIR", "HOSTALIASES", "LOCALDOMAIN", "RES_OPTIONS", "TMPDIR", "TZDIR", "MALLOC_TRACE", "SWIFT_BACKTRACE", "ICU_DATA",
    "GIO_EXTRA_MODULES", "GTK_MODULES", "QT_PLUGIN_PATH", "PYTHONPATH", "PYTHONSTARTUP", "BASH_ENV", "ENV"]


def test_an_environment_of_the_users_choice_brings_no_code_into_the_agent_nor_another_service(it):
    """An environment of the user's choice brings no code into the agent, nor another service or prompter."""
    library = compile_library(it)
    with system(it) as (service, first, _second, agent):
        given(first)
        folder = os.path.join(first.scratch, "own")
        os.mkdir(folder)
        first.own(folder, 0o755)
        used = os.path.join(folder, "used")
        # Whatever of these is run leaves a trace, and says yes.
        for name in ("chatelaine-prompt-tty", "chatelaine-prompt-pinentry", "pinentry", "pinentry-curses", "sh", "unshare"):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\necho $0 >>{used}\nprintf '\\001\\100\\0\\0\\0\\0\\0\\001\\001'\n")
            first.own(path, 0o755)
        shutil.copy(library, os.path.join(folder, "libc.so.6"))
        shutil.copy(library, os.path.join(folder, "libm.so.6"))
        variables = {name: library if name in ("LD_PRELOAD", "LD_AUDIT") else folder for name in VARIABLES}
        variables |= {
            "CHATELAINE_HELPERS": folder, "CHATELAINE_SERVICE": "system:" + folder, "CHATELAINE_PINENTRY": os.path.join(folder, "pinentry"),
            "GLIBC_TUNABLES": "glibc.malloc.check=3:glibc.rtld.optional_static_tls=1", "PATH": folder, "HOME": folder,
            "XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "LC_ALL": "x" * 5000, "MALLOC_ARENA_MAX": "1",
            "TERM": "x" * 5000}
        before = number_of_agents(service)
        code = "import os, sys\nos.execve(sys.argv[-1], sys.argv[-1:], dict(line.split('=', 1) for line in sys.argv[1:-1]))\n"
        words = [f"{name}={value}" for name, value in variables.items()]
        running = agent(first, first.program(AGENT), "/usr/bin/python3", "-c", code, *words)
        assert await_agent(service, running, before), running.text
        lacks(read_text(f"/proc/{running.process.pid}/maps"), folder, library)
        asks_for_the_passcode(first)
        assert not os.path.exists(used), read_text(used)


# Changes the surroundings of a program, then becomes it.
CRAFT = """
import os, resource, signal, socket, sys
how, place, path, program = sys.argv[1:]
def limit(kind, most):
    resource.setrlimit(kind, (most, most))
if how == "closed 0, 1 and 2":
    for number in range(3):
        os.close(number)
elif how == "a connection in the place of 0, 1 and 2":
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(path)
    for number in range(3):
        os.dup2(channel.fileno(), number)
elif how == "connections in the place of the next descriptors":
    for number in range(3, 100):
        channel = socket.socket(socket.AF_UNIX)
        channel.connect(path)
        os.dup2(channel.detach(), number)
        os.set_inheritable(number, True)
elif how == "a folder that is gone, and no umask":
    folder = os.path.join(place, "gone")
    os.mkdir(folder)
    os.chdir(folder)
    os.rmdir(folder)
    os.umask(0)
elif how == "blocked and ignored signals":
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
elif how == "no room in files":
    limit(resource.RLIMIT_FSIZE, 0)
elif how == "a small stack":
    limit(resource.RLIMIT_STACK, 128 << 10)
elif how == "few descriptors":
    limit(resource.RLIMIT_NOFILE, 8)
elif how == "hardly any descriptor":
    limit(resource.RLIMIT_NOFILE, 4)
elif how == "little memory":
    limit(resource.RLIMIT_AS, 64 << 20)
elif how == "no other process":
    limit(resource.RLIMIT_NPROC, 1)
os.execv(program, [program])
"""

# With these it does what it does otherwise. With the others it may end, or not be able to ask.
HARMLESS = [
    "closed 0, 1 and 2", "a connection in the place of 0, 1 and 2", "connections in the place of the next descriptors",
    "a folder that is gone, and no umask", "blocked and ignored signals", "no room in files", "a small stack"]
STARVING = ["few descriptors", "hardly any descriptor", "little memory", "no other process"]


def test_an_agent_that_is_started_with_descriptors_limits_and_signals_of_the_users_choice_asks_as_ever(it):
    """An agent that is started with descriptors, limits and signals of its user's choice asks as ever, or ends; it never says yes."""
    with system(it) as (service, first, _second, agent):
        given(first)
        place = os.path.join(first.scratch, "own")
        os.mkdir(place)
        first.own(place, 0o700)
        for how in HARMLESS + STARVING:
            before = number_of_agents(service)
            running = agent(
                first, first.program(AGENT), "/usr/bin/python3", "-c", CRAFT, how, place, service.socket_path)
            is_taken = await_agent(service, running, before)
            assert is_taken or how in STARVING, (how, running.text)
            if how in HARMLESS:
                asks_for_the_passcode(first)
            elif is_taken:
                with get(first) as terminal:
                    wait_until(lambda: terminal.shows(QUESTION) or terminal.program.poll() is not None, what="a question or the end")
                    lacks(terminal.shown, SECRET)
                    if terminal.program.poll() is None:
                        say(terminal, QUESTION, "d")
                    equal(terminal.end(), 4)
                    lacks(terminal.shown, SECRET)
            running.end()
            all_gone(it)
        agent().wait_until_accepted()
        asks_for_the_passcode(first)


# MARK: Standing in its way


def test_an_agent_that_is_stopped_delays_no_other_user_and_prompts_when_it_goes_on(it):
    with system(it) as (service, first, second, agent):
        for user in (first, second):
            given(user)
        running = agent().wait_until_accepted()
        agent(second).wait_until_accepted()
        first.run("kill", "-STOP", str(running.process.pid), check=0)
        with get(first) as terminal:
            asks_for_the_passcode(second)
            first.run("chatelaine", "list", check=0)
            equal(terminal.shows(QUESTION), False)
            first.run("kill", "-CONT", str(running.process.pid), check=0)
            say(terminal, QUESTION, "d")
            equal(terminal.end(), 4)
            lacks(terminal.shown, SECRET)
        asks_for_the_passcode(first)


def start_get(user, display):
    return user.popen(
        "chatelaine", "get", "mail", "--user", "ann", env={**user.environment, "DISPLAY": display}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def test_a_second_agent_with_a_pinentry_of_the_users_choice_that_says_yes_gets_nothing(it):
    """A second agent, in a home of its user's choice whose pinentry says yes, gets nothing without the passcode."""
    with system(it) as (service, first, _second, agent):
        given(first)
        agent().wait_until_accepted()
        # Its own home, in which another pinentry is named.
        liar = service.user(ann)
        try:
            with ScriptedPinentry(liar) as pinentry:
                second = agent(first, first.program(AGENT), "env", f"HOME={liar.directories['home']}").wait_until_accepted()
                asking = start_get(first, ":72")
                while True:
                    wait_until(lambda: pinentry.was_started() or asking.poll() is not None, what="a question or the end")
                    if not pinentry.was_started():
                        break
                    pinentry.expect_any().answer("OK")
                out, _ = asking.communicate(timeout=60)
                equal((asking.returncode, out), (4, b""))
                # What a person types in that window counts, as in any.
                first.run("chatelaine", "unlock", "--passcode-fd", "0", input=PASSCODE)
                asking = start_get(first, ":72")
                pinentry.expect("GETPIN").enter(PASSCODE)
                out, err = asking.communicate(timeout=60)
                equal((asking.returncode, out.decode()), (0, SECRET + "\n"))
                second.end()
        finally:
            liar.remove()
