// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSDictionary {
    /// A dictionary with the entries of another one; of `NSMutableDictionary`, one that can be changed.
    ///
    /// Foundation here makes one from a Swift dictionary only. Programs write
    /// `NSMutableDictionary(dictionary: result as! NSDictionary)` to make a query of what they found.
    public convenience init(dictionary otherDictionary: NSDictionary) {
        // What is a key is hashable, and every value is an Any: the cast cannot fail.
        self.init(dictionary: otherDictionary as! [AnyHashable: Any])
    }
}
