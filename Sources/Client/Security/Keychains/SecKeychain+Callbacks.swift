// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
public import CFTypes

/// Adds a function that is called for events of keychain files, whichever process causes them, including this one.
///
/// The function is called on the run loop of the thread that adds it, in the default mode; on the main thread also if
/// the main dispatch queue is served without a run loop. After this function has returned, no event is missed as long
/// as that thread runs its loop regularly: up to 1024 events are kept for it, and later ones are dropped until it has
/// processed those.
///
/// When the service stops, the connection is restored as soon as another service can be started; events in between are
/// not reported.
///
/// - Parameters:
///   - callbackFunction: a global function, or a closure that is kept to remove it.
///   - eventMask: the events that the function receives.
///   - userContext: passed to the function. The caller keeps it valid until the callback is removed.
/// - Returns: `errSecDuplicateCallback` for a function that is already added; `errSecMissingEntitlement` for a program
///   that cannot be identified; `errSecNotAvailable` if the service cannot be reached.
@available(*, deprecated, message: "Use UserKeychain.events of the module Keychain.")
@discardableResult
public func SecKeychainAddCallback(
    _ callbackFunction: @escaping SecKeychainCallback, _ eventMask: SecKeychainEventMask,
    _ userContext: UnsafeMutableRawPointer?
) -> OSStatus {
    statusOf("SecKeychainAddCallback") { () throws(CallFailure) in
        let callback = unsafe EventCallback(CalledFunction(callbackFunction, userContext), eventMask)
        guard callback.register() else {
            callback.remove()
            throw CallFailure(.duplicateCallback, "the callback is already installed")
        }
        do throws(CallFailure) {
            try callback.start()
        } catch {
            callback.remove()
            throw error
        }
    }
}

/// Removes a callback. If this is called in a callback or on its thread, no further call occurs when this returns; if
/// it is called on another thread, one call may still be running.
///
/// - Returns: `errSecInvalidCallback` for a function that is not added; also in a process that was forked from the
///   process that added it.
@available(*, deprecated, message: "Use UserKeychain.events of the module Keychain.")
@discardableResult
public func SecKeychainRemoveCallback(_ callbackFunction: @escaping SecKeychainCallback) -> OSStatus {
    statusOf("SecKeychainRemoveCallback") { () throws(CallFailure) in
        guard let callback = unsafe EventCallback.registered(CalledFunction(callbackFunction)) else {
            throw CallFailure(.invalidCallback, "the callback is not installed")
        }
        callback.remove()
    }
}

extension StatusCode {
    fileprivate static let duplicateCallback = StatusCode(rawValue: errSecDuplicateCallback)
    fileprivate static let invalidCallback = StatusCode(rawValue: errSecInvalidCallback)
}
