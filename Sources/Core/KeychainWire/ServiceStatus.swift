// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// Facts about the service and the caller: the reply to `status`.
public struct ServiceStatus: Hashable, Sendable {
    /// The version of the service program.
    public let version: String
    public let lockState: LockState
    public let callerTier: CallerTier
    /// The path of the caller's executable as the service sees it.
    public let callerPath: String
    /// The caller's access groups, the default one first.
    public let accessGroups: [String]
    /// The number of stored items; only for the administration tool, nil for others.
    public let itemCount: UInt64?
    /// The number of items that could not be opened and were set aside; only for the administration tool.
    public let unreadableCount: UInt64?
    /// The outcomes of the service's hardening of its own process, a line each.
    public let protections: [String]
    /// Whether the stored rows are those that the service wrote; only for the administration tool, nil for others.
    public let contents: ContentsState?

    public init(
        version: String, lockState: LockState, callerTier: CallerTier, callerPath: String, accessGroups: [String],
        itemCount: UInt64?, unreadableCount: UInt64?, protections: [String], contents: ContentsState?
    ) {
        self.version = version
        self.lockState = lockState
        self.callerTier = callerTier
        self.callerPath = callerPath
        self.accessGroups = accessGroups
        self.itemCount = itemCount
        self.unreadableCount = unreadableCount
        self.protections = protections
        self.contents = contents
    }

    private static let listEntries = 64

    /// Reads the reply to `status`, a `reply` frame without items, followed by these fields.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        version = try reader.text(atMost: WireLimits.pathBytes)
        lockState = try reader.value(LockState.self)
        callerTier = try reader.value(CallerTier.self)
        callerPath = try reader.text(atMost: WireLimits.pathBytes)
        accessGroups = try Self.list(&reader)
        itemCount = try reader.optional { reader throws(WireError) in try reader.u64() }
        unreadableCount = try reader.optional { reader throws(WireError) in try reader.u64() }
        protections = try Self.list(&reader)
        contents = try reader.optional { reader throws(WireError) in
            let kind = try reader.u8()
            let rowsMore = Int64(bitPattern: try reader.u64())
            guard kind == 3 || rowsMore == 0 else { throw .malformed }
            switch kind {
            case 1: return .unknown
            case 2: return .asLeft
            case 3: return .changed(rowsMore: rowsMore)
            case 4: return .sealDamaged
            case 5: return .damaged
            default: throw .malformed
            }
        }
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 1024)
        writer.cut(version)
        writer.u8(lockState.rawValue)
        writer.u8(callerTier.rawValue)
        writer.cut(callerPath)
        Self.write(accessGroups, &writer)
        writer.optional(itemCount) { $0.u64($1) }
        writer.optional(unreadableCount) { $0.u64($1) }
        Self.write(protections, &writer)
        writer.optional(contents) { writer, contents in
            let (kind, rowsMore): (UInt8, Int64) =
                switch contents {
                case .unknown: (1, 0)
                case .asLeft: (2, 0)
                case .changed(let rowsMore): (3, rowsMore)
                case .sealDamaged: (4, 0)
                case .damaged: (5, 0)
                }
            writer.u8(kind)
            writer.u64(UInt64(bitPattern: rowsMore))
        }
        return writer.frame()
    }

    private static func list(_ reader: inout WireReader) throws(WireError) -> [String] {
        let count = Int(try reader.u16())
        guard count <= listEntries else { throw .tooLarge }
        var list: [String] = []
        for _ in 0..<count { list.append(try reader.text(atMost: WireLimits.pathBytes)) }
        return list
    }

    private static func write(_ list: [String], _ writer: inout WireWriter) {
        let list = list.prefix(listEntries)
        writer.u16(UInt16(list.count))
        for text in list { writer.cut(text) }
    }
}
