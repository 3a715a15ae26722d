// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A class of another module that ``CFGetTypeID(_:)`` supports: SecKey, SecCertificate and so on.
///
/// These are plain Swift classes, not subclasses of NSObject, so that a module can use their `==` and `hash(into:)` in
/// inlinable code without importing Foundation.
public protocol CFTypeIdentified: AnyObject {
    /// The number that the class's own `…GetTypeID()` returns. This module uses 1 to 255; other modules start at 256.
    static var cfTypeID: CFTypeID { get }
}

/// Returns the type of an object: the result of the `…GetTypeID()` function of its type, or 0 if its type has no such
/// function.
///
/// A value that `as CFTypeRef` boxed has the type of the value. A mutable object has the type of its immutable class.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    guard let object = cf as CFTypeRef? else { return 0 }
    if let known = object as? any CFTypeIdentified { return type(of: known).cfTypeID }
    // Boxes of Swift values respond only to a cast of the value inside, so `as?` is used instead of a check of the
    // class.
    switch object {
    case is NSString: return CFStringGetTypeID()
    case let number as NSNumber: return isTruthValue(number) ? CFBooleanGetTypeID() : CFNumberGetTypeID()
    case is NSData: return CFDataGetTypeID()
    case is NSDate: return CFDateGetTypeID()
    case is NSDictionary: return CFDictionaryGetTypeID()
    case is NSArray: return CFArrayGetTypeID()
    case is NSSet: return CFSetGetTypeID()
    case is NSURL: return CFURLGetTypeID()
    case is NSUUID: return CFUUIDGetTypeID()
    case is NSNull: return CFNullGetTypeID()
    case is NSError: return CFErrorGetTypeID()
    case is CFAllocator: return CFAllocatorGetTypeID()
    default: return 0
    }
}

/// Foundation uses one class for truth values and another one for the numbers 0 and 1.
package func isTruthValue(_ number: NSNumber) -> Bool { type(of: number) == truthValueType }

private let truthValueType = type(of: NSNumber(value: true))

// The numbers below differ from Apple's. Apple assigns new ones in every release, so only equality has a meaning.

public func CFAllocatorGetTypeID() -> CFTypeID { 1 }
public func CFStringGetTypeID() -> CFTypeID { 2 }
public func CFNumberGetTypeID() -> CFTypeID { 3 }
public func CFBooleanGetTypeID() -> CFTypeID { 4 }
public func CFDataGetTypeID() -> CFTypeID { 5 }
public func CFDateGetTypeID() -> CFTypeID { 6 }
public func CFDictionaryGetTypeID() -> CFTypeID { 7 }
public func CFArrayGetTypeID() -> CFTypeID { 8 }
public func CFSetGetTypeID() -> CFTypeID { 9 }
public func CFURLGetTypeID() -> CFTypeID { 10 }
public func CFUUIDGetTypeID() -> CFTypeID { 11 }
public func CFNullGetTypeID() -> CFTypeID { 12 }
public func CFErrorGetTypeID() -> CFTypeID { 13 }
