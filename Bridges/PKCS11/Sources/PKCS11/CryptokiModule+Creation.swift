// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import Crypto
internal import FoundationEssentials
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import SecretMemory

// New keys and certificates.
extension CryptokiModule {
    /// `C_GenerateKeyPair`: the service makes the key, and its private half never leaves it.
    public func generatePair(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism, publicHalf: Template, privateHalf: Template
    ) throws(CryptokiError) -> (publicKey: CK_OBJECT_HANDLE, privateKey: CK_OBJECT_HANDLE) {
        let session = try session(handle)
        let facts = try mechanism.facts(for: CKF_GENERATE_KEY_PAIR)
        try mechanism.requireNoParameter()
        guard session.isReadWrite else { throw CryptokiError(CKR_SESSION_READ_ONLY) }
        try publicHalf.require(CKA_CLASS, CKO_PUBLIC_KEY)
        let size = try keySize(facts, publicHalf)
        for template in [publicHalf, privateHalf] { try template.require(CKA_KEY_TYPE, facts.keyType.cryptokiType) }
        var entries = try newKeyEntries(privateHalf, orElse: publicHalf)
        entries += [
            .init(.type, .number(facts.keyType.code)), .init(.keySizeInBits, .number(Int64(size))),
            .init(.isExtractable, .number(0)),
        ]
        let made = try token.generate(entries)
        guard let half = made.facts.publicKey else { throw CryptokiError(CKR_DEVICE_ERROR) }
        let identifier = ChosenIdentifier(made.attributes)?.bytes ?? made.hash
        return try withState { state in
            (
                state.put(TokenObject(publicKey: half, of: made, identifier: identifier, subject: [])),
                state.put(TokenObject(privateKey: made, identifier: identifier, subject: []))
            )
        }
    }

    private func keySize(_ facts: Mechanism.Facts, _ template: Template) throws(CryptokiError) -> Int {
        guard facts.keyType == .rsa else {
            do throws(KeyError) {
                let form = try KeyForm.named(template, facts.keyType.cryptokiType)
                return form.sizeInBits
            } catch {
                throw CryptokiError(error)
            }
        }
        guard let bits = try template.number(CKA_MODULUS_BITS) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        guard facts.sizes.contains(bits), bits.isMultiple(of: 128) else { throw CryptokiError(CKR_KEY_SIZE_RANGE) }
        let exponent = template.bytes(CKA_PUBLIC_EXPONENT).map { Array($0.drop { $0 == 0 }) }
        guard exponent == nil || exponent == [1, 0, 1] else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        return Int(bits)
    }

    /// Returns the attributes of a new private key that templates choose.
    private func newKeyEntries(
        _ template: Template, orElse other: Template? = nil
    ) throws(CryptokiError) -> [ItemAttributes.Entry] {
        try template.require(CKA_CLASS, CKO_PRIVATE_KEY)
        // The module never tells a private key, so it makes none that a program expects to read, and none for one session.
        guard try template.truth(CKA_TOKEN) == true, try template.truth(CKA_EXTRACTABLE) != true,
            try template.truth(CKA_SENSITIVE) != false
        else { throw CryptokiError(CKR_TEMPLATE_INCONSISTENT) }
        var entries: [ItemAttributes.Entry] = [.init(.keyClass, .number(1))]
        var label = try template.text(CKA_LABEL)
        if label == nil { label = try other?.text(CKA_LABEL) }
        if let label { entries.append(.init(.label, .string(label))) }
        if let identifier = template.bytes(CKA_ID) ?? other?.bytes(CKA_ID), !identifier.isEmpty {
            entries.append(.init(.applicationTag, try ChosenIdentifier(identifier).tag))
        }
        for (attribute, use) in [(CKA_SIGN, KeyUse.sign), (CKA_DECRYPT, .decrypt), (CKA_DERIVE, .agree)] {
            if let isAllowed = try template.truth(attribute) {
                entries.append(.init(use.permission, .number(isAllowed ? 1 : 0)))
            }
        }
        if try template.truth(CKA_ALWAYS_AUTHENTICATE) == true {
            guard
                let control = AccessControl(
                    protection: .whenUnlockedThisDeviceOnly, flags: [.userPresence, .privateKeyUsage])
            else { throw CryptokiError(CKR_GENERAL_ERROR) }
            entries.append(.init(.accessControl, .accessControl(control)))
        }
        return entries
    }

    /// `C_CreateObject`: stores a certificate or a private key, or makes a public key for a session.
    public func create(
        _ handle: CK_SESSION_HANDLE, _ template: Template
    ) throws(CryptokiError) -> CK_OBJECT_HANDLE {
        let session = try session(handle)
        guard let objectClass = try template.number(CKA_CLASS) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        let isOnToken = try template.truth(CKA_TOKEN) ?? false
        guard !isOnToken || session.isReadWrite else { throw CryptokiError(CKR_SESSION_READ_ONLY) }
        let item: PersistentReference
        switch (objectClass, isOnToken) {
        case (CKO_PUBLIC_KEY, false): return try createPublicKey(template, session)
        case (CKO_CERTIFICATE, true): item = try addCertificate(template)
        case (CKO_PRIVATE_KEY, true): item = try addPrivateKey(template)
        case (CKO_PUBLIC_KEY, true): item = try addPublicKey(template)
        default: throw CryptokiError(CKR_TEMPLATE_INCONSISTENT)
        }
        return try newObject(item, objectClass)
    }

