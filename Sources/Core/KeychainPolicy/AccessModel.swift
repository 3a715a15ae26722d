// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The differences between the two kinds of keychains: where a caller may search, what decides over the use of an item,
/// and how programs see it.
public enum AccessModel: Hashable, Sendable {
    /// The data-protection keychain: items belong to access groups, judged by ``AccessPolicy``.
    case accessGroups
    /// A keychain file: items have access objects, judged by ``FileKeychainPolicy`` and ``AccessObjectPolicy``.
    case accessObjects

    /// The parts of an item that a verdict over reading it needs.
    public var judgedParts: ReturnedParts { self == .accessObjects ? .attributes : [] }

    /// Whether an added item keeps the dates that the request names.
    public var keepsDates: Bool { self == .accessObjects }

    /// Whether a read item that cannot be opened is set aside. In a keychain file it can still be found and deleted, as
    /// on macOS.
    public var setsUnreadableItemsAside: Bool { self == .accessGroups }

    /// Returns where the caller may search.
    ///
    /// - Parameter accessGroup: the group that the request names, if it names one.
    /// - Throws: as ``AccessPolicy/scope(of:for:accessGroup:)`` and ``FileKeychainPolicy/scope(of:)``.
    public func scope(
        of caller: Caller, for operation: Operation, accessGroup: String?
    ) throws(Refusal) -> SearchScope {
        switch self {
        case .accessGroups: try AccessPolicy.scope(of: caller, for: operation, accessGroup: accessGroup)
        case .accessObjects: try FileKeychainPolicy.scope(of: caller)
        }
    }

    /// Returns an item's attributes as the caller sees them.
    public func shown(_ attributes: ItemAttributes, to caller: Caller) -> ItemAttributes {
        switch self {
        case .accessGroups:
            guard let group = attributes.accessGroup, EnforcedGroup.contains(group) else { return attributes }
            var attributes = attributes
            attributes[.accessGroup] = .string(caller.shownGroup(group))
            return attributes
        case .accessObjects: return FileKeychainPolicy.shown(attributes)
        }
    }

    /// Checks that the attributes of a request contain an access object only where items have one.
    ///
    /// - Throws: `errSecNoSuchAttr`.
    public func checkAccess(in attributes: ItemAttributes) throws(Refusal) {
        guard self == .accessObjects || attributes[.access] == nil else { throw Refusal(.noSuchAttribute, .none) }
    }
}

/// The access rules of one keychain in its current state. A copy judges a whole transaction.
public struct ItemPolicy: Sendable {
    public let model: AccessModel
    public let lockState: LockState
    public let rules: AccessRules

    public init(_ model: AccessModel, _ lockState: LockState, _ rules: AccessRules) {
        self.model = model
        self.lockState = lockState
        self.rules = rules
    }

    /// Whether the keychain's key is in memory. A keychain file always has a password.
    private var isUnlocked: Bool { lockState == .unlocked }

    /// Returns whether the access objects of the items decide over the operation, and not ``judge(_:_:_:evidence:)``.
    public func dependsOnAccessObjects(_ operation: Operation) -> Bool {
        model == .accessObjects && FileKeychainPolicy.dependsOnAccess(operation)
    }

    /// Returns the verdict over the items that were found in the caller's scope.
    ///
    /// - Parameter evidence: the approvals and owner authentications for the request.
    public func judge(
        _ caller: Caller, _ operation: Operation, _ items: [ItemFacts], evidence: Evidence = .none
    ) -> Decision {
        switch model {
        case .accessGroups:
            AccessPolicy.judge(
                caller, operation, items: items, lockState: lockState, rules: rules, evidence: evidence)
        case .accessObjects:
            FileKeychainPolicy.judge(
                caller, operation, items: items, isUnlocked: isUnlocked, rules: rules, evidence: evidence)
        }
    }

    /// Returns the verdict over the items by their access objects.
    public func judge(
        _ caller: Caller, _ operation: Operation, keyUse: KeyUse?, guarded items: [GuardedItem], evidence: Evidence
    ) -> Decision {
        AccessObjectPolicy.judge(
            caller, operation, keyUse: keyUse, items: items, isUnlocked: isUnlocked, rules: rules,
            permissions: evidence.permissions)
    }

    /// Returns the verdict over a change to the access object of an item.
    ///
    /// - Parameter passwordWasProved: whether the request came with the keychain's correct password.
    public func judgeChange(
        of item: GuardedItem, to access: AccessObject, by caller: Caller, passwordWasProved: Bool = false,
        evidence: Evidence = .none
    ) -> AccessChangeDecision {
        AccessObjectPolicy.judgeChange(
            caller, of: item.reference, from: item.access, to: access, isUnlocked: isUnlocked,
            passwordWasProved: passwordWasProved, permissions: evidence.permissions)
    }

    /// Checks whether the caller may request an explanation, which counts items without a verdict over each.
    ///
    /// - Throws: as ``AccessPolicy/checkExplanation(for:rules:)``.
    public func checkExplanation(for caller: Caller) throws(Refusal) {
        try AccessPolicy.checkExplanation(for: caller, rules: rules)
    }
}
