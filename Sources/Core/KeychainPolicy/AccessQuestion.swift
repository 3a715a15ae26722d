// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// A prompt about an item of a file keychain. Only the policy makes one.
public struct AccessQuestion: Hashable, Sendable {
    public let caller: Caller
    public let authorization: AccessAuthorization
    public let item: PersistentReference?
    /// The item's name in the entry's description; empty if it has none.
    public let description: String
    /// Whether an approval requires the keychain's password, even if the keychain is unlocked.
    public let needsPassword: Bool
    /// Whether the prompt offers "Always Allow".
    public let canBeRemembered: Bool
    /// The reason why the caller needs approval.
    public let because: Refusal.Reason
    /// The requested operation, in the policy's own terms.
    public var operation: Operation {
        switch authorization {
        case .decrypt, .exportClear, .exportWrapped: .readData
        case .changeACL, .changeOwner, .partitionID: .update
        default: .useKey
        }
    }

    /// The index of the entry that requires the prompt; nil for the owner's.
    let entry: Int?

    /// Creates the prompt for the use of an item.
    init(
        caller: Caller, authorization: AccessAuthorization, item: PersistentReference?, entry: Int,
        of access: AccessObject, because: Refusal.Reason, _ rules: AccessRules
    ) {
        self.caller = caller
        self.authorization = authorization
        self.item = item
        self.entry = entry
        description = access.entries[entry].description
        needsPassword = access.entries[entry].promptSelector.contains(.requirePassphrase)
        // Every program can run the command, so its approvals are not remembered.
        canBeRemembered =
            caller.isOneProgram && !caller.isAdministrationTool && caller.isNotOfUnknownTeam
            && TrustedApplication(caller) != nil
            && (!rules.requiresEnforcedCallers || caller.tier == .enforced)
        self.because = because
    }

    /// Creates the prompt for a change to the item's access object, which requires the password each time.
    init(
        caller: Caller, authorization: AccessAuthorization, item: PersistentReference?, owner access: AccessObject
    ) {
        self.caller = caller
        self.authorization = authorization
        self.item = item
        entry = nil
        description = access.owner.description
        needsPassword = true
        canBeRemembered = false
        because = .notAccessOwner
    }
}

/// The approval that answers an ``AccessQuestion``. With it the same request is judged once more.
public struct AccessPermission: Hashable, Sendable {
    public let question: AccessQuestion
    /// Whether the approval also covers later requests: ``access(after:)`` makes the change.
    public let isLasting: Bool

    /// Creates the approval from an answer.
    ///
    /// - Parameter passwordWasProved: whether the answer came with the keychain's correct password.
    /// - Returns: nil if the user denied the request, gave no answer, or did not enter a required password.
    public init?(_ question: AccessQuestion, _ answer: PersonsAnswer, passwordWasProved: Bool) {
        switch answer {
        case .notAsked, .deny: return nil
        case .allow: isLasting = false
        case .alwaysAllow: isLasting = question.canBeRemembered
        }
        guard passwordWasProved || !question.needsPassword else { return nil }
        self.question = question
    }

    /// Returns whether the approval also answers this prompt.
    func covers(_ other: AccessQuestion) -> Bool { question == other }

    /// Returns the item's access object after "Always Allow": the caller becomes the first trusted application of the
    /// entry, and its partition is in the list.
    ///
    /// - Parameter access: the access object as it is stored now.
    /// - Returns: nil if nothing is to be stored: for "Allow", which holds once; if the entry no longer exists or
    ///   differs; and if there is no room left.
    public func access(after access: AccessObject) -> AccessObject? {
        guard isLasting, let place = question.entry, access.entries.indices.contains(place),
            let application = TrustedApplication(question.caller), let partition = question.caller.partition
        else { return nil }
        let entry = access.entries[place]
        guard entry.authorizes(question.authorization), entry.description == question.description else { return nil }
        var entries = access.entries
        if case .applications(let list) = entry.subject {
            let others = list.filter { !$0.isSame(as: application) }
            guard let changed = entry.with(.applications([application] + others)) else { return nil }
            entries[place] = changed
        }
        var partitions = access.partitions ?? []
        if !partitions.contains(partition) { partitions.append(partition) }
        return AccessObject(owner: access.owner, entries: entries, partitions: partitions)
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
