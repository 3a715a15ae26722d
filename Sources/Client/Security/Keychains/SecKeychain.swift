// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// A keychain that is a file. It need not be there: what it is used for says whether it is.
///
/// The same file has the same object, as long as somebody keeps it.
public final class SecKeychain: Hashable, Sendable, CFTypeIdentified {
    /// Absolute, as the service resolved the name.
    let path: String

    private init(_ path: String) { self.path = path }

    private struct Remembered {
        weak var keychain: SecKeychain?
    }

    private static let remembered = Mutex<[String: Remembered]>([:])

    /// - Parameter path: as the service gives it.
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
            // Unless the next object of the file is there already.
            if remembered[path]?.keychain == nil { remembered[path] = nil }
        }
    }

    public static var cfTypeID: CFTypeID { 261 }

    public static func == (left: SecKeychain, right: SecKeychain) -> Bool { left.path == right.path }

    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

/// The type of ``SecKeychain`` objects, as `CFGetTypeID` tells it.
public func SecKeychainGetTypeID() -> CFTypeID { SecKeychain.cfTypeID }

// The functions for keychains as a whole.
//
// - A null keychain is the default one: `errSecNoDefaultKeychain` if there is none.
// - A result is written on success only.
// - The statuses that all share: `errSecNoSuchKeychain` where there is no such file, `errSecInvalidKeychain` for a file that is no
//   keychain or cannot be opened here, `errSecMissingEntitlement` for a program that cannot be identified,
//   `errSecNotAvailable` when the service cannot be reached.
//
// Source: semantics 8.1, 8.2 and 8.4.

/// The version of the functions for keychains: 0x02028000, as Apple's.
@available(*, deprecated, message: "There is no other version, and none of SecItemAdd and its like.")
@discardableResult
public func SecKeychainGetVersion(_ returnVers: UnsafeMutablePointer<UInt32>?) -> OSStatus {
    // The caller vouches for the variable, here and in all functions of these files.
    unsafe returnVers?.pointee = 0x0202_8000
    return errSecSuccess
}

/// The object of a keychain. Whether there is such a file is not looked at.
///
/// - Parameter pathName: an absolute path, or a name in the folder of the user's keychains.
/// - Returns: `errSecParam` without a name or a variable; `errSecNoSuchKeychain` for what can be no keychain's path.
@available(*, deprecated, message: "Items of the data-protection keychain need none: use SecItemAdd and its like.")
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

/// Makes a keychain, which is unlocked then, locks itself when it is not used for five minutes, and with the machine's sleep.
///
/// The login keychain is put on the search list, and becomes the default where there is none; others are not.
///
/// - Parameters:
///   - password: ignored if a person shall be asked for it.
///   - promptUser: whether a person is asked for the password.
///   - initialAccess: not looked at, as by Apple's function.
/// - Returns: beside the common statuses `errSecParam` without a name, and without a password where nobody shall be asked;
///   `errSecDuplicateKeychain`; `errSecWrPerm`; `errSecInteractionNotAllowed` where nobody can be asked; `errSecUserCanceled`.
@available(*, deprecated, message: "Items of the data-protection keychain need none: use SecItemAdd and its like.")
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
                throw CallFailure(.parameter, "without a password, and without anybody to ask, no keychain is made")
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

/// Deletes a keychain, or several, with all that is in them, and takes them off the lists.
///
/// - Parameter keychainOrArray: ``SecKeychain``, or CFArray of those.
/// - Returns: beside the common statuses `errSecInvalidKeychain` for nil and other objects; `errSecWrPerm`. The first that cannot
///   be deleted ends it.
@available(*, deprecated, message: "Items of the data-protection keychain are deleted by SecItemDelete.")
@discardableResult
public func SecKeychainDelete(_ keychainOrArray: CFTypeRef?) -> OSStatus {
    statusOf("SecKeychainDelete") { () throws(CallFailure) in
        guard let object = keychainOrArray, let keychains = keychains(in: object) else {
            throw CallFailure(.invalidKeychain, "what shall be deleted is no keychain")
        }
        for keychain in keychains {
            try asking(.keychain) { client throws(ClientError) in try client.deleteKeychain(at: keychain.path) }
        }
    }
}

/// Who may change a keychain: nothing that a keychain says of itself.
///
/// - Returns: `errSecUnimplemented` always, as Apple's function does (semantics 8.2); programs that ask are prepared for it.
@available(*, deprecated, message: "Keychains have no access object; items have.")
@discardableResult
public func SecKeychainCopyAccess(
    _ keychain: SecKeychain?, _ access: UnsafeMutablePointer<SecAccess?>?
) -> OSStatus { errSecUnimplemented }

/// Who may change a keychain: nothing that a keychain says of itself.
///
/// - Returns: `errSecUnimplemented` always, as Apple's function does (semantics 8.2); programs that ask are prepared for it.
@available(*, deprecated, message: "Keychains have no access object; items have.")
@discardableResult
public func SecKeychainSetAccess(_ keychain: SecKeychain?, _ access: SecAccess?) -> OSStatus { errSecUnimplemented }

/// Where a keychain's file is, with its suffix `-db` and a terminating zero byte.
///
/// - Parameter ioPathLength: in, how many bytes there is room for; out, how many the path has, without the zero byte.
/// - Returns: beside the common statuses `errSecBufferTooSmall`: then the length says what is needed, and nothing else is
///   written; `errSecParam` without a variable.
@available(*, deprecated, message: "Items of the data-protection keychain are in no file of their own.")
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
            throw CallFailure(transfer: errSecBufferTooSmall, "there is too little room for the path")
        }
        // The caller vouches for as many bytes as it said there are.
        for (index, byte) in (path + [0]).enumerated() { unsafe place[index] = CChar(bitPattern: byte) }
    }
}
