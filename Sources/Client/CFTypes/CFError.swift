// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Creates an error with a code of the given domain. `userInfo` may be nil; keys that are not text are ignored.
@discardableResult
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    var entries: [String: Any] = [:]
    for (key, value) in userInfo as CFDictionary? ?? [:] {
        // A dictionary cast with `as` has String keys; a dictionary built by hand has NSString keys.
        guard let name = key as? String ?? (key as? NSString).map({ $0 as String }) else { continue }
        entries[name] = value
    }
    return NSError(domain: domain as String, code: code, userInfo: entries)
}

public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err.code }

public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! { err.domain as CFString }

/// Returns the description of an error for display; never nil for an error.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err.localizedDescription as CFString }

/// Returns the reason for the failure, if the error has one.
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! { err.localizedFailureReason as CFString? }

/// Returns what to do about the error, if it has a suggestion.
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    err.localizedRecoverySuggestion as CFString?
}

/// Returns the user info of the error; empty, never nil.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err.userInfo as CFDictionary }
