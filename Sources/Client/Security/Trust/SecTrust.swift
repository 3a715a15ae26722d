// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainCertificates
internal import KeychainHelperWire
internal import KeychainModel
internal import SecurityValues
internal import Synchronization

/// A trust evaluation of a certificate and its result. Any thread may use it. Equal only to itself.
///
/// A change of any setting discards the result. The functions that need a result evaluate if there is none, and block
/// meanwhile.
public final class SecTrust: Hashable, Sendable, CFTypeIdentified {
    private let helper: TrustHelper
    private let state: Mutex<State>

    struct State: Sendable {
        let certificates: [SecCertificate]
        var policies: [SecPolicy]
        /// Nil if no anchors were set.
        var anchors: [SecCertificate]?
        var usesSystemAnchors = true
        /// Nil for the time of the evaluation.
        var date: Date?
        var options: SecTrustOptionFlags = []
        var exceptions: TrustExceptions?
        var mayFetch = false
        fileprivate(set) var evaluation: Result<TrustEvaluation, TrustFailure>?
        /// Incremented with each change.
        fileprivate var version = 0
    }

    /// - Parameter certificates: at least one.
    init(_ certificates: [SecCertificate], _ policies: [SecPolicy], helper: TrustHelper = .installed) {
        self.helper = helper
        state = Mutex(State(certificates: certificates, policies: policies))
    }

    public static var cfTypeID: CFTypeID { 264 }

    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The current settings.
    var settings: State { state.withLock { $0 } }

    /// Changes a setting, and discards the result.
    func set(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.evaluation = nil
            state.version += 1
        }
    }

    /// Returns the result, and evaluates if there is none. Concurrent calls evaluate separately, because the helper
    /// keeps no state.
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
            // If a setting changed in the meantime, the result belongs to the earlier settings.
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
        // A date outside of all certificates' validity may not fit.
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
            throw TrustFailure(.parameter, "the date cannot be expressed")
        }
        let answer = try helper.evaluate(
            TrustRequest(
                certificates: settings.certificates.map(\.content.encoded), policies: settings.policies.map(\.wire),
                anchors: (settings.anchors ?? []).map(\.content.encoded), usesSystemAnchors: settings.usesSystemAnchors,
                options: options, date: seconds))
        return try TrustEvaluation(
            answer, of: settings.certificates[0].content, exceptions: settings.exceptions, date: date)
    }

    /// The result of the last evaluation; `.invalid` without one.
    var result: SecTrustResultType {
        switch settings.evaluation {
        case nil: .invalid
        case .failure: .otherError
        case .success(let evaluation): evaluation.result
        }
    }
}

/// Returns the type identifier of ``SecTrust`` objects, as `CFGetTypeID` returns it.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.cfTypeID }

/// Creates a trust object without evaluating it.
///
/// - Parameters:
///   - certificates: a `SecCertificate`, or an array: first the certificate to evaluate, then possible issuers, in any
///     order.
///   - policies: a `SecPolicy` or an array, all of which must be satisfied; nil for ``SecPolicyCreateBasicX509()``.
///   - trust: receives the trust object.
/// - Returns: `errSecParam` for other objects and for an empty array; `trust` is then not changed.
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
    // The caller guarantees a valid variable.
    unsafe trust.pointee = SecTrust(certificates, given)
    return errSecSuccess
}

// MARK: Settings

/// Sets the policies, all of which must be satisfied.
///
/// - Parameters:
///   - trust: the trust object.
///   - policies: a `SecPolicy` or an array.
/// - Returns: `errSecParam` for other objects and for an empty array.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies: [SecPolicy] = objects(policies), !policies.isEmpty else { return errSecParam }
    trust.set { $0.policies = policies }
    return errSecSuccess
}

/// Returns the policies, as an array of `SecPolicy`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe policies.pointee = trust.settings.policies as NSArray
    return errSecSuccess
}

