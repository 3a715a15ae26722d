// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

/// Chapter "Standard Interfaces" of the D-Bus Specification, and the names of errors in "Error Names".
@Suite struct RouteTests {
    static let interfaces = [
        InterfaceDescription(
            "org.example.One",
            methods: [
                MethodDescription("Add", in: [Argument("a", "i"), Argument("b", "i")], out: [Argument("sum", "i")]),
                MethodDescription("Both"),
            ],
            signals: [SignalDescription("Added", [Argument("sum", "i")])],
            properties: [
                PropertyDescription("Name", "s", access: .readWrite),
                PropertyDescription("Count", "u", changeSignal: .invalidation),
                PropertyDescription("Password", "s", access: .write, changeSignal: .none),
            ]),
        InterfaceDescription(
            "org.example.Two",
            methods: [MethodDescription("Both"), MethodDescription("Ping", in: [Argument("n", "y")])],
            properties: [PropertyDescription("Count", "t", changeSignal: .constant)]),
    ]

    private func route(
        _ member: MemberName, of interface: InterfaceName? = nil, _ arguments: [Value] = [],
        object: [InterfaceDescription]? = interfaces, isManager: Bool = false
    ) throws -> CallRoute {
        let call = try Message.call(
            member, of: interface ?? "org.example.Unused", at: "/a", on: "org.example.Name", arguments)
        var bytes = try call.bytes(serial: 1)
        if interface == nil {
            // Without an interface: its header field gets a code that receivers ignore.
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [2, 1, 0x73, 0]) && $0 % 8 == 0 })
            bytes[place] = 200
        }
        return try CallRoute(try #require(try Message(bytes: bytes)), of: object, isManager: isManager)
    }

    private func error(_ body: () throws -> CallRoute) -> String? {
        do {
            Issue.record("\(try body())")
            return nil
        } catch {
            return (error as? MethodError)?.name.rawValue.replacing("org.freedesktop.DBus.Error.", with: "")
        }
    }

    @Test func `a call reaches the method of its interface, and without one the first with the name`() throws {
        let two = [Value.int32(1), .int32(2)]
        #expect(try route("Add", of: "org.example.One", two) == .method(interface: 0, method: 0, two))
        #expect(try route("Add", two) == .method(interface: 0, method: 0, two))
        #expect(try route("Both", of: "org.example.Two") == .method(interface: 1, method: 0, []))
        #expect(try route("Both") == .method(interface: 0, method: 1, []))
        #expect(try route("Ping", [.byte(1)]) == .method(interface: 1, method: 1, [.byte(1)]))
    }

    @Test func `the standard interfaces are found with and without their names`() throws {
        let properties: InterfaceName = "org.freedesktop.DBus.Properties"
        let (one, count) = (Value.string("org.example.One"), Value.string("Count"))
        #expect(try route("Ping", of: "org.freedesktop.DBus.Peer") == .ping)
        #expect(try route("GetMachineId") == .machineID)
        #expect(try route("Introspect", of: "org.freedesktop.DBus.Introspectable") == .introspection)
        #expect(try route("Get", of: properties, [one, count]) == .get(.init(interface: 0, property: 1)))
        #expect(try route("Get", [.string(""), count]) == .get(.init(interface: 0, property: 1)))
        #expect(
            try route("Get", [.string("org.example.Two"), count]) == .get(.init(interface: 1, property: 0)))
        #expect(
            try route("Set", of: properties, [one, .string("Name"), .variant(.string("x"))])
                == .set(.init(interface: 0, property: 0), .string("x")))
        #expect(try route("GetAll", [one]) == .getAll([0]))
        #expect(try route("GetAll", [.string("")]) == .getAll([0, 1]))
        #expect(try route("GetAll", [.string("org.freedesktop.DBus.Peer")]) == .getAll([]))
        #expect(try route("GetManagedObjects", isManager: true) == .managedObjects)
    }

    @Test func `each fault of a call has its standard error`() {
        let (one, name) = (Value.string("org.example.One"), Value.string("Name"))
        #expect(error { try route("Subtract", of: "org.example.One") } == "UnknownMethod")
        #expect(error { try route("Subtract") } == "UnknownMethod")
        #expect(error { try route("Add", of: "org.example.Three") } == "UnknownInterface")
        #expect(
            error { try route("GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager") } == "UnknownInterface")
        #expect(error { try route("Add", of: "org.example.One", [.int32(1)]) } == "InvalidArgs")
        #expect(error { try route("Add", of: "org.example.One", [.int32(1), .uint32(2)]) } == "InvalidArgs")
        #expect(error { try route("Ping", of: "org.freedesktop.DBus.Peer", [.byte(1)]) } == "InvalidArgs")
        #expect(error { try route("Get", [one, .string("Size")]) } == "UnknownProperty")
        #expect(error { try route("Get", [.string("org.example.Three"), name]) } == "UnknownInterface")
        #expect(error { try route("Get", [one, .string("Password")]) } == "AccessDenied")
        #expect(error { try route("GetAll", [.string("no name")]) } == "UnknownInterface")
        #expect(error { try route("Set", [one, .string("Count"), .variant(.uint32(1))]) } == "PropertyReadOnly")
        #expect(error { try route("Set", [one, name, .variant(.uint32(1))]) } == "InvalidArgs")
        #expect(error { try route("Set", [one, name, .variant(.variant(.string("x")))]) } == "InvalidArgs")
        #expect(
            error { try route("Set", [.string("org.freedesktop.DBus.Peer"), name, .variant(.byte(1))]) }
                == "UnknownProperty")
        // A path that only leads to objects.
        #expect(error { try route("Get", [one, name], object: nil) } == "UnknownMethod")
        #expect(error { try route("Add", of: "org.example.One", object: nil) } == "UnknownInterface")
    }

    @Test func `arguments that do not match their signature are invalid`() throws {
        var bytes = try Message.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: "/", on: "a.b", [.string("a"), .string("bc")]
        ).bytes(serial: 1)
        // The zero at the end of the last text.
        bytes[bytes.count - 1] = 1
        let call = try #require(try Message(bytes: bytes))
        #expect(error { try CallRoute(call, of: Self.interfaces) } == "InvalidArgs")
    }

    @Test func `values are compared with declared types`() {
        let add = Self.interfaces[0].methods[0]
        #expect(add.returns([.int32(3)]))
        #expect(!add.returns([.uint32(3)]) && !add.returns([]))
        let added = Self.interfaces[0].signals[0]
        #expect(added.carries([.int32(3)]))
        #expect(!added.carries([.int32(3), .int32(4)]))
    }

    @Test func `an error has no zero in its text, and hides errors of other types`() {
        struct Secret: Error { let password = "hunter2" }
        #expect(MethodError.failed("a\0b").text == "ab")
        #expect(MethodError(Secret()) == .failed("The method failed."))
        #expect(MethodError(MethodError.failed("why")) == .failed("why"))
    }
}

