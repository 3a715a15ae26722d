// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

/// An object that a ``BusServer`` exports: a value or a final class with declared interfaces.
///
/// The server adds the standard interfaces. It calls the code of methods and properties on its own thread, which serves
/// all clients; code that takes time answers later, from another thread.
public protocol BusObject: Sendable {
    /// The interfaces of all objects of this type.
    static var interfaces: [Interface<Self>] { get }
}

/// A call of a method, or of `Set` for a property, with decoded arguments.
public struct MethodCall: Sendable {
    /// The unique name of the caller, which the bus verifies.
    public let sender: BusName
    public let path: ObjectPath
    public let flags: Message.Flags
    /// The arguments, which have the declared types. For a property, the new value.
    public let arguments: [Value]
    /// The descriptors that came with the call.
    public let descriptors: [Descriptor]

    /// Returns the descriptor that an argument names.
    ///
    /// - Parameter index: of an argument with the type `h`.
    /// - Throws: `org.freedesktop.DBus.Error.InvalidArgs` if the argument names none.
    public func descriptor(at index: Int) throws(MethodError) -> Descriptor {
        guard arguments.indices.contains(index), let number = arguments[index].descriptorIndex,
            number < descriptors.count
        else { throw .invalidArguments("Argument \(index) is no descriptor.") }
        return descriptors[Int(number)]
    }
}

/// The results of a method. An array literal of values is one.
public struct MethodResult: Sendable, ExpressibleByArrayLiteral {
    public let values: [Value]
    /// The descriptors, to which values of the type `h` are indices.
    public let descriptors: [Descriptor]

    public init(_ values: [Value], descriptors: [Descriptor] = []) {
        self.values = values
        self.descriptors = descriptors
    }

    public init(arrayLiteral values: Value...) { self.init(values) }
}

/// A method: its declaration and its code.
public struct Method<Object>: Sendable {
    public let description: MethodDescription
    let handle: @Sendable (Object, MethodCall, Reply<MethodResult>) -> Void

    /// Creates a method that answers at once.
    ///
    /// - Parameters:
    ///   - name: unique among the methods of the interface.
    ///   - inputs: the arguments.
    ///   - outputs: the results.
    ///   - annotations: by name, for introspection.
    ///   - handler: returns the results. A ``MethodError`` that it throws is the answer; for any other error the answer
    ///     is `org.freedesktop.DBus.Error.Failed`.
    public init(
        _ name: MemberName, in inputs: [Argument] = [], out outputs: [Argument] = [],
        annotations: [InterfaceName: String] = [:],
        _ handler: @escaping @Sendable (Object, MethodCall) throws -> MethodResult
    ) {
        self.init(
            name, in: inputs, out: outputs, annotations: annotations,
            later: { object, call, reply in
                reply.answer { try handler(object, call) }
            })
    }

    /// Creates a method that may answer later, on any thread.
    ///
    /// - Parameters:
    ///   - name: unique among the methods of the interface.
    ///   - inputs: the arguments.
    ///   - outputs: the results.
    ///   - annotations: by name, for introspection.
    ///   - handler: starts the work and returns at once.
    public init(
        _ name: MemberName, in inputs: [Argument] = [], out outputs: [Argument] = [],
        annotations: [InterfaceName: String] = [:],
        later handler: @escaping @Sendable (Object, MethodCall, Reply<MethodResult>) -> Void
    ) {
        description = MethodDescription(name, in: inputs, out: outputs, annotations: annotations)
        handle = handler
    }
}

/// A property: its declaration and its code.
public struct Property<Object>: Sendable {
    public let description: PropertyDescription
    let get: (@Sendable (Object) throws -> Value)?
    let getLater: (@Sendable (Object, Reply<Value>) -> Void)?
    let set: (@Sendable (Object, MethodCall, Reply<Void>) -> Void)?

    /// Creates a property that can be read.
    ///
    /// - Parameters:
    ///   - name: unique among the properties of the interface.
    ///   - type: of all its values.
    ///   - changeSignal: what ``BusServer/announceChange(of:in:of:at:)`` reports.
    ///   - get: returns the value. Its errors are answers, as for a method.
    public init(
        _ name: MemberName, _ type: CompleteType, changeSignal: PropertyDescription.ChangeSignal = .value,
        get: @escaping @Sendable (Object) throws -> Value
    ) {
        self.init(name, type, .read, changeSignal: changeSignal, get: get, set: nil)
    }

