// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainModel
internal import Synchronization

/// The access object of an item of a file keychain: the programs that may use the item without a prompt, and the
/// prompts for other programs.
///
/// It is a value of the program: an item has it only when it is added with it, or when it is set (`kSecAttrAccess`).
/// The entries of ``SecAccessCopyACLList(_:_:)`` belong to the object, so a change of an entry changes the object.
public final class SecAccess: Hashable, Sendable, CFTypeIdentified {
    /// An entry keeps its number when entries before it are removed. The number of the owner's entry is 0, that of the
    /// partition list is ``SecACL/partitionList``.
    struct Content: Sendable {
        var object: AccessObject
        /// The numbers of the entries except the owner's.
        var numbers: [Int]
        var nextNumber: Int
    }

    private let content: Mutex<Content>

    /// The access object of an item.
    package init(_ access: AccessObject) {
        let count = access.entries.count
        content = Mutex(Content(object: access, numbers: Array(1..<count + 1), nextNumber: count + 1))
    }

    /// The current value for an item, with all changes.
    package var value: AccessObject { content.withLock { $0.object } }

    /// - Returns: the result of `body`. If `body` throws, the object is not changed.
    func change<R: Sendable>(_ body: (inout Content) throws(AccessFailure) -> R) throws(AccessFailure) -> R {
        let result: Result<R, AccessFailure> = content.withLock { content in
            var changed = content
            do throws(AccessFailure) {
                let result = try body(&changed)
                content = changed
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func read<R: Sendable>(_ body: (Content) -> R) -> R { content.withLock { body($0) } }

    public static var cfTypeID: CFTypeID { 262 }

    public static func == (left: SecAccess, right: SecAccess) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The reason why a function for access objects failed.
struct AccessFailure: Error {
    let status: StatusCode

    init(_ status: StatusCode) { self.status = status }

    /// Returns the status of a function that throws these errors.
    static func status(_ body: () throws(AccessFailure) -> Void) -> OSStatus {
        do throws(AccessFailure) {
            try body()
            return errSecSuccess
        } catch {
            return error.status.rawValue
        }
    }
}

/// Returns the type identifier of ``SecAccess`` objects, as `CFGetTypeID` returns it.
public func SecAccessGetTypeID() -> CFTypeID { SecAccess.cfTypeID }

/// Which numbers of ``SecAccessCreateWithOwnerAndACL(_:_:_:_:_:)`` apply: `kSecUseOnlyUID` and so on.
public typealias SecAccessOwnerType = UInt32

/// Processes of the user.
public let kSecUseOnlyUID: Int = 1
/// Processes of the group. Callers are identified by their user only, so an entry with a group matches no process.
public let kSecUseOnlyGID: Int = 2
/// Processes of root as well.
public let kSecHonorRoot: Int = 0x100
/// Both the user and the group.
public let kSecMatchBits: Int = 3

/// Creates an access object with three entries: changing it, which always requires a prompt; encrypting, which all
/// programs may do; and all operations that need the secret, for the trusted programs.
///
/// - Parameters:
///   - descriptor: the name of the item in prompts; at most 4096 bytes of UTF-8 without a zero byte.
///   - trustedlist: array of ``SecTrustedApplication``. Nil: the calling program. Empty: no program is trusted, so
///     every program requires a prompt.
///   - accessRef: receives the object; not changed on failure.
/// - Returns: `errSecParam` for a list with other objects, and for values beyond the limits. Without a list, also the
///   keychain service's status for the identification of this program, and `errSecMissingEntitlement` if the service
///   cannot identify it.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCreate(
    _ descriptor: CFString, _ trustedlist: CFArray?, _ accessRef: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
    AccessFailure.status { () throws(AccessFailure) in
        let trusted: [TrustedApplication]
        if let trustedlist {
            trusted = try TrustedApplication.list(trustedlist)
        } else {
            trusted = [try TrustedApplication.ofThisProgram()]
        }
        guard let access = AccessObject(description: descriptor as String, trusting: trusted) else {
            throw AccessFailure(.parameter)
        }
        // The caller guarantees a valid variable: Apple's contract of this function.
        unsafe accessRef.pointee = SecAccess(access)
    }
}

/// Creates an access object for the processes of a user: an entry for changing it, and an entry for the named
/// operations.
///
/// - Parameters:
///   - userId: the user; compared if `ownerType` contains `kSecUseOnlyUID`.
///   - groupId: the group; compared if `ownerType` contains `kSecUseOnlyGID`.
///   - ownerType: `kSecUseOnlyUID`, with `kSecHonorRoot` for root as well.
///   - acls: `kSecACLAuthorization…` constants; nil: none.
///   - error: `errSecParam` for an unknown owner type or authorization. Not changed on success.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCreateWithOwnerAndACL(
    _ userId: uid_t, _ groupId: gid_t, _ ownerType: SecAccessOwnerType, _ acls: CFArray?,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccess? {
    let kind = AccessOwner.Kind(rawValue: ownerType)
    do throws(AccessFailure) {
        guard kind.isSubset(of: .known) else { throw AccessFailure(.parameter) }
        let owner = AccessOwner(userID: userId, groupID: groupId, kind: kind)
        let authorizations = try acls.map { list throws(AccessFailure) in try AccessAuthorization.set(list) }
        guard let access = AccessObject(owner: owner, authorizing: authorizations ?? []) else {
            throw AccessFailure(.parameter)
        }
        return SecAccess(access)
    } catch let failure {
        let reason = NSError(domain: NSOSStatusErrorDomain, code: Int(failure.status.rawValue))
        // The caller guarantees a valid variable and takes over the reference: Apple's contract of this function.
        unsafe error?.pointee = Unmanaged.passRetained(reason)
        return nil
    }
}

/// Reads the owner of an access object for the processes of a user, and the operations of all its entries.
///
/// - Parameters:
///   - accessRef: the access object.
///   - userId: receives the user; not changed if the owner is not a user.
///   - groupId: receives the group; not changed if the owner is not a user.
///   - ownerType: receives the owner type; not changed if the owner is not a user.
///   - aclList: receives an array of `kSecACLAuthorization…` constants: the owner's, then those of the other entries.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCopyOwnerAndACL(
    _ accessRef: SecAccess, _ userId: UnsafeMutablePointer<uid_t>?, _ groupId: UnsafeMutablePointer<gid_t>?,
    _ ownerType: UnsafeMutablePointer<SecAccessOwnerType>?, _ aclList: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    let access = accessRef.value
    // The caller guarantees valid variables: Apple's contract of this function.
    if case .process(let owner) = access.owner.subject {
        unsafe userId?.pointee = owner.userID
        unsafe groupId?.pointee = owner.groupID
        unsafe ownerType?.pointee = owner.kind.rawValue
    }
    let names = ([access.owner] + access.entries).flatMap { AccessAuthorization.names(of: $0.authorizations) }
    unsafe aclList?.pointee = names as NSArray
    return errSecSuccess
}

/// Reads the entries of an access object: the owner's, the others in their order, and, if it has a partition list, the
/// entry with the partition list in its description.
///
/// - Parameters:
///   - accessRef: the access object.
///   - aclList: receives an array of ``SecACL``.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCopyACLList(_ accessRef: SecAccess, _ aclList: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    // The caller guarantees a valid variable: Apple's contract of this function.
    unsafe aclList.pointee = accessRef.entries() as NSArray
    return errSecSuccess
}

/// Returns the entries that authorize an operation, by name or as part of all operations.
///
/// - Parameters:
///   - accessRef: the access object.
///   - authorizationTag: a `kSecACLAuthorization…` constant.
/// - Returns: an array of ``SecACL``; nil if no entry matches, and for an unknown constant.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCopyMatchingACLList(_ accessRef: SecAccess, _ authorizationTag: CFTypeRef) -> CFArray? {
    guard let authorization = AccessAuthorization(given: authorizationTag) else { return nil }
    let entries = accessRef.entries { $0.contains(authorization) || $0.contains(.any) }
    return entries.isEmpty ? nil : entries as NSArray
}

