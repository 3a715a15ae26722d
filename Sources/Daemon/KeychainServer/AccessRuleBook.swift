// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import Synchronization

/// The owner's access rules, cached for all requests.
final class AccessRuleBook: Sendable {
    let policy: MachinePolicy
    private let read: @Sendable () -> AccessRules
    /// The rules; nil if they are read for each request.
    private let rules: Mutex<AccessRules>?

    /// Reads the rules of a user's keychain.
    init(_ store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = Mutex(read())
    }

    /// Creates the rule book of a keychain file, which always uses the current rules of its user's keychain.
    init(ofFilesOf store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = nil
    }

    var current: AccessRules { rules?.withLock { $0 } ?? read() }

    /// Reads the rules again, after settings have changed.
    func reload() { rules?.withLock { $0 = read() } }
}

extension AccessRules {
    /// Reads the rules. If they cannot be read, uses the strictest rules, so that an error allows nothing.
    fileprivate init(of store: ItemStore, _ policy: MachinePolicy) {
        do throws(StoreError) {
            self.init(try store.settings(), policy, teams: try store.trustedTeams())
        } catch {
            self = .strictest
        }
    }
}
