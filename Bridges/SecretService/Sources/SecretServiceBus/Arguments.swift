// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import SecretService

/// Arguments of the Secret Service. The server has checked their declared types.
enum Arguments {
    static let attributeLimit = 1024

    /// Reads `a{ss}`. Throws `LimitsExceeded`.
    static func attributes(_ value: Value) throws(MethodError) -> [String: String] {
        guard case .dictionary(.string, .string, let entries) = value else {
            throw .invalidArguments("Attributes are a dictionary of texts.")
        }
        guard entries.count <= attributeLimit else {
            throw .limitsExceeded("An item has at most \(attributeLimit) attributes, not \(entries.count).")
        }
        // The last one counts if the client repeats a name.
        return entries.reduce(into: [:]) { attributes, entry in
            if let name = entry.key.string { attributes[name] = entry.value.string }
        }
    }

    static func paths(_ value: Value) -> [ObjectPath] { value.elements?.compactMap(\.objectPath) ?? [] }

    static func value(_ paths: [ObjectPath]) -> Value { .array(of: .objectPath, paths.map(Value.objectPath)) }

    static func value(_ attributes: [String: String]) -> Value {
        .dictionary(
            key: .string, value: .string,
            attributes.sorted { $0.key < $1.key }.map { .init(.string($0.key), .string($0.value)) })
    }

    /// Seconds since 1970, as the specification wants them.
    static func value(seconds: Double) -> Value { .uint64(UInt64(max(0, min(seconds, 1e15)))) }

    /// Reads the label in `a{sv}`; nil if there is none.
    static func label(_ properties: Value, of interface: InterfaceName) throws(MethodError) -> String? {
        try text(properties, "\(interface).Label")
    }

    private static func text(_ properties: Value, _ name: String) throws(MethodError) -> String? {
        guard let value = properties[name]?.unwrapped else { return nil }
        guard let text = value.string else { throw .invalidArguments("The property \(name) is not a text.") }
        return text
    }

    /// Reads the properties of a new item, and its secret `(oayays)`, which is encrypted with a session of the client.
    static func newItem(_ properties: Value, _ secret: Value, of client: Client) throws -> NewItem {
        let interface = ItemObject.interface
        var attributes: [String: String] = [:]
        if let value = properties["\(interface).Attributes"]?.unwrapped { attributes = try Self.attributes(value) }
        // Clients of old drafts send the schema as a property.
        if let type = try text(properties, "\(interface).Type"), attributes[ItemObject.schemaAttribute] == nil {
            attributes[ItemObject.schemaAttribute] = type
        }
        return NewItem(
            label: try label(properties, of: interface) ?? "", attributes: attributes,
            secret: try Self.secret(secret, of: client))
    }

    static func secret(_ value: Value, of client: Client) throws -> Secret {
        guard let members = value.members, members.count == 4, let path = members[0].objectPath,
            case .bytes(let parameters) = members[1], case .bytes(let bytes) = members[2],
            let contentType = members[3].string
        else { throw MethodError.invalidArguments("A secret has the type (oayays).") }
        let clear = try client.session(at: path).decrypt(.init(parameters: parameters, value: bytes))
        return Secret(clear, contentType: contentType)
    }

    /// Encrypts a secret with a session of the client.
    static func value(
        _ secret: Secret, _ session: ObjectPath, of client: Client, randomBytes: (Int) -> [UInt8]
    ) throws -> Value {
        let transport = try client.session(at: session).encrypt(secret.value, randomBytes: randomBytes)
        return .structure([
            .objectPath(session), .bytes(transport.parameters), .bytes(transport.value), .string(secret.contentType),
        ])
    }
}
