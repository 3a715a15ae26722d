// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a sandbox states about a process (Documentation/Identification.md, "Applications in a sandbox").
public struct SandboxEvidence: Hashable, Sendable {
    /// The file `.flatpak-info` in the root of the process; nil if there is none, empty if it could not be read.
    public var flatpakInfo: String?
    /// The AppArmor label of the process, with its mode; nil without AppArmor.
    public var securityLabel: String?

    public init(flatpakInfo: String? = nil, securityLabel: String? = nil) {
        self.flatpakInfo = flatpakInfo
        self.securityLabel = securityLabel
    }

    /// The name of the application, which is also its access group; nil if there is none.
    var application: String? {
        flatpakName.map { GroupOwner.flatpakPrefix + $0 } ?? snapName.map { GroupOwner.snapPrefix + $0 }
    }

    /// The application ID in Flatpak's file (flatpak-metadata(5)): the only value of `name` in the only group
    /// `Application`.
    private var flatpakName: String? {
        var names: [Substring] = []
        var groups = 0
        var isInGroup = false
        for line in (flatpakInfo ?? "").split(separator: "\n") {
            if line.hasPrefix("[") {
                isInGroup = line == "[Application]"
                groups += isInGroup ? 1 : 0
            } else if isInGroup, line.hasPrefix("name=") {
                names.append(line.dropFirst("name=".count))
            }
        }
        guard groups == 1, names.count == 1, Self.isApplicationID(names[0]) else { return nil }
        return String(names[0])
    }

    /// Returns whether a text is an application ID: as the name of a message bus connection, at most 255 bytes of two or
    /// more elements.
    private static func isApplicationID(_ text: Substring) -> Bool {
        let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && elements.count > 1
            && elements.allSatisfy { element in
                guard let first = element.first, !first.isDigit else { return false }
                return element.allSatisfy {
                    $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                }
            }
    }

    /// The snap of a label such as `snap.mail.app (enforce)`. A label in another mode confines nothing.
    private var snapName: String? {
        let mode = " (enforce)"
        guard let label = securityLabel, label.hasSuffix(mode) else { return nil }
        let elements = label.dropLast(mode.count).utf8
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard elements.count > 2, elements[0].elementsEqual("snap".utf8),
            // snapd's names, with `_` before the key of a parallel installation.
            elements.allSatisfy({ element in
                !element.isEmpty
                    && element.allSatisfy {
                        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            })
        else { return nil }
        return String(elements[1])
    }
}

extension ProgramRules {
    /// Programs through which sandboxes reach a message bus. Such a program acts for an application, never for itself.
    private static let sandboxProxies: Set<Substring> = ["xdg-dbus-proxy"]

    /// Judges a client of a bridge that belongs to a sandbox.
    ///
    /// No evidence distinguishes Flatpak's sandbox from a sandbox that another program of the user made, and every program
    /// of the user can start the real sandbox with a command of its own. So the application has a group that no other kind of
    /// program has, and the tier of interpreters, the lowest one with items: it holds no lasting grants.
    ///
    /// - Parameter path: the path of the executable.
    /// - Returns: nil for a process that does not belong to a sandbox; its file identifies it.
    public static func judge(_ sandbox: SandboxEvidence, ofProgram path: String) -> Verdict? {
        if let name = sandbox.application {
            return Verdict(
                identity: .application(name: name), tier: .interpreter, enforcement: nil, accessGroups: [name],
                hasEntitledGroups: false, entitlements: [], findings: [.sandbox])
        }
        // The name alone decides: a program that gives its file this name only loses rights.
        let isProxy = path.split(separator: "/").last.map(sandboxProxies.contains) ?? false
        guard isProxy || sandbox.flatpakInfo != nil else { return nil }
        return Verdict(
            identity: .unidentified, tier: .unidentified, enforcement: nil, accessGroups: [], hasEntitledGroups: false,
            entitlements: [], findings: [.sandbox])
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
