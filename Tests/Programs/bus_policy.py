# SPDX-License-Identifier: Apache-2.0
"""Who may have the names of fprintd and logind on the system bus: its policy decides, and the service takes the owners at their word."""

import os
import pwd
import subprocess

import dbus
import pytest

from support.bus import LOGIN1
from support.fingers import FPRINT
from support.forged_bus import REQUEST_NAME_PRIMARY_OWNER, PolicedBus, Stranger
from support.instance import is_root
from support.sentences import equal



def test_the_policy_of_the_system_bus_keeps_the_names_of_fprintd_and_logind_for_root(it):
    """Whoever has such a name is fprintd or logind for the service: the files that come with these programs decide who may."""
    if not is_root:
        pytest.skip("needs root, to be root and another user on one bus")
    for name in ("net.reactivated.Fprint", "org.freedesktop.login1"):
        if not os.path.exists(f"/usr/share/dbus-1/system.d/{name}.conf"):
            pytest.skip(f"{name} is not installed (Tools/setup test)")
    nobody = pwd.getpwnam("nobody").pw_uid
    code = """
import sys
from support.forged_bus import *
stranger = Stranger(sys.argv[1])
for name in sys.argv[3:]:
    try:
        print(stranger.take_name(name))
    except GLib.Error as error:
        print(Gio.dbus_error_get_remote_error(error))
for serial in range(1, 33):
    stranger.answer(sys.argv[2], serial, "(sb)", "verify-match", True)
stranger.signal(sys.argv[2], PretendedFprintd.path, DEVICE, "VerifyStatus", "(sb)", "verify-match", True)
stranger.arrive()
"""
    with PolicedBus(it) as bus:
        listener = dbus.bus.BusConnection(bus.address)
        listener.set_exit_on_disconnect(False)
        names = [FPRINT, LOGIN1, "org.freedesktop.PolicyKit1"]
        done = subprocess.run(
            ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups", "/usr/bin/python3", "-c", code, bus.address,
             str(listener.get_unique_name()), *names], capture_output=True, text=True, check=True,
            env={"PYTHONPATH": it.programs.modules, "PYTHONDONTWRITEBYTECODE": "1"})
        equal(done.stdout, "org.freedesktop.DBus.Error.AccessDenied\n" * 3)
        with Stranger(bus.address) as root:
            equal([root.take_name(name) for name in names[:2]], [REQUEST_NAME_PRIMARY_OWNER] * 2)
        listener.close()
