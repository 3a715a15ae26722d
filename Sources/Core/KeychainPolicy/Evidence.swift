// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// That somebody showed to be the owner.
public struct AuthenticationProof: Hashable, Sendable {
    public let factor: AuthenticationFactor
    /// The item for which it was shown: two items share a proof only where their requests share a context (semantics 5.5).
    /// Nil: shown in the context of the request, for whatever it concerns.
    public let item: PersistentReference?

    public init(_ factor: AuthenticationFactor, for item: PersistentReference?) {
        self.factor = factor
        self.item = item
    }
}

/// What is known of the will and the presence of the person behind a request.
public struct Evidence: Hashable, Sendable {
    /// The answer to the question that an earlier verdict over the same request was.
    public var permission: Permission?
    public var proofs: [AuthenticationProof]

    public init(permission: Permission? = nil, proofs: [AuthenticationProof] = []) {
        self.permission = permission
        self.proofs = proofs
    }

    public static let none = Evidence()

    /// What was shown for an item.
    func factors(for item: PersistentReference?) -> Set<AuthenticationFactor> {
        Set(proofs.lazy.filter { $0.item == nil || $0.item == item }.map(\.factor))
    }
}

/// What somebody has to show before a request is granted.
public struct AuthenticationDemand: Hashable, Sendable {
    public let operation: Operation
    public let item: PersistentReference?
    public let requirement: AuthenticationRequirement
}

extension AuthenticationDemand {
    /// What an item asks for that the evidence does not show; nil where nothing is missing.
    ///
    /// The command that came with the service looks at attributes without anybody there: people need a list of what they
    /// have.
    init?(_ item: ItemFacts, _ operation: Operation, by caller: Caller, _ evidence: Evidence) {
        switch operation {
        case .add, .delete, .match, .backUp, .restore: return nil
        case .probe, .readAttributes: if caller.isAdministrationTool { return nil }
        case .readData, .useKey, .update: break
        }
        guard let requirement = item.constraints.requirement(forUsingKey: operation == .useKey),
            !requirement.isMet(by: evidence.factors(for: item.reference))
        else { return nil }
        self.init(operation: operation, item: item.reference, requirement: requirement)
    }
}

extension ItemFacts {
    /// Whether somebody would have to show to be there, or to know a password, before the item is used so.
    public func needsPerson(for operation: Operation, by caller: Caller, _ evidence: Evidence) -> Bool {
        AuthenticationDemand(self, operation, by: caller, evidence) != nil
    }
}
