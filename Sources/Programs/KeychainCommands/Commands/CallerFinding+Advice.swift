// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The action that a user can take on a finding.
struct CallerAdvice: Hashable {
    let sentence: String
    /// The command to type or paste unchanged, except for words in capitals; nil if no command helps.
    let command: String?
}

extension CallerFinding {
    /// The word for the finding in machine output. It never changes.
    var name: String {
        switch self {
        case .noSignature: "no-signature"
        case .changedAfterSigning: "changed-after-signing"
        case .damagedSignature: "damaged-signature"
        case .newerSignature: "newer-signature"
        case .foreignEntitlements: "foreign-entitlements"
        case .writableByOthers: "writable-by-others"
        case .interpreter: "interpreter"
        case .foreignUserNamespace: "foreign-user-namespace"
        case .notInspectable: "not-inspectable"
        case .untrustedFileSystem: "untrusted-file-system"
        case .tooLarge: "too-large"
        case .changedWhileRead: "changed-while-read"
        case .otherUser: "other-user"
        case .userService: "user-service"
        case .notShielded: "not-shielded"
        case .unreadable: "unreadable"
        }
    }

    func advice(for report: CallerReport) -> CallerAdvice {
        let program = report.path.isEmpty ? "PROGRAM" : shellWord(report.path)
        let sign = "chatelaine codesign --sign TEAM \(program)"
        let install = "sudo install -o root -g root -m 755 \(program) /usr/local/bin/"
        return switch self {
        case .noSignature:
            CallerAdvice(sentence: "It carries no signature; sign it.", command: sign)
        case .changedAfterSigning:
            CallerAdvice(
                sentence: "It was changed after it was signed, as strip does it; sign it last.", command: sign)
        case .damagedSignature:
            CallerAdvice(sentence: "Its signature is damaged; sign it again.", command: sign)
        case .newerSignature:
            CallerAdvice(
                sentence: "Its signature has a form that this service does not know; update chatelaine.", command: nil)
        case .foreignEntitlements:
            CallerAdvice(
                sentence:
                    "Its entitlements name what is another team's, so its signature is void; sign it with others.",
                command: "chatelaine codesign --sign TEAM --entitlements FILE \(program)")
        case .writableByOthers:
            CallerAdvice(
                sentence: "Others than root can change it or a folder on its path; install it for root.",
                command: install)
        case .interpreter:
            CallerAdvice(
                sentence:
                    "It is an interpreter, and all its scripts look alike; let a program of its own, which can be "
                    + "signed, do what the script does.", command: nil)
        case .foreignUserNamespace:
            CallerAdvice(
                sentence:
                    "It is in a user namespace of its own, as containers are, and could pretend anything; run it outside.",
                command: nil)
        case .notInspectable:
            CallerAdvice(
                sentence:
                    "The kernel does not let this service look at the process; the service of the system may.",
                command: Self.installService)
        case .untrustedFileSystem:
            CallerAdvice(
                sentence:
                    "Its file system could show the service another file than it runs; put it on a disk of this machine.",
                command: install)
        case .tooLarge:
            CallerAdvice(sentence: "It is too long to be hashed; install it for root.", command: install)
        case .changedWhileRead:
            CallerAdvice(sentence: "It was changed or replaced while it was looked at; start it again.", command: nil)
        case .otherUser:
            CallerAdvice(sentence: "It is another user's; that user has a keychain as well.", command: nil)
        case .userService:
            CallerAdvice(
                sentence:
                    "This service runs as you do, and cannot tell whether the kernel shields a program from your others; "
                    + "the service of the system can.", command: Self.installService)
        case .notShielded:
            CallerAdvice(
                sentence: "Your other programs can change what it does; have the kernel shield it.",
                command: "sudo chatelaine enforce \(program)")
        case .unreadable:
            CallerAdvice(sentence: "Its file could not be read; look at its permissions.", command: "ls -l \(program)")
        }
    }

    private static let installService = "sudo make install-system"
}

/// Returns a word for a shell: unchanged if that is safe, otherwise in single quotes.
private func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
    if isPlain { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
