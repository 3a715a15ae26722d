// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

/// An operation with a key in memory or in the keychain, through Apple's functions.
struct Command {
    private let words: [String]
    /// Keeps the owner authentication for the commands that use it.
    private let context: LAContext

    init(_ words: [String], in context: LAContext) {
        self.words = words
        self.context = context
    }

    func run() throws -> String {
        switch words.first {
        case "new":
            let key = try newKey(type: type(1), bits: number(2))
            return try bytes(of: key) + " " + bytes(of: publicHalf(of: key))
        case "public":
            return try bytes(of: publicHalf(of: privateKey()))
        case "can":
            let isPrivate = try word(3) == "private"
            let key = try key(type: type(2), isPrivate: isPrivate, data: data(4))
            return try SecKeyIsAlgorithmSupported(key, operation(1), algorithm(5)) ? "yes" : "no"
        case "sign":
            let (key, algorithm, message) = try (privateKey(), algorithm(3), data(4))
            return try text(call { SecKeyCreateSignature(key, algorithm, message as CFData, &$0) })
        case "verify":
            let (key, algorithm, message, signature) = try (publicKey(2), algorithm(3), data(4), data(5))
            _ = try call {
                SecKeyVerifySignature(key, algorithm, message as CFData, signature as CFData, &$0) ? true : nil
            }
            return "yes"
        case "encrypt":
            let (key, algorithm, message) = try (publicKey(2), algorithm(3), data(4))
            return try text(call { SecKeyCreateEncryptedData(key, algorithm, message as CFData, &$0) })
        case "decrypt":
            let (key, algorithm, ciphertext) = try (privateKey(), algorithm(3), data(4))
            return try text(call { SecKeyCreateDecryptedData(key, algorithm, ciphertext as CFData, &$0) })
        case "agree":
            let (key, algorithm, peer) = try (privateKey(), algorithm(3), publicKey(4))
            let parameters: [String: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue as String: try number(5),
                SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: try data(6),
            ]
            return try text(call { SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters as CFDictionary, &$0) })
        case "keychain": return try runInKeychain()
        #if os(Linux) || os(macOS)
            case "import":
                return try Transfer.read(data(2), passphrase: passphrase(1))
            case "export":
                let key = try key(type: type(4), isPrivate: word(5) == "private", data: data(6))
                let certificates = try (7..<words.count).map { try certificate($0) }
                let file = try Transfer.write(
                    [key] + certificates, format: number(1), inPEM: word(2) == "pem", passphrase: passphrase(3))
                return text(file as CFData)
        #endif
        default: throw Misuse()
        }
    }

    private func runInKeychain() throws -> String {
        switch try word(1) {
        case "make":
            let half: [CFString: Any] = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: try tag, kSecAttrIsExtractable: false,
            ]
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: try type(3), kSecAttrKeySizeInBits: try number(4), kSecPrivateKeyAttrs: half,
            ]
            let key = try call { SecKeyCreateRandomKey(parameters as CFDictionary, &$0) }
            return try bytes(of: publicHalf(of: key))
        case "make-in-token", "make-in-token-for-owner":
            var half: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: try tag]
            if try word(1) == "make-in-token-for-owner" {
                half[kSecAttrAccessControl] = try call {
                    SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .userPresence], &$0)
                }
            }
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: half,
            ]
            let key = try call { SecKeyCreateRandomKey(parameters as CFDictionary, &$0) }
            return try bytes(of: publicHalf(of: key))
        case "store":
            let item: [CFString: Any] = [
                kSecValueRef: try key(type: type(3), isPrivate: true, data: data(4)), kSecAttrApplicationTag: try tag,
                kSecAttrIsExtractable: false,
            ]
            try check(SecItemAdd(item as CFDictionary, nil))
            return "yes"
        case "public": return try bytes(of: publicHalf(of: storedKey()))
        case "export": return try bytes(of: storedKey())
        case "data":
            guard let data = try find(kSecReturnData) as? Data else { throw Misuse() }
            return text(data as CFData)
        case "sign", "sign-in-context":
            let (key, algorithm, message) = try (storedKey(), algorithm(3), data(4))
            return try text(call { SecKeyCreateSignature(key, algorithm, message as CFData, &$0) })
        case "decrypt":
            let (key, algorithm, ciphertext) = try (storedKey(), algorithm(3), data(4))
            return try text(call { SecKeyCreateDecryptedData(key, algorithm, ciphertext as CFData, &$0) })
        case "agree":
            let peer = try key(type: type(4), isPrivate: false, data: data(5))
            let (key, algorithm) = try (storedKey(), algorithm(3))
            return try text(call { SecKeyCopyKeyExchangeResult(key, algorithm, peer, [:] as CFDictionary, &$0) })
        case "let-go":
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: try tag]
            try check(SecItemUpdate(query as CFDictionary, [kSecAttrIsExtractable: true] as CFDictionary))
            return "yes"
        default: throw Misuse()
        }
    }

    // MARK: Stored keys

    private var tag: Data { get throws { Data(try word(2).utf8) } }

    private func storedKey() throws -> SecKey {
        guard let key = try find(kSecReturnRef) as? SecKey else { throw Misuse() }
        return key
    }

    private func find(_ part: CFString) throws -> CFTypeRef? {
        var query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: try tag,
            kSecAttrKeyClass: kSecAttrKeyClassPrivate, part: true,
        ]
        if try word(1).hasSuffix("-in-context") { query[kSecUseAuthenticationContext] = context }
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        return result
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    // MARK: Keys

    private func newKey(type: CFString, bits: Int) throws -> SecKey {
        let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
        return try call { SecKeyCreateRandomKey(parameters as CFDictionary, &$0) }
    }

    private func key(type: CFString, isPrivate: Bool, data: Data) throws -> SecKey {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: type,
            kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
        ]
        return try call { SecKeyCreateWithData(data as CFData, attributes as CFDictionary, &$0) }
    }

    private func privateKey() throws -> SecKey { try key(type: type(1), isPrivate: true, data: data(2)) }

    private func publicKey(_ place: Int) throws -> SecKey {
        try key(type: type(1), isPrivate: false, data: data(place))
    }

    private func publicHalf(of key: SecKey) throws -> SecKey {
        guard let half = SecKeyCopyPublicKey(key) else { throw Misuse() }
        return half
    }

    private func bytes(of key: SecKey) throws -> String {
        try text(call { SecKeyCopyExternalRepresentation(key, &$0) })
    }

    // MARK: Parsing

    private func word(_ place: Int) throws -> String {
        guard words.indices.contains(place) else { throw Misuse() }
        return words[place]
    }

    private func number(_ place: Int) throws -> Int {
        guard let number = Int(try word(place)) else { throw Misuse() }
        return number
    }

    private func data(_ place: Int) throws -> Data {
        let text = try word(place)
        guard let data = text == "-" ? Data() : Data(base64Encoded: text) else { throw Misuse() }
        return data
    }

    private func passphrase(_ place: Int) throws -> Data? { try word(place) == "-" ? nil : data(place) }

    private func certificate(_ place: Int) throws -> SecCertificate {
        guard let certificate = SecCertificateCreateWithData(nil, try data(place) as CFData) else { throw Misuse() }
        return certificate
    }

    private func text(_ data: CFData) -> String {
        let data = data as Data
        return data.isEmpty ? "-" : data.base64EncodedString()
    }

    private func algorithm(_ place: Int) throws -> SecKeyAlgorithm {
        SecKeyAlgorithm(rawValue: try word(place) as CFString)
    }

    private func type(_ place: Int) throws -> CFString {
        switch try word(place) {
        case "rsa": kSecAttrKeyTypeRSA
        case "ec": kSecAttrKeyTypeECSECPrimeRandom
        // Apple's systems export these two without declaring them.
        #if os(Linux)
            case "ed25519": kSecAttrKeyTypeEd25519
            case "x25519": kSecAttrKeyTypeX25519
        #endif
        default: throw Misuse()
        }
    }

    private func operation(_ place: Int) throws -> SecKeyOperationType {
        switch try word(place) {
        case "sign": .sign
        case "verify": .verify
        case "encrypt": .encrypt
        case "decrypt": .decrypt
        case "agree": .keyExchange
        default: throw Misuse()
        }
    }
}

/// Returns the result of an Apple function that returns nil and an error on failure.
private func call<Result>(_ function: (inout Unmanaged<CFError>?) -> Result?) throws -> Result {
    var error: Unmanaged<CFError>?
    guard let result = function(&error) else { throw error?.takeRetainedValue() ?? Misuse() }
    return result
}
