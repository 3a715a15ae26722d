// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

// Documentation/Protocols/client.md, "identity".

extension WireLimits {
    /// A path, or the name of a group, in a report about a program.
    static let pathBytes = 8192
    /// The most entitlements of a signature, and the most groups.
    static let callerListEntries = 1024
}

extension WireWriter {
    mutating func identitySubject(_ subject: IdentitySubject) {
        switch subject {
        case .caller: u8(1)
        case .process(let process):
            u8(2)
            u32(UInt32(bitPattern: process))
        case .program(let path):
            u8(3)
            block(path)
        }
    }
}

extension WireReader {
    mutating func identitySubject() throws(WireError) -> IdentitySubject {
        switch try u8() {
        case 1: return .caller
        case 2: return .process(Int32(bitPattern: try u32()))
        case 3: return .program(path: try text(atMost: WireLimits.pathBytes))
        default: throw .malformed
        }
    }
}

extension CallerReport {
    /// Reads the reply to `identity`: a `reply` without items, followed by these fields.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        self.init(
            userID: try reader.u32(), processID: Int32(bitPattern: try reader.u32()),
            tier: try reader.value(CallerTier.self), identity: try reader.identity(),
            enforcement: try reader.optional { reader throws(WireError) in try reader.enforcement() },
            path: try reader.text(atMost: WireLimits.pathBytes), accessGroups: try reader.texts(),
            hasEntitledGroups: try reader.flag(), entitlements: try reader.entitlements(),
            findings: try reader.findings(), isAdministrationTool: try reader.flag())
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 1024)
        writer.u32(userID)
        writer.u32(UInt32(bitPattern: processID))
        writer.u8(tier.rawValue)
        writer.identity(identity)
        writer.optional(enforcement) { $0.enforcement($1) }
        writer.cut(path)
        writer.texts(accessGroups)
        writer.u8(hasEntitledGroups ? 1 : 0)
        writer.entitlements(entitlements)
        writer.u8(UInt8(findings.count))
        for finding in findings { writer.u8(finding.rawValue) }
        writer.u8(isAdministrationTool ? 1 : 0)
        return writer.frame()
    }
}

extension WireWriter {
    mutating func identity(_ identity: ProgramIdentity) {
        switch identity {
        case .unidentified: u8(0)
        case .command: u8(1)
        case .signed(let team, let identifier):
            u8(2)
            block(team)
            block(identifier)
        case .installed(let path):
            u8(3)
            cut(path)
        case .unsigned(let digest):
            u8(4)
            block(digest)
        case .application(let name):
            u8(5)
            block(name)
        }
    }

    fileprivate mutating func enforcement(_ enforcement: Enforcement) {
        switch enforcement {
        case .setgid: u8(1)
        case .fileCapability: u8(2)
        case .ownUser: u8(3)
        case .systemUnit(let name):
            u8(4)
            block(name)
        }
    }

    fileprivate mutating func texts(_ texts: [String]) {
        let texts = texts.prefix(WireLimits.callerListEntries)
        u16(UInt16(texts.count))
        for text in texts { cut(text) }
    }

    fileprivate mutating func entitlements(_ entitlements: [Entitlement]) {
        u16(UInt16(entitlements.count))
        for entitlement in entitlements {
            block(entitlement.key)
            switch entitlement.value {
            case .bool(let value):
                u8(1)
                u8(value ? 1 : 0)
            case .text(let text):
                u8(2)
                block(text)
            case .list(let list):
                u8(3)
                texts(list)
            }
        }
    }

    /// Writes a text, cut if it is too long, without splitting a character.
    mutating func cut(_ text: String) {
        let utf8 = text.utf8
        let limit = WireLimits.pathBytes
        var end = utf8.index(utf8.startIndex, offsetBy: limit, limitedBy: utf8.endIndex) ?? utf8.endIndex
        while end < utf8.endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        block(utf8[..<end])
    }
}

extension WireReader {
    mutating func identity() throws(WireError) -> ProgramIdentity {
        switch try u8() {
        case 0: return .unidentified
        case 1: return .command
        case 2:
            let team = try text(atMost: WireLimits.pathBytes)
            return .signed(team: team, identifier: try text(atMost: WireLimits.pathBytes))
        case 3: return .installed(path: try text(atMost: WireLimits.pathBytes))
        case 4: return .unsigned(digest: Array(try block(atMost: 64)))
        case 5: return .application(name: try text(atMost: WireLimits.pathBytes))
        default: throw .malformed
        }
    }

    fileprivate mutating func enforcement() throws(WireError) -> Enforcement {
        switch try u8() {
        case 1: return .setgid
        case 2: return .fileCapability
        case 3: return .ownUser
        case 4: return .systemUnit(try text(atMost: WireLimits.pathBytes))
        default: throw .malformed
        }
    }

    fileprivate mutating func texts() throws(WireError) -> [String] {
        let count = Int(try u16())
        guard count <= WireLimits.callerListEntries else { throw .tooLarge }
        var texts: [String] = []
        for _ in 0..<count { texts.append(try text(atMost: WireLimits.pathBytes)) }
        return texts
    }

    fileprivate mutating func entitlements() throws(WireError) -> [Entitlement] {
        let count = Int(try u16())
        guard count <= WireLimits.callerListEntries else { throw .tooLarge }
        var entitlements: [Entitlement] = []
        for _ in 0..<count {
            let key = try text(atMost: WireLimits.pathBytes)
            let value: Entitlement.Value =
                switch try u8() {
                case 1: .bool(try flag())
                case 2: .text(try text(atMost: WireLimits.pathBytes))
                case 3: .list(try texts())
                default: throw .malformed
                }
            entitlements.append(Entitlement(key: key, value: value))
        }
        return entitlements
    }

    fileprivate mutating func findings() throws(WireError) -> [CallerFinding] {
        var findings: [CallerFinding] = []
        for _ in 0..<(try u8()) { findings.append(try value(CallerFinding.self)) }
        return findings
    }
}
