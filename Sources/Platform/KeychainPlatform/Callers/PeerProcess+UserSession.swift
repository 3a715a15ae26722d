// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainEndpoint

// The terminal, the ancestors and the environment of the process, which locate its user. Read them when needed, because
// they change.
extension PeerProcess {
    /// Readable when the process has ended. This object owns the descriptor.
    public var endDescriptor: Int32 { process.number }

    /// Returns the path of the controlling terminal; nil if the process has none, if its process group is not in the
    /// foreground (a shell, while its job runs), and if this process does not see the terminal under that name.
    public func controllingTerminal() -> String? {
        guard let text = SmallFile.text("stat", in: directory.number) else { return nil }
        return Self.terminal(fromStatus: text).flatMap { terminal in
            // In another mount of pseudo terminals (a container) the same name is another terminal.
            terminal.hasPrefix("/dev/pts/") && !seesOurTerminals() ? nil : terminal
        }
    }

    /// Returns the terminal that a line of /proc/PID/stat names by its device number (proc_pid_stat(5), fields 5, 7 and
    /// 8), if the process's group is in its foreground.
    static func terminal(fromStatus text: String) -> String? {
        // The second field is a name in parentheses that the process chooses.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 5, let device = Int32(fields[4]), fields[2] == fields[5] else { return nil }
        let bits = UInt32(bitPattern: device)
        let (major, minor) = (bits >> 8 & 0xFFF, bits & 0xFF | bits >> 12 & 0xFFF00)
        switch major {
        // Pseudo terminals, of which current kernels use the first major number only, and consoles (devices.txt of the
        // kernel).
        case 136: return "/dev/pts/\(minor)"
        case 4 where (1..<64).contains(minor): return "/dev/tty\(minor)"
        default: return nil
        }
    }

    /// Returns the paths of the programs that started the process, the nearest first, up to the first that cannot be
    /// inspected, without the first process of the machine. A process whose parent has ended gets another parent, so a
    /// program can hide that it started a process.
    public func starters(atMost limit: Int) -> [String] {
        var paths: [String] = []
        var (child, childsStart) = (SmallFile.text("stat", in: directory.number).flatMap(ProcessLine.init), start)
        while paths.count < limit, let parent = child?.parent, parent > 1,
            // The path is only read.
            let folder = try? OwnedDescriptor(
                unsafe open("/proc/\(parent)", openPathOnly | O_DIRECTORY | O_CLOEXEC), from: "open"),
            let line = SmallFile.text("stat", in: folder.number).flatMap(ProcessLine.init),
            // A parent is not younger than its child; a younger process reused the ID.
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

    /// The longest environment that is read, in bytes. A longer one counts as empty.
    public static let environmentLimit = 256 * 1024

    /// Returns values of the environment that the process was started with, or wrote in its place since. The values are
    /// unverified.
    ///
    /// A process chooses which part of its memory is its environment (PR_SET_MM_MAP), and its length.
    public func environment(_ names: Set<String>) -> [String: String] {
        var values: [String: String] = [:]
        let text = SmallFile.text("environ", in: directory.number, limit: Self.environmentLimit)
        for entry in text?.split(separator: "\0") ?? [] {
            guard let equals = entry.firstIndex(of: "=") else { continue }
            let name = String(entry[..<equals])
            // The first entry counts, as in getenv.
            if names.contains(name), values[name] == nil { values[name] = String(entry[entry.index(after: equals)...]) }
        }
        return values
    }
}

/// The fields of a line of /proc/PID/stat (proc_pid_stat(5)).
struct ProcessLine {
    let parent: Int32
    /// The start time, in ticks since boot.
    let start: UInt64

    init?(_ text: String) {
        // The name of the program may contain any character and ends at the last parenthesis. The third field follows.
        // The search is by bytes, because a combining character after the parenthesis would join it to one Swift
        // character.
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
    /// Returns the values of the variables that are set. Call before other threads exist.
    public static func values(_ names: Set<String>) -> [String: String] {
        var values: [String: String] = [:]
        for name in names {
            // Copied immediately.
            if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
        }
        return values
    }
}
