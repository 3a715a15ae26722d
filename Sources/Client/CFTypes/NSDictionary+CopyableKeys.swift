// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Apple's dictionary objects accept NSCopying keys; Foundation's accept Hashable keys. Existing code casts:
// `query.setObject(account, forKey: kSecAttrAccount as! NSCopying)`. These overloads are disfavoured, so that a key
// with both protocols uses Foundation's method.

extension NSDictionary {
    /// Creates a dictionary of values and their keys, which must be objects.
    @_disfavoredOverload
    public convenience init(objects: [Any], forKeys keys: [any NSCopying]) {
        self.init(objects: objects, forKeys: keys.map(keyObject))
    }
}

extension NSMutableDictionary {
    /// Sets the value of a key, which must be an object.
    @_disfavoredOverload
    public func setObject(_ anObject: Any, forKey aKey: any NSCopying) {
        setObject(anObject, forKey: keyObject(aKey))
    }
}

/// NSCopying is a class protocol here too. A caller's own class that is not an NSObject cannot be a key.
private func keyObject(_ key: any NSCopying) -> NSObject {
    guard let key = key as? NSObject else { preconditionFailure("a key of a dictionary must be an NSObject") }
    return key
}
