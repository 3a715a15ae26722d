// SPDX-License-Identifier: Apache-2.0

// Without CFTypes, whose names are Core Foundation's.
internal import CoreFoundation
internal import Foundation

extension NSDictionary {
    /// Calls the closure with each entry, and with the objects that are stored, not with what Foundation makes of them: its own
    /// ways through a dictionary cast each value several times, which takes longer than the keychain's search.
    ///
    /// - Returns: false, without a call, for a class of the program's own, which may store its entries in any way.
    func forEachStoredEntry(_ body: (_ key: AnyObject, _ value: AnyObject) -> Void) -> Bool {
        let type = type(of: self)
        guard type == NSDictionary.self || type == NSMutableDictionary.self else { return false }
        let count = count
        unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: 2 * count) { objects in
            guard let keys = objects.baseAddress else { return }
            let values = unsafe keys + count
            // On Linux, too, an NSDictionary is what the C functions take; this one fills `count` places of each.
            unsafe CFDictionaryGetKeysAndValues(unsafeBitCast(self, to: CFDictionary.self), keys, values)
            for index in 0..<count {
                // The dictionary keeps them until this function returns.
                guard let key = unsafe keys[index], let value = unsafe values[index] else { continue }
                unsafe body(
                    Unmanaged.fromOpaque(key).takeUnretainedValue(), Unmanaged.fromOpaque(value).takeUnretainedValue())
            }
        }
        return true
    }
}
