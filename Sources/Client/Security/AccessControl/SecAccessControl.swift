// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainModel

/// The accessibility of an item and the authentication that it requires: the value of `kSecAttrAccessControl`. Equal by
/// content.
///
/// A plain class, not a subclass of NSObject, so that other modules can use its `==` and `hash(into:)` in inlinable
/// code without importing Foundation.
public final class SecAccessControl: Hashable, Sendable, CFTypeIdentified {
    package let content: AccessControl

    init(_ content: AccessControl) {
        self.content = content
    }

    public static var cfTypeID: CFTypeID { 256 }

    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool {
        left.content == right.content
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(content)
    }
}

/// Returns the type identifier of ``SecAccessControl`` objects, as `CFGetTypeID` returns it.
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.cfTypeID }

/// Creates an access control object.
///
/// `protection` is one of the `kSecAttrAccessible…` values. `flags` may combine several constraints; `.or` and `.and`
/// define how. Whether an item can be stored with them is checked when it is added.
///
/// - Returns: nil, and an error with the code `errSecParam` in `error`, for an unknown protection or flag, and for
///   contradictory flags: `.or` with `.and`, `.biometryAny` with `.biometryCurrentSet`, `.userPresence` with any flag
///   except `.applicationPassword` and `.privateKeyUsage`. On success, `error` is not changed.
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    func refuse(_ reason: String) -> SecAccessControl? {
        // The caller guarantees a valid variable and takes over the reference: Apple's contract of this function.
        unsafe error?.pointee = Unmanaged.passRetained(parameterError("SecAccessControl: \(reason)"))
        return nil
    }
    guard case .text(let code) = DictionaryValue(protection), let protection = Accessibility(code: code) else {
        return refuse("invalid protection")
    }
    guard let bits = UInt32(exactly: flags.rawValue),
        let content = AccessControl(protection: protection, flags: AccessControl.Flags(rawValue: bits))
    else { return refuse("invalid combination of flags") }
    return SecAccessControl(content)
}

/// Programs display and compare the whole sentence, which is Apple's, with the typographic apostrophe.
private func parameterError(_ reason: String) -> CFError {
    let sentence = "The operation couldn\u{2019}t be completed. (OSStatus error \(errSecParam) - \(reason))"
    return NSError(
        domain: NSOSStatusErrorDomain, code: Int(errSecParam), userInfo: [NSLocalizedDescriptionKey: sentence])
}
