// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A request for the remembered grants, and for the approvals of clients (Documentation/Protocols/client.md, "Grants").
public enum GrantRequest: Hashable, Sendable {
    /// Returns the grants after a number, in ascending order; 0 is before the first.
    case list(after: UInt64)
    case revoke(GrantSelection)
    /// Returns the approvals that clients of bridges hold.
    case listApprovals

    init(_ reader: inout WireReader) throws(WireError) {
        switch try reader.u8() {
        case 1: self = .list(after: try reader.u64())
        case 2: self = .revoke(.number(try reader.u64()))
        case 3: self = .revoke(.all)
        case 4: self = .revoke(.program(try reader.identity()))
        case 5: self = .listApprovals
        default: throw .malformed
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .list(let number):
            writer.u8(1)
            writer.u64(number)
        case .revoke(.number(let number)):
            writer.u8(2)
            writer.u64(number)
        case .revoke(.all):
            writer.u8(3)
        case .revoke(.program(let identity)):
            writer.u8(4)
            writer.identity(identity)
        case .listApprovals:
            writer.u8(5)
        }
    }
}

/// The reply to a list: some grants.
public struct GrantPage: Hashable, Sendable {
    public let grants: [ListedGrant]
    /// The number to continue after; nil if there are no more.
    public let next: UInt64?

    /// The most grants in one page: with the longest paths still a small part of a frame.
    public static let limit = 256

    public init(_ grants: [ListedGrant], next: UInt64?) {
        self.grants = grants
        self.next = next
    }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let count = Int(try reader.u16())
        guard count <= Self.limit else { throw .tooLarge }
        var grants: [ListedGrant] = []
        for _ in 0..<count { grants.append(try reader.listedGrant()) }
        self.grants = grants
        next = try reader.optional { reader throws(WireError) in try reader.u64() }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 1024)
        writer.u16(UInt16(grants.count))
        for grant in grants { writer.listedGrant(grant) }
        writer.optional(next) { $0.u64($1) }
        return writer.frame()
    }
}

/// The reply with the approvals that clients of bridges hold, the oldest first.
public struct ApprovalList: Hashable, Sendable {
    public let approvals: [ListedApproval]

    /// The most clients in a list.
    public static let limit = 256

    public init(_ approvals: [ListedApproval]) { self.approvals = approvals }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let count = Int(try reader.u16())
        guard count <= Self.limit else { throw .tooLarge }
        var approvals: [ListedApproval] = []
        for _ in 0..<count { approvals.append(try reader.listedApproval()) }
        self.approvals = approvals
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 1024)
        writer.u16(UInt16(approvals.count))
        for approval in approvals {
            writer.identity(approval.identity)
            writer.u32(approval.process)
            writer.cut(approval.path)
            writer.cut(approval.bridgePath)
            writer.u32(approval.itemCount)
        }
        return writer.frame()
    }
}

/// The reply to a revocation: the number of revoked grants.
public struct RevokedGrants: Hashable, Sendable {
    public let count: UInt32

    public init(count: UInt32) { self.count = count }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        count = try reader.u32()
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4)
        writer.u32(count)
        return writer.frame()
    }
}

extension WireWriter {
    fileprivate mutating func listedGrant(_ listed: ListedGrant) {
        let grant = listed.grant
        u64(grant.number)
        identity(grant.identity)
        u8(grant.tier.rawValue)
        u8(grant.operation.rawValue)
        u64(grant.date.secondsSinceReferenceDate.bitPattern)
        raw(grant.item.bytes)
        named(grant.itemClass, listed.names)
    }
}

extension WireReader {
    fileprivate mutating func listedApproval() throws(WireError) -> ListedApproval {
        ListedApproval(
            identity: try identity(), process: try u32(), path: try text(atMost: WireLimits.pathBytes),
            bridgePath: try text(atMost: WireLimits.pathBytes), itemCount: try u32())
    }

    fileprivate mutating func listedGrant() throws(WireError) -> ListedGrant {
        let number = try u64()
        let identity = try identity()
        let tier = try value(CallerTier.self)
        let operation = try value(GrantableOperation.self)
        let date = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try u64()))
        guard let item = ItemIdentifier(bytes: try take(16)) else { throw .malformed }
        let (itemClass, names) = try named()
        return ListedGrant(
            RememberedGrant(
                number: number, identity: identity, tier: tier, operation: operation, itemClass: itemClass, item: item,
                date: date), names: names)
    }
}
