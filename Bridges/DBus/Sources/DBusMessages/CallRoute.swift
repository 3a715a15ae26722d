// SPDX-License-Identifier: Apache-2.0

/// What a call of an object asks for: its own method, or a method of a standard interface.
///
/// Interfaces, methods and properties are indices into the descriptions, so that a program finds its own code for them.
public enum CallRoute: Hashable, Sendable {
    /// A property of an interface.
    public struct Property: Hashable, Sendable {
        public let interface: Int
        public let property: Int

        public init(interface: Int, property: Int) {
            self.interface = interface
            self.property = property
        }
    }

    case ping
    case machineID
    case introspection
    case managedObjects
    case get(Property)
    /// The new value has the declared type.
    case set(Property, Value)
    /// All readable properties of the interfaces.
    case getAll([Int])
    /// The arguments have the declared types.
    case method(interface: Int, method: Int, [Value])

    /// Finds what a call asks for.
    ///
    /// - Parameters:
    ///   - call: a message of the kind `.methodCall`.
    ///   - interfaces: those of the object; nil for a path that only leads to objects.
    ///   - isManager: whether the object implements `org.freedesktop.DBus.ObjectManager`.
    /// - Throws: the standard error for an unknown interface, method or property, a property that cannot be read or
    ///   written, and arguments that cannot be decoded or have other types than declared.
    public init(
        _ call: Message, of interfaces: [InterfaceDescription]?, isManager: Bool = false
    ) throws(MethodError) {
        guard call.kind == .methodCall, let member = call.member else { throw .failed("The message is no call.") }
        let own = interfaces ?? []
        for (index, interface) in own.enumerated() where call.interface == nil || call.interface == interface.name {
            guard let method = interface.methods.firstIndex(where: { $0.name == member }) else { continue }
            self = .method(
                interface: index, method: method, try Self.arguments(of: call, interface.methods[method]))
            return
        }
        let standard = StandardInterface.all(isObject: interfaces != nil, isManager: isManager)
        for interface in standard where call.interface == nil || call.interface == interface.name {
            guard let method = interface.methods.first(where: { $0.name == member }) else { continue }
            self = try Self.standard(method, try Self.arguments(of: call, method), own: own, standard: standard)
            return
        }
        guard let name = call.interface, !(own + standard).contains(where: { $0.name == name }) else {
            throw .unknownMethod(member)
        }
        throw .unknownInterface(name.rawValue)
    }

    private static func arguments(of call: Message, _ method: MethodDescription) throws(MethodError) -> [Value] {
        guard call.signature.types == method.inputTypes else {
            let expected = method.inputTypes.map(\.description).joined()
            throw .invalidArguments(
                "The method \(method.name) takes arguments of the types ‘\(expected)’, not ‘\(call.signature.text)’.")
        }
        do throws(CodingError) {
            return try call.arguments()
        } catch {
            throw .invalidArguments("The arguments of \(method.name) cannot be decoded: \(error).")
        }
    }

    /// The arguments have the types of the method's declaration.
    private static func standard(
        _ method: MethodDescription, _ arguments: [Value], own: [InterfaceDescription],
        standard: [InterfaceDescription]
    ) throws(MethodError) -> CallRoute {
        switch method.name {
        case "Ping": return .ping
        case "GetMachineId": return .machineID
        case "Introspect": return .introspection
        case "GetManagedObjects": return .managedObjects
        case "GetAll": return .getAll(try indices(of: arguments[0].string ?? "", own, standard))
        case "Get":
            let found = try property(arguments[0].string ?? "", arguments[1].string ?? "", own: own, standard: standard)
            let description = own[found.interface].properties[found.property]
            guard description.isReadable else {
                throw .accessDenied("The property \(description.name) cannot be read.")
            }
            return .get(found)
        case "Set":
            let found = try property(arguments[0].string ?? "", arguments[1].string ?? "", own: own, standard: standard)
            let description = own[found.interface].properties[found.property]
            guard description.isWritable else { throw .propertyReadOnly(description.name) }
            guard case .variant(let value) = arguments[2], value.type == description.type else {
                throw .invalidArguments("The property \(description.name) has the type ‘\(description.type)’.")
            }
            return .set(found, value)
        default: throw .unknownMethod(method.name)
        }
    }

    /// Returns the interfaces with a name; all of them for the empty name, as the specification allows.
    private static func indices(
        of name: String, _ own: [InterfaceDescription], _ standard: [InterfaceDescription]
    ) throws(MethodError) -> [Int] {
        let found = own.indices.filter { name.isEmpty || own[$0].name.rawValue == name }
        // The standard interfaces have no properties.
        guard !found.isEmpty || name.isEmpty || standard.contains(where: { $0.name.rawValue == name }) else {
            throw .unknownInterface(name)
        }
        return found
    }

    private static func property(
        _ interface: String, _ name: String, own: [InterfaceDescription], standard: [InterfaceDescription]
    ) throws(MethodError) -> Property {
        for index in try indices(of: interface, own, standard) {
            if let found = own[index].properties.firstIndex(where: { $0.name.rawValue == name }) {
                return Property(interface: index, property: found)
            }
        }
        throw .unknownProperty(name)
    }
}
