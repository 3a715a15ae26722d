// SPDX-License-Identifier: Apache-2.0

// Without CFTypes, because both define the names of Core Foundation.
internal import CoreFoundation
internal import Foundation

extension NSDictionary {
    /// Calls the closure with each entry, and with the stored objects instead of Foundation's conversions: Foundation's
    /// own enumeration casts each value several times, which takes longer than the keychain's search.
    ///
    /// - Returns: false, without a call, for a class of the program, which may store its entries in any way.
    func forEachStoredEntry(_ body: (_ key: AnyObject, _ value: AnyObject) -> Void) -> Bool {
        let type = type(of: self)
        guard type == NSDictionary.self || type == NSMutableDictionary.self else { return false }
        let count = count
        unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 2 * count) { objects in
            guard let keys = objects.baseAddress else { return }
            let values = unsafe keys + count
            // On Linux, too, an NSDictionary can be passed to the C functions; this one fills `count` elements of each
            // buffer.
            unsafe CFDictionaryGetKeysAndValues(unsafeBitCast(self, to: CFDictionary.self), keys, values)
            for index in 0..<count {
                // The dictionary retains them until this function returns.
                guard let key = unsafe keys[index], let value = unsafe values[index] else { continue }
                unsafe body(
                    Unmanaged.fromOpaque(key).takeUnretainedValue(), Unmanaged.fromOpaque(value).takeUnretainedValue())
            }
        }
        return true
    }
}
