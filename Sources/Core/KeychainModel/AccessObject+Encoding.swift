// SPDX-License-Identifier: Apache-2.0

public import KeychainBytes

/// The reason why bytes are not an access object or a trusted application.
public enum AccessEncodingError: Error, Hashable, Sendable {
    /// The magic bytes at the start are missing.
    case foreign
    /// The version is unknown to this program.
    case unsupportedVersion(UInt8)
    case truncated
    case trailingBytes
    /// An undefined number, or text that is not valid.
    case malformed
    /// Larger than ``AccessLimits`` allow.
    case tooLarge
}

extension AccessEncodingError: ByteFormatError {}

extension AccessObject {
    /// The encoding in Documentation/Formats/access-object.md. Every value has one encoding.
    public var encoded: [UInt8] {
        var writer = AccessWriter(AccessFormat.object)
        writer.entry(owner)
        writer.list(entries) { $0.entry($1) }
        writer.u8(partitions == nil ? 0 : 1)
        if let partitions { writer.list(partitions) { $0.text($1.text) } }
        return writer.bytes
    }

    /// Reads an encoded access object. Total: any bytes give a value or an error.
    ///
    /// - Throws: ``AccessEncodingError``.
    public init(encoded bytes: some Sequence<UInt8>) throws(AccessEncodingError) {
        var reader = try AccessReader(Array(bytes), AccessFormat.object)
        let owner = try reader.entry()
        guard owner.authorizations == [.changeACL] else { throw .malformed }
        let entries = try reader.list(atMost: AccessLimits.entries) { (reader) throws(AccessEncodingError) in
            try reader.entry()
        }
        var partitions: [PartitionID]?
        if try reader.flag() {
            partitions = try reader.list(atMost: AccessLimits.partitions) { (reader) throws(AccessEncodingError) in
                guard let partition = PartitionID(try reader.text()) else { throw .malformed }
                return partition
            }
        }
        try reader.finish()
        guard let object = AccessObject(owner: owner, entries: entries, partitions: partitions) else { throw .tooLarge }
        self = object
    }
}

extension TrustedApplication {
    /// The encoding of the trusted application alone, for storage elsewhere. Documentation/Formats/access-object.md.
    public var encoded: [UInt8] {
        var writer = AccessWriter(AccessFormat.application)
        writer.application(self)
        return writer.bytes
    }

    /// Reads an encoded trusted application. Total: any bytes give a value or an error.
    ///
    /// - Throws: ``AccessEncodingError``.
    public init(encoded bytes: some Sequence<UInt8>) throws(AccessEncodingError) {
        var reader = try AccessReader(Array(bytes), AccessFormat.application)
        let application = try reader.application()
        try reader.finish()
        self = application
    }
}

private enum AccessFormat {
    static let object = Array("CHTLACC".utf8)
    static let application = Array("CHTLAPP".utf8)
    static let version: UInt8 = 1
}

private typealias AccessWriter = ByteWriter

extension AccessWriter {
    fileprivate init(_ magic: [UInt8]) {
        self.init()
        raw(magic)
        u8(AccessFormat.version)
    }

    /// Appends a length and a text. The limits keep lengths and counts below 65,536.
    fileprivate mutating func text(_ text: String) {
        u16(UInt16(clamping: text.utf8.count))
        raw(text.utf8)
    }

    fileprivate mutating func entry(_ entry: AccessEntry) {
        integer(entry.authorizations.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) })
        integer(entry.promptSelector.rawValue)
        text(entry.description)
        switch entry.subject {
        case .anyApplication: u8(0)
        case .applications(let applications):
            u8(1)
            list(applications) { $0.application($1) }
        case .process(let owner):
            u8(2)
            integer(owner.userID)
            integer(owner.groupID)
            integer(owner.kind.rawValue)
        }
    }

    fileprivate mutating func application(_ application: TrustedApplication) {
        switch application.requirement {
        case .group(let name):
            u8(5)
            return text(name)
        case .program(.unidentified), .program(.application):
            preconditionFailure("the initialiser of trusted applications admits no such program")
        case .program(.command): u8(1)
        case .program(.signed(let team, let identifier)):
            u8(2)
            text(team)
            text(identifier)
        case .program(.installed(let path)):
            u8(3)
            text(path)
        case .program(.unsigned(let digest)):
            u8(4)
            raw(digest)
        }
        text(application.displayPath)
    }
}

private typealias AccessReader = ByteReader<AccessEncodingError>

extension AccessReader {
    fileprivate init(_ bytes: [UInt8], _ magic: [UInt8]) throws(AccessEncodingError) {
        guard bytes.starts(with: magic) else { throw .foreign }
        guard bytes.count <= AccessLimits.bytes else { throw .tooLarge }
        guard bytes.count > magic.count else { throw .truncated }
        guard bytes[magic.count] == AccessFormat.version else { throw .unsupportedVersion(bytes[magic.count]) }
        self.init(bytes, from: magic.count + 1, to: bytes.count)
    }

    fileprivate mutating func text() throws(AccessEncodingError) -> String {
        let count = Int(try u16())
        guard count <= AccessLimits.textBytes else { throw .tooLarge }
        return try text(count: count)
    }

    fileprivate mutating func entry() throws(AccessEncodingError) -> AccessEntry {
        let bits = try u32()
        let authorizations = AccessAuthorization.allCases.filter { bits & 1 << UInt32($0.rawValue) != 0 }
        guard authorizations.count == bits.nonzeroBitCount else { throw .malformed }
        let promptSelector = PromptSelector(rawValue: try u16())
        guard promptSelector.isSubset(of: .known) else { throw .malformed }
        let description = try text()
        let subject = try subject()
        guard
            let entry = AccessEntry(
                Set(authorizations), subject, description: description, promptSelector: promptSelector)
        else { throw .malformed }
        return entry
    }

    private mutating func subject() throws(AccessEncodingError) -> AccessEntry.Subject {
        switch try u8() {
        case 0: return .anyApplication
        case 1:
            return .applications(
                try list(atMost: AccessLimits.applications) { (reader) throws(AccessEncodingError) in
                    try reader.application()
                })
        case 2:
            let (user, group) = (try u32(), try u32())
            let kind = AccessOwner.Kind(rawValue: try u32())
            guard kind.isSubset(of: .known) else { throw .malformed }
            return .process(AccessOwner(userID: user, groupID: group, kind: kind))
        default: throw .malformed
        }
    }

    fileprivate mutating func application() throws(AccessEncodingError) -> TrustedApplication {
        let identity: ProgramIdentity
        switch try u8() {
        case 1: identity = .command
        case 2:
            let team = try text()
            identity = .signed(team: team, identifier: try text())
        case 3: identity = .installed(path: try text())
        case 4: identity = .unsigned(digest: Array(try take(32)))
        case 5:
            guard let group = TrustedApplication(group: try text()) else { throw .malformed }
            return group
        default: throw .malformed
        }
        guard let application = TrustedApplication(identity, displayPath: try text()) else { throw .malformed }
        return application
    }
}
