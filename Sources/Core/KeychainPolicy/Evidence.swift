// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The proof of an owner authentication.
public struct AuthenticationProof: Hashable, Sendable {
    public let factor: AuthenticationFactor
    /// The item that the authentication was for: two items share a proof only if their requests share a context
    /// (semantics 5.5). Nil: the authentication belongs to the context of the request and covers all its items.
    public let item: PersistentReference?

    public init(_ factor: AuthenticationFactor, for item: PersistentReference?) {
        self.factor = factor
        self.item = item
    }
}

/// The approvals and owner authentications behind a request.
public struct Evidence: Hashable, Sendable {
    /// The approvals that answer the prompts of earlier verdicts over the same request.
    public var permissions: [Permission]
    public var proofs: [AuthenticationProof]

    public init(permissions: [Permission] = [], proofs: [AuthenticationProof] = []) {
        self.permissions = permissions
        self.proofs = proofs
    }

    public static let none = Evidence()

    /// Returns the approval that answers a prompt.
    func permission(for request: ApprovalRequest) -> Permission? { permissions.first { $0.covers(request) } }

    /// Returns the factors that were verified for an item.
    func factors(for item: PersistentReference?) -> Set<AuthenticationFactor> {
        Set(proofs.lazy.filter { $0.item == nil || $0.item == item }.map(\.factor))
    }
}

/// The owner authentication that a request requires.
public struct AuthenticationDemand: Hashable, Sendable {
    public let operation: Operation
    public let item: PersistentReference?
    public let requirement: AuthenticationRequirement
}

extension AuthenticationDemand {
    /// Creates the demand for the factors that an item requires and the evidence lacks; nil if none are missing.
    ///
    /// The command that came with the service, and the clients of bridges, read attributes without authentication,
    /// because users need a list of their items.
    init?(_ item: ItemFacts, _ operation: Operation, by caller: Caller, _ evidence: Evidence) {
        switch operation {
        case .add, .delete, .match, .availability, .backUp, .restore: return nil
        case .probe, .readAttributes, .readPublic: if caller.findsAllItems { return nil }
        case .readData, .useKey, .update: break
        }
        guard let requirement = item.constraints.requirement(forUsingKey: operation == .useKey),
            !requirement.isMet(by: evidence.factors(for: item.reference))
        else { return nil }
        self.init(operation: operation, item: item.reference, requirement: requirement)
    }
}

extension ItemFacts {
    /// Returns whether this use of the item requires the user's presence or a password.
    public func needsPerson(for operation: Operation, by caller: Caller, _ evidence: Evidence) -> Bool {
        AuthenticationDemand(self, operation, by: caller, evidence) != nil
    }
}
