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
        read = {
            // The strictest where they cannot be read: an error opens nothing.
            do throws(StoreError) {
                return AccessRules(try store.settings(), policy, teams: try store.trustedTeams())
            } catch {
                return .strictest
            }
        }
        rules = Mutex(read())
    }

    /// The rules of a keychain file, which are those of its user's keychain.
    ///
    /// - Parameter settings: of the user's keychain, as they are at the moment; none where they cannot be read.
    init(settings: @escaping @Sendable () -> [Setting: UInt64]) {
        policy = .none
        read = {
            let settings = settings()
            return settings.isEmpty ? .strictest : AccessRules(settings)
        }
        rules = nil
    }

    var current: AccessRules { rules?.withLock { $0 } ?? read() }

    /// After settings have changed.
    func reload() { rules?.withLock { $0 = read() } }
}
