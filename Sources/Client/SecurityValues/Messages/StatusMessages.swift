// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint

/// The messages of status codes, for display.
///
/// Scripts compare the sentences of the most frequent codes, so those are exactly Apple's; all others are our own.
package enum StatusMessages {
    /// Returns a sentence in English; for 100000 + errno `UNIX[…]` with the system's text, for an unknown code `OSStatus
    /// <code>`.
    package static func message(for status: Int32) -> String {
        if let message = general[status] ?? modules[status] ?? unpublished[status] { return message }
        if systemCodes.contains(status) {
            return "UNIX[\(SystemCallError(call: "", code: status - 100_000).reason)]"
        }
        return "OSStatus \(status)"
    }

    /// Codes that have no constant but can be returned to a caller.
    private static let unpublished: [Int32: String] = [
        -25330: "The operation requires authentication.",
        -26276: "The keychain had an internal error.",
        -34019: "An upgrade of the keychain is pending.",
    ]

    /// The codes that are an errno of the operating system plus 100000, the range that Apple reserved. The system has a
    /// text for an unknown errno as well.
    private static let systemCodes: ClosedRange<Int32> = 100_001...100_255
}
