# SPDX-License-Identifier: Apache-2.0
"""A service that is killed in the middle of what it does."""

import os
import shutil
import signal
import subprocess

import pytest

from .disk import build
from .instance import end_tracer, is_root, wait_until
from .sentences import equal


def needs_root():
    if not is_root:
        pytest.skip("only root may trace the service")
    if not shutil.which("strace"):
        pytest.skip("there is no strace")


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
            pytest.skip("strace may not look at the service")
        result = change(it)
        if result is None:
            it.daemon.wait(timeout=60)
        killed = it.daemon.poll() is not None
        if killed:
            equal(it.daemon.returncode, -signal.SIGKILL)
            it.daemon = None
        else:
            # Later system calls, such as those of the service's end, are not part of this test.
            end_tracer(tracer)
            # Between the look and here it may have been killed after all.
            killed = it.stop() == -signal.SIGKILL
        return result, killed
    finally:
        end_tracer(tracer)


def every_kill(it, change, check, prepare=lambda it: None, step=lambda: 1):
    """Kills the service instead of each change that it makes to its files during a change, a sync too, and checks the
    remaining files each time. The service does not run before, and its files are the same each time. Returns the number of
    places where it was killed.

    change: returns None when the service has ended.
    check: gets the instance with another service, and the result of the change.
    prepare: runs before the change, and is not killed.
    step: returns how many places further the next kill is."""
    mark = os.path.join(it.scratch, "kill")
    environment = {
        **it.environment, "LD_PRELOAD": build(it.scratch), "DISK_LOG_ROOT": it.directories["data"], "DISK_KILL": mark}
    begin = shutil.copytree(it.data, os.path.join(it.scratch, "before"))
    number, kills, status = 0, 0, None
    while status != 0:
        number += step()
        shutil.rmtree(it.data)
        shutil.copytree(begin, it.data)
        it.start(env=environment)
        prepare(it)
        with open(mark + ".new", "w", encoding="utf-8") as file:
            file.write(str(number))
        os.rename(mark + ".new", mark)
        result = change(it)
        os.unlink(mark)
        if result is None:
            it.daemon.wait(timeout=60)
        # Also after its answer.
        status = it.stop()
        assert status == -signal.SIGKILL or status == 0 and result is not None, f"the service ended with {status}"
        kills += status != 0
        # A program that finds the service gone, and knows that its request was not processed, starts another service.
        it.end_services()
        it.start()
        check(it, result)
        equal(it.stop(), 0)
    return kills
