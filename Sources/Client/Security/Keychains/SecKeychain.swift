// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// A keychain file. The file does not have to exist: the functions that use it report whether it does.
///
/// The same file has the same object as long as the object is retained.
public final class SecKeychain: Hashable, Sendable, CFTypeIdentified {
    /// The absolute path, as the service resolved the name.
    let path: String

    private init(_ path: String) { self.path = path }

    private struct Remembered {
        weak var keychain: SecKeychain?
    }

    private static let remembered = Mutex<[String: Remembered]>([:])

    /// - Parameter path: as the service returns it.
    package static func at(_ path: String) -> SecKeychain {
        remembered.withLock { remembered in
            if let keychain = remembered[path]?.keychain { return keychain }
            let keychain = SecKeychain(path)
            remembered[path] = Remembered(keychain: keychain)
            return keychain
        }
    }

    deinit {
        Self.remembered.withLock { remembered in
            // Unless the file already has a new object.
            if remembered[path]?.keychain == nil { remembered[path] = nil }
        }
    }

    public static var cfTypeID: CFTypeID { 261 }

    public static func == (left: SecKeychain, right: SecKeychain) -> Bool { left.path == right.path }

    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

/// Returns the type identifier of ``SecKeychain`` objects, as `CFGetTypeID` returns it.
public func SecKeychainGetTypeID() -> CFTypeID { SecKeychain.cfTypeID }

// The functions for keychains as a whole.
//
// - A null keychain is the default one: `errSecNoDefaultKeychain` if there is none.
// - A result is written on success only.
// - All of them return these statuses: `errSecNoSuchKeychain` if the file does not exist, `errSecInvalidKeychain` for a
//   file that is not a keychain or cannot be opened here, `errSecMissingEntitlement` for a program that cannot be
//   identified, `errSecNotAvailable` if the service cannot be reached.
//
// Source: semantics 8.1, 8.2 and 8.4.

/// Returns the version of the functions for keychains: 0x02028000, as Apple's.
@available(*, deprecated, message: "Only one version exists; SecItemAdd and the related functions have no version.")
@discardableResult
public func SecKeychainGetVersion(_ returnVers: UnsafeMutablePointer<UInt32>?) -> OSStatus {
    // The caller guarantees a valid variable, here and in all functions of these files.
    unsafe returnVers?.pointee = 0x0202_8000
    return errSecSuccess
}

/// Returns the object of a keychain. Does not check whether the file exists.
///
/// - Parameters:
///   - pathName: an absolute path, or a name in the folder of the user's keychains.
///   - keychain: receives the object.
/// - Returns: `errSecParam` without a name or a variable; `errSecNoSuchKeychain` for an invalid path.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainOpen(
    _ pathName: UnsafePointer<CChar>?, _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    statusOf("SecKeychainOpen") { () throws(CallFailure) in
        guard let keychain = unsafe keychain else { throw .missingVariable }
        let path = try unsafe keychainName(pathName)
        unsafe keychain.pointee = .at(try report(of: path).path)
    }
}

/// Creates a keychain, which is then unlocked. It locks after five minutes without use, and when the machine suspends.
///
/// The login keychain is added to the search list, and becomes the default keychain if there is none; other keychains
/// are not.
///
/// - Parameters:
///   - pathName: an absolute path, or a name in the folder of the user's keychains.
///   - passwordLength: the length of the password in bytes.
///   - password: ignored if `promptUser` is true.
///   - promptUser: whether the user is prompted for the password.
///   - initialAccess: ignored, as in Apple's implementation.
///   - keychain: receives the object, unless it is nil.
/// - Returns: in addition to the common statuses, `errSecParam` without a name, and without a password if `promptUser`
///   is false; `errSecDuplicateKeychain`; `errSecWrPerm`; `errSecInteractionNotAllowed` if no prompt is possible;
///   `errSecUserCanceled`.
@available(
    *, deprecated,
    message: "Items of the data-protection keychain need no keychain file: use SecItemAdd and the related functions."
)
@discardableResult
public func SecKeychainCreate(
    _ pathName: UnsafePointer<CChar>?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ promptUser: Bool,
    _ initialAccess: SecAccess?, _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    statusOf("SecKeychainCreate") { () throws(CallFailure) in
        let path = try unsafe keychainName(pathName)
        var secret: SecretBytes?
        if !promptUser {
            guard let given = unsafe givenPassword(passwordLength, password) else {
                throw CallFailure(.parameter, "creating a keychain requires a password, or permission to prompt for it")
            }
            secret = given
        }
        let created = try asking(.keychain) { [secret] client throws(ClientError) in
            try client.createKeychain(at: path, password: secret)
        }
        if created.path == (try loginKeychainPath()) { try adoptKeychain(created.path) }
        unsafe keychain?.pointee = .at(created.path)
    }
}

