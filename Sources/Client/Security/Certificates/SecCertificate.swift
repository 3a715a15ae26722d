// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainCertificates
internal import KeychainKeys

/// A certificate of X.509. Equal when the bytes are.
///
/// A plain class, no subclass of NSObject, so that other modules may use its `==` and `hash(into:)` in inlinable code
/// without importing Foundation.
public final class SecCertificate: Hashable, Sendable, CFTypeIdentified {
    let content: Certificate

    init(_ content: Certificate) { self.content = content }

    public static var cfTypeID: CFTypeID { 259 }

    public static func == (left: SecCertificate, right: SecCertificate) -> Bool { left.content == right.content }

    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

/// The type of ``SecCertificate`` objects, as `CFGetTypeID` tells it.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.cfTypeID }

/// Makes a certificate of its DER encoding. Nothing is verified: neither signature nor dates.
///
/// - Returns: nil for bytes that are not one certificate in DER and nothing else, for one of more than 256 KiB, one with an extension that
///   is there twice, and one with a critical extension that is known and malformed. PEM is no DER.
@discardableResult
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    (try? Certificate(data as Data)).map(SecCertificate.init)
}

/// The DER encoding.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { cfData(certificate.content.encoded) }

/// A line for people: the common names of the subject, or what else it is called by, or an e-mail address or host.
///
/// - Returns: nil for a certificate that names nobody.
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.content.subjectSummary as NSString?
}

/// The subject's common name; of several, the last, which is the most specific.
///
/// - Returns: -26276 (`errSecInternal`, which Apple's headers do not show) for a subject without one, and `commonName` keeps
///   what it held.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let name = certificate.content.commonName else { return -26276 }
    // The caller vouches for the variable.
    unsafe commonName.pointee = name as NSString
    return errSecSuccess
}

/// The e-mail addresses, of the alternative names and then of the subject; an empty array where there are none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    // The caller vouches for the variable.
    unsafe emailAddresses.pointee = cfStrings(certificate.content.emailAddresses)
    return errSecSuccess
}

/// The serial number: the bytes of the INTEGER, big-endian in two's complement, as the certificate has them.
///
/// - Parameter error: keeps what it held; every certificate has a serial number.
@discardableResult
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// The older name of ``SecCertificateCopySerialNumberData(_:_:)`` on macOS.
@discardableResult
public func SecCertificateCopySerialNumber(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// The older name of ``SecCertificateCopySerialNumberData(_:_:)`` on iOS.
@discardableResult
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.serialNumber)
}

/// The issuer's name in the form that is compared, as a whole SEQUENCE in DER. As the value of `kSecAttrIssuer` in a query it finds the
/// certificates with this issuer.
@discardableResult
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.issuer.normalizedSequence)
}

/// The subject's name, as ``SecCertificateCopyNormalizedIssuerSequence(_:)``.
@discardableResult
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    cfData(certificate.content.subject.normalizedSequence)
}

/// The older name of ``SecCertificateCopyNormalizedIssuerSequence(_:)`` on macOS. In spite of its name it returns the whole
/// SEQUENCE, there as here.
///
/// - Parameter error: keeps what it held; every certificate has an issuer.
@discardableResult
public func SecCertificateCopyNormalizedIssuerContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedIssuerSequence(certificate)
}

/// The older name of ``SecCertificateCopyNormalizedSubjectSequence(_:)`` on macOS, as
/// ``SecCertificateCopyNormalizedIssuerContent(_:_:)``.
@discardableResult
public func SecCertificateCopyNormalizedSubjectContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SecCertificateCopyNormalizedSubjectSequence(certificate)
}

/// From when on the certificate is valid.
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.content.notBefore as NSDate
}

/// Until when the certificate is valid.
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.content.notAfter as NSDate
}

/// The public key.
///
/// - Returns: nil for a key of an algorithm, curve or size that is not known here, and for one that is malformed.
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    (try? certificate.content.publicKey()).map(SecKey.init)
}

/// The older name of ``SecCertificateCopyKey(_:)`` on iOS.
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// The older form of ``SecCertificateCopyKey(_:)`` on macOS.
///
/// - Returns: `errSecUnsupportedKeyFormat` where that returns nil, and `key` keeps what it held.
@discardableResult
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>) -> OSStatus
{
    guard let found = SecCertificateCopyKey(certificate) else { return errSecUnsupportedKeyFormat }
    // The caller vouches for the variable.
    unsafe key.pointee = found
    return errSecSuccess
}

/// The same as ``SecCertificateCopySubjectSummary(_:)``.
///
/// - Parameters:
///   - alloc: ignored.
///   - error: takes an error with the code `errSecInvalidCertificateRef` when the result is nil, which it is for a certificate that names
///     nobody.
@discardableResult
public func SecCertificateCopyShortDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    if let summary = certificate.content.subjectSummary { return summary as NSString }
    // The caller vouches for the variable, and takes over the reference: Apple's contract of this function.
    unsafe error?.pointee = Unmanaged.passRetained(
        certificateError(errSecInvalidCertificateRef, "the certificate names nobody"))
    return nil
}

/// The same as ``SecCertificateCopyShortDescription(_:_:_:)``, at Apple too.
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
