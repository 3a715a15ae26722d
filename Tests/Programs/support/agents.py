# SPDX-License-Identifier: Apache-2.0
"""Agents that prompt users for a system service, in a folder where such a service accepts their answers."""

import contextlib
import os
import signal
import subprocess
import time

from .caller import root_owned_folder
from .instance import read_text, wait_until
from .prompters import PROMPTERS, built_helpers
from .system import AUTHORIZATION, SystemService, Usual, ann, bob, needs_root

AGENT = "chatelaine-agent"
# A group without members, as `chatelaine enforce` makes one.
GROUP = 1700


class Agent:
    """An agent of a user, whose service is at the place that clients know."""

    def __init__(self, it, service, path, *wrapped, **environment):
        self.log = os.path.join(it.scratch, f"agent-{time.monotonic_ns()}.log")
        with open(self.log, "wb") as log:
            values = {name: value for name, value in it.environment.items() if name != "CHATELAINE_SERVICE"}
            self.process = subprocess.Popen(
                ["unshare", "--mount", "sh", "-ec", Usual.words, "sh", service.runtime, str(it.user), *wrapped, path],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**values, **environment}, start_new_session=True)

    def wait_until_accepted(self):
        wait_until(lambda: "showing prompts of" in self.text or self.process.poll() is not None, what="the agent's place")
        assert self.process.poll() is None, self.text
        return self

    @property
    def text(self):
        return read_text(self.log)

    def end(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def system(it, helpers=(), start=True):
    """A system service in a folder of root's, with prompters, an agent and these helpers beside it, and two users."""
    needs_root()
    with root_owned_folder() as folder:
        for name in ("chatelained", "chatelaine"):
            it.programs.copy(os.path.join(it.programs.folder, name), os.path.join(folder, name))
        for name in (*PROMPTERS, AUTHORIZATION, *helpers, AGENT):
            built = it.programs.built if name == AGENT else built_helpers()
            it.programs.copy(os.path.join(built, name), os.path.join(folder, name))
        path = os.path.join(folder, AGENT)
        os.chown(path, 0, GROUP)
        os.chmod(path, 0o2755)
        before, it.programs.folder = it.programs.folder, folder
        users = []
        agents = []
        try:
            with SystemService(it) as service:
                if start:
                    service.start()
                users = [service.user(ann), service.user(bob)]

                def agent(user=users[0], path=path, *wrapped, **environment):
                    agents.append(Agent(user, service, path, *wrapped, **environment))
                    return agents[-1]

                yield service, *users, agent
        finally:
            for each in agents:
                each.end()
            for each in users:
                each.remove()
            it.programs.folder = before
