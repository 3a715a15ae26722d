// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The passwords that the PAM module passes on (chatelaine-login(8), "Input"): the login password, and after a change the one before it.
public struct LoginPasswords: Sendable {
    /// The password before a change; nil without a change.
    public let old: SecretBytes?
    public let current: SecretBytes

    /// The longest password, in bytes. Keychains accept no longer ones.
    public static let passwordBytes = 1024
    /// The size of the longest input, in bytes.
    public static let inputBytes = headBytes + 2 * passwordBytes

    private static let headBytes = 4

    public struct Malformed: Error, Hashable, Sendable {
        public init() {}
    }

    /// Returns the size of the whole input, or of more of it than its first bytes.
    ///
    /// - Throws: `Malformed` for sizes that no password has.
    public static func size(of start: [UInt8]) throws(Malformed) -> Int {
        guard start.count >= headBytes else { return headBytes }
        let (old, current) = sizes(start)
        guard old <= passwordBytes, 1...passwordBytes ~= current else { throw Malformed() }
        return headBytes + old + current
    }

    /// Reads an input.
    ///
    /// - Throws: `Malformed` for an input that is too short or too long, and for invalid sizes.
    public init(_ input: [UInt8]) throws(Malformed) {
        guard input.count >= Self.headBytes, try Self.size(of: input) == input.count else { throw Malformed() }
        let end = Self.headBytes + Self.sizes(input).old
        old = end > Self.headBytes ? SecretBytes(copying: input[Self.headBytes..<end]) : nil
        current = SecretBytes(copying: input[end...])
    }

    /// Two numbers of 16 bits, lowest byte first.
    private static func sizes(_ head: [UInt8]) -> (old: Int, current: Int) {
        (Int(head[0]) | Int(head[1]) << 8, Int(head[2]) | Int(head[3]) << 8)
    }
}
