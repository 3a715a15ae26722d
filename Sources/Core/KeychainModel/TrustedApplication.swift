// SPDX-License-Identifier: Apache-2.0

/// A program, or an application group, that an entry of an access object trusts: the content of Apple's
/// `SecTrustedApplication`.
public struct TrustedApplication: Hashable, Sendable {
    /// The requirement that a trusted program meets.
    public enum Requirement: Hashable, Sendable {
        /// A program identity (Documentation/Identification.md); never `.unidentified` or `.application`.
        case program(ProgramIdentity)
        /// All programs whose signature puts them into an application group: `group://NAME`.
        case group(String)
    }

    public let requirement: Requirement
    /// The path of the program when it was trusted, for display: never compared with anything. For a group,
    /// `group://NAME`.
    public let displayPath: String

    /// Creates a trusted program.
    ///
    /// - Returns: nil for a program without an identity, an application in a sandbox, an invalid digest, and texts that
    ///   are empty, contain a zero byte or are longer than ``AccessLimits/textBytes``.
    public init?(_ identity: ProgramIdentity, displayPath: String) {
        switch identity {
        case .unidentified, .application: return nil
        case .command: break
        case .signed(let team, let identifier):
            guard AccessLimits.admit(team), AccessLimits.admit(identifier) else { return nil }
        case .installed(let path): guard AccessLimits.admit(path) else { return nil }
        case .unsigned(let digest): guard digest.count == 32 else { return nil }
        }
        guard AccessLimits.admit(displayPath) else { return nil }
        requirement = .program(identity)
        self.displayPath = displayPath
    }

    /// Creates a trusted application group.
    ///
    /// - Parameter group: the name of an application group, without the scheme.
    /// - Returns: nil for a name that is empty, contains a zero byte or is too long.
    public init?(group: String) {
        let path = Self.groupScheme + group
        guard AccessLimits.admit(group), AccessLimits.admit(path) else { return nil }
        requirement = .group(group)
        displayPath = path
    }

    /// The prefix of the path of an application group.
    public static let groupScheme = "group://"

    /// Returns whether it is the same program or group, byte by byte and regardless of its display path.
    public func isSame(as other: TrustedApplication) -> Bool {
        switch (requirement, other.requirement) {
        case (.program(let one), .program(let other)): one.isExactly(other)
        case (.group(let one), .group(let other)): one.utf8.elementsEqual(other.utf8)
        case (.program, .group), (.group, .program): false
        }
    }
}

/// A kind of programs, as the partition list of an access object names them. Apple's words for Linux's programs:
///
/// | partition | programs |
/// |---|---|
/// | `apple-tool:` | the command that was installed with the service, also as `security` |
/// | `apple:` | installed programs: owned by root, in a path that no ordinary user can write |
/// | `teamid:TEAM` | programs that a team signed |
/// | `cdhash:HEX` | unsigned programs, each by the SHA-256 of its file |
/// | `enforced:` | programs that the kernel shields, also signed ones |
/// | `unsigned:` | interpreters, and programs without an identity |
/// | `any:` | all programs, where an entry for all programs authorizes the operation |
///
/// A list may contain others, such as Apple's `codesign:`; no program is in them.
public struct PartitionID: Hashable, Sendable {
    public let text: String

    /// Creates a partition.
    ///
    /// - Returns: nil unless the text is 1 to 255 bytes of printable ASCII without blanks and commas.
    public init?(_ text: String) {
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") })
        else { return nil }
        self.text = text
    }

    private init(constant: StaticString) { text = constant.description }

    public static let commandLineTool = PartitionID(constant: "apple-tool:")
    public static let installed = PartitionID(constant: "apple:")
    public static let enforced = PartitionID(constant: "enforced:")
    public static let unsigned = PartitionID(constant: "unsigned:")
    /// No program is in it; it admits all programs to the entries for all programs.
    public static let any = PartitionID(constant: "any:")

    public static func team(_ identifier: String) -> PartitionID? { PartitionID("teamid:" + identifier) }

    public static func digest(_ digest: [UInt8]) -> PartitionID? { PartitionID("cdhash:" + digest.hexadecimal) }
}
