// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire
internal import Synchronization

/// The question whether a certificate is trusted, and its answer. Any thread may use it. Equal only to itself.
///
/// Setting anything discards the answer. The functions that need one evaluate where there is none; they block meanwhile.
public final class SecTrust: Hashable, Sendable, CFTypeIdentified {
    private let helper: TrustHelper
    private let state: Mutex<State>

    struct State: Sendable {
        let certificates: [SecCertificate]
        var policies: [SecPolicy]
        /// Nil before any were set.
        var anchors: [SecCertificate]?
        var usesSystemAnchors = true
        /// Nil for the time of the evaluation.
        var date: Date?
        var options: SecTrustOptionFlags = []
        var exceptions: TrustExceptions?
        var mayFetch = false
        fileprivate(set) var evaluation: Result<TrustEvaluation, TrustFailure>?
        /// Grows with each change.
        fileprivate var version = 0
    }

    /// As ``SecTrustCreateWithCertificates(_:_:_:)``, for code without pointers.
    ///
    /// - Parameter certificates: at least one.
    package convenience init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
        self.init(certificates, policies, helper: .installed)
    }

    init(_ certificates: [SecCertificate], _ policies: [SecPolicy], helper: TrustHelper) {
        self.helper = helper
        state = Mutex(State(certificates: certificates, policies: policies))
    }

    public static var cfTypeID: CFTypeID { 264 }

    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// What was set.
    var settings: State { state.withLock { $0 } }

    /// Sets something, and discards the answer.
    func set(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.evaluation = nil
            state.version += 1
        }
    }

    /// The answer, which is looked for where there is none. Whoever asks at the same time asks twice: the helper keeps nothing.
    func evaluated() throws(TrustFailure) -> TrustEvaluation {
        let settings = settings
        if case .success(let evaluation) = settings.evaluation { return evaluation }
        let outcome: Result<TrustEvaluation, TrustFailure>
        do throws(TrustFailure) {
            outcome = .success(try evaluate(settings))
        } catch {
            outcome = .failure(error)
        }
        state.withLock { state in
            // Something was set meanwhile: this is the answer to an older question.
            if state.version == settings.version { state.evaluation = outcome }
        }
        return try outcome.get()
    }

    private func evaluate(_ settings: State) throws(TrustFailure) -> TrustEvaluation {
        let date = settings.date ?? Date()
        var options: TrustOptions = []
        if settings.options.contains(.allowExpired) { options.insert(.allowsExpired) }
        if settings.options.contains(.allowExpiredRoot) { options.insert(.allowsExpiredRoot) }
        if settings.options.contains(.implicitAnchors) { options.insert(.takesSelfSignedAsAnchors) }
        // A date beyond all certificates' would not fit.
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
            throw TrustFailure(errSecParam, "the date cannot be expressed")
        }
        let answer = try helper.evaluate(
            TrustRequest(
                certificates: settings.certificates.map(\.content.encoded), policies: settings.policies.map(\.wire),
                anchors: (settings.anchors ?? []).map(\.content.encoded), usesSystemAnchors: settings.usesSystemAnchors,
                options: options, date: seconds))
        return try TrustEvaluation(
            answer, of: settings.certificates[0], exceptions: settings.exceptions, date: date)
    }

    /// What the last evaluation came to; `.invalid` without one.
    var result: SecTrustResultType {
        switch settings.evaluation {
        case nil: .invalid
        case .failure: .otherError
        case .success(let evaluation): evaluation.result
        }
    }
}

/// The type of ``SecTrust`` objects, as `CFGetTypeID` tells it.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.cfTypeID }

/// Makes a trust object. Nothing is evaluated yet.
///
/// - Parameters:
///   - certificates: a `SecCertificate`, or an array: first the one that is asked about, then those that may be above it, in any order.
///   - policies: a `SecPolicy` or an array, all of which have to hold; nil for ``SecPolicyCreateBasicX509()``.
/// - Returns: `errSecParam` for other objects and for an empty array, and `trust` keeps what it held.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let certificates: [SecCertificate] = objects(certificates), !certificates.isEmpty else { return errSecParam }
    var given = [SecPolicyCreateBasicX509()]
    if let policies {
        guard let policies: [SecPolicy] = objects(policies), !policies.isEmpty else { return errSecParam }
        given = policies
    }
    // The caller vouches for the variable.
    unsafe trust.pointee = SecTrust(certificates, given)
    return errSecSuccess
}

// MARK: Settings

/// Sets the policies, all of which have to hold.
///
/// - Parameter policies: a `SecPolicy` or an array.
/// - Returns: `errSecParam` for other objects and for an empty array.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies: [SecPolicy] = objects(policies), !policies.isEmpty else { return errSecParam }
    trust.set { $0.policies = policies }
    return errSecSuccess
}

