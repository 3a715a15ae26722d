// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer

/// Reads the identities in a PKCS #12 file.
///
/// The result has a dictionary for each: `kSecImportItemIdentity`, a ``SecIdentity``; `kSecImportItemCertChain`, its certificates from the
/// identity's on to each issuer that the file has; `kSecImportItemTrust`, a ``SecTrust`` with those and the basic policy, not evaluated;
/// `kSecImportItemKeyID`, the identifier that the file gives the key, or the hash of the
/// public key; `kSecImportItemLabel`, where the file has a name for it. A file with certificates and no identity gives one dictionary, with
/// all of them as `kSecImportItemCertChain`. Which certificate belongs to a key, its public key says.
///
/// Nothing is stored, as on iOS; with `kSecUseDataProtectionKeychain` true, and `kSecImportToMemoryOnly` not true, the identities and the other
/// certificates are added to the keychain, each with its name as `kSecAttrLabel`. What is there already stays as it is. With
/// `kSecImportExportKeychain` they are added to that keychain file in its place; there `kSecImportExportAccess` says who may use the private
/// keys, without it the calling program.
///
/// - Parameters:
///   - pkcs12_data: at most 4 MiB. Encrypted with AES (PBES2); keys for RSA also with Triple DES, RC2 and RC4.
///   - options: `kSecImportExportPassphrase`, CFString or CFData; without it, the empty passphrase.
///   - items: CFArray of CFDictionary. Written on success only.
/// - Returns: `errSecAuthFailed` for another passphrase than the file's, and for a file that was changed; `errSecDecode` for what is no PKCS #12
///   file, has an undecodable certificate, a cipher, key or curve that is not here, or asks for more than 10,000,000 repetitions of a hash;
///   `errSecParam` for an option of the wrong type, for `kSecImportExportKeychain` beside `kSecUseDataProtectionKeychain`, and for
///   `kSecImportExportAccess` without `kSecImportExportKeychain`; what ``SecItemAdd(_:_:)`` returns, with what was added before left there. The
///   log says more.
///
/// Source: semantics 6.7.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    statusOf("SecPKCS12Import") { () throws(CallFailure) in
        let options = try PKCS12Options(options)
        let file: PKCS12
        do throws(TransferError) {
            file = try PKCS12(pkcs12_data as Data, passphrase: options.passphrase)
        } catch {
            throw CallFailure(importingPKCS12: error)
        }
        let identities = file.identities
        try store(file, identities, options)
        let result: [[CFString: Any]]
        if identities.isEmpty, !file.certificates.isEmpty {
            result = [[kSecImportItemCertChain: file.certificates.map { SecCertificate($0.content) } as NSArray]]
        } else {
            result = identities.map { description(of: $0, in: file) }
        }
        // The caller vouches for the variable.
        unsafe items.pointee = result.map { $0 as NSDictionary } as NSArray
    }
}

private struct PKCS12Options {
    private(set) var passphrase = Passphrase("")
    let storesInDataProtectionKeychain: Bool
    /// The file that it is stored in; nil: none.
    private(set) var keychain: SecKeychain?
    private(set) var access: SecAccess?

    init(_ options: CFDictionary) throws(CallFailure) {
        if let given = options[kSecImportExportKeychain] {
            guard let keychain = given as? SecKeychain else {
                throw CallFailure(.parameter, "kSecImportExportKeychain is no keychain")
            }
            self.keychain = keychain
        }
        if let given = options[kSecImportExportAccess] {
            guard let access = given as? SecAccess, keychain != nil else {
                throw CallFailure(
                    .parameter, "kSecImportExportAccess is no access object, or without kSecImportExportKeychain")
            }
            self.access = access
        }
        if let given = options[kSecImportExportPassphrase] {
            passphrase = try Passphrase(object: given, "kSecImportExportPassphrase")
        }
        let inMemory = try Self.truth(options, kSecImportToMemoryOnly, "kSecImportToMemoryOnly")
        let wanted = try Self.truth(options, kSecUseDataProtectionKeychain, "kSecUseDataProtectionKeychain")
        storesInDataProtectionKeychain = wanted && !inMemory
        guard keychain == nil || !wanted else {
            throw CallFailure(.parameter, "kSecImportExportKeychain names a file beside kSecUseDataProtectionKeychain")
        }
        if inMemory { keychain = nil }
    }

    private static func truth(
        _ options: CFDictionary, _ key: CFString, _ name: String
    ) throws(CallFailure) -> Bool {
        guard let value = options[key] else { return false }
        guard case .truth(let truth) = GivenValue(value) else {
            throw CallFailure(.parameter, "\(name) is no truth value")
        }
        return truth
    }
}

private func description(of identity: PKCS12.Identity, in file: PKCS12) -> [CFString: Any] {
    let chain = file.chain(from: identity.certificate).map { SecCertificate($0) }
    var description: [CFString: Any] = [
        kSecImportItemIdentity: SecIdentity(identity),
        kSecImportItemCertChain: chain as NSArray,
        kSecImportItemTrust: SecTrust(chain, [SecPolicyCreateBasicX509()]),
        kSecImportItemKeyID: Data(identity.keyID ?? identity.key.publicKey.hash.bytes),
    ]
    if let name = identity.name { description[kSecImportItemLabel] = name }
    return description
}

private func store(
    _ file: PKCS12, _ identities: [PKCS12.Identity], _ options: PKCS12Options
) throws(CallFailure) {
    guard options.keychain != nil || options.storesInDataProtectionKeychain else { return }
    let stored = Set(identities.map(\.certificate))
    let items =
        identities.map { ImportedItem(SecIdentity($0), name: $0.name) }
        + file.certificates.filter { !stored.contains($0.content) }.map {
            ImportedItem(SecCertificate($0.content), name: $0.name)
        }
    for item in items {
        if let keychain = options.keychain {
            try item.add(to: keychain, options.access)
        } else {
            try item.add()
        }
    }
}

extension SecIdentity {
    convenience init(_ identity: PKCS12.Identity) {
        self.init(SecCertificate(identity.certificate), SecKey(.privateKey(identity.key)))
    }
}
