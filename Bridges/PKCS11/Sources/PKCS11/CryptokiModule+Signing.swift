// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import FoundationEssentials
internal import KeychainKeys
internal import KeychainWire

// Signatures. The service signs; this process verifies.
extension CryptokiModule {
    /// `C_SignInit`
    ///
    /// - Parameter mechanism: nil ends the current signature.
    public func beginSigning(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism?, _ key: CK_OBJECT_HANDLE
    ) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.signing = try begun(
                operations.signing, mechanism, key, CKF_SIGN, objectClass: CKO_PRIVATE_KEY, permission: CKA_SIGN)
        }
    }

    /// `C_VerifyInit`
    public func beginVerifying(
        _ handle: CK_SESSION_HANDLE, _ mechanism: Mechanism?, _ key: CK_OBJECT_HANDLE
    ) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.verifying = try begun(
                operations.verifying, mechanism, key, CKF_VERIFY, objectClass: CKO_PUBLIC_KEY, permission: CKA_VERIFY)
        }
    }

    private func begun(
        _ current: Operations.Signature?, _ mechanism: Mechanism?, _ handle: CK_OBJECT_HANDLE, _ use: CK_FLAGS,
        objectClass: CK_ULONG, permission: CK_ATTRIBUTE_TYPE
    ) throws(CryptokiError) -> Operations.Signature? {
        guard let mechanism else { return nil }
        guard current == nil else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
        let (key, facts) = try key(handle, objectClass, permission)
        return Operations.Signature(key: key, input: try SignatureInput(mechanism, use: use, keyType: facts.type))
    }

    /// Returns a key for an operation.
    ///
    /// - Throws: `CKR_KEY_HANDLE_INVALID`, `CKR_KEY_TYPE_INCONSISTENT` for another class of objects,
    ///   `CKR_KEY_FUNCTION_NOT_PERMITTED`.
    func key(
        _ handle: CK_OBJECT_HANDLE, _ objectClass: CK_ULONG, _ permission: CK_ATTRIBUTE_TYPE
    ) throws(CryptokiError) -> (object: TokenObject, facts: TokenObject.KeyFacts) {
        let object = try object(handle, orElse: CKR_KEY_HANDLE_INVALID)
        guard object.objectClass == objectClass, let facts = object.key else {
            throw CryptokiError(CKR_KEY_TYPE_INCONSISTENT)
        }
        guard object.isSet(permission) else { throw CryptokiError(CKR_KEY_FUNCTION_NOT_PERMITTED) }
        return (object, facts)
    }

    /// `C_Sign`
    ///
    /// - Parameter room: the program's room in bytes; nil if it asks for the length.
    public func sign(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], room: Int?
    ) throws(CryptokiError) -> Output {
        try finishSigning(handle, data, room: room, inOnePart: true)
    }

    /// `C_SignUpdate`
    public func appendToSign(_ handle: CK_SESSION_HANDLE, _ data: [UInt8]) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.signing = try appended(operations.signing.take(), data)
        }
    }

    /// `C_SignFinal`
    public func finishSigning(_ handle: CK_SESSION_HANDLE, room: Int?) throws(CryptokiError) -> Output {
        try finishSigning(handle, [], room: room, inOnePart: false)
    }

    private func appended(
        _ operation: Operations.Signature?, _ data: [UInt8]
    ) throws(CryptokiError) -> Operations.Signature {
        guard var operation else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
        try operation.input.append(data)
        operation.isInParts = true
        return operation
    }

    private func finishSigning(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], room: Int?, inOnePart: Bool
    ) throws(CryptokiError) -> Output {
        try session(handle).operating { operations throws(CryptokiError) in
            guard let operation = operations.signing else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            guard !inOnePart || !operation.isInParts else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
            guard let facts = operation.key.key, let item = operation.key.item else {
                throw CryptokiError(CKR_KEY_HANDLE_INVALID)
            }
            if let output = Output.before(facts.signatureSize, room: room) { return output }
            // Success or failure, the operation has ended.
            operations.signing = nil
            var input = operation.input
            if inOnePart { try input.append(data) }
            let (algorithm, bytes) = try input.finished()
            let signature = try token.use(KeyWork(item, algorithm: algorithm.identifier, .sign(bytes)))
            guard signature.count == facts.signatureSize else { throw CryptokiError(CKR_DEVICE_ERROR) }
            return .bytes(signature)
        }
    }

    /// `C_Verify`
    public func verify(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], signature: [UInt8]
    ) throws(CryptokiError) {
        try finishVerifying(handle, data, signature, inOnePart: true)
    }

    /// `C_VerifyUpdate`
    public func appendToVerify(_ handle: CK_SESSION_HANDLE, _ data: [UInt8]) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            operations.verifying = try appended(operations.verifying.take(), data)
        }
    }

    /// `C_VerifyFinal`
    public func finishVerifying(_ handle: CK_SESSION_HANDLE, signature: [UInt8]) throws(CryptokiError) {
        try finishVerifying(handle, [], signature, inOnePart: false)
    }

    private func finishVerifying(
        _ handle: CK_SESSION_HANDLE, _ data: [UInt8], _ signature: [UInt8], inOnePart: Bool
    ) throws(CryptokiError) {
        try session(handle).operating { operations throws(CryptokiError) in
            guard let operation = operations.verifying else { throw CryptokiError(CKR_OPERATION_NOT_INITIALIZED) }
            guard !inOnePart || !operation.isInParts else { throw CryptokiError(CKR_OPERATION_ACTIVE) }
            operations.verifying = nil
            guard let facts = operation.key.key, let publicKey = facts.publicKey else {
                throw CryptokiError(CKR_KEY_HANDLE_INVALID)
            }
            guard signature.count == facts.signatureSize else { throw CryptokiError(CKR_SIGNATURE_LEN_RANGE) }
            var input = operation.input
            if inOnePart { try input.append(data) }
            let (algorithm, bytes) = try input.finished()
            do throws(KeyError) {
                try publicKey.verify(signature, for: bytes, using: algorithm)
            } catch {
                throw CryptokiError(error.kind == .verificationFailed ? CKR_SIGNATURE_INVALID : CKR_DATA_INVALID)
            }
        }
    }
}

extension TokenObject.KeyFacts {
    /// Bytes of a signature: as many as the modulus has, or two numbers as long as a coordinate.
    fileprivate var signatureSize: Int { type == .rsa ? blockSize : 2 * blockSize }
}
