// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The answer to a prompt.
public enum PersonsAnswer: Hashable, Sendable {
    /// No prompt was possible.
    case notAsked
    case deny
    /// Allow once.
    case allow
    /// Allow now, and from now on without a prompt.
    case alwaysAllow
}

/// An approval: the user's answer to a prompt, or a remembered grant. With it the same caller is judged once more.
///
/// Only the policy makes one; nothing else turns a question into a ``Grant``.
public struct Permission: Hashable, Sendable {
    public let question: Question
    let rule: GrantRule

    /// Creates an approval; nil if the user denied the request or gave no answer.
    public init?(_ question: Question, _ answer: PersonsAnswer) {
        switch answer {
        case .notAsked, .deny: return nil
        case .allow, .alwaysAllow: break
        }
        self.question = question
        rule = .person
    }

    /// Creates an approval from remembered grants. Nil unless they cover every item: grants of the same program, for
    /// the same operation, given at a tier not above the current one; and only if the caller may hold lasting grants.
    public init?(_ question: Question, rememberedBy grants: some Sequence<RememberedGrant>, rules: AccessRules) {
        guard question.canBeRemembered(rules) else { return nil }
        var open = Set(question.items)
        // A prompt about no items cannot be answered by remembered grants.
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

    /// Returns whether the approval also answers this prompt: same caller and operation, no additional items.
    func covers(_ other: Question) -> Bool {
        // An addition concerns no item yet.
        question.caller == other.caller && question.operation == other.operation
            && (other.operation == .add || !other.items.isEmpty) && Set(other.items).isSubset(of: question.items)
    }
}

/// A grant to be remembered from an answer. Only the policy makes one.
public struct LastingGrant: Hashable, Sendable {
    public let identity: ProgramIdentity
    public let tier: CallerTier
    public let operation: GrantableOperation
    public let items: [PersistentReference]

    /// Creates the grant; nil unless the user chose "Always Allow" for a program whose tier is high enough.
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
    /// Returns whether the prompt offers "Always Allow".
    public func canBeRemembered(_ rules: AccessRules) -> Bool {
        GrantableOperation(rawValue: operation.rawValue) != nil && caller.canHoldLastingGrants(rules)
    }
}

extension Caller {
    /// Whether the program is unsigned or its team is trusted. A signature of an unknown team is no evidence, because
    /// every program can make a team.
    var isNotOfUnknownTeam: Bool {
        if case .signed = identity { isOfKnownTeam } else { true }
    }

    /// Returns whether the caller may hold lasting grants: no other program can act in its name. Every program can run
    /// the command, so a grant for the command would be a grant for every program.
    ///
    /// Strict mode requires a program that the kernel shields from the user's other programs.
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
