// SPDX-License-Identifier: Apache-2.0

/// A folder in which the user develops programs: an unsigned program below it has an access group that stays over
/// rebuilds, and not only the group of its file.
///
/// Any program that can write in the folder can put a program there, so it can use the items of these groups.
public enum DevelopmentFolder {
    /// The largest number of folders of a user.
    public static let limit = 100
    /// The longest path, in bytes; with the name of a program it fits into an access group.
    public static let pathBytes = 512

    private static let prefix = "development:"

    /// Returns the access group of a program.
    ///
    /// - Parameter program: the name of its file. Its place below the folder does not count, because it differs between
    ///   a debug build and a release build.
    public static func group(of program: String, in folder: String) -> String { "\(prefix)\(folder)/\(program)" }

    /// Returns the folder and the program's name, as a path; nil for a group of another kind.
    public static func path(ofGroup group: String) -> String? {
        group.utf8.starts(with: prefix.utf8) ? String(group.dropFirst(prefix.count)) : nil
    }

    /// Returns whether a text can be the path of such a folder: absolute, not the root, without `.`, `..`, empty
    /// components and control characters.
    public static func isPath(_ text: String) -> Bool {
        guard text.utf8.count <= pathBytes, text.utf8.first == UInt8(ascii: "/"), text.utf8.count > 1 else {
            return false
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return false }
        return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }

    /// Returns whether a path is below a folder, or is the folder if `includingItself`. Both have the form of
    /// ``isPath(_:)``.
    public static func contains(_ folder: String, _ path: String, includingItself: Bool = false) -> Bool {
        path.utf8.starts(with: (folder + "/").utf8) || includingItself && path.utf8.elementsEqual(folder.utf8)
    }
}
