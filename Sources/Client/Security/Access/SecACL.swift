// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
internal import KeychainModel

/// One entry of a ``SecAccess``: what it authorizes, for whom, and what a person is asked about the others. Changing it changes
/// the access object. Two are equal when they are the same entry of the same object.
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

/// When a person is asked, and for what.
public struct SecKeychainPromptSelector: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The keychain's password has to be typed, though it be unlocked. (Apple's spelling.)
    public static let requirePassphase = SecKeychainPromptSelector(rawValue: 0x0001)
    /// A person is asked about unsigned programs. Without ``unsignedAct`` that is so anyway.
    public static let unsigned = SecKeychainPromptSelector(rawValue: 0x0010)
    /// What ``unsigned`` says counts.
    public static let unsignedAct = SecKeychainPromptSelector(rawValue: 0x0020)
    /// A person is asked about programs whose signature is wrong. Without ``invalidAct`` that is so anyway.
    public static let invalid = SecKeychainPromptSelector(rawValue: 0x0040)
    /// What ``invalid`` says counts.
    public static let invalidAct = SecKeychainPromptSelector(rawValue: 0x0080)
}

/// The type of ``SecACL`` objects, as `CFGetTypeID` tells it.
public func SecACLGetTypeID() -> CFTypeID { SecACL.cfTypeID }

/// Adds an entry to an access object. It authorizes everything (`kSecACLAuthorizationAny`) until
/// ``SecACLUpdateAuthorizations(_:_:)`` says what.
///
/// - Parameters:
///   - applicationList: array of ``SecTrustedApplication``; a person is asked about others. Nil: all programs, and nobody is
///     asked. Empty: a person is asked about every program.
///   - description: what questions call the item.
///   - newAcl: receives the entry; keeps what it held on failure.
/// - Returns: `errSecParam` for a list with something else in it, for a prompt selector that there is not, and beyond the limits.
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
        // The caller vouches for the variable: Apple's contract of this function.
        unsafe newAcl.pointee = SecACL(access, number)
    }
}

/// Removes an entry from its access object. What is left of it is no entry: other functions return `errSecParam` for it.
///
/// - Returns: `errSecInvalidOwnerEdit` for the owner's entry, without which nobody could change anything any more; `errSecParam` for
///   the partition list, which is changed and not removed, and for an entry that was removed before.
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

/// What an entry says.
///
/// - Parameters:
///   - applicationList: receives an array of ``SecTrustedApplication``; nil: all programs.
///   - description: receives what questions call the item; of the partition list a property list in hexadecimal digits.
/// - Returns: `errSecACLNotSimple` for an entry that is for the processes of a user; `errSecParam` for one that was removed. Then
///   the variables keep what they held.
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
        // The caller vouches for the variables: Apple's contract of this function.
        unsafe applicationList.pointee = list
        unsafe description.pointee = text as NSString
        unsafe promptSelector.pointee = SecKeychainPromptSelector(rawValue: selector.rawValue)
    }
}

/// Changes what an entry says. One that was for the processes of a user is for programs afterwards.
///
/// - Parameters:
///   - applicationList: as of ``SecACLCreateWithSimpleContents(_:_:_:_:_:)``. Of the partition list it is ignored, as the prompt
///     selector is.
///   - description: what questions call the item. Of the partition list: the hexadecimal digits of a property list, in which
///     `Partitions` is an array of strings.
/// - Returns: `errSecParam` for a list with something else in it, for a prompt selector that there is not, for a description of the
///   partition list that is none, beyond the limits, and for an entry that was removed.
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

/// What an entry authorizes.
///
/// - Returns: an array of `kSecACLAuthorization…` constants; an empty one for an entry that was removed.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecACLCopyAuthorizations(_ acl: SecACL) -> CFArray {
    if acl.number == SecACL.partitionList { return AccessAuthorization.names(of: [.partitionID]) as NSArray }
    let entry = try? acl.entry()
    return AccessAuthorization.names(of: entry?.authorizations ?? []) as NSArray
}

/// Changes what an entry authorizes. One that authorizes nothing has no effect.
///
/// - Parameter authorizations: array of `kSecACLAuthorization…` constants.
/// - Returns: `errSecInvalidOwnerEdit` for the owner's entry; `errSecParam` for the partition list, for what is no such constant, and
///   for an entry that was removed.
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
