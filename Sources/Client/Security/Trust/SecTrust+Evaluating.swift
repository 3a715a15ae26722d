// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Dispatch
internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire
internal import KeychainModel
internal import SecurityValues

// The functions that evaluate a trust object, and those that read the result.
//
// - They run the program chatelaine-trust, and block until it has answered.
// - A fault of a certificate is an error of the domain `NSOSStatusErrorDomain`. The code is Apple's for the most
//   serious fault; the description is for display; the underlying error (`NSUnderlyingErrorKey`) lists every fault of
//   every certificate.
// - If an evaluation is not possible, the codes are `errSecNotAvailable` (the program is not installed),
//   `errSecTrustNotAvailable` (it does not answer, or the machine has no anchors) and `errSecParam` (more certificates,
//   anchors or policies than it supports).

/// Returns whether the certificate is trusted.
///
/// - Returns: false, and the reason in `error`. If the certificate is trusted, `error` is not changed.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    guard let reason = trust.refusal else { return true }
    // The caller guarantees a valid variable: Apple's contract of this function.
    unsafe error?.pointee = reason
    return false
}

/// Same as ``SecTrustEvaluateWithError(_:_:)``, without blocking.
///
/// - Parameters:
///   - trust: the trust object.
///   - queue: the queue on which `result` is called, once.
///   - result: receives the trust object, whether it is trusted, and the reason if it is not.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // The callback is moved to the queue, and is called only there.
    nonisolated(unsafe) let result = result
    DispatchQueue.global().async {
        let reason = trust.refusal
        queue.async { unsafe result(trust, reason == nil, reason) }
    }
    return errSecSuccess
}

/// Evaluates the trust object; the older form of ``SecTrustEvaluateWithError(_:_:)``.
///
/// - Returns: `errSecSuccess` also for a certificate that is not trusted. If no evaluation was possible, the code of
///   the reason, and `result` is `.otherError`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    do throws(TrustFailure) {
        let evaluation = try trust.evaluated()
        // The caller guarantees a valid variable, here and below.
        unsafe result.pointee = evaluation.result
        return errSecSuccess
    } catch {
        unsafe result.pointee = .otherError
        return error.status.rawValue
    }
}

/// Evaluates the trust object without blocking; the older form of ``SecTrustEvaluateAsyncWithError(_:_:_:)``.
///
/// - Parameters:
///   - trust: the trust object.
///   - queue: nil for a queue of the system.
///   - result: receives the trust object and the result.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    // As above.
    nonisolated(unsafe) let result = result
    DispatchQueue.global().async {
        let outcome = (try? trust.evaluated())?.result ?? .otherError
        (queue ?? .global()).async { unsafe result(trust, outcome) }
    }
    return errSecSuccess
}

/// Returns the result of the last evaluation, without evaluating: `.invalid` before the first evaluation and after a
/// change.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe result.pointee = trust.result
    return errSecSuccess
}

// MARK: The chain

/// Returns the certificate chain: the certificate and the issuer of each, up to an anchor, or as far as the issuers are
/// available.
///
/// - Returns: nil if no evaluation is possible.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluated()).map { $0.chain.map(SecCertificate.init) as NSArray }
}

/// Returns the number of certificates in ``SecTrustCopyCertificateChain(_:)``; 0 if no evaluation is possible.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { (try? trust.evaluated())?.chain.count ?? 0 }

/// Returns one certificate of ``SecTrustCopyCertificateChain(_:)``; nil for an index out of range.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    // The first certificate is known without an evaluation.
    if ix == 0 { return trust.settings.certificates[0] }
    guard let chain = (try? trust.evaluated())?.chain, chain.indices.contains(ix) else { return nil }
    return SecCertificate(chain[ix])
}

/// Returns the certificate's public key, trusted or not; nil as ``SecCertificateCopyKey(_:)``.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { SecCertificateCopyKey(trust.settings.certificates[0]) }

/// Same as ``SecTrustCopyKey(_:)``; the older name.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

// MARK: Reports

/// Returns a report on each certificate of the chain: a dictionary with its name (`kSecPropertyTypeTitle`) and, for a
/// certificate with a fault, an error message (`kSecPropertyTypeError`).
///
/// - Returns: nil if no evaluation is possible.
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    guard let evaluation = try? trust.evaluated() else { return nil }
    return evaluation.chain.indices.map { place in
        let properties: NSMutableDictionary = [kSecPropertyTypeTitle: evaluation.name(place) as NSString]
        let faults = evaluation.findings.filter { $0.place == place }.map(\.fault)
        if !faults.isEmpty {
            properties[kSecPropertyTypeError] = faults.map(\.detail).joined(separator: "; ") as NSString
        }
        return properties
    } as NSArray
}

/// Returns the last evaluation: `kSecTrustResultValue` (the number of a ``SecTrustResultType``) and
/// `kSecTrustEvaluationDate`, the verification time. Evaluates if that was not done yet.
///
/// - Returns: nil if no evaluation is possible.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    guard let evaluation = try? trust.evaluated() else { return nil }
    let result: NSMutableDictionary = [
        kSecTrustResultValue: NSNumber(value: evaluation.result.rawValue),
        kSecTrustEvaluationDate: evaluation.date as NSDate,
    ]
    return result
}

/// Returns the system's anchors: the certificates of the file in which the distribution collects them.
///
/// - Returns: `errSecNotAvailable` if the program chatelaine-trust is not installed, `errSecTrustNotAvailable` if it
///   does not answer or finds no such file; `anchors` is then not changed.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    do throws(TrustFailure) {
        let certificates = try TrustHelper.installed.systemAnchors().compactMap { try? Certificate(Data($0)) }
        // The caller guarantees a valid variable.
        unsafe anchors.pointee = certificates.map(SecCertificate.init) as NSArray
        return errSecSuccess
    } catch {
        return error.status.rawValue
    }
}

extension SecTrust {
    /// The reason why the certificate is not trusted; nil if it is.
    fileprivate var refusal: CFError? {
        do throws(TrustFailure) {
            guard let refusal = try evaluated().refusal else { return nil }
            let underlying = certificateError(refusal.status.rawValue, refusal.details)
            return NSError(
                domain: NSOSStatusErrorDomain, code: Int(refusal.status.rawValue),
                userInfo: [NSLocalizedDescriptionKey: refusal.sentence, NSUnderlyingErrorKey: underlying])
        } catch {
            return certificateError(error.status.rawValue, error.reason)
        }
    }
}

extension TrustEvaluation {
    var result: SecTrustResultType {
        guard !findings.isEmpty else { return allFindings.isEmpty ? .unspecified : .proceed }
        return findings.contains(where: \.fault.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure
    }
}