@Suite struct IntrospectionTests {
    @Test func `an object is described as the specification says`() {
        let expected = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
             <interface name="org.example.One">
              <method name="Add">
               <arg name="a" type="i" direction="in"/>
               <arg name="b" type="i" direction="in"/>
               <arg name="sum" type="i" direction="out"/>
              </method>
              <method name="Both"/>
              <signal name="Added">
               <arg name="sum" type="i"/>
              </signal>
              <property name="Name" type="s" access="readwrite"/>
              <property name="Count" type="u" access="read">
               <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>
              </property>
              <property name="Password" type="s" access="write">
               <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
              </property>
             </interface>
             <node name="child"/>
            </node>

            """
        #expect(Introspection.xml([RouteTests.interfaces[0]], children: ["child"]) == expected)
    }

    @Test func `texts are escaped`() {
        let method = MethodDescription(
            "M", in: [Argument("<\"&'>\n\u{1}", "a{sv}")], annotations: ["org.example.Note": "a < b"])
        let xml = Introspection.xml([InterfaceDescription("a.b", methods: [method], annotations: ["a.c": "\"\""])])
        #expect(xml.contains("<arg name=\"&lt;&quot;&amp;'&gt;&#10;\u{FFFD}\" type=\"a{sv}\" direction=\"in\"/>"))
        #expect(xml.contains("   <annotation name=\"org.example.Note\" value=\"a &lt; b\"/>"))
        #expect(xml.contains("  <annotation name=\"a.c\" value=\"&quot;&quot;\"/>"))
    }
}

/// The signals of the bus about names.
@Suite struct NameEventTests {
    private func signal(_ member: MemberName, _ arguments: [Value], sender: BusName = MessageBus.name) throws -> Message
    {
        let signal = try Message.signal(member, of: MessageBus.interface, at: MessageBus.path, arguments)
        // The sender's field takes the place of the destination's.
        var bytes = try Message.signal(
            member, of: MessageBus.interface, at: MessageBus.path, to: sender, arguments
        ).bytes(serial: 1)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [6, 1, 0x73, 0]) && $0 % 8 == 0 })
        bytes[place] = 7
        let received = try #require(try Message(bytes: bytes))
        #expect(received.sender == sender && received.member == signal.member)
        return received
    }

    @Test func `names come, go and change their owners`() throws {
        #expect(NameEvent(try signal("NameAcquired", [.string("a.b")])) == .acquired("a.b"))
        #expect(NameEvent(try signal("NameLost", [.string("a.b")])) == .lost("a.b"))
        let gone = NameOwnerChange(try signal("NameOwnerChanged", [.string(":1.7"), .string(":1.7"), .string("")]))
        #expect(gone?.name == ":1.7" && gone?.oldOwner == ":1.7" && gone?.newOwner == nil)
        let moved = NameOwnerChange(
            try signal("NameOwnerChanged", [.string("a.b"), .string(":1.7"), .string(":1.8")]))
        #expect(moved?.oldOwner == ":1.7" && moved?.newOwner == ":1.8")
    }

    @Test func `signals of others than the bus, and with other arguments, mean nothing`() throws {
        #expect(NameEvent(try signal("NameLost", [.string("a.b")], sender: ":1.7")) == nil)
        #expect(NameEvent(try signal("NameLost", [.string("no name")])) == nil)
        #expect(NameEvent(try signal("NameLost", [])) == nil)
        #expect(NameEvent(try signal("NameOwnerChanged", [.string("a.b")])) == nil)
        let forged = try signal("NameOwnerChanged", [.string("a.b"), .string(""), .string("")], sender: ":1.7")
        #expect(NameOwnerChange(forged) == nil)
        #expect(NameOwnerChange(try signal("NameOwnerChanged", [.string("a.b"), .string(""), .byte(0)])) == nil)
    }
}
