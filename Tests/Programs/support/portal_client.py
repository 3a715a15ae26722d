# SPDX-License-Identifier: Apache-2.0
"""Applications of the portal. Run as a program: `retrieve` prints the response and the secret that the portal passes on, `store NAME`
and `lookup NAME` use libsecret's encrypted file, with the password of standard input or of the file."""

import os
import sys


def retrieve():
    from gi.repository import Gio, GLib

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    loop = GLib.MainLoop()
    responses = []

    def on_response(_bus, _sender, _path, _interface, _signal, parameters):
        responses.append(parameters.unpack()[0])
        loop.quit()

    # The sender alone, because the path is known only after the call.
    bus.signal_subscribe("org.freedesktop.portal.Desktop", "org.freedesktop.portal.Request", "Response", None, None,
                         Gio.DBusSignalFlags.NONE, on_response)
    reading, writing = os.pipe()
    descriptors = Gio.UnixFDList.new_from_array([writing])
    bus.call_with_unix_fd_list_sync(
        "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Secret",
        "RetrieveSecret", GLib.Variant("(ha{sv})", (0, {})), None, Gio.DBusCallFlags.NONE, -1, descriptors, None)
    if not responses:
        loop.run()
    # The backend wrote the secret before the response, or nothing.
    os.set_blocking(reading, False)
    try:
        secret = os.read(reading, 4096)
    except BlockingIOError:
        secret = b""
    print(responses[0], secret.hex())


def with_libsecret(action, name):
    import gi
    gi.require_version("Secret", "1")
    from gi.repository import GLib, Secret

    schema = Secret.Schema.new("org.example.Test", Secret.SchemaFlags.NONE, {"name": Secret.SchemaAttributeType.STRING})
    try:
        if action == "store":
            Secret.password_store_sync(schema, {"name": name}, None, "Test", sys.stdin.read(), None)
        else:
            print(Secret.password_lookup_sync(schema, {"name": name}, None))
    except GLib.Error as error:
        sys.exit(f"libsecret: {error.message}")


if __name__ == "__main__":
    if sys.argv[1] == "retrieve":
        retrieve()
    else:
        with_libsecret(*sys.argv[1:])
