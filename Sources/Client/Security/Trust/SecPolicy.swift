// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import Foundation
internal import KeychainHelperWire
internal import SecurityValues

/// The purpose for which a certificate is evaluated. Two policies are equal when all properties are equal.
public final class SecPolicy: Hashable, Sendable, CFTypeIdentified {
    /// One of the `kSecPolicyApple…` constants.
    let identifier: String
    let name: String?
    /// Whether the certificate is that of a client.
    let isClient: Bool
    /// `kSecRevocation…`
    let revocationFlags: CFOptionFlags
    /// The `kSecPolicyKU_…` constants.
    let keyUsages: Set<String>

    init(
        _ identifier: CFString, name: String? = nil, isClient: Bool = false, revocationFlags: CFOptionFlags = 0,
        keyUsages: Set<String> = []
    ) {
        self.identifier = identifier as String
        self.name = name
        self.isClient = isClient
        self.revocationFlags = revocationFlags
        self.keyUsages = keyUsages
    }

    public static var cfTypeID: CFTypeID { 263 }

    public static func == (left: SecPolicy, right: SecPolicy) -> Bool {
        left.identifier == right.identifier && left.name == right.name && left.isClient == right.isClient
            && left.revocationFlags == right.revocationFlags && left.keyUsages == right.keyUsages
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(name)
        hasher.combine(isClient)
    }
}

/// Returns the type identifier of ``SecPolicy`` objects, as `CFGetTypeID` returns it.
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.cfTypeID }

/// Returns the policy with the rules of RFC 5280, for any purpose.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(kSecPolicyAppleX509Basic) }

/// Returns the policy for one end of a TLS connection.
///
/// - Parameters:
///   - server: whether the certificate is a server's; otherwise a client's.
///   - hostname: the host or IP address that a server's certificate must name in its alternative names; nil for any.
///     Ignored for a client's certificate.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(kSecPolicyAppleSSL, name: hostname as String?, isClient: !server)
}

/// Returns the policy for the revocation of certificates. Nothing is fetched from a network here, so the revocation
/// status is always unknown: with `kSecRevocationRequirePositiveResponse` no certificate is trusted
/// (`errSecIncompleteCertRevocationCheck`), without it the policy has no effect.
///
/// - Parameter revocationFlags: `kSecRevocation…` constants.
/// - Returns: nil without a constant for a method, as in Apple's implementation.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    guard revocationFlags & kSecRevocationUseAnyAvailableMethod != 0 else { return nil }
    return SecPolicy(kSecPolicyAppleRevocation, revocationFlags: revocationFlags)
}

/// Creates a policy by its name.
///
/// - Parameters:
///   - policyIdentifier: one of the `kSecPolicyApple…` constants for X.509, SSL, S/MIME, EAP, IPsec (also as server and
///     client), code signing, time stamping, Apple's ID validation (as X.509) and revocation. Certificates for the
///     other constants come from Apple's own authorities only.
///   - properties: `kSecPolicyName` (CFString: a host or, for S/MIME, an email address), `kSecPolicyClient`
///     (CFBoolean), the `kSecPolicyKU_…` constants (CFBoolean; S/MIME only), `kSecPolicyRevocationFlags` (CFNumber).
///     Others are ignored.
/// - Returns: nil for another identifier, and for a property of a wrong type.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    guard let identifier = policyIdentifier as? NSString, SecPolicy.known.contains(identifier as String) else {
        return nil
    }
    let properties = properties ?? [:]
    var name: String?
    if let given = properties[kSecPolicyName as String] {
        guard let text = given as? String else { return nil }
        name = text
    }
    var isClient = false
    if let given = properties[kSecPolicyClient as String] {
        guard case .truth(let value) = DictionaryValue(given) else { return nil }
        isClient = value
    }
    var flags: CFOptionFlags = 0
    if let given = properties[kSecPolicyRevocationFlags as String] {
        guard case .number(let value) = DictionaryValue(given), let bits = CFOptionFlags(exactly: value) else {
            return nil
        }
        flags = bits
    }
    var usages: Set<String> = []
    for usage in SecPolicy.keyUsageNames {
        guard let given = properties[usage] else { continue }
        guard case .truth(let isWanted) = DictionaryValue(given) else { return nil }
        if isWanted { usages.insert(usage) }
    }
    switch identifier {
    case kSecPolicyAppleRevocation: return SecPolicyCreateRevocation(flags)
    case kSecPolicyAppleSSLServer: return SecPolicy(kSecPolicyAppleSSL, name: name)
    case kSecPolicyAppleSSLClient: return SecPolicy(kSecPolicyAppleSSL, name: name, isClient: true)
    case kSecPolicyAppleEAPServer: return SecPolicy(kSecPolicyAppleEAP, name: name)
    case kSecPolicyAppleEAPClient: return SecPolicy(kSecPolicyAppleEAP, name: name, isClient: true)
    case kSecPolicyAppleIPSecServer: return SecPolicy(kSecPolicyAppleIPsec, name: name)
    case kSecPolicyAppleIPSecClient: return SecPolicy(kSecPolicyAppleIPsec, name: name, isClient: true)
    default: return SecPolicy(identifier, name: name, isClient: isClient, keyUsages: usages)
    }
}

