// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error with a code of the given domain. `userInfo` may be nil; keys that are not text are left out.
@discardableResult
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    var entries: [String: Any] = [:]
    for (key, value) in userInfo as CFDictionary? ?? [:] {
        // A dictionary made by `as` holds String keys, one made by hand NSString keys.
        guard let name = key as? String ?? (key as? NSString).map({ $0 as String }) else { continue }
        entries[name] = value
    }
    return NSError(domain: domain as String, code: code, userInfo: entries)
}

public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err.code }

public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! { err.domain as CFString }

/// A sentence for people, never nil for an error.
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { err.localizedDescription as CFString }

/// The second sentence, if the error has one.
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! { err.localizedFailureReason as CFString? }

/// What to do about it, if the error says.
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    err.localizedRecoverySuggestion as CFString?
}

/// What else the error carries; empty, never nil.
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { err.userInfo as CFDictionary }
