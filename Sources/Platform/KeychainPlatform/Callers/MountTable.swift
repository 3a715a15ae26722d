// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint

/// The mounts in this process's own mount namespace (proc_pid_mountinfo(5)).
struct MountTable {
    private var numbers: Set<Substring> = []
    private var devices: Set<Substring> = []

    /// The largest table that is read, in bytes.
    private static let byteLimit = 16 * 1024 * 1024

    /// The current mounts.
    static var own: MountTable { MountTable(SmallFile.text(at: "/proc/self/mountinfo", limit: byteLimit) ?? "") }

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 3)
            guard fields.count == 4 else { continue }
            numbers.insert(fields[0])
            devices.insert(fields[2])
        }
    }

    /// Returns whether an open file is on one of these mounts, or on a file system that one of them shows.
    func contains(_ file: OwnedDescriptor, device: UInt) -> Bool {
        // Mount IDs are unique on the machine, so a mount of another namespace is not in this table. The service may
        // run in a namespace that systemd made for it: its mounts are copies, of the same device.
        if let number = Self.mountNumber(of: file), numbers.contains(number) { return true }
        // The inverse of makedev(3).
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF & 0xFFFF_FFFF
        return devices.contains("\(major):\(minor)"[...])
    }

    /// Returns the type of the file system that an open file is on, by the table of a process that sees its mount,
    /// without asking that file system; nil if the mount is not in the table.
    static func type(of file: OwnedDescriptor, in table: String) -> Substring? {
        guard let number = mountNumber(of: file) else { return nil }
        let line = table.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: (number + " ").utf8) }
        // A lone hyphen ends the optional fields; blanks in paths are escaped.
        let fields = line?.split(separator: UInt8(ascii: " ")) ?? []
        guard let end = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }), end + 1 < fields.count else {
            return nil
        }
        return Substring(fields[end + 1])
    }

    private static func mountNumber(of file: OwnedDescriptor) -> Substring? {
        // proc_pid_fdinfo(5).
        let lines = SmallFile.text(at: "/proc/self/fdinfo/\(file.number)")?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix("mnt_id:") }) else { return nil }
        return line.dropFirst("mnt_id:".count).drop { $0 == "\t" || $0 == " " }
    }
}
