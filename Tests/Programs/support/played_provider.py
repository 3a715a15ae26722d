# SPDX-License-Identifier: Apache-2.0
"""A provider of org.freedesktop.secrets that gives its name to another program that wants it, and ends. Run by Debian's Python, which has the
modules dbus and gi: played_provider.py ITEMS, a JSON list of [label, attributes, secret]. It knows sessions without encryption alone."""

import json
import sys

import dbus
import dbus.bus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
LOGIN = ROOT + "/collection/login"
PROPERTIES = "org.freedesktop.DBus.Properties"
SECRET = "org.freedesktop.Secret."


class Service(dbus.service.Object):
    @dbus.service.method(SECRET + "Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, _):
        if algorithm != "plain":
            raise dbus.DBusException(name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), dbus.ObjectPath(ROOT + "/session/1")

    @dbus.service.method(SECRET + "Service", in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return dbus.ObjectPath(LOGIN if name in ("login", "default") else "/")

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _, name):
        assert name == "Collections"
        return dbus.Array([dbus.ObjectPath(LOGIN)], signature="o", variant_level=1)


class Object(dbus.service.Object):
    def __init__(self, bus, path, values, secret=None):
        super().__init__(bus, path)
        self.values = values
        self.secret = secret

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _):
        return self.values

    @dbus.service.method(SECRET + "Item", in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        return dbus.Struct(
            (session, dbus.ByteArray(b""), dbus.ByteArray(self.secret.encode()), "text/plain"), signature="oayays")


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
loop = GLib.MainLoop()
bus = dbus.SessionBus()
bus.add_signal_receiver(lambda name: name == NAME and loop.quit(), "NameLost", "org.freedesktop.DBus")
items = []
for number, (label, attributes, secret) in enumerate(json.loads(sys.argv[1])):
    values = {
        "Label": label, "Locked": False, "Attributes": dbus.Dictionary(attributes, signature="ss"),
        "Created": dbus.UInt64(number + 1), "Modified": dbus.UInt64(number + 1)}
    items.append(Object(bus, f"{LOGIN}/{number}", dbus.Dictionary(values, signature="sv"), secret))
paths = dbus.Array([dbus.ObjectPath(f"{LOGIN}/{number}") for number in range(len(items))], signature="o")
objects = [
    Service(bus, ROOT), *items,
    Object(bus, LOGIN, dbus.Dictionary({"Label": "Login", "Locked": False, "Items": paths}, signature="sv"))]
assert bus.request_name(NAME, dbus.bus.NAME_FLAG_ALLOW_REPLACEMENT | dbus.bus.NAME_FLAG_DO_NOT_QUEUE) == 1
loop.run()
