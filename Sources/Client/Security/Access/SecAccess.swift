// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainModel
internal import Synchronization

/// Who may use an item of a file keychain without being asked about, and what is asked of the others.
///
/// It is a value in the program's hands: an item has it only when it is added with it, or when it is set
/// (`kSecAttrAccess`). The entries of ``SecAccessCopyACLList(_:_:)`` belong to it, and changing one changes it.
public final class SecAccess: Hashable, Sendable, CFTypeIdentified {
    /// An entry keeps its number, however many are removed before it. The owner's is 0, that of the partition list
    /// ``SecACL/partitionList``.
    struct Content: Sendable {
        var object: AccessObject
        /// Of the entries that are not the owner's.
        var numbers: [Int]
        var nextNumber: Int
    }

    private let content: Mutex<Content>

    /// An access object of an item.
    package init(_ access: AccessObject) {
        let count = access.entries.count
        content = Mutex(Content(object: access, numbers: Array(1..<count + 1), nextNumber: count + 1))
    }

    /// What an item is to be given: everything that was changed is in it.
    package var value: AccessObject { content.withLock { $0.object } }

    /// - Returns: what `body` returns. What it throws leaves the object as it was.
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

/// Why a function over access objects did nothing.
struct AccessFailure: Error {
    let status: StatusCode

    init(_ status: StatusCode) { self.status = status }

    /// The status of a function that throws these.
    static func status(_ body: () throws(AccessFailure) -> Void) -> OSStatus {
        do throws(AccessFailure) {
            try body()
            return errSecSuccess
        } catch {
            return error.status.rawValue
        }
    }
}

/// The type of ``SecAccess`` objects, as `CFGetTypeID` tells it.
public func SecAccessGetTypeID() -> CFTypeID { SecAccess.cfTypeID }

/// Which of the numbers of ``SecAccessCreateWithOwnerAndACL(_:_:_:_:_:)`` count: `kSecUseOnlyUID` and its like.
public typealias SecAccessOwnerType = UInt32

/// Processes of that user.
public let kSecUseOnlyUID: Int = 1
/// Processes of that group. Callers are known by their user alone, so an entry that asks for the group is nobody's.
public let kSecUseOnlyGID: Int = 2
/// Root as well.
public let kSecHonorRoot: Int = 0x100
/// Both numbers.
public let kSecMatchBits: Int = 3

/// Makes an access object with three entries: changing it, which a person is always asked about; encrypting, which all
/// programs may; everything that needs the secret, which the trusted programs may.
///
/// - Parameters:
///   - descriptor: what questions call the item; at most 4096 bytes of UTF-8 without a zero byte.
///   - trustedlist: array of ``SecTrustedApplication``. Nil: the calling program. Empty: nobody, so that a person is asked
///     about every program.
///   - accessRef: receives the object; keeps what it held on failure.
/// - Returns: `errSecParam` for a list with something else in it, and for what is beyond the limits; without a list, what the
///   keychain service says when it is asked which program this is, and `errSecMissingEntitlement` where it does not know.
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
        // The caller vouches for the variable: Apple's contract of this function.
        unsafe accessRef.pointee = SecAccess(access)
    }
}

/// Makes an access object for the processes of a user: an entry for changing it, and one for what is named.
///
/// - Parameters:
///   - ownerType: `kSecUseOnlyUID`, with `kSecHonorRoot` for root as well.
///   - acls: `kSecACLAuthorization…` constants; nil: none.
///   - error: `errSecParam` for an owner type or an authorization that there is not. Without an error it keeps what it held.
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
        // The caller vouches for the variable, and takes over the reference: Apple's contract of this function.
        unsafe error?.pointee = Unmanaged.passRetained(reason)
        return nil
    }
}

/// The owner of an access object that is for the processes of a user, and what all its entries authorize.
///
/// - Parameters:
///   - userId, groupId, ownerType: keep what they held where the owner is no user.
///   - aclList: receives an array of `kSecACLAuthorization…` constants: the owner's, then those of the other entries.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCopyOwnerAndACL(
    _ accessRef: SecAccess, _ userId: UnsafeMutablePointer<uid_t>?, _ groupId: UnsafeMutablePointer<gid_t>?,
    _ ownerType: UnsafeMutablePointer<SecAccessOwnerType>?, _ aclList: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    let access = accessRef.value
    // The caller vouches for the variables: Apple's contract of this function.
    if case .process(let owner) = access.owner.subject {
        unsafe userId?.pointee = owner.userID
        unsafe groupId?.pointee = owner.groupID
        unsafe ownerType?.pointee = owner.kind.rawValue
    }
    let names = ([access.owner] + access.entries).flatMap { AccessAuthorization.names(of: $0.authorizations) }
    unsafe aclList?.pointee = names as NSArray
    return errSecSuccess
}

/// The entries of an access object: the owner's, the others in their order, and where there is a partition list, the entry
/// that holds it in its description.
///
/// - Parameter aclList: receives an array of ``SecACL``.
@available(*, deprecated, message: "Put items into the data protection keychain, with kSecAttrAccessControl")
public func SecAccessCopyACLList(_ accessRef: SecAccess, _ aclList: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    // The caller vouches for the variable: Apple's contract of this function.
    unsafe aclList.pointee = accessRef.entries() as NSArray
    return errSecSuccess
}

/// The entries that authorize something, by name or as everything.
///
/// - Parameter authorizationTag: a `kSecACLAuthorization…` constant.
/// - Returns: an array of ``SecACL``; nil where there is none, and for a constant that is none.
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
    /// Apple's constants: "kSecACLAuthorizationDecrypt", and as Apple's keychain stores it, "ACLAuthorizationDecrypt".
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

    /// In the order of Apple's list.
    static func names(of authorizations: Set<AccessAuthorization>) -> [NSString] {
        allCases.filter(authorizations.contains).map { "kSecACLAuthorization\($0.name)" as NSString }
    }
}
