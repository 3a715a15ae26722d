// SPDX-License-Identifier: Apache-2.0

internal import KeychainPolicy
internal import KeychainStore
internal import Synchronization

/// The owner's rules for who may do what, at hand for every request.
final class AccessRuleBook: Sendable {
    private let store: ItemStore
    let policy: MachinePolicy
    private let rules: Mutex<AccessRules>

    init(_ store: ItemStore, _ policy: MachinePolicy) {
        self.store = store
        self.policy = policy
        rules = Mutex(Self.read(store, policy))
    }

    var current: AccessRules { rules.withLock { $0 } }

    /// After settings have changed.
    func reload() { rules.withLock { $0 = Self.read(store, policy) } }

    /// The strictest where they cannot be read: an error opens nothing.
    private static func read(_ store: ItemStore, _ policy: MachinePolicy) -> AccessRules {
        do throws(StoreError) { return AccessRules(try store.settings(), policy) } catch { return .strictest }
    }
}
