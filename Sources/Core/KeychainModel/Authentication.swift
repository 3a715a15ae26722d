// SPDX-License-Identifier: Apache-2.0

/// A factor of owner authentication. The raw value is the number on the wire; it never changes.
public enum AuthenticationFactor: UInt8, CaseIterable, Hashable, Sendable {
    /// The keychain's passcode.
    case passcode = 1
    /// An enrolled finger.
    case biometry = 2
    /// A paired device. This system supports none, so this factor always fails.
    case companion = 3
}

/// The owner authentication that an operation requires.
public struct AuthenticationRequirement: Hashable, Sendable {
    /// The factors in the order in which they are requested; at least one.
    public let factors: [AuthenticationFactor]
    /// Whether one of them is enough; otherwise all are required.
    public let oneIsEnough: Bool

    public init(_ factors: [AuthenticationFactor], oneIsEnough: Bool) {
        precondition(!factors.isEmpty, "an access control without a requirement")
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

/// The operation for which an access control object is evaluated: Apple's `LAAccessControlOperation`, same numbers.
public enum AccessControlOperation: UInt8, CaseIterable, Hashable, Sendable {
    case createItem = 0
    case useItem = 1
    case createKey = 2
    case useKeySign = 3
    case useKeyDecrypt = 4
    case useKeyKeyExchange = 5
}

extension AccessControl.Flags {
    /// Constraints that are part of an item's key, so encryption enforces them and not only the service.
    public static let material: Self = [.applicationPassword, .biometryCurrentSet]

    /// Returns the owner authentication required before an item is read or changed, or a key is used; nil if none is
    /// required (semantics 5.2).
    ///
    /// For a private key with the flag `privateKeyUsage`, only its use is constrained; its attributes and its public
    /// half are free. For all other items, reading is constrained, and so is every use. Adding and deleting are free.
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

/// The authentication methods that a service has for its owner.
public struct AuthenticationState: Hashable, Sendable {
    public enum Biometry: UInt8, CaseIterable, Hashable, Sendable {
        /// No fingerprint reader.
        case notAvailable = 0
        case notEnrolled = 1
        case enrolled = 2
        /// Too many fingers did not match, so only the passcode works.
        case lockedOut = 3
    }

    public var hasPasscode: Bool
    public var biometry: Biometry
    /// A digest of the enrolled fingers that reveals nothing about them: other bytes mean another enrolment. 32 bytes;
    /// nil if no finger is enrolled.
    public var enrolment: [UInt8]?
    /// The prompter that would ask the user of the caller, such as "tty"; nil if none is available.
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

/// The outcome of an evaluation. The raw value is the number on the wire; it never changes.
public enum AuthenticationOutcome: UInt8, CaseIterable, Hashable, Sendable {
    case success = 0
    /// All permitted attempts failed.
    case failed = 1
    case cancelled = 2
    /// The user chose another method than the one offered.
    case fallback = 3
    /// The service withdrew the prompt, because it expired or the service stops.
    case withdrawn = 4
    case passcodeNotSet = 5
    case biometryNotAvailable = 6
    case biometryNotEnrolled = 7
    case biometryLockout = 8
    case companionNotAvailable = 9
    /// No prompt is possible or allowed.
    case notInteractive = 10

    /// The refusal that the functions for items and keys return for it (semantics 5.6).
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
    /// Returns why the requirement cannot be met in this state; nil if it can (semantics 5.6, "Policy prerequisites").
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