/// Returns the properties: `kSecPolicyOid` (the identifier, one of the `kSecPolicyApple…` constants), and
/// `kSecPolicyName`, `kSecPolicyClient` and `kSecPolicyRevocationFlags` if the policy has them.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    let properties: NSMutableDictionary = [kSecPolicyOid: policyRef.identifier as NSString]
    if let name = policyRef.name { properties[kSecPolicyName] = name as NSString }
    if policyRef.isClient { properties[kSecPolicyClient] = kCFBooleanTrue }
    if policyRef.revocationFlags != 0 {
        properties[kSecPolicyRevocationFlags] = NSNumber(value: policyRef.revocationFlags)
    }
    for usage in policyRef.keyUsages { properties[usage as NSString] = kCFBooleanTrue }
    return properties
}

extension SecPolicy {
    fileprivate static let known: Set<String> = Set(
        [
            kSecPolicyAppleX509Basic, kSecPolicyAppleSSL, kSecPolicyAppleSSLServer, kSecPolicyAppleSSLClient,
            kSecPolicyAppleSMIME, kSecPolicyAppleEAP, kSecPolicyAppleEAPServer, kSecPolicyAppleEAPClient,
            kSecPolicyAppleIPsec, kSecPolicyAppleIPSecServer, kSecPolicyAppleIPSecClient, kSecPolicyAppleCodeSigning,
            kSecPolicyAppleTimeStamping, kSecPolicyAppleIDValidation, kSecPolicyAppleRevocation,
        ].map { $0 as String })

    /// In the order of their bits in RFC 5280, 4.2.1.3.
    fileprivate static let keyUsageNames: [String] = [
        kSecPolicyKU_DigitalSignature, kSecPolicyKU_NonRepudiation, kSecPolicyKU_KeyEncipherment,
        kSecPolicyKU_DataEncipherment, kSecPolicyKU_KeyAgreement, kSecPolicyKU_KeyCertSign, kSecPolicyKU_CRLSign,
        kSecPolicyKU_EncipherOnly, kSecPolicyKU_DecipherOnly,
    ].map { $0 as String }

    /// The policy in the request to the helper.
    var wire: TrustPolicy {
        let (purpose, hasName): (TrustPolicy.Purpose, Bool) =
            switch identifier as NSString {
            case kSecPolicyAppleSSL: isClient ? (.tlsClient, false) : (.tlsServer, true)
            case kSecPolicyAppleSMIME: (.mail, true)
            case kSecPolicyAppleEAP: isClient ? (.networkClient, false) : (.networkServer, true)
            case kSecPolicyAppleIPsec: (.ipsec, true)
            case kSecPolicyAppleCodeSigning: (.codeSigning, false)
            case kSecPolicyAppleTimeStamping: (.timeStamping, false)
            default: (.any, false)
            }
        return TrustPolicy(
            purpose, name: hasName ? name : nil, keyUsage: keyUsage(for: purpose),
            requiresRevocationCheck: revocationFlags & kSecRevocationRequirePositiveResponse != 0)
    }

    /// The requested key usage; by default that of the purpose.
    private func keyUsage(for purpose: TrustPolicy.Purpose) -> UInt16 {
        let given = Self.keyUsageNames.enumerated().reduce(UInt16(0)) {
            $0 | (keyUsages.contains($1.element) ? 1 << UInt16($1.offset) : 0)
        }
        return given == 0 ? purpose.keyUsage : given
    }
}
