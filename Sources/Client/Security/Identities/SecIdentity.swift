// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

/// A certificate and its private key.
///
/// The keychain does not store identities: it stores certificates and keys, and combines them. Two identities are equal
/// when their certificates and their keys are equal.
public final class SecIdentity: Hashable, Sendable, CFTypeIdentified {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// The caller must ensure that the two match.
    init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        (self.certificate, self.privateKey) = (certificate, privateKey)
    }

    public static var cfTypeID: CFTypeID { 260 }

    public static func == (left: SecIdentity, right: SecIdentity) -> Bool {
        left.certificate == right.certificate && left.privateKey == right.privateKey
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(certificate)
        hasher.combine(privateKey)
    }
}

/// Returns the type identifier of ``SecIdentity`` objects, as `CFGetTypeID` returns it.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.cfTypeID }

/// Combines a certificate and a private key. Does not store anything.
///
/// - Parameters:
///   - allocator: ignored.
///   - certificate: the certificate.
///   - privateKey: the private key of the public key in the certificate.
/// - Returns: nil for a public key, and for a key that does not match the certificate.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.isPrivate, let own = SecCertificateCopyKey(certificate), own.publicKey == privateKey.publicKey
    else { return nil }
    return SecIdentity(certificate, privateKey)
}

/// Finds the identity of a certificate and its private key in the keychain. The certificate itself does not have to be
/// stored.
///
/// - Parameters:
///   - keychainOrArray: ignored; there is one keychain.
///   - certificateRef: the certificate.
///   - identityRef: written on success only.
/// - Returns: `errSecItemNotFound` if the keychain has no such key, `errSecInteractionNotAllowed` if it cannot be read
///   now, `errSecMissingEntitlement`, `errSecNotAvailable`.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    statusOf("SecIdentityCreateWithCertificate") { () throws(CallFailure) in
        var query = ItemQuery(.key)
        query.attributes[.applicationLabel] = .data(CertificateAttributes(certificateRef.content).publicKeyHash.bytes)
        query.attributes[.keyClass] = .number(1)
        query.synchronizable = .any
        for item in try found(query, .all, ReturnedParts.reference.needed(for: .key)) {
            guard case .key(let key) = ReferencedItem(item),
                let identity = SecIdentityCreate(nil, certificateRef, key)
            else { continue }
            // The caller guarantees a valid variable: Apple's contract of this function.
            unsafe identityRef.pointee = identity
            return
        }
        throw CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query))
    }
}

/// Reads the identity's certificate.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Reads the identity's private key.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe privateKeyRef.pointee = identityRef.privateKey
    return errSecSuccess
}
