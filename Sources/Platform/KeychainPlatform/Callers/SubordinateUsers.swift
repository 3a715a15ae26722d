// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint

/// The user numbers that a machine gives to its users for their user namespaces (subuid(5)).
///
/// A user can run programs under these numbers outside of such a namespace too, by set-user-id files that were made
/// inside. To the kernel, each number is a user, so one user would be 65,536.
public enum SubordinateUsers {
    /// The first number that a range can have here. Lower ones are those of accounts: an administrator can name one in
    /// a range to show it inside a namespace, and it stays an account.
    static let first: UInt32 = 65536

    private static let sizeLimit = 1024 * 1024

    /// Returns whether a range includes the number. If the file exists and cannot be read, that is assumed.
    ///
    /// - Parameter file: the file of the ranges.
    public static func contain(_ user: UInt32, file: String = "/etc/subuid") -> Bool {
        guard user >= first else { return false }
        guard let text = SmallFile.text(at: file, limit: sizeLimit) else { return FileIdentity(path: file) != nil }
        return contain(user, text: text)
    }

    /// Returns whether a line of the text (name, first number, count) includes the number. Other lines have no meaning.
    static func contain(_ user: UInt32, text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count == 3, let start = UInt64(Substring(fields[1])), let count = UInt64(Substring(fields[2])),
                start <= user
            else { return false }
            return UInt64(user) - start < count
        }
    }
}
