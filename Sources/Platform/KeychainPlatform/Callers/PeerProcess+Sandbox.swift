// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
internal import KeychainEndpoint

// What a sandbox states about the process. None of it is verified: a process can make such a sandbox itself.
extension PeerProcess {
    /// The largest `.flatpak-info` that is read, in bytes.
    static let sandboxFileLimit = 64 * 1024
    /// The largest list of mounts that is read of a process, which can make as many as the kernel allows, in bytes. A
    /// sandbox of Flatpak has about a hundred mounts, of less than 200 bytes each.
    static let mountsLimit = 256 * 1024

    /// Returns the text of `.flatpak-info` in the root of the process, which Flatpak makes for its applications and for
    /// the proxies of their buses; nil if there is none, empty if it cannot be read.
    ///
    /// Flatpak's root is a tmpfs. No other file system is asked for the file, because a process can serve a file system
    /// that never answers. Throws the errors of ``snapshot()``.
    public func flatpakInfo() throws(Error) -> String? {
        // Opened without reading, so no file system is asked. The names are only read.
        let number = unsafe openat(directory.number, "root", openPathOnly | O_DIRECTORY | O_CLOEXEC)
        guard let root = try? OwnedDescriptor(number, from: "openat") else { throw Self.failure("openat") }
        // On the file system of this process's own root, so not on a tmpfs that Flatpak made. Almost every client is
        // there, and a machine can have thousands of mounts.
        if let device = Self.ownRootDevice, ckp_cached_device(root.number) == device { return nil }
        guard let mounts = SmallFile.text("mountinfo", in: directory.number, limit: Self.mountsLimit) else {
            guard isAlive else { throw .exited }
            // Longer than any of Flatpak, so it says nothing about the process.
            return ""
        }
        do throws(SystemCallError) {
            guard MountTable.type(of: root, in: mounts) == "tmpfs" else { return nil }
            let number = unsafe openat(root.number, ".flatpak-info", openPathOnly | O_NOFOLLOW | O_CLOEXEC)
            if number < 0, errno == ENOENT { return nil }
            let file = try OwnedDescriptor(number, from: "openat")
            // Another file can be mounted in its place.
            guard MountTable.type(of: file, in: mounts) == "tmpfs", try file.status().st_mode & S_IFMT == S_IFREG else {
                return ""
            }
            let reading = try OwnedDescriptor(
                unsafe open("/proc/self/fd/\(file.number)", O_RDONLY | O_NONBLOCK | O_CLOEXEC), from: "open")
            return String(decoding: try reading.stream.contents(atMost: Self.sandboxFileLimit) ?? [], as: UTF8.self)
        } catch {
            // The sandbox exists, and its name is unknown.
            return ""
        }
    }

    /// The device of this process's root; nil if the kernel does not tell it.
    private static let ownRootDevice: Int64? = {
        guard let root = try? OwnedDescriptor(unsafe open("/", openPathOnly | O_DIRECTORY | O_CLOEXEC), from: "open")
        else { return nil }
        let device = ckp_cached_device(root.number)
        return device < 0 ? nil : device
    }()

    /// Returns the AppArmor label of the process with its mode, such as `snap.mail.app (enforce)`; nil if the kernel does
    /// not use AppArmor.
    public func securityLabel() -> String? {
        SmallFile.text("attr/apparmor/current", in: directory.number).map { String($0.prefix { $0 != "\n" }) }
    }
}
