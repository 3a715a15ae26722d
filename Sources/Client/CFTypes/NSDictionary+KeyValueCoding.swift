// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Key-value coding of dictionaries, much used in sample code and absent from Foundation here. Apple's treats a key that
// begins with "@" apart; no key of a keychain dictionary does.

extension NSDictionary {
    /// The value of a text key, nil when there is none.
    public func value(forKey key: String) -> Any? { object(forKey: key as NSString) }
}

extension NSMutableDictionary {
    /// Sets the value of a text key; nil removes the entry.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key as NSString)
        }
    }
}
