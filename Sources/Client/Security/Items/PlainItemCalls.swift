// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import Synchronization

/// Which keychains a call of the item functions is about whose dictionary does not say it: of ``SecItemAdd(_:_:)``,
/// ``SecItemCopyMatching(_:_:)``, ``SecItemUpdate(_:_:)`` and ``SecItemDelete(_:)``, and of what calls them.
///
/// Apple has no such switch: it is one thing on iOS and the other on macOS. Here a program, or whoever starts it, chooses:
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
/// and `CHATELAINE_PLAIN_CALLS=all` in the environment chooses for a program that was not written for it. What it means is in
/// Documentation/Differences.md, "Which kind of keychain a call is about".
public enum PlainItemCalls: Sendable, Hashable {
    /// The data-protection keychain alone, as on iOS. It is so unless something else is chosen.
    case dataProtectionKeychain
    /// Both kinds, as on macOS: an item is added to the default keychain file, and all else goes to the data-protection keychain
    /// and to the files of the search list, as far as what the dictionary asks for can be in them.
    case allKeychains

    /// What holds in this process, on this task.
    public static var current: PlainItemCalls {
        get { scoped ?? ofProcess.withLock { $0 } ?? ofEnvironment }
        set { ofProcess.withLock { $0 = newValue } }
    }

    /// Runs a closure for whose calls this holds, whatever holds for the process.
    public func during<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        let result = Self.$scoped.withValue(self) { Result { () throws(Failure) in try body() } }
        return try result.get()
    }

    @TaskLocal private static var scoped: PlainItemCalls?
    private static let ofProcess = Mutex<PlainItemCalls?>(nil)
    private static let ofEnvironment: PlainItemCalls =
        ClientEnvironment.plainCallsReachFiles ? .allKeychains : .dataProtectionKeychain
}
