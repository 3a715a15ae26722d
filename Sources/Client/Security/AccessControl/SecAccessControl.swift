// SPDX-License-Identifier: Apache-2.0

public import CFTypes
public import Foundation
package import KeychainModel

/// When an item may be used and what must happen before: the value of `kSecAttrAccessControl`. Equal by content.
///
/// A plain class, no subclass of NSObject, so that other modules may use its `==` and `hash(into:)` in inlinable code
/// without importing Foundation.
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

/// The type of ``SecAccessControl`` objects, as `CFGetTypeID` tells it.
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.cfTypeID }

/// Makes an access control object.
///
/// `protection` is one of the `kSecAttrAccessible…` values. `flags` may combine several constraints; `.or` and `.and` say
/// how. Whether an item can be stored with them is found out when it is added.
///
/// - Returns: nil, and an error with the code `errSecParam` in `error`, for an unknown protection or flag, and for flags
///   that contradict each other: `.or` with `.and`, `.biometryAny` with `.biometryCurrentSet`, `.userPresence` with
///   anything but `.applicationPassword` and `.privateKeyUsage`. Without an error, `error` keeps what it held.
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    func refuse(_ reason: String) -> SecAccessControl? {
        // The caller vouches for the variable, and takes over the reference: Apple's contract of this function.
        unsafe error?.pointee = Unmanaged.passRetained(parameterError("SecAccessControl: \(reason)"))
        return nil
    }
    guard case .text(let code) = GivenValue(protection), let protection = Accessibility(code: code) else {
        return refuse("invalid protection")
    }
    guard let bits = UInt32(exactly: flags.rawValue),
        let content = AccessControl(protection: protection, flags: AccessControl.Flags(rawValue: bits))
    else { return refuse("invalid combination of flags") }
    return SecAccessControl(content)
}

/// Programs show and compare the whole sentence, which is Apple's with the typographic apostrophe.
private func parameterError(_ reason: String) -> CFError {
    let sentence = "The operation couldn\u{2019}t be completed. (OSStatus error \(errSecParam) - \(reason))"
    return NSError(
        domain: NSOSStatusErrorDomain, code: Int(errSecParam), userInfo: [NSLocalizedDescriptionKey: sentence])
}
