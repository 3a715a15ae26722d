// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import KeychainEndpoint
@testable import KeychainPlatform

/// What a sandbox states about a process.
struct SandboxTests {
    /// A process that ends when its input ends.
    private final class Child {
        private let process = Process()
        private let input = Pipe()

        init(_ words: [String]) throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: words[0])
            process.arguments = Array(words.dropFirst())
            process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            // Ready.
            _ = try output.fileHandleForReading.read(upToCount: 1)
        }

        func facts() throws -> String? { try PeerProcess(lookingAt: process.processIdentifier).flatpakInfo() }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    private static let hasUserNamespaces = system("unshare --user --map-root-user --mount true 2>/dev/null") == 0

    /// Starts a shell whose root is a file system of this type, after a script has filled it.
    private func sandbox(_ fill: String, on type: String = "tmpfs") throws -> Child {
        let script = """
            set -e
            mount -t \(type) sandbox /mnt
            cd /mnt
            mkdir usr
            mount --rbind /usr usr
            for name in bin lib lib64; do ln -s usr/$name $name; done
            \(fill)
            exec chroot . /bin/sh -c 'echo; read line'
            """
        return try Child(["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script])
    }

    @Test func `a process outside of a sandbox has no file`() throws {
        #expect(try Child(["/bin/sh", "-c", "echo; read line"]).facts() == nil)
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `the file in the root of a sandbox is read, also if it was mounted there`() throws {
        #expect(try sandbox("printf text >.flatpak-info").facts() == "text")
        #expect(
            try sandbox("printf other >file; touch .flatpak-info; mount --bind file .flatpak-info").facts() == "other")
        #expect(try sandbox("true").facts() == nil)
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `a link, a pipe, a long file and a file of another file system are not read`() throws {
        for fill in [
            "ln -s /etc/passwd .flatpak-info", "ln -s missing .flatpak-info", "mkfifo .flatpak-info",
            "mkdir .flatpak-info", "head -c 65537 /dev/zero >.flatpak-info",
            "touch .flatpak-info; mount --bind /proc/self/status .flatpak-info",
            "touch .flatpak-info; chmod 0 .flatpak-info",
        ] {
            // Root may read every file.
            if fill.contains("chmod"), getuid() == 0 { continue }
            #expect(try sandbox(fill).facts() == "", "\(fill)")
        }
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `a root on another file system is not asked`() throws {
        #expect(try sandbox("printf text >.flatpak-info", on: "ramfs").facts() == nil)
    }

    @Test(.enabled(if: hasUserNamespaces, "this machine gives no user namespaces"))
    func `of a process with a very long list of mounts no file is read`() throws {
        // Stacked mounts of a file with a long path: 600 lines of more than 450 bytes.
        let name = String(repeating: "n", count: 200)
        let fill = """
            printf text >.flatpak-info
            mkdir -p \(name)
            touch \(name)/\(name)
            for number in $(seq 600); do mount --bind \(name)/\(name) \(name)/\(name); done
            """
        #expect(try sandbox(fill).facts() == "")
    }

    @Test func `the type of a mount is in the table after the optional fields`() throws {
        let file = try OwnedDescriptor(open("/proc/self/status", O_RDONLY | O_CLOEXEC), from: "open")
        let table = try #require(SmallFile.text(at: "/proc/self/mountinfo"))
        #expect(MountTable.type(of: file, in: table) == "proc")
        #expect(MountTable.type(of: file, in: "1 0 0:1 / / rw - tmpfs none rw\n") == nil)
    }

    @Test func `without AppArmor a process has no label`() throws {
        let label = try PeerProcess(lookingAt: getpid()).securityLabel()
        #expect((label != nil) == FileManager.default.fileExists(atPath: "/proc/self/attr/apparmor/current"))
        #expect(label?.contains("\n") != true)
    }
}
