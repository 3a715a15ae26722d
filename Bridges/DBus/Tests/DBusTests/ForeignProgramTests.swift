// SPDX-License-Identifier: Apache-2.0

import BusTesting
import DBus
import DBusMessages
import Foundation
import Testing

/// Programs with other implementations of D-Bus as clients and as services: sd-bus (busctl), GLib (gdbus, Python's gi)
/// and libdbus (Python's dbus).
@Suite(.timeLimit(.minutes(5))) struct ForeignProgramTests {
    @Test(arguments: PrivateBus.Kind.allCases)
    func `busctl introspects, calls and reads properties`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            func busctl(_ words: String...) throws -> String {
                try ForeignProgram("/usr/bin/busctl", ["--address=" + bus.addressText, "--no-pager"] + words, bus).run()
            }
            let (name, path, interface) = ("org.example.Sample", "/org/example/Sample", "org.example.Sample")
            #expect(try busctl("call", name, path, interface, "Add", "ii", "3", "4") == "i 7\n")
            #expect(
                try busctl("call", name, path, interface, "Echo", "v", "a{sas}", "1", "k", "1", "w")
                    == "v a{sas} 1 \"k\" 1 \"w\"\n")
            #expect(try busctl("get-property", name, path, interface, "Text", "Fixed") == "s \"first\"\nas 1 \"a\"\n")
            #expect(try busctl("set-property", name, path, interface, "Text", "s", "second") == "")
            #expect(try busctl("get-property", name, path, interface, "Text") == "s \"second\"\n")
            let table = try busctl("introspect", name, path).split(separator: "\n").map {
                $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            }
            #expect(table.contains([".Add", "method", "ii", "i", "deprecated"]))
            #expect(table.contains([".Told", "signal", "s", "-", "-"]))
            #expect(table.contains([".Number", "property", "u", "0", "emits-change"]))
            #expect(table.contains([".Hidden", "property", "u", "0", "emits-invalidation"]))
            #expect(table.contains([".Fixed", "property", "as", "1", "\"a\"", "const"]))
            #expect(table.contains([".Text", "property", "s", "\"second\"", "emits-change", "writable"]))
            #expect(table.contains([".GetAll", "method", "s", "a{sv}", "-"]))
            let tree = try busctl("tree", "--list", name).split(separator: "\n")
            #expect(tree.contains("/org/example/Sample/leaves/2"))
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `gdbus introspects, calls and reads properties`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            func gdbus(_ verb: String, _ words: String...) throws -> String {
                try ForeignProgram(
                    "/usr/bin/gdbus",
                    [verb, "--session", "--dest", "org.example.Sample", "--object-path", "/org/example/Sample"] + words,
                    bus
                ).run()
            }
            #expect(try gdbus("call", "--method", "org.example.Sample.Add", "3", "4") == "(7,)\n")
            #expect(
                try gdbus("call", "--method", "org.freedesktop.DBus.Properties.GetAll", "org.example.Sample")
                    == "({'Text': <'first'>, 'Number': <uint32 0>, 'Hidden': <uint32 0>, 'Fixed': <['a']>, 'Silent': <0.5>},)\n"
            )
            let text = try gdbus("introspect")
            #expect(text.contains("      Add(in  i a,\n          in  i b,\n          out i sum);\n"))
            #expect(text.contains("      readwrite s Text = 'first';\n"))
            #expect(text.contains("      writeonly s WriteOnly;\n"))
            #expect(text.contains("  node leaves {\n"))
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a program with GLib passes descriptors, follows properties and lists objects`(
        _ kind: PrivateBus.Kind
    ) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            server.server.export(Leaf(number: 0), at: "/manager", isManager: true)
            server.server.export(Leaf(number: 1), at: "/manager/one")
            let script = """
                import os
                from gi.repository import Gio, GLib
                connection = Gio.bus_get_sync(Gio.BusType.SESSION, None)
                name, path = 'org.example.Sample', '/org/example/Sample'
                proxy = Gio.DBusProxy.new_sync(connection, 0, None, name, path, name, None)

                # A pipe goes to the service and comes back.
                reading, writing = os.pipe()
                answer, files = proxy.call_with_unix_fd_list_sync(
                    'Pass', GLib.Variant('(h)', (0,)), 0, 60000, Gio.UnixFDList.new_from_array([writing]), None)
                os.write(files.get(answer.unpack()[0]), b'through')
                print(os.read(reading, 7))

                # GLib's cache of properties follows PropertiesChanged, with and without values.
                loop, seen = GLib.MainLoop(), []
                def changed(_, values, invalidated):
                    seen.append((values.unpack(), list(invalidated)))
                    loop.quit()
                proxy.connect('g-properties-changed', changed)
                proxy.call_sync('Change', GLib.Variant('(u)', (5,)), 0, 60000, None)
                if not seen: loop.run()
                print(seen[0], proxy.get_cached_property('Number'), proxy.get_cached_property('Hidden'))

                try: proxy.call_sync('Add', GLib.Variant('(ii)', (2 ** 31 - 1, 1)), 0, 60000, None)
                except GLib.Error as error: print(Gio.DBusError.get_remote_error(error))

                node = Gio.DBusNodeInfo.new_for_xml(connection.call_sync(
                    name, path, 'org.freedesktop.DBus.Introspectable', 'Introspect', None, None, 0, 60000, None).unpack()[0])
                for interface in node.interfaces: print(interface.name, len(interface.methods), len(interface.properties))
                fixed = node.lookup_interface(name).lookup_property('Fixed')
                print(fixed.signature, fixed.annotations[0].key, fixed.annotations[0].value)

                manager = Gio.DBusObjectManagerClient.new_sync(
                    connection, 0, name, '/manager', None, None, None)
                for item in manager.get_objects():
                    leaf = item.get_interface('org.example.Leaf')
                    print(item.get_object_path(), leaf.get_cached_property('Number').unpack())
                """
            let result = try ForeignProgram("/usr/bin/python3", ["-c", script], bus).run()
            #expect(
                result == """
                    b'through'
                    ({'Number': 5}, ['Hidden']) uint32 5 None
                    org.example.Sample.Error.Overflow
                    org.example.Sample 14 7
                    org.freedesktop.DBus.Peer 2 0
                    org.freedesktop.DBus.Introspectable 1 0
                    org.freedesktop.DBus.Properties 3 0
                    as org.freedesktop.DBus.Property.EmitsChangedSignal const
                    /manager/one 1

                    """)
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `values of every type come back to a program with libdbus`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let script = """
                import dbus
                bus = dbus.SessionBus()
                sample = dbus.Interface(bus.get_object('org.example.Sample', '/org/example/Sample'), 'org.example.Sample')
                values = [
                    dbus.Byte(255), True, dbus.Int16(-2 ** 15), dbus.UInt16(2 ** 16 - 1), -1, dbus.UInt32(2 ** 32 - 1),
                    dbus.Int64(-2 ** 63), dbus.UInt64(2 ** 64 - 1), -0.5, 'Gr\\u00fc\\u00dfe', dbus.ObjectPath('/a/b'),
                    dbus.Signature('a{sv}'), dbus.Array([0, 255], signature='y'), dbus.Array([], signature='s'),
                    dbus.Array([(1, dbus.UInt64(2))], signature='(it)'), dbus.Dictionary({1: 'one'}, signature='us'),
                ]
                for value in values:
                    back = sample.Echo(value)
                    assert back == value, (value, back)
                print(len(values), 'values')
                # The arguments are encoded after the introspection.
                print(sample.Add(3, 4))
                properties = dbus.Interface(sample, dbus.PROPERTIES_IFACE)
                properties.Set('org.example.Sample', 'Text', 'second')
                print(properties.Get('org.example.Sample', 'Text'))
                for call in (lambda: sample.Add('a', 'b', signature='ss'), lambda: sample.FailUnnamed(),
                             lambda: bus.call_blocking('org.example.Sample', '/no', 'a.b', 'M', '', ())):
                    try: call()
                    except dbus.DBusException as error: print(error.get_dbus_name())
                """
            let result = try ForeignProgram("/usr/bin/python3", ["-c", script], bus).run()
            #expect(
                result == """
                    16 values
                    7
                    second
                    org.freedesktop.DBus.Error.InvalidArgs
                    org.freedesktop.DBus.Error.Failed
                    org.freedesktop.DBus.Error.UnknownObject

                    """)
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `this package is the client of a service with libdbus`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let service = try ForeignProgram("/usr/bin/python3", ["-c", Self.ownerScript, "0"], bus)
            #expect(try service.line() == "result 1")
            let client = try bus.connect()
            try client.add(MatchRule(sender: Sample.name, member: "Told"))
            #expect(try client.sample("Who") == [.string("python")])
            #expect(try client.signal("Told")?.arguments() == [.string("asked")])
            #expect(throws: BusError.refused("org.example.Failed", "on purpose")) { try client.sample("Fail") }
            service.kill()
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a name is handed over between two processes, in both directions`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            // AllowReplacement and DoNotQueue.
            let other = try ForeignProgram("/usr/bin/python3", ["-c", Self.ownerScript, "5"], bus)
            #expect(try other.line() == "result 1")
            let client = try bus.connect()
            #expect(try client.sample("Who") == [.string("python")])
            let server = try SampleServer(bus, [.replaceExisting, .allowReplacement])
            #expect(try other.line() == "lost")
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            // ReplaceExisting; this server waits in the queue.
            let third = try ForeignProgram("/usr/bin/python3", ["-c", Self.ownerScript, "2"], bus)
            #expect(try third.line() == "result 1")
            #expect(wait { server.nameEvents.last == .lost(Sample.name) })
            #expect(try client.sample("Who") == [.string("python")])
            // The name returns when that process ends.
            third.kill()
            #expect(wait { server.nameEvents.last == .acquired(Sample.name) })
            #expect(try client.sample("Add", [.int32(3), .int32(4)]) == [.int32(7)])
            other.kill()
        }
    }

    @Test(arguments: PrivateBus.Kind.allCases)
    func `a client that is killed during a call ends its session`(_ kind: PrivateBus.Kind) async throws {
        try await onThread {
            let bus = try PrivateBus(kind)
            let server = try SampleServer(bus)
            let script = """
                import dbus
                sample = dbus.SessionBus().get_object('org.example.Sample', '/org/example/Sample')
                print(*sample.Identify(dbus_interface='org.example.Sample'), flush=True)
                print(sample.Open(dbus_interface='org.example.Sample'), flush=True)
                sample.Later('', dbus_interface='org.example.Sample', timeout=600)
                """
            let client = try ForeignProgram("/usr/bin/python3", ["-c", script], bus)
            #expect(try client.line() == "\(client.processID) \(geteuid())")
            let name = try client.line()
            #expect(wait { server.sample.waitingCalls == 1 })
            #expect(server.sample.endedSessions.isEmpty)
            client.kill()
            #expect(wait { server.sample.endedSessions.map(\.rawValue) == [name] })
            // The answer to the call comes too late and harms nothing.
            #expect(try bus.connect().sample("Release", [.string("")]) == [])
        }
    }

    /// Owns the name of the sample with the flags that its argument says.
    private static let ownerScript = """
        import sys, dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        bus.add_signal_receiver(lambda name: print('lost', flush=True) if name == 'org.example.Sample' else None, 'NameLost',
                                'org.freedesktop.DBus', 'org.freedesktop.DBus')
        class Failed(dbus.DBusException): _dbus_error_name = 'org.example.Failed'
        class Sample(dbus.service.Object):
            @dbus.service.method('org.example.Sample', out_signature='s')
            def Who(self):
                self.Told('asked')
                return 'python'
            @dbus.service.method('org.example.Sample')
            def Fail(self): raise Failed('on purpose')
            @dbus.service.signal('org.example.Sample', signature='s')
            def Told(self, text): pass
        sample = Sample(bus, '/org/example/Sample')
        print('result', bus.request_name('org.example.Sample', int(sys.argv[1])), flush=True)
        GLib.MainLoop().run()
        """
}

/// A program on a private bus, with its output.
final class ForeignProgram {
    private let process = Process()
    private let output = Pipe()

    var processID: Int32 { process.processIdentifier }

    init(_ program: String, _ arguments: [String], _ bus: PrivateBus) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.addressText, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { kill() }

    /// Returns the output and the errors when the program has ended.
    func run() throws -> String {
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let status = process.terminationStatus == 0 ? "" : "exit status \(process.terminationStatus)\n"
        return String(decoding: text, as: UTF8.self) + status
    }

    /// Returns the next line of the output.
    func line() throws -> String {
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
