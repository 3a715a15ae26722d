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
/// certificates are added to the keychain, each with its name as `kSecAttrLabel`. What is there already stays as it is.
///
/// - Parameters:
///   - pkcs12_data: at most 4 MiB. Encrypted with AES (PBES2); keys for RSA also with Triple DES, RC2 and RC4.
///   - options: `kSecImportExportPassphrase`, CFString or CFData; without it, the empty passphrase.
///   - items: CFArray of CFDictionary. Written on success only.
/// - Returns: `errSecAuthFailed` for another passphrase than the file's, and for a file that was changed; `errSecDecode` for what is no PKCS #12
///   file, has an undecodable certificate, a cipher, key or curve that is not here, or asks for more than 10,000,000 repetitions of a hash;
///   `errSecParam` for an option of the wrong type; `errSecUnimplemented` for the options of file-based keychains; what
///   ``SecItemAdd(_:_:)`` returns, with what was added before left there. The log says more.
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
        if options.stores { try store(file, identities) }
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
    let stores: Bool

    init(_ options: CFDictionary) throws(CallFailure) {
        for key in [kSecImportExportKeychain, kSecImportExportAccess] where options[key] != nil {
            throw CallFailure(.unimplemented, "\(key): there are no file-based keychains")
        }
        if let given = options[kSecImportExportPassphrase] {
            passphrase = try Passphrase(object: given, "kSecImportExportPassphrase")
        }
        let inMemory = try Self.truth(options, kSecImportToMemoryOnly, "kSecImportToMemoryOnly")
        stores = try Self.truth(options, kSecUseDataProtectionKeychain, "kSecUseDataProtectionKeychain") && !inMemory
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

private func store(_ file: PKCS12, _ identities: [PKCS12.Identity]) throws(CallFailure) {
    for identity in identities { try add(SecIdentity(identity), identity.name) }
    let stored = Set(identities.map(\.certificate))
    for certificate in file.certificates where !stored.contains(certificate.content) {
        try add(SecCertificate(certificate.content), certificate.name)
    }
}

private func add(_ object: AnyObject, _ name: String?) throws(CallFailure) {
    var item: [CFString: Any] = [kSecValueRef: object]
    if let name { item[kSecAttrLabel] = name }
    // Certificates stay with their keys, which are not put into files.
    let status = PlainItemCalls.dataProtectionKeychain.during { SecItemAdd(item as NSDictionary, nil) }
    guard status == errSecSuccess || status == errSecDuplicateItem else {
        throw CallFailure(transfer: status, "an item of the file could not be added")
    }
}

extension SecIdentity {
    convenience init(_ identity: PKCS12.Identity) {
        self.init(SecCertificate(identity.certificate), SecKey(.privateKey(identity.key)))
    }
}
