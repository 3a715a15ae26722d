// SPDX-License-Identifier: Apache-2.0

import Foundation

// CFRetain and CFRelease are omitted on purpose: Swift counts references, and Apple marks both unavailable in Swift.

/// Returns whether two objects are equal as their type defines it: text, numbers and collections by content.
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let first = cf1 as CFTypeRef?, let second = cf2 as CFTypeRef? else { return false }
    if first === second { return true }
    if let first = first as? NSObject, let second = second as? NSObject { return first.isEqual(second) }
    guard let first = first as? AnyHashable, let second = second as? AnyHashable else { return false }
    return first == second
}

/// Returns a hash that is the same for equal objects (``CFEqual(_:_:)``) within one run of the program.
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let object = cf as CFTypeRef? else { return 0 }
    if let object = object as? NSObject { return CFHashCode(bitPattern: object.hash) }
    if let value = object as? AnyHashable { return CFHashCode(bitPattern: value.hashValue) }
    return CFHashCode(bitPattern: ObjectIdentifier(object).hashValue)
}

/// Returns a description for debugging; not for parsing.
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
    guard let object = cf as CFTypeRef? else { return nil }
    return String(describing: object) as CFString
}
