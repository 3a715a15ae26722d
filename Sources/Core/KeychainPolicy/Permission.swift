// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// An approval: the user's answer to a prompt, or a remembered grant. With it the same caller is judged once more.
///
/// Only the policy makes one; nothing else turns an ``ApprovalRequest`` into a ``Grant``.
public struct Permission: Hashable, Sendable {
    public let request: ApprovalRequest
    /// Whether the approval also covers later requests: a ``LastingGrant`` is to be stored, or the access object that
    /// ``access(after:)`` returns.
    public let isLasting: Bool
    let rule: GrantRule

    /// Creates the approval of a user.
    ///
    /// - Parameters:
    ///   - isLasting: whether the user chose "Always Allow".
    ///   - passwordWasProved: whether the answer came with the keychain's correct password.
    /// - Returns: nil if a required password was not entered.
    public init?(_ request: ApprovalRequest, isLasting: Bool = false, passwordWasProved: Bool = false) {
        guard passwordWasProved || request.entry?.needsPassword != true else { return nil }
        self.request = request
        self.isLasting = isLasting && request.entry?.canBeRemembered != false
        rule = .person
    }

    /// Creates an approval from earlier ones; nil unless they cover every item.
    ///
    /// - Parameters:
    ///   - grants: remembered grants. Those count that are of the same program, for the same operation, and given at a
    ///     tier not above the current one; and only if the caller may hold lasting grants.
    ///   - held: approvals that clients of bridges hold. Those of the same process count.
    public init?(
        _ request: ApprovalRequest, rememberedBy grants: some Sequence<RememberedGrant>,
        heldBy held: some Sequence<HeldApproval> = EmptyCollection(), rules: AccessRules
    ) {
        var open = Set(request.items)
        // A prompt about no items cannot be answered by earlier approvals.
        guard !open.isEmpty else { return nil }
        // What an access object requires is remembered in the access object.
        if request.entry == nil, request.canBeRemembered(rules) {
            for grant in grants
            where grant.identity.isExactly(request.caller.identity) && grant.operation.operation == request.operation
                && grant.tier <= request.caller.tier
            {
                open.remove(grant.reference)
            }
        }
        rule = open.isEmpty ? .rememberedGrant : .clientApproval
        for approval in held where approval.isFor(request) { open.subtract(approval.items) }
        guard open.isEmpty else { return nil }
        self.request = request
        isLasting = false
    }

    /// Creates the approval that the mode for bridges gives; nil if the user decides.
    public init?(openingBy request: ApprovalRequest) {
        guard let opening = request.opening else { return nil }
        self.request = request
        isLasting = false
        rule = opening
    }

    /// Returns whether the approval also answers this prompt: same caller and operation, no additional items. An
    /// approval that an access object requires answers only the same prompt.
    func covers(_ other: ApprovalRequest) -> Bool {
        guard request.entry == nil, other.entry == nil else { return request == other }
        // An approval by the mode for bridges counts only while the mode opens the items, which may have changed since.
        guard request.opening == nil || request.opening == other.opening else { return false }
        // An addition concerns no item yet.
        return request.caller == other.caller && request.operation == other.operation
            && (other.operation == .add || !other.items.isEmpty) && Set(other.items).isSubset(of: request.items)
    }

    /// Returns the item's access object after "Always Allow": the caller becomes the first trusted application of the
    /// entry, and its partition is in the list.
    ///
    /// - Parameter access: the access object as it is stored now.
    /// - Returns: nil if nothing is to be stored: for "Allow", which holds once; if the entry no longer exists or
    ///   differs; and if there is no room left.
    public func access(after access: AccessObject) -> AccessObject? {
        guard isLasting, let approved = request.entry, let index = approved.index,
            access.entries.indices.contains(index), let application = TrustedApplication(request.caller),
            let partition = request.caller.partition
        else { return nil }
        let entry = access.entries[index]
        guard entry.authorizes(approved.authorization), entry.description == approved.description else { return nil }
        var entries = access.entries
        if case .applications(let list) = entry.subject {
            let others = list.filter { !$0.isSame(as: application) }
            guard let changed = entry.with(.applications([application] + others)) else { return nil }
            entries[index] = changed
        }
        var partitions = access.partitions ?? []
        if !partitions.contains(partition) { partitions.append(partition) }
        return AccessObject(owner: access.owner, entries: entries, partitions: partitions)
    }
}

/// The approval of a read ("Allow") that a client of a bridge holds until its process ends. Programs of the Secret
/// Service unlock an item and then read it, in two requests. Only the policy makes one.
public struct HeldApproval: Hashable, Sendable {
    private let request: ApprovalRequest

    /// Creates it from the user's answer; nil for other operations, other callers, an approval without the user, and an
    /// entry of an access object that requires the keychain's password each time. An answer that can be remembered becomes
    /// a ``LastingGrant`` or a change of the access object instead.
    public init?(_ permission: Permission) {
        let request = permission.request
        guard permission.rule == .person, request.entry?.needsPassword != true, request.caller.bridge != nil,
            request.operation == .readData
        else { return nil }
        self.request = request
    }

    public var caller: Caller { request.caller }
    public var items: [PersistentReference] { request.items }

    /// An approval that an access object requires answers only the same prompt.
    func isFor(_ other: ApprovalRequest) -> Bool {
        guard request.entry == nil, other.entry == nil else { return request == other }
        return other.caller == caller && other.operation == .readData
    }
}

/// A grant to be remembered from an answer. Only the policy makes one.
public struct LastingGrant: Hashable, Sendable {
    public let identity: ProgramIdentity
    public let tier: CallerTier
    public let operation: GrantableOperation
    public let items: [PersistentReference]

    /// Creates the grant; nil unless the user chose "Always Allow" for a program whose tier is high enough.
    public init?(_ permission: Permission, rules: AccessRules) {
        let request = permission.request
        guard permission.isLasting, request.entry == nil, request.canBeRemembered(rules),
            let operation = GrantableOperation(rawValue: request.operation.rawValue)
        else { return nil }
        identity = request.caller.identity
        tier = request.caller.tier
        self.operation = operation
        items = request.items
    }
}

extension Caller {
    /// Whether the program is unsigned or its team is trusted. A signature of an unknown team is no evidence, because
    /// every program can make a team.
    var isNotOfUnknownTeam: Bool {
        if case .signed = identity { isOfKnownTeam } else { true }
    }

    /// Returns whether the caller may hold lasting grants: no other program can act in its name. Every program can run
    /// the command and the general clients, so a grant for one of these would be a grant for every program.
    ///
    /// Strict mode requires a program that the kernel shields from the user's other programs.
    func canHoldLastingGrants(_ rules: AccessRules) -> Bool {
        guard !identity.actsForEveryProgram, isNotOfUnknownTeam else { return false }
        return switch tier {
        case .unidentified, .interpreter, .unsigned: false
        case .installed, .signed: !rules.requiresEnforcedCallers
        case .enforced: true
        }
    }
}

extension GrantableOperation {
    public var operation: Operation {
        switch self {
        case .readData: .readData
        case .update: .update
        case .delete: .delete
        case .useKey: .useKey
        }
    }
}
