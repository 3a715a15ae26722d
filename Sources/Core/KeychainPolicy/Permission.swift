// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// What came of asking a person.
public enum PersonsAnswer: Hashable, Sendable {
    /// Nobody could be asked.
    case notAsked
    case deny
    /// This time.
    case allow
    /// This time, and from now on without being asked.
    case alwaysAllow
}

/// The answer yes to a question: by a person, or by what a person said before. With it the same caller is judged once more.
///
/// Only the policy makes one; nothing else turns a question into a ``Grant``.
public struct Permission: Hashable, Sendable {
    public let question: Question
    let rule: GrantRule

    /// Nil where a person said no, or said nothing.
    public init?(_ question: Question, _ answer: PersonsAnswer) {
        switch answer {
        case .notAsked, .deny: return nil
        case .allow, .alwaysAllow: break
        }
        self.question = question
        rule = .person
    }

    /// Nil unless remembered grants answer for every item: of the same program, for the same operation, given when the
    /// program was not known more surely than now; and only where the caller may do things unseen.
    public init?(_ question: Question, rememberedBy grants: some Sequence<RememberedGrant>, rules: AccessRules) {
        guard question.canBeRemembered(rules) else { return nil }
        var open = Set(question.items)
        // A question about nothing is no question.
        guard !open.isEmpty else { return nil }
        for grant in grants
        where grant.identity.isExactly(question.caller.identity) && grant.operation.operation == question.operation
            && grant.tier <= question.caller.tier
        {
            open.remove(grant.reference)
        }
        guard open.isEmpty else { return nil }
        self.question = question
        rule = .rememberedGrant
    }

    /// Whether it is the answer to this question as well: of the same caller, about no more items.
    func covers(_ other: Question) -> Bool {
        // An addition concerns no item yet.
        question.caller == other.caller && question.operation == other.operation
            && (other.operation == .add || !other.items.isEmpty) && Set(other.items).isSubset(of: question.items)
    }
}

/// What is to be remembered of an answer. Only the policy makes one.
public struct LastingGrant: Hashable, Sendable {
    public let identity: ProgramIdentity
    public let tier: CallerTier
    public let operation: GrantableOperation
    public let items: [PersistentReference]

    /// Nil unless a person said so, of a program that is known surely enough.
    public init?(_ question: Question, _ answer: PersonsAnswer, rules: AccessRules) {
        guard answer == .alwaysAllow, question.canBeRemembered(rules),
            let operation = GrantableOperation(rawValue: question.operation.rawValue)
        else { return nil }
        identity = question.caller.identity
        tier = question.caller.tier
        self.operation = operation
        items = question.items
    }
}

extension Question {
    /// Whether "Always Allow" is an answer.
    public func canBeRemembered(_ rules: AccessRules) -> Bool {
        GrantableOperation(rawValue: operation.rawValue) != nil && caller.canHoldLastingGrants(rules)
    }
}

extension Caller {
    /// Whether it is signed by nobody, or by a team that somebody said to know: anybody can make a team.
    var isNotOfUnknownTeam: Bool {
        if case .signed = identity { isOfKnownTeam } else { true }
    }

    /// Whether "Always Allow" may be said of it: whether no other program can act in its name. The command can be run by every program,
    /// which would then have what the command has.
    ///
    /// In strict mode that takes a program that the kernel shields from its user's others.
    func canHoldLastingGrants(_ rules: AccessRules) -> Bool {
        guard !isAdministrationTool, isNotOfUnknownTeam else { return false }
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
        }
    }
}
