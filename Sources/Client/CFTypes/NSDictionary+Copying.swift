// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSDictionary {
    /// Creates a dictionary with the entries of another dictionary. For `NSMutableDictionary` the copy is mutable.
    ///
    /// Foundation here accepts a Swift dictionary only. Programs write `NSMutableDictionary(dictionary: result as!
    /// NSDictionary)` to turn a search result into a query.
    public convenience init(dictionary otherDictionary: NSDictionary) {
        // Every key is hashable and every value is an Any, so the cast cannot fail.
        self.init(dictionary: otherDictionary as! [AnyHashable: Any])
    }
}
