// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
public import CFTypes

/// Has a function called for what happens in keychains that are files, whichever process causes it: also this one.
///
/// It is called on the run loop of the thread that this function is called on, in the default mode; on the main thread also where the
/// main dispatch queue is served without a run loop. What happens once this function has returned is not missed, as long as that
/// thread runs its loop now and then: 1024 events wait for it, and later ones are dropped until it has taken those.
///
/// When the service stops, it is asked again as soon as one can be started; what happened in between is not told.
///
/// - Parameters:
///   - callbackFunction: a global function, or a closure that is kept to remove it.
///   - eventMask: which events.
///   - userContext: handed to the function. The caller keeps what is there until the callback is removed.
/// - Returns: `errSecDuplicateCallback` for a function that is called already; `errSecMissingEntitlement` for a program that cannot be
///   identified; `errSecNotAvailable` when the service cannot be reached.
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
            throw CallFailure(.duplicateCallback, "the function is called for events already")
        }
        do throws(CallFailure) {
            try callback.start()
        } catch {
            callback.remove()
            throw error
        }
    }
}

/// Has a function not be called any more. Called from within a callback, or on its thread, there is no further call when this returns;
/// from another thread, one may be under way.
///
/// - Returns: `errSecInvalidCallback` for a function that is not called; also in a process that was forked from the one which added it.
@available(*, deprecated, message: "Use UserKeychain.events of the module Keychain.")
@discardableResult
public func SecKeychainRemoveCallback(_ callbackFunction: @escaping SecKeychainCallback) -> OSStatus {
    statusOf("SecKeychainRemoveCallback") { () throws(CallFailure) in
        guard let callback = unsafe EventCallback.registered(CalledFunction(callbackFunction)) else {
            throw CallFailure(.invalidCallback, "the function is not called for events")
        }
        callback.remove()
    }
}

extension StatusCode {
    fileprivate static let duplicateCallback = StatusCode(rawValue: errSecDuplicateCallback)
    fileprivate static let invalidCallback = StatusCode(rawValue: errSecInvalidCallback)
}
