// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainModel

/// An ACL entry of a ``SecAccess``: the operations that it authorizes, the trusted programs, and the prompt settings
/// for other programs. A change of the entry changes the access object. Two values are equal when they are the same
/// entry of the same object.
public final class SecACL: Hashable, Sendable, CFTypeIdentified {
    let access: SecAccess
    let number: Int

    static let owner = 0
    static let partitionList = -1

    init(_ access: SecAccess, _ number: Int) {
        self.access = access
        self.number = number
    }

    public static var cfTypeID: CFTypeID { 270 }

    public static func == (left: SecACL, right: SecACL) -> Bool {
        left.access === right.access && left.number == right.number
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(access)
        hasher.combine(number)
    }
}

/// When the user is prompted, and for what.
public struct SecKeychainPromptSelector: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The keychain's password is required even if the keychain is unlocked. (Apple's spelling.)
    public static let requirePassphase = SecKeychainPromptSelector(rawValue: 0x0001)
    /// Unsigned programs require a prompt. Without ``unsignedAct`` this is the default.
    public static let unsigned = SecKeychainPromptSelector(rawValue: 0x0010)
    /// The value of ``unsigned`` applies.
    public static let unsignedAct = SecKeychainPromptSelector(rawValue: 0x0020)
    /// Programs with an invalid signature require a prompt. Without ``invalidAct`` this is the default.
    public static let invalid = SecKeychainPromptSelector(rawValue: 0x0040)
    /// The value of ``invalid`` applies.
    public static let invalidAct = SecKeychainPromptSelector(rawValue: 0x0080)
}

/// Returns the type identifier of ``SecACL`` objects, as `CFGetTypeID` returns it.
public func SecACLGetTypeID() -> CFTypeID { SecACL.cfTypeID }

/// Adds an entry to an access object. The entry authorizes all operations (`kSecACLAuthorizationAny`) until
/// ``SecACLUpdateAuthorizations(_:_:)`` restricts them.
///
/// - Parameters:
///   - access: the access object that gets the entry.
///   - applicationList: array of ``SecTrustedApplication``; other programs require a prompt. Nil: all programs are
///     trusted, without a prompt. Empty: every program requires a prompt.
///   - description: the name of the item in prompts.
///   - promptSelector: when a prompt requires the password of the keychain.
///   - newAcl: receives the entry; not changed on failure.
/// - Returns: `errSecParam` for a list with other objects, for an unknown prompt selector, and for values beyond the
///   limits.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLCreateWithSimpleContents(
    _ access: SecAccess, _ applicationList: CFArray?, _ description: CFString,
    _ promptSelector: SecKeychainPromptSelector, _ newAcl: UnsafeMutablePointer<SecACL?>
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        let entry = try AccessEntry(simple: applicationList, description, promptSelector, [.any])
        let number = try access.change { content throws(AccessFailure) in
            let number = content.nextNumber
            try content.set(content.object.entries + [entry])
            content.numbers.append(number)
            content.nextNumber += 1
            return number
        }
        // The caller guarantees a valid variable: Apple's contract of this function.
        unsafe newAcl.pointee = SecACL(access, number)
    }
}

/// Removes an entry from its access object. The removed entry is invalid: other functions return `errSecParam` for it.
///
/// - Returns: `errSecInvalidOwnerEdit` for the owner's entry, without which the access object could not be changed any
///   more; `errSecParam` for the partition list, which can be changed but not removed, and for an entry that was
///   already removed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLRemove(_ aclRef: SecACL) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        guard aclRef.number != SecACL.owner else { throw AccessFailure(.invalidOwnerEdit) }
        try aclRef.access.change { content throws(AccessFailure) in
            let place = try content.place(of: aclRef.number)
            var entries = content.object.entries
            entries.remove(at: place)
            try content.set(entries)
            content.numbers.remove(at: place)
        }
    }
}

/// Reads the contents of an entry.
///
/// - Parameters:
///   - acl: the entry.
///   - applicationList: receives an array of ``SecTrustedApplication``; nil: all programs.
///   - description: receives the name of the item in prompts; for the partition list, a property list in hexadecimal
///     digits.
///   - promptSelector: receives the prompt selector.
/// - Returns: `errSecACLNotSimple` for an entry for the processes of a user; `errSecParam` for an entry that was
///   removed. The variables are then not changed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLCopyContents(
    _ acl: SecACL, _ applicationList: UnsafeMutablePointer<CFArray?>, _ description: UnsafeMutablePointer<CFString?>,
    _ promptSelector: UnsafeMutablePointer<SecKeychainPromptSelector>
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        var list: CFArray?
        let (text, selector): (String, PromptSelector)
        if acl.number == SecACL.partitionList {
            (text, selector) = (try PartitionList(acl.access.value.partitions ?? []).text(), [])
        } else {
            let entry = try acl.entry()
            switch entry.subject {
            case .process: throw AccessFailure(.aclNotSimple)
            case .anyApplication: list = nil
            case .applications(let applications):
                list = applications.map { SecTrustedApplication($0) } as NSArray
            }
            (text, selector) = (entry.description, entry.promptSelector)
        }
        // The caller guarantees valid variables: Apple's contract of this function.
        unsafe applicationList.pointee = list
        unsafe description.pointee = text as NSString
        unsafe promptSelector.pointee = SecKeychainPromptSelector(rawValue: selector.rawValue)
    }
}

