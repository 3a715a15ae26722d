// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTransfer
internal import SecurityValues

/// Reads the identities in a PKCS #12 file.
///
/// The result has a dictionary for each identity: `kSecImportItemIdentity`, a ``SecIdentity``;
/// `kSecImportItemCertChain`, its certificate chain, from the identity's certificate up to the last issuer in the file;
/// `kSecImportItemTrust`, a ``SecTrust`` with those and the basic policy, not evaluated; `kSecImportItemKeyID`, the
/// identifier of the key in the file, or the hash of the public key; `kSecImportItemLabel`, if the file contains a
/// name. For a file with certificates and no identity, the result is one dictionary, with all of them as
/// `kSecImportItemCertChain`. A certificate belongs to a key if their public keys are equal.
///
/// Nothing is stored, as on iOS. If `kSecUseDataProtectionKeychain` is true and `kSecImportToMemoryOnly` is not true,
/// the identities and the other certificates are added to the keychain, each with its name as `kSecAttrLabel`. Items
/// that exist already are not changed. With `kSecImportExportKeychain` they are added to that keychain file instead;
/// `kSecImportExportAccess` is then the access object of the private keys, by default for the calling program only.
///
/// - Parameters:
///   - pkcs12_data: at most 4 MiB. Encrypted with AES (PBES2); also with Triple DES, RC2 and RC4 where the helper program
///     `chatelaine-crypto` is installed, and without it only keys for RSA.
///   - options: `kSecImportExportPassphrase`, CFString or CFData; without it, the empty passphrase.
///   - items: CFArray of CFDictionary. Written on success only.
/// - Returns: `errSecAuthFailed` for a wrong passphrase, and for a file that was changed; `errSecDecode` for data that
///   is not a PKCS #12 file, has an undecodable certificate, an unsupported cipher, key or curve, or requires more than
///   10,000,000 iterations of a hash; `errSecParam` for an option of the wrong type, for `kSecImportExportKeychain`
///   together with `kSecUseDataProtectionKeychain`, and for `kSecImportExportAccess` without
///   `kSecImportExportKeychain`; the status of ``SecItemAdd(_:_:)``, then items that were added before remain. The log
///   contains details.
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
            file = try PKCS12(
                pkcs12_data as Data, passphrase: options.passphrase, ciphers: CryptoHelper.current.ciphers)
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
        // The caller guarantees a valid variable.
        unsafe items.pointee = result.map { $0 as NSDictionary } as NSArray
    }
}

private struct PKCS12Options {
    private(set) var passphrase = Passphrase("")
    let storesInDataProtectionKeychain: Bool
    /// The file in which the items are stored; nil: none.
    private(set) var keychain: SecKeychain?
    private(set) var access: SecAccess?

    init(_ options: CFDictionary) throws(CallFailure) {
        if let given = options[kSecImportExportKeychain] {
            guard let keychain = given as? SecKeychain else {
                throw CallFailure(.parameter, "kSecImportExportKeychain is not a keychain")
            }
            self.keychain = keychain
        }
        if let given = options[kSecImportExportAccess] {
            guard let access = given as? SecAccess, keychain != nil else {
                throw CallFailure(
                    .parameter, "kSecImportExportAccess is not an access object, or kSecImportExportKeychain is missing"
                )
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
            throw CallFailure(
                .parameter, "kSecImportExportKeychain and kSecUseDataProtectionKeychain cannot be combined")
        }
        if inMemory { keychain = nil }
    }

    private static func truth(
        _ options: CFDictionary, _ key: CFString, _ name: String
    ) throws(CallFailure) -> Bool {
        guard let value = options[key] else { return false }
        guard case .truth(let truth) = DictionaryValue(value) else {
            throw CallFailure(.parameter, "\(name) is not a Boolean")
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
