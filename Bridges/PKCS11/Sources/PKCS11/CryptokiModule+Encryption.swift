// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import FoundationEssentials
internal import KeychainKeys
internal import KeychainWire
internal import SecretMemory

// Encryption, and agreement on secrets. The service uses private keys; this process uses public ones.
extension CryptokiModule {
    /// `C_DecryptInit`
    ///
    /// - Parameter mechanism: nil ends the current decryption.
    public func beginDecrypting(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism?, _ key: CK_OBJECT_HANDLE
    ) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.decrypting = try begun(
                operations.decrypting, mechanism, key, CKF_DECRYPT, CKO_PRIVATE_KEY, CKA_DECRYPT)
        }
    }

    /// `C_EncryptInit`
    public func beginEncrypting(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism?, _ key: CK_OBJECT_HANDLE
    ) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.encrypting = try begun(
                operations.encrypting, mechanism, key, CKF_ENCRYPT, CKO_PUBLIC_KEY, CKA_ENCRYPT)
        }
    }

    private func begun(
        _ current: Operations.Decryption?, _ mechanism: Mechanism?, _ handle: CK_OBJECT_HANDLE, _ use: CK_FLAGS,
        _ objectClass: CK_ULONG, _ permission: CK_ATTRIBUTE_TYPE
    ) throws(CryptokiError) -> Operations.Decryption? {
        guard let mechanism else { return nil }
        guard current == nil else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
        let facts = try mechanism.facts(for: use)
        let (key, keyFacts) = try key(handle, objectClass, permission)
        guard facts.keyType == keyFacts.type else { throw CryptokiError(CKR_KEY_TYPE_INCONSISTENT) }
        return Operations.Decryption(key: key, algorithm: try mechanism.encryption())
    }

    /// `C_Decrypt`
    ///
    /// - Parameter room: the program's room in bytes; nil if it asks for the length.
    public func decrypt(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], room: Int?
    ) throws(CryptokiError) -> Output {
        try session(handle).operating { operations throws(CryptokiError) in
            guard var operation = operations.decrypting else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            guard let facts = operation.key.key, let item = operation.key.item else {
                throw CryptokiError(CKR_KEY_HANDLE_INVALID)
            }
            // The length is known only after the decryption. No plaintext is longer than this.
            guard let room else { return .length(facts.blockSize) }
            // Success or failure, the operation has ended, unless there is no room for the result.
            operations.decrypting = nil
            let plaintext: [UInt8]
            if let earlier = operation.plaintext.take() {
                plaintext = earlier
            } else {
                guard data.count == facts.blockSize else { throw CryptokiError(CKR_ENCRYPTED_DATA_LEN_RANGE) }
                plaintext = try token.use(KeyWork(item, algorithm: operation.algorithm.identifier, .decrypt(data)))
            }
            guard plaintext.count > room else { return .bytes(plaintext) }
            operation.plaintext = plaintext
            operations.decrypting = operation
            return .tooSmall(plaintext.count)
        }
    }

    /// `C_Encrypt`
    public func encrypt(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], room: Int?
    ) throws(CryptokiError) -> Output {
        try session(handle).operating { operations throws(CryptokiError) in
            guard let operation = operations.encrypting else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            guard let facts = operation.key.key, let publicKey = facts.publicKey else {
                throw CryptokiError(CKR_KEY_HANDLE_INVALID)
            }
            if let output = Output.before(facts.blockSize, room: room) { return output }
            operations.encrypting = nil
            do throws(KeyError) {
                return .bytes(Array(try publicKey.encrypt(data, using: operation.algorithm)))
            } catch {
                throw CryptokiError(
                    error.kind == .unsupportedAlgorithm ? CKR_MECHANISM_PARAM_INVALID : CKR_DATA_LEN_RANGE)
            }
        }
    }

    /// `C_DeriveKey`: an agreement on a secret, which becomes an object of the session.
    public func derive(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism, _ base: CK_OBJECT_HANDLE, _ template: Template
    ) throws(CryptokiError) -> CK_OBJECT_HANDLE {
        let session = try session(handle)
        _ = try mechanism.facts(for: CKF_DERIVE)
        guard case .agreement(let derivation, let sharedInfo, let peer) = mechanism.parameter,
            sharedInfo.count <= WireLimits.sharedInfoBytes
        else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
        let hash = try Mechanism.derivationHash(derivation)
        // Without a derivation no information takes part.
        guard hash != nil || sharedInfo.isEmpty else { throw CryptokiError(CKR_MECHANISM_PARAM_INVALID) }
        let (key, facts) = try key(base, CKO_PRIVATE_KEY, CKA_DERIVE)
        guard let item = key.item, let form = KeyForm(facts.type, sizeInBits: facts.sizeInBits) else {
            throw CryptokiError(CKR_KEY_TYPE_INCONSISTENT)
        }
        let (size, keyType) = try secretForm(template, usualSize: hash?.byteCount ?? facts.blockSize)
        guard hash != nil || size <= facts.blockSize else { throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID) }
        let point = unwrappedPoint(peer, form)
        guard (try? PublicKey(type: facts.type, externalRepresentation: point))?.sizeInBits == facts.sizeInBits else {
            throw CryptokiError(CKR_MECHANISM_PARAM_INVALID)
        }
        let agreement = KeyAgreement(
            publicKey: point, requestedSize: hash == nil ? nil : UInt32(size), sharedInfo: sharedInfo)
        let algorithm = KeyAlgorithm.keyExchange(.standard, hash)
        var secret = try token.use(
            KeyWork<[UInt8]>(item, algorithm: algorithm.identifier, .agree(agreement)))
        defer { wipe(&secret) }
        // A shorter secret loses bytes at its beginning (PKCS #11, "EC Diffie-Hellman key derivation").
        guard secret.count >= size else { throw CryptokiError(CKR_DEVICE_ERROR) }
        let kept = SecretBytes(copying: secret.suffix(size))
        let label = template.bytes(CKA_LABEL) ?? []
        let isExtractable = try template.truth(CKA_EXTRACTABLE) ?? true
        let isSensitive = try template.truth(CKA_SENSITIVE) ?? false
        return try withState { state in
            let name = TokenObject.Name.ofSession(session.handle, state.newHandle())
            return state.put(
                TokenObject(
                    secret: kept, keyType: keyType, label: label, isExtractable: isExtractable,
                    isSensitive: isSensitive,
                    name: name))
        }
    }

    /// Returns the size and the type of the secret that a template describes.
    private func secretForm(
        _ template: Template, usualSize: Int
    ) throws(CryptokiError) -> (size: Int, keyType: CK_ULONG) {
        guard try template.number(CKA_CLASS) ?? CKO_SECRET_KEY == CKO_SECRET_KEY, try template.truth(CKA_TOKEN) != true
        else { throw CryptokiError(CKR_TEMPLATE_INCONSISTENT) }
        let keyType = try template.number(CKA_KEY_TYPE) ?? CKK_GENERIC_SECRET
        guard let size = try template.number(CKA_VALUE_LEN) else { return (usualSize, keyType) }
        guard (1...CK_ULONG(KeyExchangeParameters.maximumSize)).contains(size) else {
            throw CryptokiError(CKR_ATTRIBUTE_VALUE_INVALID)
        }
        return (Int(size), keyType)
    }
}
