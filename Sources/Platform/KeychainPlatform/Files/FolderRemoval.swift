// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import KeychainEndpoint

/// A watch for the removal of a folder with its files (inotify(7)), so that a program can wait for it without waking up
/// in between.
///
/// While a process listens at a socket in the folder, the kernel does not report that the folder itself is removed. It
/// reports each file that is, and a folder is removed after its files.
public final class FolderRemoval: Sendable {
    private let watch: OwnedDescriptor

    /// Starts the watch. Throws the errors of inotify_init1(2) and inotify_add_watch(2).
    public init(of path: String) throws(SystemCallError) {
        watch = try OwnedDescriptor(
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), from: "inotify_init1")
        // The path is only read. A link is not followed, as when the folder is prepared.
        let mask = UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        guard unsafe inotify_add_watch(watch.number, path, mask) >= 0 else { throw .last("inotify_add_watch") }
    }

    /// For polling: readable once a file of the folder, or the folder, is removed.
    public var descriptor: Int32 { watch.number }
}