    /// Creates a property that can be read and written.
    ///
    /// - Parameters:
    ///   - name: unique among the properties of the interface.
    ///   - type: of all its values.
    ///   - changeSignal: what ``BusServer/announceChange(of:in:of:at:)`` reports. Setting a property announces nothing by
    ///     itself.
    ///   - get: returns the value.
    ///   - set: takes a value of the declared type.
    public init(
        _ name: MemberName, _ type: CompleteType, changeSignal: PropertyDescription.ChangeSignal = .value,
        get: @escaping @Sendable (Object) throws -> Value,
        set: @escaping @Sendable (Object, Value) throws -> Void
    ) {
        self.init(name, type, .readWrite, changeSignal: changeSignal, get: get) { object, call, reply in
            reply.answer { try set(object, call.arguments[0]) }
        }
    }

    /// Creates a property that can be written, and whose code may answer later, on any thread.
    ///
    /// - Parameters:
    ///   - name: unique among the properties of the interface.
    ///   - type: of all its values.
    ///   - changeSignal: what ``BusServer/announceChange(of:in:of:at:)`` reports.
    ///   - get: returns the value; nil if the property cannot be read.
    ///   - set: starts the change and returns at once. The argument of the call is the new value.
    public init(
        _ name: MemberName, _ type: CompleteType, changeSignal: PropertyDescription.ChangeSignal = .value,
        get: (@Sendable (Object) throws -> Value)?,
        setLater set: @escaping @Sendable (Object, MethodCall, Reply<Void>) -> Void
    ) {
        self.init(
            name, type, get == nil ? .write : .readWrite, changeSignal: changeSignal, get: get, set: set)
    }

    /// Creates a property whose code may answer later, on any thread.
    ///
    /// `GetAll` fails if such a property fails. `GetManagedObjects` and
    /// ``BusServer/announceChange(of:in:of:at:)`` do not wait for its value: the first leaves it out, the second
    /// announces its name alone.
    ///
    /// - Parameters:
    ///   - name: unique among the properties of the interface.
    ///   - type: of all its values.
    ///   - changeSignal: what ``BusServer/announceChange(of:in:of:at:)`` reports.
    ///   - get: starts the work and returns at once.
    ///   - set: as in ``init(_:_:changeSignal:get:setLater:)``; nil if the property cannot be written.
    public init(
        _ name: MemberName, _ type: CompleteType, changeSignal: PropertyDescription.ChangeSignal = .value,
        getLater get: @escaping @Sendable (Object, Reply<Value>) -> Void,
        setLater set: (@Sendable (Object, MethodCall, Reply<Void>) -> Void)? = nil
    ) {
        self.init(
            name, type, set == nil ? .read : .readWrite, changeSignal: changeSignal, get: nil, getLater: get, set: set)
    }

    private init(
        _ name: MemberName, _ type: CompleteType, _ access: PropertyDescription.Access,
        changeSignal: PropertyDescription.ChangeSignal, get: (@Sendable (Object) throws -> Value)?,
        getLater: (@Sendable (Object, Reply<Value>) -> Void)? = nil,
        set: (@Sendable (Object, MethodCall, Reply<Void>) -> Void)?
    ) {
        description = PropertyDescription(name, type, access: access, changeSignal: changeSignal)
        self.get = get
        self.getLater = getLater
        self.set = set
    }

    /// Throws an error instead of a value of another type than declared, which would break clients.
    func value(_ object: Object) throws -> Value {
        guard let value = try get?(object) else { throw MethodError.accessDenied("The property cannot be read.") }
        return try checked(value)
    }

    /// As ``value(_:)``, for every kind of property.
    func value(_ object: Object, _ reply: Reply<Value>) {
        guard let getLater else { return reply.answer { try value(object) } }
        getLater(object, Reply { result in reply.answer { try checked(try result.get()) } })
    }

    private func checked(_ value: Value) throws -> Value {
        guard value.type == description.type else {
            throw MethodError.failed("The property \(description.name) has a value of another type than declared.")
        }
        return value
    }
}

