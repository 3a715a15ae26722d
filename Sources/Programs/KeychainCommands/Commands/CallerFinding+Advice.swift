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
        case .sandbox: "sandbox"
        }
    }

    func advice(for report: CallerReport) -> CallerAdvice {
        let program = report.path.isEmpty ? "PROGRAM" : shellWord(report.path)
        let sign = "chatelaine codesign --sign TEAM \(program)"
        let install = "sudo install -o root -g root -m 755 \(program) /usr/local/bin/"
        return switch self {
        case .noSignature:
            CallerAdvice(sentence: "The program is not signed; sign it.", command: sign)
        case .changedAfterSigning:
            CallerAdvice(
                sentence:
                    "The program was changed after it was signed, for example by strip; sign it as the last step.",
                command: sign)
        case .damagedSignature:
            CallerAdvice(sentence: "The signature is damaged; sign the program again.", command: sign)
        case .newerSignature:
            CallerAdvice(
                sentence: "This service does not know the version of the signature; update Chatelaine.", command: nil)
        case .foreignEntitlements:
            CallerAdvice(
                sentence:
                    "The entitlements name a value of another team, so the signature is void; sign the program with other entitlements.",
                command: "chatelaine codesign --sign TEAM --entitlements FILE \(program)")
        case .writableByOthers:
            CallerAdvice(
                sentence: "Users other than root can change the program or a folder on its path; install it as root.",
                command: install)
        case .interpreter:
            CallerAdvice(
                sentence:
                    "The program is an interpreter, so the service cannot distinguish its scripts; move the work of the script "
                    + "into a separate program, which can be signed.", command: nil)
        case .foreignUserNamespace:
            CallerAdvice(
                sentence:
                    "The process is in a separate user namespace, as in a container, so it could pretend to be any program; run it outside.",
                command: nil)
        case .notInspectable:
            CallerAdvice(
                sentence:
                    "The kernel does not allow this service to inspect the process; the system service may be allowed to.",
                command: Self.installService)
        case .untrustedFileSystem:
            CallerAdvice(
                sentence:
                    "The file system could return a different file to the service than to the kernel; move the program to a local disk.",
                command: install)
        case .tooLarge:
            CallerAdvice(sentence: "The program is too large to be hashed; install it as root.", command: install)
        case .changedWhileRead:
            CallerAdvice(
                sentence: "The program was changed or replaced during the inspection; start it again.", command: nil)
        case .otherUser:
            CallerAdvice(sentence: "The process belongs to another user, who has a separate keychain.", command: nil)
        case .userService:
            CallerAdvice(
                sentence:
                    "This service runs with your user ID and cannot verify that the kernel shields a program from your other "
                    + "programs; the system service can.", command: Self.installService)
        case .notShielded:
            CallerAdvice(
                sentence: "Your other programs can change how this program behaves; let the kernel shield it.",
                command: "sudo chatelaine enforce \(program)")
        case .unreadable:
            CallerAdvice(
                sentence: "The program's file could not be read; check its permissions.", command: "ls -l \(program)")
        case .sandbox:
            CallerAdvice(
                sentence:
                    "The program runs in a sandbox, and any of your programs can make one with the same name.",
                command: nil)
        }
    }

    private static let installService = "sudo make install-system"
}

/// Returns a word for a shell: unchanged if that is safe, otherwise in single quotes.
func shellWord(_ text: String) -> String {
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
