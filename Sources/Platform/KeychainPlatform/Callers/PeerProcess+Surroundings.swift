// SPDX-License-Identifier: Apache-2.0

internal import CKeychainPlatform
internal import Glibc
internal import KeychainEndpoint

// Where the person may be who uses the process. To be looked at when it is needed, not before.
extension PeerProcess {
    /// Readable when the process has ended. Stays this object's own.
    public var endDescriptor: Int32 { process.number }

    /// The path of its controlling terminal; nil where it has none, where others have the use of it at the moment (a shell does,
    /// while its job runs in the background), and where this process does not see it under such a name.
    public func controllingTerminal() -> String? {
        guard let text = SmallFile.text("stat", in: directory.number) else { return nil }
        return Self.terminal(fromStatus: text).flatMap { terminal in
            // In another mount of such terminals (a container) the same name is another terminal.
            terminal.hasPrefix("/dev/pts/") && !seesOurTerminals() ? nil : terminal
        }
    }

    /// The terminal that a line of /proc/PID/stat names by its device number (proc_pid_stat(5), fields 5, 7 and 8), if the
    /// process's group is in its foreground.
    static func terminal(fromStatus text: String) -> String? {
        // The second field is a name in parentheses of the process's own choice.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 5, let device = Int32(fields[4]), fields[2] == fields[5] else { return nil }
        let bits = UInt32(bitPattern: device)
        let (major, minor) = (bits >> 8 & 0xFFF, bits & 0xFF | bits >> 12 & 0xFFF00)
        switch major {
        // Pseudo terminals, of which today's kernels use the first major only, and consoles (devices.txt of the kernel).
        case 136: return "/dev/pts/\(minor)"
        case 4 where (1..<64).contains(minor): return "/dev/tty\(minor)"
        default: return nil
        }
    }

    /// The paths of the programs that started it, the nearest first, up to the first that cannot be seen, without the first process of the
    /// machine. A process whose parent has ended has another one, so a program can hide that it started one.
    public func starters(atMost limit: Int) -> [String] {
        var paths: [String] = []
        var (child, childsStart) = (SmallFile.text("stat", in: directory.number).flatMap(ProcessLine.init), start)
        while paths.count < limit, let parent = child?.parent, parent > 1,
            // The path is only read.
            let folder = try? OwnedDescriptor(unsafe ckp_open_directory("/proc/\(parent)"), from: "open"),
            let line = SmallFile.text("stat", in: folder.number).flatMap(ProcessLine.init),
            // A parent is no younger; a process that got its number since is.
            line.start <= childsStart,
            let path = try? linkTarget("exe", folder.number)
        {
            paths.append(path)
            (child, childsStart) = (line, line.start)
        }
        return paths
    }

    private func seesOurTerminals() -> Bool {
        var (theirs, ours) = (stat(), stat())
        // Both calls read the path and fill the structure.
        return unsafe fstatat(directory.number, "root/dev/pts", &theirs, 0) == 0 && stat("/dev/pts", &ours) == 0
            && theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino
    }

    /// The longest environment that is read, in bytes. A longer one counts as none.
    public static let environmentLimit = 256 * 1024

    /// Values of the environment that the process was started with, or wrote in its place since: its own word.
    ///
    /// A process chooses which part of its memory is its environment (PR_SET_MM_MAP), and how long that is.
    public func environment(_ names: Set<String>) -> [String: String] {
        var values: [String: String] = [:]
        let text = SmallFile.text("environ", in: directory.number, limit: Self.environmentLimit)
        for entry in text?.split(separator: "\0") ?? [] {
            guard let equals = entry.firstIndex(of: "=") else { continue }
            let name = String(entry[..<equals])
            // As getenv does, the first one counts.
            if names.contains(name), values[name] == nil { values[name] = String(entry[entry.index(after: equals)...]) }
        }
        return values
    }
}

/// What a line of /proc/PID/stat tells (proc_pid_stat(5)).
struct ProcessLine {
    let parent: Int32
    /// When it began, in ticks since the machine did.
    let start: UInt64

    init?(_ text: String) {
        // The name of the program, which may have anything in it, ends with the last parenthesis. Behind it comes the third field.
        // By its bytes: a character of the name can take the parenthesis into one Swift character with itself.
        let bytes = Array(text.utf8)
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, let parent = Int32(fields[1]), let start = UInt64(fields[19]) else { return nil }
        self.parent = parent
        self.start = start
    }
}

/// The environment of this process.
public enum OwnEnvironment {
    /// Values of variables, as far as they are set. To be read before there are other threads.
    public static func values(_ names: Set<String>) -> [String: String] {
        var values: [String: String] = [:]
        for name in names {
            // Copied at once.
            if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
        }
        return values
    }
}
