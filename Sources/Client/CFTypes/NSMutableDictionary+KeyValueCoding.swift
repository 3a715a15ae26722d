// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSMutableDictionary {
    /// Sets the value of a text key; nil removes the entry.
    ///
    /// Sample code often uses this method. Foundation here has only the reading half of key-value coding.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key as NSString)
        }
    }
}
