// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainClient
internal import KeychainKeys
internal import KeychainModel

/// A certificate and the private key of the public key in it.
///
/// The keychain stores no identities: it has certificates and keys, and puts together what belongs together. Two are equal
/// when certificate and key are.
public final class SecIdentity: Hashable, Sendable, CFTypeIdentified {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// The caller has seen to it that they belong together.
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

/// The type of ``SecIdentity`` objects, as `CFGetTypeID` tells it.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.cfTypeID }

/// Puts a certificate and a private key together. Nothing is stored.
///
/// - Parameter allocator: ignored.
/// - Returns: nil for a public key, and for a key that is not that of the certificate.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.isPrivate, let own = SecCertificateCopyKey(certificate), own.publicKey == privateKey.publicKey
    else { return nil }
    return SecIdentity(certificate, privateKey)
}

/// The identity of a certificate and its private key in the keychain. The certificate need not be in there.
///
/// - Parameters:
///   - keychainOrArray: ignored; there is one keychain.
///   - identityRef: written on success only.
/// - Returns: `errSecItemNotFound` where the keychain has no such key, `errSecInteractionNotAllowed` where it cannot be
///   read now, `errSecMissingEntitlement`, `errSecNotAvailable`.
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
            // The caller vouches for the variable: Apple's contract of this function.
            unsafe identityRef.pointee = identity
            return
        }
        throw CallFailure(.refused(Refusal(.itemNotFound, .none)), about: .search(query))
    }
}

/// The identity's certificate.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    // The caller vouches for the variable.
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// The identity's private key.
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    // The caller vouches for the variable.
    unsafe privateKeyRef.pointee = identityRef.privateKey
    return errSecSuccess
}
