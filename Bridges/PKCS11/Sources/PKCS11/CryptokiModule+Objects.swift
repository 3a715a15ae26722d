// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import SecretMemory

// Objects and their attributes.
extension CryptokiModule {
    /// `C_FindObjectsInit`
    public func beginSearch(_ handle: CK_SESSION_HANDLE, _ template: Template) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            guard operations.search == nil else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
            operations.search = try search(template)[...]
        }
    }

    /// `C_FindObjects`
    public func nextFound(_ handle: CK_SESSION_HANDLE, atMost limit: Int) throws(CryptokiError) -> [CK_OBJECT_HANDLE] {
        try session(handle).operating { operations throws(CryptokiError) in
            guard let search = operations.search else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            operations.search = search.dropFirst(limit)
            return Array(search.prefix(limit))
        }
    }

    /// `C_FindObjectsFinal`
    public func endSearch(_ handle: CK_SESSION_HANDLE) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            guard operations.search.take() != nil else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
        }
    }

    private func search(_ template: Template) throws(CryptokiError) -> [CK_OBJECT_HANDLE] {
        let objectClass = try template.number(CKA_CLASS)
        let isOnToken = try template.truth(CKA_TOKEN)
        var found: [CK_OBJECT_HANDLE] = []
        if isOnToken != true {
            found += try withState { state in
                state.objects.filter { !$0.value.isOnToken && $0.value.matches(template) }.map(\.key).sorted()
            }
        }
        let listed: [CK_ULONG?] = [nil, CKO_CERTIFICATE, CKO_PUBLIC_KEY, CKO_PRIVATE_KEY]
        guard isOnToken != false, listed.contains(objectClass) else { return found }
        return found + (try list().filter { $0.object.matches(template) }.map(\.handle))
    }

    /// Lists the objects of the keychain anew. The handles of objects that no longer exist end.
    func list() throws(CryptokiError) -> [(handle: CK_OBJECT_HANDLE, object: TokenObject)] {
        let token = try token
        let objects = Self.objects(try token.keys(), try token.certificates())
        return try withState { state in
            let names = Set(objects.map(\.name))
            state.removeObjects { if case .item = $0 { !names.contains($0) } else { false } }
            return objects.map { (state.put($0), $0) }
        }
    }

    private static func objects(_ keys: [KeyItem], _ certificates: [CertificateItem]) -> [TokenObject] {
        // The key, its public half and its certificates have one identifier and one subject.
        var chosen: [[UInt8]: [UInt8]] = [:]
        var subjects: [[UInt8]: CertificateItem] = [:]
        for key in keys where key.isPrivate { chosen[key.hash] = ChosenIdentifier(key.attributes)?.bytes }
        for certificate in certificates where subjects[certificate.hash] == nil {
            subjects[certificate.hash] = certificate
        }
        let held = Set(keys.filter(\.isPrivate).map(\.hash))
        var objects: [TokenObject] = []
        for key in keys where key.isPrivate || !held.contains(key.hash) {
            let certificate = subjects[key.hash]
            let identifier = chosen[key.hash] ?? key.hash
            let subject = certificate?.certificate.subject.encoded ?? []
            // Without a public half of its own, the key has that of its certificate.
            let key = key.facts.publicKey == nil ? key.with(try? certificate?.certificate.publicKey()) : key
            if key.isPrivate { objects.append(TokenObject(privateKey: key, identifier: identifier, subject: subject)) }
            if let half = key.facts.publicKey {
                objects.append(TokenObject(publicKey: half, of: key, identifier: identifier, subject: subject))
            }
        }
        return objects
            + certificates.map { TokenObject($0, identifier: chosen[$0.hash] ?? $0.hash) }
    }

    /// The attributes of an object, for `C_GetAttributeValue`.
    public struct Attributes: Sendable {
        public enum Value: Sendable {
            case bytes([UInt8])
            /// It exists and is never told.
            case sensitive
            /// The object has no such attribute.
            case absent
        }

        let object: TokenObject

        public subscript(type: CK_ATTRIBUTE_TYPE) -> Value {
            if let value = object.values[type] { return .bytes(value) }
            if type == CKA_VALUE, let secret = object.secret { return .bytes(Array(secret.bytes)) }
            return object.sensitive.contains(type) ? .sensitive : .absent
        }
    }

    /// `C_GetAttributeValue`
    public func attributes(
        _ handle: CK_SESSION_HANDLE, _ object: CK_OBJECT_HANDLE
    ) throws(CryptokiError) -> Attributes {
        _ = try session(handle)
        return Attributes(object: try self.object(object))
    }

    func object(_ handle: CK_OBJECT_HANDLE, orElse code: CK_RV = CKR_OBJECT_HANDLE_INVALID) throws(CryptokiError)
        -> TokenObject
    {
        try withState { state throws(CryptokiError) in
            guard let object = state.objects[handle] else { throw CryptokiError(code) }
            return object
        }
    }

    /// `C_SetAttributeValue`: the label, and the identifier of a key.
    public func change(
        _ handle: CK_SESSION_HANDLE, _ objectHandle: CK_OBJECT_HANDLE, _ template: Template
    ) throws(CryptokiError) {
        let session = try session(handle)
        let object = try object(objectHandle)
        guard let item = object.item else { throw CryptokiError(CKR_ACTION_PROHIBITED) }
        guard session.isReadWrite else { throw CryptokiError(CKR_SESSION_READ_ONLY) }
        var changes: [ItemAttributes.Entry] = []
        for entry in template.entries where object.values[entry.type] != entry.value {
            switch entry.type {
            case CKA_LABEL:
                changes.append(.init(.label, .string(try template.text(CKA_LABEL) ?? "")))
            case CKA_ID where item.itemClass == .key:
                guard try mayChooseIdentifier(item) else { throw CryptokiError(CKR_ATTRIBUTE_READ_ONLY) }
                changes.append(.init(.applicationTag, try ChosenIdentifier(entry.value).tag))
            default: throw CryptokiError(CKR_ATTRIBUTE_READ_ONLY)
            }
        }
        guard !changes.isEmpty else { return }
        try token.change(item, changes)
        _ = try list()
    }

    /// Returns whether the application tag of a key is free for an identifier: another tag, such as that of a key for SSH,
    /// has a meaning.
    private func mayChooseIdentifier(_ item: PersistentReference) throws(CryptokiError) -> Bool {
        guard let key = try token.keys().first(where: { $0.reference == item }) else {
            throw CryptokiError(CKR_OBJECT_HANDLE_INVALID)
        }
        let tag = key.attributes[.applicationTag] ?? .string("")
        return tag == .string("") || tag == .data([]) || ChosenIdentifier(key.attributes) != nil
    }

    /// `C_DestroyObject`
    public func destroy(_ handle: CK_SESSION_HANDLE, _ objectHandle: CK_OBJECT_HANDLE) throws(CryptokiError) {
        let session = try session(handle)
        let object = try object(objectHandle)
        if let item = object.item {
            guard session.isReadWrite else { throw CryptokiError(CKR_SESSION_READ_ONLY) }
            // The public half is a part of the private key.
            let isHalf = try withState { $0.handles[.item(item, CKO_PRIVATE_KEY)] != nil }
            guard object.objectClass != CKO_PUBLIC_KEY || !isHalf else { throw CryptokiError(CKR_ACTION_PROHIBITED) }
            try token.delete(item)
        }
        try withState { state in
            state.removeObjects { name in
                if let item = object.item, case .item(item, _) = name { return true }
                return name == object.name
            }
        }
    }
}

extension KeyItem {
    /// The same key with this public half.
    fileprivate func with(_ publicKey: PublicKey?) -> KeyItem {
        guard let publicKey, publicKey.hash.bytes == hash else { return self }
        return KeyItem(reference, attributes, publicHalf: Array(publicKey.externalRepresentation)) ?? self
    }
}
