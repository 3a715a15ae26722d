# SPDX-License-Identifier: Apache-2.0
"""A service that is killed in the middle of what it does."""

import shutil
import signal
import subprocess

from .instance import end_tracer, is_root, wait_until
from .sentences import LeftOut, equal


def needs_root():
    if not is_root:
        raise LeftOut("only root may trace the service")
    if not shutil.which("strace"):
        raise LeftOut("there is no strace")


def killed_at(it, call, number, change):
    """Runs the change in a service that is killed when a thread is about to make this call for the number-th time.

    Returns what the change returned and whether the service was killed."""
    it.start()
    log = it.data + ".strace"
    with open(log, "wb") as file:
        tracer = subprocess.Popen(
            ["strace", "-f", "-o", "/dev/null", "-p", str(it.daemon.pid), "-e", f"trace={call}",
             "-e", f"inject={call}:signal=KILL:when={number}"], stderr=file, stdin=subprocess.DEVNULL)
    try:
        with open(log, "rb") as file:
            wait_until(lambda: b"attached" in (file.seek(0), file.read())[1] or tracer.poll() is not None,
                       what="strace looking at the service")
        if tracer.poll() is not None:
            raise LeftOut("strace may not look at the service")
        result = change(it)
        if result is None:
            it.daemon.wait(timeout=20)
        killed = it.daemon.poll() is not None
        if killed:
            equal(it.daemon.returncode, -signal.SIGKILL)
            it.daemon = None
        else:
            # What comes after the answer, such as the end, is not what is killed here.
            end_tracer(tracer)
            it.stop()
        return result, killed
    finally:
        end_tracer(tracer)
