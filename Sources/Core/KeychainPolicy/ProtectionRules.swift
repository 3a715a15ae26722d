// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Which protections go together: the rules of semantics 4.6 and 5.3 between accessibility, access control and
/// synchronizing.
public enum ProtectionRules {
    /// The attributes with the protection of an access control object put into `kSecAttrAccessible`.
    ///
    /// - Parameter isNew: the attributes are a whole new item; otherwise they are changes of one.
    /// - Throws: `errSecParam` when accessibility and access control contradict each other, when an item with an access
    ///   control object or a this-device-only class is to synchronize, and for constraints on the use of a key on what is
    ///   no key that stays in the service (`unusableAccessControl`); what ``HeldKeyRules`` throws.
    public static func apply(to given: ItemAttributes, isNew: Bool) throws(Refusal) -> ItemAttributes {
        var attributes = given
        if given.itemClass == .key { try HeldKeyRules.apply(to: &attributes, isNew: isNew) }
        if case .accessControl(let control) = given[.accessControl] {
            if let accessible = given[.accessible], accessible != .string(control.protection.code) {
                throw Refusal(.parameter, .none)
            }
            guard !given.isSynchronizable else { throw Refusal(.parameter, .none) }
            // Of what can be read, a constraint on its use would constrain nothing.
            guard !isNew || !control.flags.contains(.privateKeyUsage) || attributes.isHeldKey else {
                throw Refusal(.parameter, .unusableAccessControl)
            }
            attributes[.accessible] = .string(control.protection.code)
        }
        if isNew { try checkSynchronizing(attributes) }
        return attributes
    }

    /// What has to be at hand before an item of these attributes is stored (semantics 5.3).
    ///
    /// - Parameter state: finds out what of a requirement could be shown; asked only where there is one.
    /// - Throws: `errSecAuthFailed` for what nobody could show, so that nobody could ever read it.
    public static func checkAvailability(
        _ attributes: ItemAttributes, in state: (AuthenticationRequirement) -> AuthenticationState
    ) throws(Refusal) {
        guard case .accessControl(let control) = attributes[.accessControl],
            let requirement = control.flags.requirement(forUsingKey: control.flags.contains(.privateKeyUsage)),
            let obstacle = requirement.obstacle(in: state(requirement))
        else { return }
        throw obstacle.refusal ?? Refusal(.authenticationFailed, .factorNotAvailable)
    }

    /// - Throws: `errSecParam` for a synchronizable item that may not leave the device.
    public static func checkSynchronizing(_ item: ItemAttributes) throws(Refusal) {
        guard item.isSynchronizable else { return }
        if item.accessibility.isThisDeviceOnly || item[.accessControl] != nil { throw Refusal(.parameter, .none) }
    }
}