    /// Returns the handle of a new object.
    private func newObject(_ item: PersistentReference, _ objectClass: CK_ULONG) throws(CryptokiError)
        -> CK_OBJECT_HANDLE
    {
        _ = try list()
        return try withState { state throws(CryptokiError) in
            guard let handle = state.handles[.item(item, objectClass)] else { throw CryptokiError(CKR_DEVICE_ERROR) }
            return handle
        }
    }

    private func createPublicKey(_ template: Template, _ session: Session) throws(CryptokiError) -> CK_OBJECT_HANDLE {
        guard let keyType = try template.number(CKA_KEY_TYPE) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        let publicKey = try PublicKey(template, keyType)
        let label = template.bytes(CKA_LABEL) ?? []
        let identifier = template.bytes(CKA_ID) ?? []
        return try withState { state in
            let name = TokenObject.Name.ofSession(session.handle, state.newHandle())
            return state.put(TokenObject(publicKey: publicKey, label: label, identifier: identifier, name: name))
        }
    }

    private func addCertificate(_ template: Template) throws(CryptokiError) -> PersistentReference {
        try template.require(CKA_CERTIFICATE_TYPE, CKC_X_509)
        let certificate: Certificate
        let value = try template.required(CKA_VALUE)
        do throws(CertificateError) {
            certificate = try Certificate(value)
        } catch {
            throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID)
        }
        var entries = CertificateAttributes(certificate).entries
        if let label = try template.text(CKA_LABEL) {
            entries.removeAll { $0.key == .label }
            entries.append(.init(.label, .string(label)))
        }
        return try token.add(.certificate, entries, SecretBytes(copying: certificate.encoded))
    }

    private func addPublicKey(_ template: Template) throws(CryptokiError) -> PersistentReference {
        guard let keyType = try template.number(CKA_KEY_TYPE) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        let publicKey = try PublicKey(template, keyType)
        // The public half of a private key of the keychain is there already.
        if let held = try token.keys().first(where: { $0.isPrivate && $0.facts.publicKey == publicKey }) {
            return held.reference
        }
        var entries: [ItemAttributes.Entry] = [
            .init(.keyClass, .number(0)), .init(.type, .number(publicKey.type.code)),
            .init(.keySizeInBits, .number(Int64(publicKey.sizeInBits))),
            .init(.applicationLabel, .data(publicKey.hash.bytes)),
        ]
        if let label = try template.text(CKA_LABEL) { entries.append(.init(.label, .string(label))) }
        return try token.add(.key, entries, SecretBytes(copying: Array(publicKey.externalRepresentation)))
    }

    private func addPrivateKey(_ template: Template) throws(CryptokiError) -> PersistentReference {
        guard let number = try template.number(CKA_KEY_TYPE) else { throw CryptokiError(CKR_TEMPLATE_INCOMPLETE) }
        var (type, bytes) = try privateKey(template, number)
        defer { wipe(&bytes) }
        let key: PrivateKey
        do throws(KeyError) {
            key = try PrivateKey(type: type, externalRepresentation: bytes)
        } catch {
            throw CryptokiError(error)
        }
        var entries = try newKeyEntries(template)
        entries += [
            .init(.type, .number(type.code)), .init(.keySizeInBits, .number(Int64(key.publicKey.sizeInBits))),
            .init(.isExtractable, .number(0)),
        ]
        return try token.add(.key, entries, SecretBytes(copying: bytes))
    }

    /// Returns a private key in the form in which the keychain keeps it.
    private func privateKey(_ template: Template, _ number: CK_ULONG) throws(CryptokiError) -> (KeyType, [UInt8]) {
        guard number != CKK_RSA else {
            var numbers: [[UInt8]] = [[0]]
            let attributes = [
                CKA_MODULUS, CKA_PUBLIC_EXPONENT, CKA_PRIVATE_EXPONENT, CKA_PRIME_1, CKA_PRIME_2, CKA_EXPONENT_1,
                CKA_EXPONENT_2, CKA_COEFFICIENT,
            ]
            for attribute in attributes { numbers.append(try template.required(attribute)) }
            return (.rsa, encodedIntegers(numbers))
        }
        let value = try template.required(CKA_VALUE)
        let form: KeyForm
        do throws(KeyError) { form = try KeyForm.named(template, number) } catch { throw CryptokiError(error) }
        guard form.type == .ellipticCurve else { return (form.type, value) }
        let size = (form.sizeInBits + 7) / 8
        let significant = value.drop { $0 == 0 }
        guard significant.count <= size else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        let scalar = Data(repeating: 0, count: size - significant.count) + significant
        let whole: Data? =
            switch form.sizeInBits {
            case 256: try? P256.Signing.PrivateKey(rawRepresentation: scalar).x963Representation
            case 384: try? P384.Signing.PrivateKey(rawRepresentation: scalar).x963Representation
            default: try? P521.Signing.PrivateKey(rawRepresentation: scalar).x963Representation
            }
        guard let whole else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        return (.ellipticCurve, Array(whole))
    }
}

extension Template {
    /// Checks an attribute that a template may repeat.
    ///
    /// - Throws: `CKR_TEMPLATE_INCONSISTENT` for another value.
    fileprivate func require(_ type: CK_ATTRIBUTE_TYPE, _ expected: CK_ULONG) throws(CryptokiError) {
        guard try number(type) ?? expected == expected else { throw CryptokiError(CKR_TEMPLATE_INCONSISTENT) }
    }
}
