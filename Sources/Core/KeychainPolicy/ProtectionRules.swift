// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Which protections go together: the rules of semantics 4.6 and 5.3 between accessibility, access control and
/// synchronizing.
public enum ProtectionRules {
    /// The attributes with the protection of an access control object put into `kSecAttrAccessible`.
    ///
    /// - Parameter isNew: the attributes are a whole new item; otherwise they are changes of one.
    /// - Throws: `errSecParam` when accessibility and access control contradict each other, when an item with an access
    ///   control object or a this-device-only class is to synchronize; `errSecUnimplemented` for constraints that this
    ///   version cannot keep: an item is never stored under a weaker protection than was asked for; and what
    ///   ``HeldKeyRules`` throws.
    public static func apply(to given: ItemAttributes, isNew: Bool) throws(Refusal) -> ItemAttributes {
        var attributes = given
        if given.itemClass == .key { try HeldKeyRules.apply(to: &attributes, isNew: isNew) }
        if case .accessControl(let control) = given[.accessControl] {
            if let accessible = given[.accessible], accessible != .string(control.protection.code) {
                throw Refusal(.parameter, .none)
            }
            guard !given.isSynchronizable else { throw Refusal(.parameter, .none) }
            // Last: what contradicts itself will still be refused when constraints can be kept.
            guard control.flags.isEmpty else { throw Refusal(.unimplemented, .notSupportedYet) }
            attributes[.accessible] = .string(control.protection.code)
        }
        if isNew { try checkSynchronizing(attributes) }
        return attributes
    }

    /// - Throws: `errSecParam` for a synchronizable item that may not leave the device.
    public static func checkSynchronizing(_ item: ItemAttributes) throws(Refusal) {
        guard item.isSynchronizable else { return }
        if item.accessibility.isThisDeviceOnly || item[.accessControl] != nil { throw Refusal(.parameter, .none) }
    }
}
