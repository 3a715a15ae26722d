// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// A request for the user's approval. Only the policy makes one.
public struct ApprovalRequest: Hashable, Sendable {
    public let caller: Caller
    public let operation: Operation
    /// The items that the caller may not use without approval. Other items of the request are not listed.
    public let items: [PersistentReference]
    /// The reason why the caller needs approval.
    public let because: Refusal.Reason
    /// The names of the item to be added; nil for other operations.
    public var newItem: ItemNames?
    /// The entry of the item's access object that requires the approval; nil in the data-protection keychain, and where
    /// strict mode alone requires it.
    public let entry: Entry?
    /// The rule that gives the approval in place of the user, by the mode for bridges; nil if the user decides.
    let opening: GrantRule?

    /// An entry of an access object, as far as its approval depends on it.
    public struct Entry: Hashable, Sendable {
        public let authorization: AccessAuthorization
        /// The item's name in the entry's description; empty if it has none.
        public let description: String
        /// Whether an approval requires the keychain's password, even if the keychain is unlocked.
        public let needsPassword: Bool
        /// Whether the prompt offers "Always Allow".
        let canBeRemembered: Bool
        /// The index of the entry in its access object; nil for the owner's.
        let index: Int?
    }

    init(
        caller: Caller, operation: Operation, items: [PersistentReference], because: Refusal.Reason,
        entry: Entry? = nil, opening: GrantRule? = nil
    ) {
        self.caller = caller
        self.operation = operation
        self.items = items
        self.because = because
        self.entry = entry
        self.opening = opening
    }

    /// Creates the request for the use of an item of a keychain file.
    ///
    /// - Parameter index: the index of the entry that requires the approval.
    init(
        caller: Caller, authorization: AccessAuthorization, item: PersistentReference?, entry index: Int,
        of access: AccessObject, because: Refusal.Reason, _ rules: AccessRules
    ) {
        // Every program can run the command and the general clients, so their approvals are not remembered.
        let canBeRemembered =
            caller.isOneProgram && !caller.identity.actsForEveryProgram && caller.isNotOfUnknownTeam
            && TrustedApplication(caller) != nil
            && (!rules.requiresEnforcedCallers || caller.tier == .enforced)
        let entry = access.entries[index]
        self.init(
            caller: caller, operation: authorization.operation, items: item.map { [$0] } ?? [], because: because,
            entry: Entry(
                authorization: authorization, description: entry.description,
                needsPassword: entry.promptSelector.contains(.requirePassphrase), canBeRemembered: canBeRemembered,
                index: index))
    }

    /// Creates the request for a change to an item's access object, which requires the password each time.
    init(
        caller: Caller, authorization: AccessAuthorization, item: PersistentReference?, owner access: AccessObject
    ) {
        self.init(
            caller: caller, operation: authorization.operation, items: item.map { [$0] } ?? [],
            because: .notAccessOwner,
            entry: Entry(
                authorization: authorization, description: access.owner.description, needsPassword: true,
                canBeRemembered: false, index: nil))
    }

    /// Returns whether the prompt offers "Always Allow".
    public func canBeRemembered(_ rules: AccessRules) -> Bool {
        if let entry { return entry.canBeRemembered }
        return GrantableOperation(rawValue: operation.rawValue) != nil && caller.canHoldLastingGrants(rules)
    }

    /// The refusal if the user denies the request.
    public var refusalIfDenied: Refusal { Refusal(.authenticationFailed, entry == nil ? .none : because) }

    /// Returns the refusal if the user gives no answer. Semantics 8.2: a use of an item of a keychain file is denied
    /// then.
    ///
    /// - Parameter obstacle: the reason why no prompt was shown, if it says more than ``because``.
    public func refusalIfUnanswered(_ obstacle: Refusal.Reason = .none) -> Refusal {
        if entry != nil { return refusalIfDenied }
        return Refusal(.interactionNotAllowed, obstacle == .none ? because : obstacle)
    }
}

extension AccessAuthorization {
    /// The requested operation, in the policy's own terms.
    fileprivate var operation: Operation {
        switch self {
        case .decrypt, .exportClear, .exportWrapped: .readData
        case .changeACL, .changeOwner, .partitionID: .update
        default: .useKey
        }
    }
}

extension String {
    /// The longest prefix that an access object can hold, without the zero byte and without a partial character.
    var cutForAccess: String {
        let text = utf8.contains(0) ? String(prefix { $0 != "\0" }) : self
        guard text.utf8.count > AccessLimits.textBytes else { return text }
        var count = 0
        return String(
            text.prefix {
                count += $0.utf8.count
                return count <= AccessLimits.textBytes
            })
    }
}
