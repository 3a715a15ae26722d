// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

/// The access policy for items of keychains that are files (semantics 8.6): the item's access object decides, where the
/// data-protection keychain uses access groups.
public enum FileKeychainPolicy {
    /// Takes the place of an access group in all rows. No program has this group, and no reply contains it.
    public static let group = "keychain file"
    /// The class of all items: their secrets need the keychain's password.
    public static let accessibility = Accessibility.whenUnlockedThisDeviceOnly

    /// Returns where the caller may search: in all items. A caller that could not be identified may search none.
    ///
    /// - Throws: `errSecMissingEntitlement` for a program that could not be identified, for one below the tier that the
    ///   machine's policy requires, and for an application in a sandbox: items of these keychains have no group.
    public static func scope(of caller: Caller) throws(Refusal) -> SearchScope {
        guard caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
        guard caller.groupsRefusal != .machinePolicy else { throw Refusal(.missingEntitlement, .machinePolicy) }
        guard !caller.isSandboxed else { throw Refusal(.missingEntitlement, .sandboxedApplication) }
        return .groups([group])
    }

    /// Checks whether items of a file keychain can have these attributes, and be searched by them. Attributes that only
    /// the data-protection keychain keeps are refused and not ignored, because a program must not rely on protection
    /// that does not exist.
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

    /// Returns a new item in the form in which it is stored.
    public static func kept(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        attributes[.accessible] = .string(accessibility.code)
        return attributes
    }

    /// Returns an item in the form that programs see.
    public static func shown(_ attributes: ItemAttributes) -> ItemAttributes {
        var attributes = attributes
        for key in [AttributeKey.accessGroup, .accessible] { attributes[key] = nil }
        return attributes
    }

    /// Returns the verdict over operations that all of the user's programs may do, once the keychain is unlocked if it
    /// has to be. In strict mode, callers that are not enforced need an approval.
    ///
    /// - Parameters:
    ///   - items: the items found, for the approval.
    ///   - evidence: the approvals for the request.
    /// - Returns: a refusal for reading data and using keys, because ``AccessObjectPolicy`` decides over those;
    ///   `errSecAuthFailed` with the reason `locked`.
    public static func judge(
        _ caller: Caller, _ operation: Operation, items: some Sequence<ItemFacts>, isUnlocked: Bool, rules: AccessRules,
        evidence: Evidence
    ) -> Decision {
        guard isUnlocked || !needsUnlocked(operation) else { return .refuse(Refusal(.authenticationFailed, .locked)) }
        switch operation {
        case .add, .probe, .match, .availability, .readAttributes, .update, .delete:
            guard rules.requireShield(of: caller, for: operation) else {
                return .grant(Grant(operation, by: .fileKeychain))
            }
            let request = ApprovalRequest(
                caller: caller, operation: operation, items: items.compactMap(\.reference), because: .strictMode)
            guard let permission = evidence.permission(for: request) else { return .ask(request) }
            return .grant(Grant(operation, by: permission.rule))
        case .readData, .readPublic, .useKey, .backUp, .restore: return .refuse(Refusal(.internalError, .none))
        }
    }

    /// Returns the access object of a new item; nil for a certificate, which is public.
    ///
    /// - Throws: `errSecParam` for bytes that are not an access object.
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

    /// Returns the access object in an item's attributes.
    ///
    /// - Throws: `errSecParam` for bytes that are not an access object.
    public static func access(in attributes: ItemAttributes) throws(Refusal) -> AccessObject? {
        guard case .data(let bytes) = attributes[.access] else { return nil }
        do throws(AccessEncodingError) {
            return try AccessObject(encoded: bytes)
        } catch {
            throw Refusal(.parameter, .malformedRequest)
        }
    }

    /// Returns the item's name for prompts (semantics 8.3: the label defaults to service, server or account).
    private static func description(of attributes: ItemAttributes) -> String {
        for key in [AttributeKey.label, .service, .server, .account] {
            if let text = attributes[key]?.string, !text.isEmpty { return text }
        }
        return attributes.itemClass.code
    }

    /// Returns whether the item's access object decides over the operation.
    public static func dependsOnAccess(_ operation: Operation) -> Bool {
        operation == .readData || operation == .readPublic || operation == .useKey
    }

    /// Returns whether the operation requires an unlocked keychain. Data without secrets can be read and deleted at any
    /// time.
    static func needsUnlocked(_ operation: Operation) -> Bool {
        switch operation {
        case .probe, .match, .availability, .readAttributes, .delete: false
        case .add, .readData, .readPublic, .useKey, .update, .backUp, .restore: true
        }
    }
}