/// Changes the contents of an entry. An entry for the processes of a user becomes an entry for programs.
///
/// - Parameters:
///   - acl: the entry.
///   - applicationList: as for ``SecACLCreateWithSimpleContents(_:_:_:_:_:)``. Ignored for the partition list, as is
///     the prompt selector.
///   - description: the name of the item in prompts. For the partition list: the hexadecimal digits of a property list,
///     in which `Partitions` is an array of strings.
///   - promptSelector: the new prompt selector.
/// - Returns: `errSecParam` for a list with other objects, for an unknown prompt selector, for an invalid description
///   of the partition list, for values beyond the limits, and for an entry that was removed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLSetContents(
    _ acl: SecACL, _ applicationList: CFArray?, _ description: CFString, _ promptSelector: SecKeychainPromptSelector
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        if acl.number == SecACL.partitionList {
            let partitions = try PartitionList(text: description as String).partitions
            return try acl.access.change { content throws(AccessFailure) in
                guard let changed = content.object.with(partitions: partitions) else {
                    throw AccessFailure(.parameter)
                }
                content.object = changed
            }
        }
        let new = try AccessEntry(simple: applicationList, description, promptSelector, [])
        try acl.change { old in new.authorizing(old.authorizations) }
    }
}

/// Returns the operations that an entry authorizes.
///
/// - Returns: an array of `kSecACLAuthorization…` constants; an empty array for an entry that was removed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLCopyAuthorizations(_ acl: SecACL) -> CFArray {
    if acl.number == SecACL.partitionList { return AccessAuthorization.names(of: [.partitionID]) as NSArray }
    let entry = try? acl.entry()
    return AccessAuthorization.names(of: entry?.authorizations ?? []) as NSArray
}

/// Changes the operations that an entry authorizes. An entry that authorizes no operations has no effect.
///
/// - Parameters:
///   - acl: the entry.
///   - authorizations: array of `kSecACLAuthorization…` constants.
/// - Returns: `errSecInvalidOwnerEdit` for the owner's entry; `errSecParam` for the partition list, for other values
///   than these constants, and for an entry that was removed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLUpdateAuthorizations(_ acl: SecACL, _ authorizations: CFArray) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        let authorizations = try AccessAuthorization.set(authorizations)
        guard acl.number != SecACL.owner else { throw AccessFailure(.invalidOwnerEdit) }
        try acl.change { $0.authorizing(authorizations) }
    }
}

extension SecACL {
    fileprivate func entry() throws(AccessFailure) -> AccessEntry {
        try access.change { content throws(AccessFailure) in
            number == Self.owner
                ? content.object.owner : content.object.entries[try content.place(of: number)]
        }
    }

    fileprivate func change(_ change: (AccessEntry) -> AccessEntry) throws(AccessFailure) {
        try access.change { content throws(AccessFailure) in
            if number == Self.owner {
                let owner = change(content.object.owner)
                return try content.set(content.object.entries, owner: owner)
            }
            var entries = content.object.entries
            let place = try content.place(of: number)
            entries[place] = change(entries[place])
            try content.set(entries)
        }
    }
}

extension SecAccess.Content {
    fileprivate func place(of number: Int) throws(AccessFailure) -> Int {
        guard let place = numbers.firstIndex(of: number) else { throw AccessFailure(.parameter) }
        return place
    }

    fileprivate mutating func set(_ entries: [AccessEntry], owner: AccessEntry? = nil) throws(AccessFailure) {
        guard
            let changed = AccessObject(
                owner: owner ?? object.owner, entries: entries, partitions: object.partitions)
        else { throw AccessFailure(.parameter) }
        object = changed
    }
}

extension AccessEntry {
    fileprivate init(
        simple list: CFArray?, _ description: CFString, _ selector: SecKeychainPromptSelector,
        _ authorizations: Set<AccessAuthorization>
    ) throws(AccessFailure) {
        let promptSelector = PromptSelector(rawValue: selector.rawValue)
        let applications = try list.map { list throws(AccessFailure) in try TrustedApplication.list(list) }
        guard promptSelector.isSubset(of: .known),
            let entry = AccessEntry(
                authorizations, applications.map(Subject.applications) ?? .anyApplication,
                description: description as String, promptSelector: promptSelector)
        else { throw AccessFailure(.parameter) }
        self = entry
    }
}
