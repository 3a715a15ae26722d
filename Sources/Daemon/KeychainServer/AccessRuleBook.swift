// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import Synchronization

/// The owner's access rules, cached for all requests: those for the user's own keychain and for keychain files.
final class AccessRuleBook: Sendable {
    let policy: MachinePolicy
    private let read: @Sendable () -> AccessRules
    private let rules: Mutex<AccessRules>

    init(_ store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = Mutex(read())
    }

    var current: AccessRules { rules.withLock { $0 } }

    /// Reads the rules again, after settings have changed.
    func reload() { rules.withLock { $0 = read() } }
}

extension AccessRules {
    /// Reads the rules. If they cannot be read, uses the strictest rules, so that an error allows nothing.
    fileprivate init(of store: ItemStore, _ policy: MachinePolicy) {
        do throws(StoreError) {
            self.init(
                try store.settings(), policy, teams: try store.trustedTeams(),
                developmentFolders: policy.allowsDevelopment ? try store.developmentFolders() : [])
        } catch {
            self = .strictest
        }
    }
}
