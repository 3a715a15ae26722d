// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation

/// What status codes mean, for people.
///
/// Scripts compare the sentences of the commonest codes, so those are Apple's to the letter; all others are our own.
enum StatusMessages {
    static func message(for status: OSStatus) -> String {
        if let message = general[status] ?? modules[status] ?? unpublished[status] { return message }
        if let text = systemText(for: status) { return "UNIX[\(text)]" }
        return "OSStatus \(status)"
    }

    /// Codes that have no constant but can reach a caller.
    private static let unpublished: [OSStatus: String] = [
        -25330: "Authentication is needed before the operation can go on.",
        -26276: "The keychain had an internal error.",
        -34019: "An upgrade of the keychain is pending.",
    ]

    /// The codes that are an errno of the operating system with 100000 added to it: the range that Apple set aside.
    private static let systemCodes: ClosedRange<OSStatus> = 100_001...100_255

    /// The system's text for a code of its range, which says so when it does not know the errno; nil outside of it.
    private static func systemText(for status: OSStatus) -> String? {
        guard systemCodes.contains(status) else { return nil }
        return NSError(domain: NSPOSIXErrorDomain, code: Int(status) - 100_000).localizedFailureReason
    }
}