/// An interface: its declaration and its code.
public struct Interface<Object>: Sendable {
    public let description: InterfaceDescription
    let methods: [Method<Object>]
    let properties: [Property<Object>]

    public init(
        _ name: InterfaceName, methods: [Method<Object>] = [], signals: [SignalDescription] = [],
        properties: [Property<Object>] = [], annotations: [InterfaceName: String] = [:]
    ) {
        self.methods = methods
        self.properties = properties
        description = InterfaceDescription(
            name, methods: methods.map(\.description), signals: signals, properties: properties.map(\.description),
            annotations: annotations)
    }
}

/// Access to the code of an object whose type is unknown, by the indices of ``CallRoute``.
extension BusObject {
    // A key path of a generic type would be made anew for each call.
    static var descriptions: [InterfaceDescription] { interfaces.map { $0.description } }

    func handle(interface: Int, method: Int, _ call: MethodCall, _ reply: Reply<MethodResult>) {
        Self.interfaces[interface].methods[method].handle(self, call, reply)
    }

    func value(of property: CallRoute.Property) throws -> Value {
        try Self.interfaces[property.interface].properties[property.property].value(self)
    }

    func value(of property: CallRoute.Property, _ reply: Reply<Value>) {
        Self.interfaces[property.interface].properties[property.property].value(self, reply)
    }

    func set(_ property: CallRoute.Property, _ call: MethodCall, _ reply: Reply<Void>) {
        // A route to a property that cannot be written does not exist.
        Self.interfaces[property.interface].properties[property.property].set?(self, call, reply)
    }

    /// Returns the readable properties of an interface, `a{sv}`. A property whose code throws is left out, so that the
    /// others can be read.
    func values(interface: Int) -> [Value.DictionaryEntry] {
        Self.interfaces[interface].properties.compactMap { property in
            (try? property.value(self)).map { .init(.string(property.description.name.rawValue), .variant($0)) }
        }
    }

    /// Answers with the readable properties of some interfaces, as ``values(interface:)`` does, and with those that
    /// answer later.
    func values(interfaces: [Int], _ reply: Reply<[Value.DictionaryEntry]>) {
        collect(interfaces.flatMap { Self.interfaces[$0].properties }[...], [], reply)
    }

    private func collect(
        _ properties: ArraySlice<Property<Self>>, _ found: [Value.DictionaryEntry],
        _ reply: Reply<[Value.DictionaryEntry]>
    ) {
        var found = found
        for (index, property) in zip(properties.indices, properties) {
            let name = Value.string(property.description.name.rawValue)
            guard property.getLater != nil else {
                if let value = try? property.value(self) { found.append(.init(name, .variant(value))) }
                continue
            }
            let (rest, before) = (properties[(index + 1)...], found)
            return property.value(
                self,
                Reply { result in
                    switch result {
                    case .success(let value): collect(rest, before + [.init(name, .variant(value))], reply)
                    case .failure(let error): reply.fail(error)
                    }
                })
        }
        reply.succeed(found)
    }

    /// The interfaces with their properties, `a{sa{sv}}`.
    var interfacesAndProperties: Value {
        .dictionary(
            key: .string, value: "a{sv}",
            Self.interfaces.indices.map { index in
                .init(
                    .string(Self.interfaces[index].description.name.rawValue),
                    .dictionary(key: .string, value: .variant, values(interface: index)))
            })
    }
}

/// The objects below a path, found when they are called: for trees that are too large to export each object, or whose
/// objects look different to each caller.
///
/// Both functions may answer later, on any thread; the calls of one client can then be handled in another order than
/// they were made.
public protocol ObjectSource: Sendable {
    /// Finds an object below the path.
    ///
    /// - Parameters:
    ///   - path: a path below that of the source.
    ///   - sender: the caller.
    ///   - reply: takes the object; nil if there is none.
    func findObject(at path: ObjectPath, for sender: BusName, _ reply: Reply<(any BusObject)?>)

    /// Lists the last elements of the paths directly below a path, for introspection.
    ///
    /// - Parameters:
    ///   - path: the path of the source or a path below it.
    ///   - sender: the caller.
    ///   - reply: takes the elements; none if the path leads to no object.
    func listChildren(of path: ObjectPath, for sender: BusName, _ reply: Reply<[String]>)
}
