// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

extension Request {
    /// Returns the request with the names of the caller's access groups as the store has them: a shielded program uses
    /// the plain names.
    func resolvingGroups(for caller: Caller) -> Request {
        switch self {
        case .add(let item, let secret, let parts):
            .add(item.resolvingGroup(for: caller), secret: secret, returning: parts)
        case .copyMatching(let query, let limit, let parts):
            .copyMatching(query.resolvingGroup(for: caller), limit: limit, returning: parts)
        case .update(let query, let changes, let secret):
            .update(
                query.resolvingGroup(for: caller), changes: changes.resolvingGroup(for: caller), secret: secret)
        case .delete(let query): .delete(query.resolvingGroup(for: caller))
        case .explainSearch(let query): .explainSearch(query.resolvingGroup(for: caller))
        case .explainAddition(let item): .explainAddition(item.resolvingGroup(for: caller))
        case .key(.generate(let item)): .key(.generate(item.resolvingGroup(for: caller)))
        case .authenticated(let authentication, let request):
            .authenticated(authentication, request.resolvingGroups(for: caller))
        // Keychain files have no access groups, and these requests name none.
        case .key(.use), .inKeychain, .status, .watch, .administer, .backup, .restore, .identity, .grants,
            .requireEntitlements, .log, .authentication, .keychainFile, .watchKeychains, .agent,
            .behalf:
            self
        }
    }
}

extension ItemQuery {
    fileprivate func resolvingGroup(for caller: Caller) -> ItemQuery {
        var query = self
        query.accessGroup = accessGroup.map(caller.resolvedGroup)
        return query
    }
}

extension ItemAttributes {
    fileprivate func resolvingGroup(for caller: Caller) -> ItemAttributes {
        guard let accessGroup else { return self }
        var attributes = self
        attributes[.accessGroup] = .string(caller.resolvedGroup(accessGroup))
        return attributes
    }
}
