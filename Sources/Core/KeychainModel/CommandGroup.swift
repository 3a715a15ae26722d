// SPDX-License-Identifier: Apache-2.0

/// The access groups of the command `chatelaine`.
///
/// Every program of the user can run the command, so items in ``shared`` are open to all of them. Each use of an item
/// in ``privateItems`` requires approval, as for another program's item.
public enum CommandGroup {
    public static let shared = "chatelaine"
    public static let privateItems = "chatelaine.private"
}
