// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainCertificates
internal import KeychainKeys

/// An X.509 certificate. Two certificates are equal when their bytes are equal.
///
/// A plain class, not a subclass of NSObject, so that other modules can use its `==` and `hash(into:)` in inlinable
/// code without importing Foundation.
public final class SecCertificate: Hashable, Sendable, CFTypeIdentified {
    let content: Certificate

    init(_ content: Certificate) { self.content = content }

    public static var cfTypeID: CFTypeID { 259 }

    public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left.content == right.content }

    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

/// Returns the type identifier of ``SecCertificate`` objects, as `CFGetTypeID` returns it.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.cfTypeID }

/// Creates a certificate from its DER encoding. Neither signature nor dates are verified.
///
/// - Returns: nil for bytes that are not exactly one certificate in DER, such as PEM, for a certificate of more than
///   256 KiB, with a duplicate extension, or with a critical extension that is known and malformed.
@discardableResult
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    (try? Certificate(data as Data)).map(SecCertificate.init)
}

/// Returns the DER encoding.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { cfData(certificate.content.encoded) }

/// Returns a line for display: the common names of the subject, or another part of it, or an email address or host.
///
/// - Returns: nil for a certificate without any name.
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.content.subjectSummary as NSString?
}

/// Reads the subject's common name; of several, the last, which is the most specific.
///
/// - Returns: -26276 (`errSecInternal`, which is not in Apple's headers) for a subject without a common name;
///   `commonName` is then not changed.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.content.commonName else { return -26276 }
    // The caller guarantees a valid variable.
    unsafe commonName.pointee = name as NSString
    return errSecSuccess
}

/// Reads the email addresses of the alternative names and then of the subject; an empty array if there are none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe emailAddresses.pointee = cfStrings(certificate.content.emailAddresses)
    return errSecSuccess
}

/// Returns the serial number: the bytes of the INTEGER, big-endian in two's complement, as in the certificate.
///
/// - Parameters:
///   - certificate: the certificate.
///   - error: not changed; every certificate has a serial number.
@discardableResult
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// Same as ``SecCertificateCopySerialNumberData(_:_:)``; the older name on macOS.
@discardableResult
public func SecCertificateCopySerialNumber(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// Same as ``SecCertificateCopySerialNumberData(_:_:)``; the older name on iOS.
@discardableResult
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// Returns the issuer's normalised name, as a whole SEQUENCE in DER. As the value of `kSecAttrIssuer` in a query it
/// finds the certificates with this issuer.
@discardableResult
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.issuer.normalizedSequence)
}

/// Returns the subject's normalised name, in the form of ``SecCertificateCopyNormalizedIssuerSequence(_:)``.
@discardableResult
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.subject.normalizedSequence)
}

/// Same as ``SecCertificateCopyNormalizedIssuerSequence(_:)``; the older name on macOS. In spite of its name it returns
/// the whole SEQUENCE, as in Apple's implementation.
///
/// - Parameters:
///   - certificate: the certificate.
///   - error: not changed; every certificate has an issuer.
@discardableResult
public func SecCertificateCopyNormalizedIssuerContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedIssuerSequence(certificate)
}

/// Same as ``SecCertificateCopyNormalizedSubjectSequence(_:)``; the older name on macOS, in the form of
/// ``SecCertificateCopyNormalizedIssuerContent(_:_:)``.
@discardableResult
public func SecCertificateCopyNormalizedSubjectContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedSubjectSequence(certificate)
}

/// Returns the start of the certificate's validity.
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.content.notBefore as NSDate
}

/// Returns the end of the certificate's validity.
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.content.notAfter as NSDate
}

/// Returns the public key.
///
/// - Returns: nil for a key with an unsupported algorithm, curve or size, and for a malformed key.
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    (try? certificate.content.publicKey()).map(SecKey.init)
}

/// Same as ``SecCertificateCopyKey(_:)``; the older name on iOS.
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// Same as ``SecCertificateCopyKey(_:)``; the older form on macOS.
///
/// - Returns: `errSecUnsupportedKeyFormat` when that function returns nil; `key` is then not changed.
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>) -> OSStatus
{
    guard let found = SecCertificateCopyKey(certificate) else { return errSecUnsupportedKeyFormat }
    // The caller guarantees a valid variable.
    unsafe key.pointee = found
    return errSecSuccess
}

/// Same as ``SecCertificateCopySubjectSummary(_:)``.
///
/// - Parameters:
///   - alloc: ignored.
///   - certificate: the certificate.
///   - error: receives an error with the code `errSecInvalidCertificateRef` when the result is nil, which is the case
///     for a certificate without any name.
@discardableResult
public func SecCertificateCopyShortDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    if let summary = certificate.content.subjectSummary { return summary as NSString }
    // The caller guarantees a valid variable and takes over the reference: Apple's contract of this function.
    unsafe error?.pointee = Unmanaged.passRetained(
        certificateError(errSecInvalidCertificateRef, "the certificate has no name"))
    return nil
}

/// Same as ``SecCertificateCopyShortDescription(_:_:_:)``, as in Apple's implementation.
@discardableResult
public func SecCertificateCopyLongDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    unsafe SecCertificateCopyShortDescription(alloc, certificate, error)
}

func certificateError(_ status: OSStatus, _ reason: String) -> CFError {
    NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: reason])
}

func cfData(_ bytes: [UInt8]) -> CFData { Data(bytes) as NSData }

func cfStrings(_ texts: [String]) -> CFArray { texts.map { $0 as NSString } as NSArray }
