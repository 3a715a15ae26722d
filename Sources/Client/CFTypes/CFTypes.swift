// SPDX-License-Identifier: Apache-2.0

// The Core Foundation names that code with Keychain Services uses, for a platform whose Foundation does not export
// them.
//
// Rules of this module:
// - A CF object type *is* the Foundation class that Apple's type is toll-free bridged to. Only an alias makes `x as
//   CFString`, `[CFString: Any]` and `query as CFDictionary` compile: no type can be cast to the CFString of the
//   toolchain's own CoreFoundation module.
// - The module is separate from Security, so that a program with access-level imports can import or re-export it at its
//   own level. A name that came only with a `private import Security` would be private.
// - The module is not called CoreFoundation, so that `import CoreFoundation` never means this module: in a file that
//   imports both, the names are ambiguous.

// A file with `import Security` alone works with CF values. Those are Foundation's, so the file must see their members.
@_exported public import Foundation

// MARK: Object types

/// Any Core Foundation object, and any object of Security.
public typealias CFTypeRef = AnyObject

public typealias CFString = NSString
public typealias CFMutableString = NSMutableString
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = NSArray
public typealias CFMutableArray = NSMutableArray
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFDate = NSDate
public typealias CFSet = NSSet
public typealias CFMutableSet = NSMutableSet
public typealias CFURL = NSURL
public typealias CFNull = NSNull
public typealias CFUUID = NSUUID
public typealias CFError = NSError

/// The same class as ``CFBoolean``, so that both `5 as CFNumber` and `true as CFBoolean` compile. As a consequence, a
/// module cannot conform the two to a protocol separately.
public typealias CFNumber = NSNumber
/// The same class as ``CFNumber``; ``CFGetTypeID(_:)`` distinguishes a truth value from a number.
public typealias CFBoolean = NSNumber

/// The name of an error domain; `kCFErrorDomainOSStatus as String` and comparison with `NSError.domain` work.
public typealias CFErrorDomain = CFString

/// The location of the error variable in a call such as `canEvaluatePolicy(_:error:)`.
///
/// Foundation does not define this name here. Apple's type is an `AutoreleasingUnsafeMutablePointer`; this is a plain
/// pointer. `&error` and `nil` convert to both.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

// MARK: Scalars

public typealias CFIndex = Int
public typealias CFTypeID = UInt
public typealias CFHashCode = UInt
public typealias CFOptionFlags = UInt

/// Seconds since 2001-01-01 00:00:00 UTC.
public typealias CFAbsoluteTime = Double
/// Seconds.
public typealias CFTimeInterval = Double

/// The result of a Security function: 0, or a negative code such as `errSecItemNotFound`.
public typealias OSStatus = Int32
/// Four characters in an integer, the first in the most significant byte: `"genp"` is `0x67656E70`.
public typealias FourCharCode = UInt32
public typealias OSType = FourCharCode

/// Success; the same value as `errSecSuccess`.
public var noErr: OSStatus { 0 }

/// Apple's Boolean type of C interfaces: one byte, false when zero.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, CustomStringConvertible, Sendable {
    private var byte: UInt8

    public init(_ value: Bool) { byte = value ? 1 : 0 }

    public init(booleanLiteral value: Bool) { self.init(value) }

    public var boolValue: Bool { byte != 0 }

    public var description: String { boolValue.description }
}

/// A range of elements or UTF-16 units.
public struct CFRange: Equatable, Sendable {
    public var location: CFIndex
    public var length: CFIndex

    public init(location: CFIndex = 0, length: CFIndex = 0) {
        self.location = location
        self.length = length
    }
}

public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
    CFRange(location: location, length: length)
}
