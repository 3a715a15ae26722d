# SPDX-License-Identifier: Apache-2.0
"""The keychain of a user who logs in on a machine with the PAM module and chatelaine-login."""

import contextlib
import json
import os

from passcode import given

from .instance import Instance, parents, wait_until
from .logins import PASSWORD, LoginMachine, needs_pam
from .prompters import built_helpers
from .system import SystemService, ann

LOGIN = "chatelaine-login"


class LoginKeychain:
    """The keychain of ann on a machine, of a user service or of the system service. It has an item, the passcode "hunter2" and, if
    wanted, a login password."""

    def __init__(self, programs, kind, wrapper=None, folder=None):
        needs_pam()
        self.host = Instance(programs)
        self.is_of_system = kind == "system"
        program = os.path.join(folder or programs.folder, LOGIN)
        if not os.path.exists(program):
            programs.copy(os.path.join(built_helpers(), LOGIN), program)
        if wrapper:
            # In the place of the program: a script that executes it.
            script = os.path.join(self.host.scratch, "wrapper")
            with open(script, "w", encoding="utf-8") as file:
                file.write(wrapper.replace("PROGRAM", program))
            os.chmod(script, 0o755)
            program = script
        if self.is_of_system:
            self.service = SystemService(self.host)
            self.it = self.service.user(ann)
            mounts = [(self.service.runtime, "/run/chatelaine")]
        else:
            self.service = None
            self.it = Instance(programs, ann)
            mounts = [(self.it.directories["runtime"], f"/run/user/{ann}")]
        home = self.it.directories["home"]
        self.machine = LoginMachine(program, {"ann": home}, mounts)
        # The folders that a process finds which a login starts with little of an environment.
        self.it.directories["data"] = os.path.join(home, ".local/share")
        for name in "XDG_DATA_HOME", "XDG_CONFIG_HOME":
            del self.it.environment[name]
        self.it.environment["XDG_RUNTIME_DIR"] = f"/run/user/{ann}"
        self.it.enter, self.it.user = self.machine.words([], ann), None

    def start(self):
        if self.is_of_system:
            self.service.start(wrapped=self.machine.words)
        else:
            self.it.start()
        return self

    @property
    def daemon(self):
        return self.service.process if self.is_of_system else self.it.daemon

    def protect(self, login_password=PASSWORD, passcode_time="50ms"):
        self.start()
        self.it.set("name", "s3cret")
        if passcode_time:
            self.it.run("chatelaine", "settings", "set", "passcode-time", passcode_time, check=0)
        given(self.it, "passcode", "set", passcode_fd="hunter2", check=0)
        if login_password:
            given(self.it, "protector", "add", "login-password", login_password_fd=login_password, passcode_fd="hunter2", check=0)
        self.it.run("chatelaine", "lock", check=0)

    def state(self):
        return self.it.status()["state"]

    def protectors(self):
        return self.it.run("chatelaine", "protector", "list", "--json", check=0).out

    def wait_for(self, action, outcome, count=1):
        """Waits until the program has made this request so often."""
        def lines():
            words = ["chatelaine", "log", "--program", LOGIN, "--action", action, "--outcome", outcome, "--json"]
            return [json.loads(line) for line in self.it.run(*words, check=0).out.splitlines()]
        return wait_until(lambda: len(found := lines()) == count and found, what=f"the request {action}")

    def remove(self):
        if self.service:
            self.service.__exit__()
        self.machine.__exit__()
        self.it.remove()
        self.host.remove()

    def logins(self):
        """The numbers of the processes that the module started: without a parent on this machine or in the test. Before it executes
        the program, such a process has the program of its host. A service that a login started is none."""
        running, of, service = self.machine.processes(), parents(), self.it.program("chatelained")
        return [number for number in running
                if of.get(number, os.getpid()) not in running | {os.getpid()} and program_of(number) not in (None, service)]

    def wait_for_end_of_logins(self):
        # The program ends after 60 seconds at the latest.
        wait_until(lambda: not self.logins(), seconds=120, what="the end of chatelaine-login")


def program_of(process):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{process}/exe")
    return None
