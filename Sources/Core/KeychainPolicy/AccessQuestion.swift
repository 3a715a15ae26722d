// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What a person would be asked about an item of a file keychain. Only the policy makes one.
public struct AccessQuestion: Hashable, Sendable {
    public let caller: Caller
    public let authorization: AccessAuthorization
    public let item: PersistentReference?
    /// The item as the entry's description calls it; empty where it has none.
    public let description: String
    /// Whether a yes takes the keychain's password, though the keychain be unlocked.
    public let needsPassword: Bool
    /// Whether "Always Allow" is an answer.
    public let canBeRemembered: Bool
    /// Why the caller may not do it without being asked about.
    public let because: Refusal.Reason
    /// What the caller wants to do, in the policy's own terms.
    public var operation: Operation {
        switch authorization {
        case .decrypt, .exportClear, .exportWrapped: .readData
        case .changeACL, .changeOwner, .partitionID: .update
        default: .useKey
        }
    }

    /// The number of the entry that asks; nil for the owner's.
    let entry: Int?

    /// About the use of an item.
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
        // Every program can run the command.
        canBeRemembered =
            caller.isOneProgram && !caller.isAdministrationTool && caller.isNotOfUnknownTeam
            && TrustedApplication(caller) != nil
            && (!rules.requiresEnforcedCallers || caller.tier == .enforced)
        self.because = because
    }

    /// About a change of who may use it, which takes the password each time.
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

/// The answer yes to an ``AccessQuestion``. With it the same request is judged once more.
public struct AccessPermission: Hashable, Sendable {
    public let question: AccessQuestion
    /// Whether it holds for later requests as well: ``access(after:)`` says how.
    public let isLasting: Bool

    /// - Parameter passwordWasProved: whether the keychain's password came with the answer, and is the right one.
    /// - Returns: nil where a person said no, or said nothing, or did not type a password that the question needs.
    public init?(_ question: AccessQuestion, _ answer: PersonsAnswer, passwordWasProved: Bool) {
        switch answer {
        case .notAsked, .deny: return nil
        case .allow: isLasting = false
        case .alwaysAllow: isLasting = question.canBeRemembered
        }
        guard passwordWasProved || !question.needsPassword else { return nil }
        self.question = question
    }

    /// Whether it is the answer to this question as well.
    func covers(_ other: AccessQuestion) -> Bool { question == other }

    /// What "Always Allow" makes of the item's access object: the caller is the first whom the entry trusts, and its
    /// partition is in the list.
    ///
    /// - Parameter access: as it is stored now.
    /// - Returns: nil for "Allow", which holds this time only; where the entry is not there any more, or another one; and
    ///   where there is no more room. Then nothing is to be stored.
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
    /// As much of it as an access object may hold, without the zero byte, but no half characters.
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
