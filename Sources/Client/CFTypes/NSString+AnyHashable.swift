// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Makes text the same dictionary key whether it comes as a String or as a CFString.
///
/// On Apple's platforms `AnyHashable("x") == AnyHashable("x" as NSString)`, and programs look things up with
/// `(item as! [AnyHashable: Any])[kSecAttrAccount]`. Foundation here lacks the conformance, so the lookup would find
/// nothing.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
