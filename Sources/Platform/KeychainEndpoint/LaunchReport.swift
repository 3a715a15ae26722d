// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What chatelained wrote to its standard error before it failed to start: the reason, and the next step.
///
/// Any program may be in the place of chatelained, so the texts are bounded and printable.
public struct LaunchReport: Hashable, Sendable {
    public let reason: String
    public let hint: String?

    /// The largest number of bytes that are read: as many as the service reports at its start.
    private static let byteLimit = 4096
    /// The longest reason or hint, in characters.
    private static let lengthLimit = 1000

    /// Parses the lines `error: REASON` and `hint: ACTION`. Without a line with an error, the last line is the reason:
    /// the dynamic loader and the Swift runtime write other lines. Nil if there is no text.
    init?(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        func value(_ label: String) -> String? {
            guard let line = lines.last(where: { $0.lowercased().hasPrefix(label) }) else { return nil }
            return Self.bounded(line.dropFirst(label.count))
        }
        guard let reason = value("error: ") ?? lines.last.map({ Self.bounded($0[...]) }), !reason.isEmpty else {
            return nil
        }
        self.reason = reason
        hint = value("hint: ")
    }

    /// Reads what a program that has ended wrote. Does not wait, because a child of that program may keep the other end
    /// open.
    init?(_ errors: OwnedDescriptor) {
        var text = [UInt8](repeating: 0, count: Self.byteLimit)
        // At most the array's size is written.
        let count = unsafe recv(errors.number, &text, text.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return nil }
        self.init(String(decoding: text[..<count], as: UTF8.self))
    }

    private static func bounded(_ text: Substring) -> String {
        text.count > lengthLimit ? String(text.prefix(lengthLimit)).printable + "\u{2026}" : String(text).printable
    }
}
