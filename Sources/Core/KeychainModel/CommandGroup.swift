// SPDX-License-Identifier: Apache-2.0

/// The access groups of the command `chatelaine`.
///
/// Every program of the user can run the command, so what is in ``shared`` is open to all of them. Each use of an item in
/// ``privateItems`` is asked about, as that of another program's item is.
public enum CommandGroup {
    public static let shared = "chatelaine"
    public static let privateItems = "chatelaine.private"
}
