// SPDX-License-Identifier: Apache-2.0

extension LookupAttributes {
    /// The service and the account under which the keychain lists an item with these attributes. They are for people:
    /// the Secret Service finds the item by its attributes.
    public var itemName: (service: String, account: String) {
        let pairs = pairs
        func first(_ names: [String]) -> String? {
            names.lazy.compactMap { pairs[$0] }.first { !$0.isEmpty }
        }
        return (
            first(["service", "server", "domain", "host", "application", Self.schemaName]) ?? "Secret Service",
            first(["username", "user", "account", "login", "email"]) ?? ""
        )
    }

    /// Returns the account with a number, for an item whose service and account another item has.
    private func account(numbered number: String) -> String {
        let account = itemName.account
        return account.isEmpty ? "(\(number))" : "\(account) (\(number))"
    }

    /// Returns the accounts under which an item can be stored if others have its name, the best first. They are few,
    /// so that the time for a new item does not grow with the items that have its name.
    ///
    /// - Parameter number: a random number, for the case that all others are in use.
    public func accounts(number: UInt64) -> [String] {
        [itemName.account] + ["2", "3", "4", String(number, radix: 16)].map(account(numbered:))
    }

    /// The name of the attribute with which libsecret marks the kind of an item.
    public static let schemaName = "xdg:schema"
}
