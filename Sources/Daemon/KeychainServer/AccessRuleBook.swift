// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainStore
internal import Synchronization

/// The owner's rules for who may do what, at hand for every request.
final class AccessRuleBook: Sendable {
    let policy: MachinePolicy
    private let read: @Sendable () -> AccessRules
    /// Nil where they are read for each request.
    private let rules: Mutex<AccessRules>?

    /// The rules of a user's keychain.
    init(_ store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = Mutex(read())
    }

    /// The rules of a keychain file, which are those of its user's keychain at the moment.
    init(ofFilesOf store: ItemStore, _ policy: MachinePolicy) {
        self.policy = policy
        read = { AccessRules(of: store, policy) }
        rules = nil
    }

    var current: AccessRules { rules?.withLock { $0 } ?? read() }

    /// After settings have changed.
    func reload() { rules?.withLock { $0 = read() } }
}

extension AccessRules {
    /// The strictest where they cannot be read: an error opens nothing.
    fileprivate init(of store: ItemStore, _ policy: MachinePolicy) {
        do throws(StoreError) {
            self.init(try store.settings(), policy, teams: try store.trustedTeams())
        } catch {
            self = .strictest
        }
    }
}
