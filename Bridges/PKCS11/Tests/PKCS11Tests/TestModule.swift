// SPDX-License-Identifier: Apache-2.0

import CCryptoki
import KeychainClient
import KeychainModel
import KeychainTesting
import Testing

@testable import PKCS11

/// A module on a keychain in memory, with a session that may write.
struct TestModule {
    let memory: InMemoryKeychain
    let keychain: KeychainClient
    let module: CryptokiModule
    let session: CK_SESSION_HANDLE

    init() throws {
        let memory = try InMemoryKeychain()
        self.memory = memory
        let keychain = memory.run { KeychainClient.current }
        self.keychain = keychain
        module = CryptokiModule { () throws(CryptokiError) in try KeychainToken(listing: keychain, using: keychain) }
        try module.initialize()
        session = try module.openSession(CryptokiModule.slot, CKF_SERIAL_SESSION | CKF_RW_SESSION)
    }

    static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    static func template(_ entries: [CK_ATTRIBUTE_TYPE: [UInt8]]) throws -> Template {
        try Template(entries.map { Template.Entry($0, $1) })
    }

    static let yes: [UInt8] = [1]
    static let no: [UInt8] = [0]

    /// Makes a key.
    func generate(
        _ mechanism: CK_MECHANISM_TYPE = CKM_EC_KEY_PAIR_GEN, _ publicHalf: [CK_ATTRIBUTE_TYPE: [UInt8]]? = nil,
        _ more: [CK_ATTRIBUTE_TYPE: [UInt8]] = [:]
    ) throws -> (publicKey: CK_OBJECT_HANDLE, privateKey: CK_OBJECT_HANDLE) {
        try module.generatePair(
            session, Mechanism(mechanism), publicHalf: try Self.template(publicHalf ?? [CKA_EC_PARAMS: Self.p256]),
            privateHalf: try Self.template(
                [CKA_TOKEN: Self.yes, CKA_LABEL: Array("key".utf8)].merging(more) { $1 }))
    }

    func find(_ entries: [CK_ATTRIBUTE_TYPE: [UInt8]] = [:]) throws -> [CK_OBJECT_HANDLE] {
        try module.beginSearch(session, try Self.template(entries))
        defer { try? module.endSearch(session) }
        return try module.nextFound(session, atMost: 1000)
    }

    func value(_ object: CK_OBJECT_HANDLE, _ type: CK_ATTRIBUTE_TYPE) throws -> [UInt8]? {
        if case .bytes(let value) = try module.attributes(session, object)[type] { value } else { nil }
    }

    func signature(
        _ mechanism: Mechanism, _ key: CK_OBJECT_HANDLE, _ data: [UInt8]
    ) throws -> [UInt8] {
        try module.beginSigning(session, mechanism, key)
        guard case .bytes(let signature) = try module.sign(session, data, room: 2048) else { return [] }
        return signature
    }

    func verify(_ mechanism: Mechanism, _ key: CK_OBJECT_HANDLE, _ data: [UInt8], _ signature: [UInt8]) throws {
        try module.beginVerifying(session, mechanism, key)
        try module.verify(session, data, signature: signature)
    }
}

/// Expects a return value.
func expect(
    _ code: CK_RV, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    #expect(throws: CryptokiError(code), sourceLocation: location) { try body() }
}

extension CK_ULONG {
    var bytes: [UInt8] { cryptokiBytes }
}
