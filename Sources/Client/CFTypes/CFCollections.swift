// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Functions that return a raw pointer to an element are not provided: an element may be a Swift value that the
// collection boxes at each access, so the pointer would dangle.

public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex { theArray.count }

public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex { theDict.count }

public func CFSetGetCount(_ theSet: CFSet!) -> CFIndex { theSet.count }

/// The length in UTF-16 units.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString.length }

public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    NSDate(timeIntervalSinceReferenceDate: at)
}

public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime { theDate.timeIntervalSinceReferenceDate }

public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! { NSUUID() }

public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! { uuid.uuidString as CFString }
