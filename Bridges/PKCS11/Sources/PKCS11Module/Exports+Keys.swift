// SPDX-License-Identifier: Apache-2.0

public import CCryptoki
internal import PKCS11
internal import SecretMemory

// The functions that use keys, in the order of the specification.

/// Overwrites a copy of a secret of the program.
func overwrite(_ bytes: inout [UInt8]) { wipe(&bytes) }

/// Reads a mechanism that may be null: it then ends the operation (PKCS #11 3.0).
private func optional(_ pointer: UnsafePointer<CK_MECHANISM>?) throws(CryptokiError) -> Mechanism? {
    unsafe pointer == nil ? nil : unsafe try copiedMechanism(pointer)
}

@_cdecl("C_EncryptInit")
public func encryptInit(
    _ session: CK_SESSION_HANDLE, _ mechanism: UnsafePointer<CK_MECHANISM>?, _ key: CK_OBJECT_HANDLE
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.beginEncrypting(session, unsafe try optional(mechanism), key)
    }
}

@_cdecl("C_Encrypt")
public func encrypt(
    _ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG,
    _ result: UnsafeMutablePointer<CK_BYTE>?, _ length: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let room = unsafe try availableRoom(result, length)
        var data = unsafe try copied(data, count)
        defer { overwrite(&data) }
        unsafe try deliver(try module.encrypt(session, data, room: room), result, length)
    }
}

@_cdecl("C_DecryptInit")
public func decryptInit(
    _ session: CK_SESSION_HANDLE, _ mechanism: UnsafePointer<CK_MECHANISM>?, _ key: CK_OBJECT_HANDLE
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.beginDecrypting(session, unsafe try optional(mechanism), key)
    }
}

@_cdecl("C_Decrypt")
public func decrypt(
    _ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG,
    _ result: UnsafeMutablePointer<CK_BYTE>?, _ length: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let room = unsafe try availableRoom(result, length)
        let output = try module.decrypt(session, unsafe try copied(data, count), room: room)
        unsafe try deliver(output, result, length)
    }
}

@_cdecl("C_SignInit")
public func signInit(
    _ session: CK_SESSION_HANDLE, _ mechanism: UnsafePointer<CK_MECHANISM>?, _ key: CK_OBJECT_HANDLE
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.beginSigning(session, unsafe try optional(mechanism), key)
    }
}

@_cdecl("C_Sign")
public func sign(
    _ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG,
    _ result: UnsafeMutablePointer<CK_BYTE>?, _ length: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let room = unsafe try availableRoom(result, length)
        let output = try module.sign(session, unsafe try copied(data, count), room: room)
        unsafe try deliver(output, result, length)
    }
}

@_cdecl("C_SignUpdate")
public func signUpdate(_ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.appendToSign(session, unsafe try copied(data, count))
    }
}

@_cdecl("C_SignFinal")
public func signFinal(
    _ session: CK_SESSION_HANDLE, _ result: UnsafeMutablePointer<CK_BYTE>?, _ length: UnsafeMutablePointer<CK_ULONG>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let room = unsafe try availableRoom(result, length)
        unsafe try deliver(try module.finishSigning(session, room: room), result, length)
    }
}

@_cdecl("C_VerifyInit")
public func verifyInit(
    _ session: CK_SESSION_HANDLE, _ mechanism: UnsafePointer<CK_MECHANISM>?, _ key: CK_OBJECT_HANDLE
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.beginVerifying(session, unsafe try optional(mechanism), key)
    }
}

@_cdecl("C_Verify")
public func verify(
    _ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG,
    _ signature: UnsafePointer<CK_BYTE>?, _ length: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.verify(
            session, unsafe try copied(data, count), signature: unsafe try copied(signature, length))
    }
}

@_cdecl("C_VerifyUpdate")
public func verifyUpdate(_ session: CK_SESSION_HANDLE, _ data: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.appendToVerify(session, unsafe try copied(data, count))
    }
}

@_cdecl("C_VerifyFinal")
public func verifyFinal(
    _ session: CK_SESSION_HANDLE, _ signature: UnsafePointer<CK_BYTE>?, _ length: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        try module.finishVerifying(session, signature: unsafe try copied(signature, length))
    }
}

@_cdecl("C_GenerateKeyPair")
public func generateKeyPair(
    _ session: CK_SESSION_HANDLE, _ mechanismPointer: UnsafePointer<CK_MECHANISM>?,
    _ publicAttributes: UnsafePointer<CK_ATTRIBUTE>?, _ publicCount: CK_ULONG,
    _ privateAttributes: UnsafePointer<CK_ATTRIBUTE>?, _ privateCount: CK_ULONG,
    _ publicKey: UnsafeMutablePointer<CK_OBJECT_HANDLE>?, _ privateKey: UnsafeMutablePointer<CK_OBJECT_HANDLE>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let publicKey = unsafe try needed(publicKey)
        let privateKey = unsafe try needed(privateKey)
        let made = try module.generatePair(
            session, unsafe try copiedMechanism(mechanismPointer),
            publicHalf: unsafe try copiedTemplate(publicAttributes, publicCount),
            privateHalf: unsafe try copiedTemplate(privateAttributes, privateCount))
        unsafe publicKey.pointee = made.publicKey
        unsafe privateKey.pointee = made.privateKey
    }
}

@_cdecl("C_DeriveKey")
public func deriveKey(
    _ session: CK_SESSION_HANDLE, _ mechanismPointer: UnsafePointer<CK_MECHANISM>?, _ base: CK_OBJECT_HANDLE,
    _ attributes: UnsafePointer<CK_ATTRIBUTE>?, _ count: CK_ULONG, _ object: UnsafeMutablePointer<CK_OBJECT_HANDLE>?
) -> CK_RV {
    returning { module throws(CryptokiError) in
        let object = unsafe try needed(object)
        unsafe object.pointee = try module.derive(
            session, try copiedMechanism(mechanismPointer), base, try copiedTemplate(attributes, count))
    }
}

// MARK: Random numbers

@_cdecl("C_SeedRandom")
public func seedRandom(_ session: CK_SESSION_HANDLE, _ seed: UnsafePointer<CK_BYTE>?, _ count: CK_ULONG) -> CK_RV {
    returning { module throws(CryptokiError) in
        _ = try module.sessionFacts(session)
        throw CryptokiError(CKR_RANDOM_SEED_NOT_SUPPORTED)
    }
}

@_cdecl("C_GenerateRandom")
public func generateRandom(
    _ session: CK_SESSION_HANDLE, _ result: UnsafeMutablePointer<CK_BYTE>?, _ count: CK_ULONG
) -> CK_RV {
    returning { module throws(CryptokiError) in
        _ = try module.sessionFacts(session)
        guard count > 0 else { return }
        let result = unsafe try needed(result)
        guard count <= 1 << 30 else { throw CryptokiError(CKR_ARGUMENTS_BAD) }
        // The numbers of the system (getrandom).
        var generator = SystemRandomNumberGenerator()
        for index in 0..<Int(count) { unsafe result[index] = UInt8.random(in: 0...255, using: &generator) }
    }
}
