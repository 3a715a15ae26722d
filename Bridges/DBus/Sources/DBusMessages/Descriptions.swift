// SPDX-License-Identifier: Apache-2.0

/// A named argument of a method or a signal.
public struct Argument: Hashable, Sendable {
    public let name: String
    public let type: CompleteType

    public init(_ name: String, _ type: CompleteType) {
        self.name = name
        self.type = type
    }
}

/// The declaration of a method.
public struct MethodDescription: Hashable, Sendable {
    public let name: MemberName
    public let inputs: [Argument]
    public let outputs: [Argument]
    /// Annotations by name, such as `org.freedesktop.DBus.Deprecated`.
    public let annotations: [InterfaceName: String]
    let inputTypes: [CompleteType]
    let outputTypes: [CompleteType]

    public init(
        _ name: MemberName, in inputs: [Argument] = [], out outputs: [Argument] = [],
        annotations: [InterfaceName: String] = [:]
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.annotations = annotations
        inputTypes = inputs.map(\.type)
        outputTypes = outputs.map(\.type)
    }

    /// Whether the values have the declared types of the results.
    public func returns(_ values: [Value]) -> Bool { values.map(\.type) == outputTypes }
}

/// The declaration of a signal.
public struct SignalDescription: Hashable, Sendable {
    public let name: MemberName
    public let arguments: [Argument]
    /// Annotations by name.
    public let annotations: [InterfaceName: String]

    public init(_ name: MemberName, _ arguments: [Argument] = [], annotations: [InterfaceName: String] = [:]) {
        self.name = name
        self.arguments = arguments
        self.annotations = annotations
    }

    /// Whether the values have the declared types.
    public func carries(_ values: [Value]) -> Bool { values.map(\.type) == arguments.map(\.type) }
}

/// The declaration of a property.
public struct PropertyDescription: Hashable, Sendable {
    public enum Access: String, Hashable, Sendable {
        case read
        case write
        case readWrite = "readwrite"
    }

    /// What `PropertiesChanged` reports about the property: the values of the annotation
    /// `org.freedesktop.DBus.Property.EmitsChangedSignal`.
    public enum ChangeSignal: String, Hashable, Sendable {
        /// The new value.
        case value = "true"
        /// The name of the property alone, so that clients read it again.
        case invalidation = "invalidates"
        /// Nothing, because the value never changes.
        case constant = "const"
        /// Nothing, although the value changes.
        case none = "false"
    }

    public let name: MemberName
    public let type: CompleteType
    public let access: Access
    public let changeSignal: ChangeSignal
    /// Annotations by name, without that of ``ChangeSignal``.
    public let annotations: [InterfaceName: String]

    public init(
        _ name: MemberName, _ type: CompleteType, access: Access = .read, changeSignal: ChangeSignal = .value,
        annotations: [InterfaceName: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.access = access
        self.changeSignal = changeSignal
        self.annotations = annotations
    }

    public var isReadable: Bool { access != .write }
    public var isWritable: Bool { access != .read }
}

/// The declaration of an interface.
public struct InterfaceDescription: Hashable, Sendable {
    public let name: InterfaceName
    public let methods: [MethodDescription]
    public let signals: [SignalDescription]
    public let properties: [PropertyDescription]
    /// Annotations by name.
    public let annotations: [InterfaceName: String]

    public init(
        _ name: InterfaceName, methods: [MethodDescription] = [], signals: [SignalDescription] = [],
        properties: [PropertyDescription] = [], annotations: [InterfaceName: String] = [:]
    ) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
        self.annotations = annotations
    }
}

/// The interfaces that a server implements for its objects (D-Bus Specification, "Standard Interfaces").
public enum StandardInterface {
    /// `org.freedesktop.DBus.Peer`, at every path.
    public static let peer = InterfaceDescription(
        "org.freedesktop.DBus.Peer",
        methods: [
            MethodDescription("Ping"), MethodDescription("GetMachineId", out: [Argument("machine_uuid", "s")]),
        ])
    /// `org.freedesktop.DBus.Introspectable`, at every path with an object at it or below it.
    public static let introspectable = InterfaceDescription(
        "org.freedesktop.DBus.Introspectable",
        methods: [MethodDescription("Introspect", out: [Argument("xml_data", "s")])])
    /// `org.freedesktop.DBus.Properties`, of every object.
    public static let properties = InterfaceDescription(
        "org.freedesktop.DBus.Properties",
        methods: [
            MethodDescription(
                "Get", in: [Argument("interface_name", "s"), Argument("property_name", "s")],
                out: [Argument("value", "v")]),
            MethodDescription(
                "Set",
                in: [Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v")]),
            MethodDescription(
                "GetAll", in: [Argument("interface_name", "s")], out: [Argument("properties", "a{sv}")]),
        ],
        signals: [
            SignalDescription(
                "PropertiesChanged",
                [
                    Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
                    Argument("invalidated_properties", "as"),
                ])
        ])
    /// `org.freedesktop.DBus.ObjectManager`, of objects that are exported as a manager.
    public static let objectManager = InterfaceDescription(
        "org.freedesktop.DBus.ObjectManager",
        methods: [
            MethodDescription(
                "GetManagedObjects", out: [Argument("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")])
        ],
        signals: [
            SignalDescription(
                "InterfacesAdded",
                [Argument("object_path", "o"), Argument("interfaces_and_properties", "a{sa{sv}}")]),
            SignalDescription(
                "InterfacesRemoved", [Argument("object_path", "o"), Argument("interfaces", "as")]),
        ])

    /// Returns the standard interfaces of an object, or of a path that only leads to objects.
    public static func all(isObject: Bool, isManager: Bool) -> [InterfaceDescription] {
        [peer, introspectable] + (isObject ? [properties] : []) + (isManager ? [objectManager] : [])
    }
}
