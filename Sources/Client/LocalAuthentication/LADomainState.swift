// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What could show that the owner is there, in a form that tells whether it changed.
public final class LADomainState: NSObject, Sendable {
    public let biometry: LADomainStateBiometry
    public let companion: LADomainStateCompanion

    init(_ biometryType: LABiometryType, enrolment: Data?) {
        biometry = LADomainStateBiometry(biometryType, enrolment: enrolment)
        companion = LADomainStateCompanion()
    }

    /// Other bytes mean that something changed; nil while there is nothing.
    public var stateHash: Data? { biometry.stateHash }
}

/// What of biometry there is.
public final class LADomainStateBiometry: NSObject, Sendable {
    public let biometryType: LABiometryType
    /// Names the enrolled fingers without telling anything of them: other bytes mean another enrolment. Nil while none is enrolled,
    /// and before a context has looked.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, enrolment: Data?) {
        self.biometryType = biometryType
        stateHash = enrolment
    }
}

/// What of paired devices there is: none on this system.
public final class LADomainStateCompanion: NSObject, Sendable {
    public var availableCompanionTypes: Set<LACompanionType> { [] }
    public var stateHash: Data? { nil }

    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
