// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation

/// The messages of status codes, for display.
///
/// Scripts compare the sentences of the most frequent codes, so those are exactly Apple's; all others are our own.
enum StatusMessages {
    static func message(for status: OSStatus) -> String {
        if let message = general[status] ?? modules[status] ?? unpublished[status] { return message }
        if let text = systemText(for: status) { return "UNIX[\(text)]" }
        return "OSStatus \(status)"
    }

    /// Codes that have no constant but can be returned to a caller.
    private static let unpublished: [OSStatus: String] = [
        -25330: "The operation requires authentication.",
        -26276: "The keychain had an internal error.",
        -34019: "An upgrade of the keychain is pending.",
    ]

    /// The codes that are an errno of the operating system plus 100000, the range that Apple reserved.
    private static let systemCodes: ClosedRange<OSStatus> = 100_001...100_255

    /// The system's text for a code of this range, which also covers an unknown errno; nil outside of the range.
    private static func systemText(for status: OSStatus) -> String? {
        guard systemCodes.contains(status) else { return nil }
        return NSError(domain: NSPOSIXErrorDomain, code: Int(status) - 100_000).localizedFailureReason
    }
}
