// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Makes a String and a CFString with the same text the same dictionary key.
///
/// On Apple's platforms `AnyHashable("x") == AnyHashable("x" as NSString)`, and programs read results with `(item as!
/// [AnyHashable: Any])[kSecAttrAccount]`. Foundation here does not have this conformance, so the lookup would return
/// nil.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
