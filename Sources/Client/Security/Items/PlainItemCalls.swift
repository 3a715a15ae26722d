// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import Synchronization

/// The keychains that a plain call applies to, whose dictionary does not determine them: ``SecItemAdd(_:_:)``,
/// ``SecItemCopyMatching(_:_:)``, ``SecItemUpdate(_:_:)``, ``SecItemDelete(_:)``, and functions that call them.
///
/// Apple has no such setting: iOS has one behaviour and macOS the other. Here the program, or the process that starts
/// it, can choose:
///
/// ```swift
/// PlainItemCalls.current = .allKeychains  // for the process
/// let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
/// PlainItemCalls.allKeychains.during {  // for what a closure does
///     let status = SecItemCopyMatching(query as CFDictionary, nil)
///     if status == errSecItemNotFound { print("in neither kind") }
/// }
/// ```
///
/// The environment variable `CHATELAINE_PLAIN_CALLS=all` makes this choice for a program that was not written for it.
/// Documentation/Differences.md, "Which kind of keychain a call is about", describes the effect.
public enum PlainItemCalls: Sendable, Hashable {
    /// The data-protection keychain alone, as on iOS. This is the default.
    case dataProtectionKeychain
    /// Both kinds, as on macOS: an item is added to the default keychain file. All other calls apply to the
    /// data-protection keychain and to the files of the search list, as far as these support the contents of the
    /// dictionary.
    case allKeychains

    /// The setting of the current task and process.
    public static var current: PlainItemCalls {
        get { scoped ?? ofProcess.withLock { $0 } ?? ofEnvironment }
        set { ofProcess.withLock { $0 = newValue } }
    }

    /// Runs a closure with this setting, whatever the setting of the process is.
    public func during<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        let result = Self.$scoped.withValue(self) { Result { () throws(Failure) in try body() } }
        return try result.get()
    }

    @TaskLocal private static var scoped: PlainItemCalls?
    private static let ofProcess = Mutex<PlainItemCalls?>(nil)
    private static let ofEnvironment: PlainItemCalls =
        ClientEnvironment.plainCallsReachFiles ? .allKeychains : .dataProtectionKeychain
}
