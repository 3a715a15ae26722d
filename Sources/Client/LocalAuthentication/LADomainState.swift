// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The state of the available authentication methods, in a form that shows whether it changed.
public final class LADomainState: NSObject, Sendable {
    public let biometry: LADomainStateBiometry
    public let companion: LADomainStateCompanion

    init(_ biometryType: LABiometryType, enrolment: Data?) {
        biometry = LADomainStateBiometry(biometryType, enrolment: enrolment)
        companion = LADomainStateCompanion()
    }

    /// Different bytes mean that the state changed; nil while no method is available.
    public var stateHash: Data? { biometry.stateHash }
}

/// The state of biometry.
public final class LADomainStateBiometry: NSObject, Sendable {
    public let biometryType: LABiometryType
    /// Identifies the set of enrolled fingerprints without revealing them: different bytes mean another enrolment. Nil
    /// while no fingerprint is enrolled, and before the first evaluation of a context.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, enrolment: Data?) {
        self.biometryType = biometryType
        stateHash = enrolment
    }
}

/// The state of paired devices: none on this system.
public final class LADomainStateCompanion: NSObject, Sendable {
    public var availableCompanionTypes: Set<LACompanionType> { [] }
    public var stateHash: Data? { nil }

    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
