// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// Who may do what with the items of keychains that are files (semantics 8.6): what an item's access object says, where
/// the data-protection keychain goes by access groups.
public enum FileKeychainPolicy {
    /// Stands in the place of an access group in all rows. No program has it, and nobody is told of it.
    public static let group = "keychain file"
    /// The class of all items: their secrets need the keychain's password.
    public static let accessibility = Accessibility.whenUnlockedThisDeviceOnly

    /// Where the caller may look: at all items. Who cannot be told from others may look at none.
    ///
    /// - Throws: `errSecMissingEntitlement` for a program that could not be identified, and for one below the tier that the machine's
    ///   policy requires.
    public static func scope(of caller: Caller) throws(Refusal) -> SearchScope {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        guard caller.groupsRefusal != .machinePolicy else { throw Refusal(.missingEntitlement, .machinePolicy) }
        return .groups([group])
    }

    /// Whether items here can have, and be searched by, these attributes. What only the data-protection keychain keeps is
    /// refused and not ignored: nobody should believe to have what is not there.
    ///
    /// - Throws: `errSecNoSuchAttr` with the reason `notInKeychainFiles`.
    public static func check(_ attributes: ItemAttributes) throws(Refusal) {
        guard !attributes.entries.contains(where: { !isPossible($0) }) else { throw notHere }
    }

    public static func check(_ query: ItemQuery) throws(Refusal) {
        try check(query.attributes)
        guard query.accessGroup == nil, query.synchronizable != .synchronizableOnly else { throw notHere }
    }

    private static let notHere = Refusal(.noSuchAttribute, .notInKeychainFiles)

    private static func isPossible(_ entry: ItemAttributes.Entry) -> Bool {
        switch entry.key {
        case .accessGroup, .accessible, .accessControl, .tokenID, .syncViewHint: false
        case .synchronizable: entry.value == .number(0)
        default: true
        }
    }

    /// A new item as it is kept.
    public static func kept(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        attributes[.accessible] = .string(accessibility.code)
        return attributes
    }

    /// An item as programs see it.
    public static func shown(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        for key in [AttributeKey.accessGroup, .accessible] { attributes[key] = nil }
        return attributes
    }

    /// The verdict over what is free to all of the user's programs, once the keychain is unlocked where it has to be.
    ///
    /// - Returns: a refusal for reading data and using keys, over which ``AccessObjectPolicy`` decides; `errSecAuthFailed` with
    ///   the reason `locked`.
    public static func judge(_ caller: Caller, _ operation: Operation, isUnlocked: Bool) -> Decision {
        guard isUnlocked || !needsUnlocked(operation) else { return .refuse(Refusal(.authenticationFailed, .locked)) }
        switch operation {
        case .add, .probe, .match, .readAttributes, .update, .delete:
            return .grant(Grant(operation, by: .fileKeychain))
        case .readData, .useKey, .backUp, .restore: return .refuse(Refusal(.internalError, .none))
        }
    }

    /// The access object of a new item; nil for a certificate, which is public.
    ///
    /// - Throws: `errSecParam` for bytes that are none.
    public static func access(ofNew attributes: ItemAttributes, by caller: Caller) throws(Refusal) -> AccessObject? {
        guard attributes.itemClass != .certificate else {
            guard attributes[.access] == nil else { throw notHere }
            return nil
        }
        let given = try access(in: attributes)
        guard let access = AccessObject.ofNewItem(by: caller, given: given, description: description(of: attributes))
        else { throw Refusal(.parameter, .none) }
        return access
    }

    /// - Throws: `errSecParam` for bytes that are none.
    public static func access(in attributes: ItemAttributes) throws(Refusal) -> AccessObject? {
        guard case .data(let bytes) = attributes[.access] else { return nil }
        do throws(AccessEncodingError) {
            return try AccessObject(encoded: bytes)
        } catch {
            throw Refusal(.parameter, .malformedRequest)
        }
    }

    /// What questions call an item (semantics 8.3: the label defaults to service, server or account).
    private static func description(of attributes: ItemAttributes) -> String {
        for key in [AttributeKey.label, .service, .server, .account] {
            if let text = attributes[key]?.string, !text.isEmpty { return text }
        }
        return attributes.itemClass.code
    }

    /// Whether an item's access object has a say in it.
    public static func dependsOnAccess(_ operation: Operation) -> Bool {
        operation == .readData || operation == .useKey
    }

    /// Whether the keychain has to be unlocked for it. What has no secret in it can be looked at and deleted at any time.
    static func needsUnlocked(_ operation: Operation) -> Bool {
        switch operation {
        case .probe, .match, .readAttributes, .delete: false
        case .add, .readData, .useKey, .update, .backUp, .restore: true
        }
    }
}