/// Sets the trusted certificates, instead of the system's anchors; see ``SecTrustSetAnchorCertificatesOnly(_:_:)``.
/// They do not have to be self-signed.
///
/// - Parameters:
///   - trust: the trust object.
///   - anchorCertificates: an array of `SecCertificate`; nil restores the system's anchors.
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

/// Sets whether only the certificates of ``SecTrustSetAnchorCertificates(_:_:)`` are trusted, which is the default
/// after that call, or the system's anchors as well.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.set { $0.usesSystemAnchors = !anchorCertificatesOnly }
    return errSecSuccess
}

/// Returns the certificates that ``SecTrustSetAnchorCertificates(_:_:)`` set; nil if none were set.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(_ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>)
    -> OSStatus
{
    // The caller guarantees a valid variable.
    unsafe anchors.pointee = trust.settings.anchors.map { $0 as NSArray }
    return errSecSuccess
}

/// Sets the verification time, instead of the time of the evaluation. Fractions of a second are ignored.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate as Date
    trust.set { $0.date = date }
    return errSecSuccess
}

/// Returns the verification time: the time that was set, or that of the last evaluation, or now.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    let settings = trust.settings
    if let date = settings.date { return date.timeIntervalSinceReferenceDate }
    if case .success(let evaluation) = settings.evaluation { return evaluation.date.timeIntervalSinceReferenceDate }
    return Date().timeIntervalSinceReferenceDate
}

/// Allows fetching issuers and revocation responses from the network. The setting is stored; nothing is fetched.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.set { $0.mayFetch = allowFetch }
    return errSecSuccess
}

/// Returns the value that ``SecTrustSetNetworkFetchAllowed(_:_:)`` set; false by default.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    // The caller guarantees a valid variable.
    unsafe allowFetch.pointee = DarwinBoolean(trust.settings.mayFetch)
    return errSecSuccess
}

/// Sets the faults that are ignored.
///
/// - Returns: `errSecUnimplemented` for ``SecTrustOptionFlags/requireRevPerCert``, which would need the network.
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: SecTrustOptionFlags) -> OSStatus {
    guard !options.contains(.requireRevPerCert) else { return errSecUnimplemented }
    trustRef.set { $0.options = options }
    return errSecSuccess
}

/// Sets responses which show that certificates were not revoked. Not supported.
///
/// - Returns: `errSecUnimplemented`, except for nil.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    responseData == nil ? errSecSuccess : errSecUnimplemented
}

/// Sets the keychains in which issuers are searched, on macOS before 10.13. Here no keychain is searched.
///
/// - Returns: `errSecUnimplemented`, except for nil and an empty array.
@discardableResult
public func SecTrustSetKeychains(_ trust: SecTrust, _ keychainOrArray: CFTypeRef?) -> OSStatus {
    guard let keychainOrArray else { return errSecSuccess }
    return (keychainOrArray as? NSArray)?.count == 0 ? errSecSuccess : errSecUnimplemented
}

/// Returns the exceptions that are required to trust the certificate: the faults that the current evaluation finds.
/// Evaluates if that was not done yet. A program shows them to the user, and passes them to
/// ``SecTrustSetExceptions(_:_:)`` if the user accepts them.
///
/// - Returns: nil if no evaluation is possible.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    (try? trust.evaluated()).map { TrustExceptions($0).data as NSData }
}

/// Ignores faults that ``SecTrustCopyExceptions(_:)`` returned. Weak keys, weak signatures and malformed certificates
/// are never ignored.
///
/// - Parameters:
///   - trust: the trust object.
///   - exceptions: nil for none.
/// - Returns: whether they apply to this certificate. Otherwise no faults are ignored from now on.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let read = exceptions.flatMap { TrustExceptions($0 as Data) }
    let fitting = read.flatMap { $0.concern(trust.settings.certificates[0].content) ? $0 : nil }
    trust.set { $0.exceptions = fitting }
    return fitting != nil
}

/// Returns one object of a class or an array of such objects; nil for any other object.
private func objects<Object: AnyObject>(_ given: CFTypeRef) -> [Object]? {
    if let object = given as? Object { return [object] }
    guard let array = given as? NSArray else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}