extension SecAccess {
    fileprivate func entries(where isWanted: (Set<AccessAuthorization>) -> Bool = { _ in true }) -> [SecACL] {
        let (access, numbers) = read { ($0.object, $0.numbers) }
        var entries: [SecACL] = []
        if isWanted(access.owner.authorizations) { entries.append(SecACL(self, SecACL.owner)) }
        for (entry, number) in zip(access.entries, numbers) where isWanted(entry.authorizations) {
            entries.append(SecACL(self, number))
        }
        if access.partitions != nil, isWanted([.partitionID]) { entries.append(SecACL(self, SecACL.partitionList)) }
        return entries
    }
}

extension AccessAuthorization {
    /// Accepts Apple's constant "kSecACLAuthorizationDecrypt" and the form that Apple's keychain stores,
    /// "ACLAuthorizationDecrypt".
    init?(given value: Any) {
        guard let text = value as? NSString as String? else { return nil }
        for prefix in ["kSecACLAuthorization", "ACLAuthorization"] where text.hasPrefix(prefix) {
            let name = text.dropFirst(prefix.count)
            guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = known
            return
        }
        return nil
    }

    static func set(_ list: CFArray) throws(AccessFailure) -> Set<AccessAuthorization> {
        var authorizations: Set<AccessAuthorization> = []
        for value in list {
            guard let authorization = AccessAuthorization(given: value) else { throw AccessFailure(.parameter) }
            authorizations.insert(authorization)
        }
        return authorizations
    }

    /// The names in the order of Apple's list.
    static func names(of authorizations: Set<AccessAuthorization>) -> [NSString] {
        allCases.filter(authorizations.contains).map { "kSecACLAuthorization\($0.name)" as NSString }
    }
}
