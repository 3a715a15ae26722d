// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The terminal and display where a prompt can be shown. The service determines it, but most of it is unverified,
/// because a program controls its own environment.
public struct PromptLocation: Hashable, Sendable {
    /// The path of a terminal: `/dev/pts/N` or `/dev/ttyN`.
    public var terminal: String?
    /// The terminal's kind, the value of `TERM`.
    public var terminalKind: String?
    /// The language and character set, such as `de_DE.UTF-8`.
    public var locale: String?
    public var display: PromptDisplay?

    public init(
        terminal: String? = nil, terminalKind: String? = nil, locale: String? = nil, display: PromptDisplay? = nil
    ) {
        self.terminal = terminal
        self.terminalKind = terminalKind
        self.locale = locale
        self.display = display
    }

    public static let nowhere = PromptLocation()

    /// Whether there is neither a terminal nor a display.
    public var isNowhere: Bool { terminal == nil && display == nil }

    /// Returns whether a path can be the path of a terminal.
    public static func isTerminal(_ path: String) -> Bool {
        for prefix in ["/dev/pts/", "/dev/tty"] where path.hasPrefix(prefix) {
            let number = path.dropFirst(prefix.count)
            guard (1...7).contains(number.utf8.count) else { continue }
            if number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        }
        return false
    }

    /// Returns whether a text can be a terminal's kind or a locale: a short word of letters, digits and a few symbols.
    public static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || Array("-_.+@:".utf8).contains(byte)
            }
    }
}

/// A display of the X Window System or of Wayland.
public struct PromptDisplay: Hashable, Sendable {
    /// The value of `DISPLAY`, such as `:0`.
    public var x11: String?
    /// The value of `WAYLAND_DISPLAY`, such as `wayland-0`.
    public var wayland: String?
    /// The value of `XAUTHORITY`: the path of the file that opens the X server.
    public var authority: String?

    /// Creates a display; nil unless one of the first two is valid. An invalid name counts as missing.
    public init?(x11: String?, wayland: String?, authority: String? = nil) {
        self.x11 = x11.flatMap { Self.isName($0) ? $0 : nil }
        self.wayland = wayland.flatMap { Self.isName($0) ? $0 : nil }
        self.authority = authority.flatMap { $0.hasPrefix("/") && Self.isName($0) ? $0 : nil }
        guard self.x11 != nil || self.wayland != nil else { return nil }
    }

    /// Returns whether a text is printable ASCII.
    private static func isName(_ text: String) -> Bool {
        (1...PromptText.limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension HelperWriter {
    mutating func place(_ place: PromptLocation) {
        for text in [
            place.terminal, place.terminalKind, place.locale, place.display?.x11, place.display?.wayland,
            place.display?.authority,
        ] {
            optional(text) { $0.block($1.utf8) }
        }
    }
}

extension HelperReader {
    mutating func place() throws(HelperWireError) -> PromptLocation {
        func word(_ reader: inout HelperReader, _ isRight: (String) -> Bool) throws(HelperWireError) -> String? {
            let text = try reader.optional { reader throws(HelperWireError) in
                try reader.text(atMost: PromptText.limit)
            }
            guard let text else { return nil }
            guard isRight(text) else { throw .malformed }
            return text
        }
        var place = PromptLocation.nowhere
        place.terminal = try word(&self, PromptLocation.isTerminal)
        place.terminalKind = try word(&self, PromptLocation.isWord)
        place.locale = try word(&self, PromptLocation.isWord)
        let (x11, wayland) = (try word(&self) { _ in true }, try word(&self) { _ in true })
        let authority = try word(&self) { _ in true }
        place.display = PromptDisplay(x11: x11, wayland: wayland, authority: authority)
        guard place.display?.x11 == x11, place.display?.wayland == wayland, place.display?.authority == authority else {
            throw .malformed
        }
        return place
    }
}