/// The policies, as an array of `SecPolicy`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    // The caller vouches for the variable.
    unsafe policies.pointee = trust.settings.policies as NSArray
    return errSecSuccess
}

/// Sets the certificates that are trusted, instead of the system's anchors; see ``SecTrustSetAnchorCertificatesOnly(_:_:)``. They need not
/// have signed themselves.
///
/// - Parameter anchorCertificates: an array of `SecCertificate`; nil for the system's anchors again.
/// - Returns: `errSecParam` for an array with other objects.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let anchorCertificates else {
        trust.set {
            $0.anchors = nil
            $0.usesSystemAnchors = true
        }
        return errSecSuccess
    }
    guard let anchors: [SecCertificate] = objects(anchorCertificates) else { return errSecParam }
    trust.set {
        $0.anchors = anchors
        $0.usesSystemAnchors = false
    }
    return errSecSuccess
}

/// Whether only the certificates of ``SecTrustSetAnchorCertificates(_:_:)`` are trusted (which setting them says, too), or the system's anchors
/// as well.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.set { $0.usesSystemAnchors = !anchorCertificatesOnly }
    return errSecSuccess
}

/// What ``SecTrustSetAnchorCertificates(_:_:)`` set; nil where nothing was.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(_ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>)
    -> OSStatus
{
    // The caller vouches for the variable.
    unsafe anchors.pointee = trust.settings.anchors.map { $0 as NSArray }
    return errSecSuccess
}

/// Sets the time for which is asked, instead of that of the evaluation. Fractions of a second do not count.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate as Date
    trust.set { $0.date = date }
    return errSecSuccess
}

/// The time for which is asked: what was set, or that of the last evaluation, or now.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    let settings = trust.settings
    if let date = settings.date { return date.timeIntervalSinceReferenceDate }
    if case .success(let evaluation) = settings.evaluation { return evaluation.date.timeIntervalSinceReferenceDate }
    return Date().timeIntervalSinceReferenceDate
}

/// Allows to fetch issuers and proofs from the network. It is remembered; nothing is fetched.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.set { $0.mayFetch = allowFetch }
    return errSecSuccess
}

/// What ``SecTrustSetNetworkFetchAllowed(_:_:)`` set; false where nothing was.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    // The caller vouches for the variable.
    unsafe allowFetch.pointee = DarwinBoolean(trust.settings.mayFetch)
    return errSecSuccess
}

/// Sets what is overlooked.
///
/// - Returns: `errSecUnimplemented` for ``SecTrustOptionFlags/requireRevPerCert``, which would need the network.
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: SecTrustOptionFlags) -> OSStatus {
    guard !options.contains(.requireRevPerCert) else { return errSecUnimplemented }
    trustRef.set { $0.options = options }
    return errSecSuccess
}

/// Would take proofs that certificates were not revoked.
///
/// - Returns: `errSecUnimplemented`, but for nil.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    responseData == nil ? errSecSuccess : errSecUnimplemented
}

/// Chose the keychains in which issuers are looked for, on macOS before 10.13. They are looked for in no keychain here.
///
/// - Returns: `errSecUnimplemented`, but for nil and an empty array.
@discardableResult
public func SecTrustSetKeychains(_ trust: SecTrust, _ keychainOrArray: CFTypeRef?) -> OSStatus {
    guard let keychainOrArray else { return errSecSuccess }
    return (keychainOrArray as? NSArray)?.count == 0 ? errSecSuccess : errSecUnimplemented
}

/// What it would take to trust the certificate all the same: the faults that the evaluation finds now. Evaluates where that was not done. A
/// program shows them to a person, and gives them to ``SecTrustSetExceptions(_:_:)`` if that person wants so.
///
/// - Returns: nil where nothing can be evaluated.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    (try? trust.evaluated()).map { TrustExceptions($0).data as NSData }
}

/// Overlooks faults that ``SecTrustCopyExceptions(_:)`` returned. Weak keys, weak signatures and malformed certificates are never overlooked.
///
/// - Parameter exceptions: nil for none.
/// - Returns: whether they concern this certificate. Otherwise nothing is overlooked from now on.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let read = exceptions.flatMap { TrustExceptions($0 as Data) }
    let fitting = read.flatMap { $0.concern(trust.settings.certificates[0]) ? $0 : nil }
    trust.set { $0.exceptions = fitting }
    return fitting != nil
}

/// One object of a class or an array of such; nil for anything else.
private func objects<Object: AnyObject>(_ given: CFTypeRef) -> [Object]? {
    if let object = given as? Object { return [object] }
    guard let array = given as? NSArray else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}
