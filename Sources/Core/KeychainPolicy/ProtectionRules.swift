// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The valid combinations of protections: the rules of semantics 4.6 and 5.3 for accessibility, access control and
/// synchronizing.
public enum ProtectionRules {
    /// Returns the attributes with the accessibility of an access control object set as `kSecAttrAccessible`.
    ///
    /// - Parameter isNew: whether the attributes are a whole new item; otherwise they are changes of an item.
    /// - Throws: `errSecParam` if accessibility and access control contradict each other, if an item with an access
    ///   control object or a this-device-only class synchronizes, and for constraints on the use of a key if the item
    ///   is not a key that stays in the service (`unusableAccessControl`); the errors of ``HeldKeyRules``.
    public static func apply(to given: ItemAttributes, isNew: Bool) throws(Refusal) -> ItemAttributes {
        var attributes = given
        if given.itemClass == .key { try HeldKeyRules.apply(to: &attributes, isNew: isNew) }
        if case .accessControl(let control) = given[.accessControl] {
            if let accessible = given[.accessible], accessible != .string(control.protection.code) {
                throw Refusal(.parameter, .none)
            }
            guard !given.isSynchronizable else { throw Refusal(.parameter, .none) }
            // If the key can be read, a constraint on its use has no effect.
            guard !isNew || !control.flags.contains(.privateKeyUsage) || attributes.isHeldKey else {
                throw Refusal(.parameter, .unusableAccessControl)
            }
            attributes[.accessible] = .string(control.protection.code)
        }
        if isNew { try checkSynchronizing(attributes) }
        return attributes
    }

    /// Checks the requirements for storing an item with these attributes (semantics 5.3).
    ///
    /// - Parameter state: returns the available authentication methods; called only if there is a requirement.
    /// - Throws: `errSecAuthFailed` if no user could meet the requirement, so that the item could never be read.
    public static func checkAvailability(
        _ attributes: ItemAttributes, in state: (AuthenticationRequirement) -> AuthenticationState
    ) throws(Refusal) {
        guard case .accessControl(let control) = attributes[.accessControl],
            let requirement = control.flags.requirement(forUsingKey: control.flags.contains(.privateKeyUsage)),
            let obstacle = requirement.obstacle(in: state(requirement))
        else { return }
        throw obstacle.refusal ?? Refusal(.authenticationFailed, .factorNotAvailable)
    }

    /// Checks whether an item may be synchronizable. A class for this device only may be: such an item is found as a
    /// synchronizable one and never leaves the device, as in Apple's sources, which have no check (semantics 4.1).
    ///
    /// - Throws: `errSecParam` for a synchronizable item with an access control.
    public static func checkSynchronizing(_ item: ItemAttributes) throws(Refusal) {
        guard item.isSynchronizable, item[.accessControl] != nil else { return }
        throw Refusal(.parameter, .none)
    }
}
