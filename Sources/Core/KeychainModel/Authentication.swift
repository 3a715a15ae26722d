// SPDX-License-Identifier: Apache-2.0

/// How somebody shows to be the owner of a keychain. The raw value is the number on the wire; it never changes.
public enum AuthenticationFactor: UInt8, CaseIterable, Hashable, Sendable {
    /// The keychain's passcode.
    case passcode = 1
    /// A finger that is enrolled.
    case biometry = 2
    /// A paired device. There is none on this system, so nothing ever shows it.
    case companion = 3
}

/// What has to be shown before something is done.
public struct AuthenticationRequirement: Hashable, Sendable {
    /// In the order in which they are asked for; at least one.
    public let factors: [AuthenticationFactor]
    /// Whether one of them is enough; otherwise all are needed.
    public let oneIsEnough: Bool

    public init(_ factors: [AuthenticationFactor], oneIsEnough: Bool) {
        precondition(!factors.isEmpty, "a requirement of nothing")
        self.factors = factors
        self.oneIsEnough = oneIsEnough
    }

    public func isMet(by shown: Set<AuthenticationFactor>) -> Bool {
        oneIsEnough ? factors.contains(where: shown.contains) : factors.allSatisfy(shown.contains)
    }
}

/// Apple's `LAPolicy`, same numbers.
public enum AuthenticationPolicy: UInt8, CaseIterable, Hashable, Sendable {
    case biometry = 1
    case owner = 2
    case companion = 3
    case biometryOrCompanion = 4
    case wristDetection = 5

    public var requirement: AuthenticationRequirement {
        switch self {
        case .biometry: AuthenticationRequirement([.biometry], oneIsEnough: true)
        case .owner: AuthenticationRequirement([.biometry, .passcode], oneIsEnough: true)
        case .companion, .wristDetection: AuthenticationRequirement([.companion], oneIsEnough: true)
        case .biometryOrCompanion: AuthenticationRequirement([.biometry, .companion], oneIsEnough: true)
        }
    }
}

/// What an access control object is evaluated for: Apple's `LAAccessControlOperation`, same numbers.
public enum AccessControlOperation: UInt8, CaseIterable, Hashable, Sendable {
    case createItem = 0
    case useItem = 1
    case createKey = 2
    case useKeySign = 3
    case useKeyDecrypt = 4
    case useKeyKeyExchange = 5
}

extension AccessControl.Flags {
    /// Constraints that are part of an item's key, and of nobody's word alone.
    public static let material: Self = [.applicationPassword, .biometryCurrentSet]

    /// What has to be shown before an item is read or changed, or a key is used; nil where nothing has (semantics 5.2).
    ///
    /// A private key whose flags say `privateKeyUsage` is constrained in its use alone; its attributes and its public half
    /// are free. Of all else reading is constrained, and with it every use. Adding and deleting are free.
    public func requirement(forUsingKey usesKey: Bool) -> AuthenticationRequirement? {
        if contains(.privateKeyUsage), !usesKey { return nil }
        if contains(.userPresence) { return AuthenticationRequirement([.biometry, .passcode], oneIsEnough: true) }
        var factors: [AuthenticationFactor] = []
        if contains(.biometryAny) || contains(.biometryCurrentSet) { factors.append(.biometry) }
        if contains(.devicePasscode) { factors.append(.passcode) }
        if contains(.companion) { factors.append(.companion) }
        return factors.isEmpty ? nil : AuthenticationRequirement(factors, oneIsEnough: contains(.or))
    }

    public func requirement(for operation: AccessControlOperation) -> AuthenticationRequirement? {
        switch operation {
        case .createItem, .createKey: nil
        case .useItem: requirement(forUsingKey: false)
        case .useKeySign, .useKeyDecrypt, .useKeyKeyExchange: requirement(forUsingKey: true)
        }
    }
}

/// What a service knows of its owner's means to show to be there.
public struct AuthenticationState: Hashable, Sendable {
    public enum Biometry: UInt8, CaseIterable, Hashable, Sendable {
        /// No reader.
        case notAvailable = 0
        case notEnrolled = 1
        case enrolled = 2
        /// Too many fingers that were none of the owner's: only the passcode helps.
        case lockedOut = 3
    }

    public var hasPasscode: Bool
    public var biometry: Biometry
    /// Names the enrolled fingers without telling anything of them: other bytes mean another enrolment. 32 bytes; nil where
    /// none is enrolled.
    public var enrolment: [UInt8]?
    /// How the person at the caller's place would be asked, such as "tty"; nil where nobody can be.
    public var prompter: String?

    public init(
        hasPasscode: Bool, biometry: Biometry = .notAvailable, enrolment: [UInt8]? = nil, prompter: String? = nil
    ) {
        self.hasPasscode = hasPasscode
        self.biometry = biometry
        self.enrolment = enrolment
        self.prompter = prompter
    }

    public var available: Set<AuthenticationFactor> {
        var factors: Set<AuthenticationFactor> = []
        guard hasPasscode else { return factors }
        factors.insert(.passcode)
        if biometry == .enrolled { factors.insert(.biometry) }
        return factors
    }
}

/// How an evaluation ended. The raw value is the number on the wire; it never changes.
public enum AuthenticationOutcome: UInt8, CaseIterable, Hashable, Sendable {
    case success = 0
    /// What was shown was not the owner's, for as often as one may try.
    case failed = 1
    case cancelled = 2
    /// The person wants another way than the one offered.
    case fallback = 3
    /// It was withdrawn: nobody answered in time, or the service ends.
    case withdrawn = 4
    case passcodeNotSet = 5
    case biometryNotAvailable = 6
    case biometryNotEnrolled = 7
    case biometryLockout = 8
    case companionNotAvailable = 9
    /// Nobody can be asked, or nobody may be.
    case notInteractive = 10

    /// What the functions of items and keys say of it (semantics 5.6).
    public var refusal: Refusal? {
        switch self {
        case .success: nil
        case .cancelled: Refusal(.userCanceled, .authenticationNeeded)
        case .notInteractive: Refusal(.interactionNotAllowed, .authenticationNeeded)
        case .failed, .fallback, .withdrawn: Refusal(.authenticationFailed, .authenticationNeeded)
        case .passcodeNotSet: Refusal(.authenticationFailed, .noPasscode)
        case .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable:
            Refusal(.authenticationFailed, .factorNotAvailable)
        }
    }
}

extension AuthenticationRequirement {
    /// Why it cannot be met in this state; nil if it can (semantics 5.6, "Policy prerequisites").
    public func obstacle(in state: AuthenticationState) -> AuthenticationOutcome? {
        guard !isMet(by: state.available) else { return nil }
        let missing = factors.filter { !state.available.contains($0) }
        if missing.contains(.companion), !oneIsEnough || factors == [.companion] { return .companionNotAvailable }
        if missing.contains(.passcode) { return .passcodeNotSet }
        switch state.biometry {
        case .notAvailable: return .biometryNotAvailable
        case .notEnrolled: return .biometryNotEnrolled
        case .lockedOut: return .biometryLockout
        case .enrolled: return .passcodeNotSet
        }
    }
}