/// Deletes one or several keychains with all their items, and removes them from the lists.
///
/// - Parameter keychainOrArray: ``SecKeychain``, or CFArray of those.
/// - Returns: in addition to the common statuses, `errSecInvalidKeychain` for nil and other objects; `errSecWrPerm`.
///   Stops at the first keychain that cannot be deleted.
@available(*, deprecated, message: "Items of the data-protection keychain are deleted by SecItemDelete.")
@discardableResult
public func SecKeychainDelete(_ keychainOrArray: CFTypeRef?) -> OSStatus {
    statusOf("SecKeychainDelete") { () throws(CallFailure) in
        guard let object = keychainOrArray, let keychains = keychains(in: object) else {
            throw CallFailure(.invalidKeychain, "the object to delete is not a keychain")
        }
        for keychain in keychains {
            try asking(.keychain) { client throws(ClientError) in try client.deleteKeychain(at: keychain.path) }
        }
    }
}

/// Not supported: keychains have no access object.
///
/// - Returns: always `errSecUnimplemented`, as Apple's function does (semantics 8.2); programs that call it handle that
///   status.
@available(*, deprecated, message: "Keychains have no access object; use the access object of an item.")
@discardableResult
public func SecKeychainCopyAccess(
    _ keychain: SecKeychain?, _ access: UnsafeMutablePointer<SecAccess?>?
) -> OSStatus { errSecUnimplemented }

/// Not supported: keychains have no access object.
///
/// - Returns: always `errSecUnimplemented`, as Apple's function does (semantics 8.2); programs that call it handle that
///   status.
@available(*, deprecated, message: "Keychains have no access object; use the access object of an item.")
@discardableResult
public func SecKeychainSetAccess(_ keychain: SecKeychain?, _ access: SecAccess?) -> OSStatus { errSecUnimplemented }

/// Returns the path of a keychain's file, with its suffix `-db` and a terminating zero byte.
///
/// - Parameters:
///   - keychain: nil: the default keychain.
///   - ioPathLength: in, the size of the buffer in bytes; out, the length of the path, without the zero byte.
///   - pathName: receives the path.
/// - Returns: in addition to the common statuses, `errSecBufferTooSmall`: then the length is the required size, and
///   nothing else is written; `errSecParam` without a variable.
@available(*, deprecated, message: "Items of the data-protection keychain are not in a keychain file.")
@discardableResult
public func SecKeychainGetPath(
    _ keychain: SecKeychain?, _ ioPathLength: UnsafeMutablePointer<UInt32>?, _ pathName: UnsafeMutablePointer<CChar>?
) -> OSStatus {
    statusOf("SecKeychainGetPath") { () throws(CallFailure) in
        guard let length = unsafe ioPathLength, let place = unsafe pathName else { throw .missingVariable }
        let path = Array(try path(of: keychain).utf8)
        let room = Int(unsafe length.pointee)
        unsafe length.pointee = UInt32(path.count)
        guard room > path.count else {
            throw CallFailure(transfer: errSecBufferTooSmall, "the buffer is too small for the path")
        }
        // The caller guarantees a buffer of the given size.
        for (index, byte) in (path + [0]).enumerated() { unsafe place[index] = CChar(bitPattern: byte) }
    }
}
