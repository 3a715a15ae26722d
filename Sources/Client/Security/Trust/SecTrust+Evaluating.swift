// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Dispatch
internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire

// The functions of a trust object that evaluate, and what they tell of the answer.
//
// - They run the program chatelaine-trust, and block until it has answered.
// - What is against a certificate is an error of the domain `NSOSStatusErrorDomain`. The code is Apple's for the gravest fault; the description
//   is for people; the error below it (`NSUnderlyingErrorKey`) lists every fault of every certificate.
// - Where nothing can be evaluated, the codes are `errSecNotAvailable` (the program is not installed), `errSecTrustNotAvailable` (it does not
//   answer, or the machine has no anchors) and `errSecParam` (more certificates, anchors or policies than it takes).

/// Whether the certificate is trusted.
///
/// - Returns: false, and the reason in `error`. Without a reason, it keeps what it held.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    guard let reason = trust.refusal else { return true }
    // The caller vouches for the variable: Apple's contract of this function.
    unsafe error?.pointee = reason
    return false
}

/// As ``SecTrustEvaluateWithError(_:_:)``, without blocking.
///
/// - Parameters:
///   - queue: where `result` is called, once.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // The callback moves to the queue, is called there and nowhere else.
    nonisolated(unsafe) let result = result
    DispatchQueue.global().async {
        let reason = trust.refusal
        queue.async { unsafe result(trust, reason == nil, reason) }
    }
    return errSecSuccess
}

/// The older form of ``SecTrustEvaluateWithError(_:_:)``.
///
/// - Returns: `errSecSuccess` also for a certificate that is not trusted. Where nothing could be evaluated the reason's code, and `result` is
///   `.otherError`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    do throws(TrustFailure) {
        let evaluation = try trust.evaluated()
        // The caller vouches for the variable, here and below.
        unsafe result.pointee = evaluation.result
        return errSecSuccess
    } catch {
        unsafe result.pointee = .otherError
        return error.status
    }
}

/// The older form of ``SecTrustEvaluateAsyncWithError(_:_:_:)``.
///
/// - Parameter queue: nil for a queue of the system.
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

/// What the last evaluation came to, without evaluating: `.invalid` before any and after a change.
@discardableResult
public func SecTrustGetTrustResult(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    // The caller vouches for the variable.
    unsafe result.pointee = trust.result
    return errSecSuccess
}

// MARK: The chain

/// The certificate and the issuer of each, up to an anchor, or as far as they are there.
///
/// - Returns: nil where nothing can be evaluated.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluated()).map { $0.chain as NSArray }
}

/// How many certificates ``SecTrustCopyCertificateChain(_:)`` has; 0 where nothing can be evaluated.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { (try? trust.evaluated())?.chain.count ?? 0 }

/// One certificate of ``SecTrustCopyCertificateChain(_:)``; nil beyond its ends.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    // The first is known without an evaluation.
    if ix == 0 { return trust.settings.certificates[0] }
    guard let chain = (try? trust.evaluated())?.chain, chain.indices.contains(ix) else { return nil }
    return chain[ix]
}

/// The certificate's public key, trusted or not; nil as ``SecCertificateCopyKey(_:)``.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { SecCertificateCopyKey(trust.settings.certificates[0]) }

/// The older name of ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

// MARK: Reports

/// What there is to say of each certificate of the chain: a dictionary with its name (`kSecPropertyTypeTitle`) and, for one with a fault, what
/// is wrong (`kSecPropertyTypeError`).
///
/// - Returns: nil where nothing can be evaluated.
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

/// The last evaluation: `kSecTrustResultValue` (the number of a ``SecTrustResultType``) and `kSecTrustEvaluationDate`, the time for which was
/// asked. Evaluates where that was not done.
///
/// - Returns: nil where nothing can be evaluated.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    guard let evaluation = try? trust.evaluated() else { return nil }
    let result: NSMutableDictionary = [
        kSecTrustResultValue: NSNumber(value: evaluation.result.rawValue),
        kSecTrustEvaluationDate: evaluation.date as NSDate,
    ]
    return result
}

/// The certificates that the system trusts: those of the file in which the distribution collects them.
///
/// - Returns: `errSecNotAvailable` where the program chatelaine-trust is not installed, `errSecTrustNotAvailable` where it does not answer or
///   finds no such file; `anchors` then keeps what it held.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    do throws(TrustFailure) {
        let certificates = try TrustHelper.installed.systemAnchors().compactMap { try? Certificate(Data($0)) }
        // The caller vouches for the variable.
        unsafe anchors.pointee = certificates.map(SecCertificate.init) as NSArray
        return errSecSuccess
    } catch {
        return error.status
    }
}

extension SecTrust {
    /// Why the certificate is not trusted; nil where it is. As ``SecTrustEvaluateWithError(_:_:)``, for code without pointers.
    package var refusal: CFError? {
        do throws(TrustFailure) {
            return try evaluated().error
        } catch {
            return error.object
        }
    }
}
