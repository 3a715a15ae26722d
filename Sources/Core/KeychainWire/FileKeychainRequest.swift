// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A request for file keychains as a whole (Documentation/Protocols/client.md, "Keychain files").
///
/// A keychain is named by an absolute path, or by a name in the folder of the user's keychains.
public enum FileKeychainRequest<Secret> {
    /// Returns the state of a keychain, without opening it.
    case report(String)
    /// Makes a file. Without a password, a prompt asks for it.
    case create(String, password: Secret?)
    case delete(String)
    case lock(String)
    case lockAll
    /// Unlocks a keychain. Without a password, a prompt asks for it.
    case unlock(String, password: Secret?)
    case change(String, FileKeychainSettings)
    /// Changes the password. A prompt asks for a missing password.
    case changePassword(String, old: Secret?, new: Secret?)
    /// Returns the files in the folder of the user's keychains.
    case list
    case readList(PreferencesDomain)
    case setDefault(PreferencesDomain, String?)
    case setSearchList(PreferencesDomain, [String])
    /// Adds keychains that are not on the list at its end.
    case addToSearchList(PreferencesDomain, [String])
    case removeFromSearchList(PreferencesDomain, [String])
    /// Adds a keychain at the end of the search list unless it is on it. Makes it the default if there is no default,
    /// or if the default is `replacing`.
    case adopt(PreferencesDomain, String, replacing: String?)
    /// Copies a keychain to an absolute path where no file exists.
    case copy(String, to: String)
    /// Restores a keychain from the copy at an absolute path.
    case restore(String, from: String)
    /// Replaces the partition lists of items, which requires the keychain's password. Without it, a prompt asks for it.
    case setPartitions(String, [PersistentReference], [PartitionID], password: Secret?)

    /// The byte after the nonce. Never changes.
    private enum Action: UInt8 {
        case report = 1
        case create = 2
        case delete = 3
        case lock = 4
        case lockAll = 5
        case unlock = 6
        case change = 7
        case changePassword = 8
        case list = 9
        case readList = 10
        case setDefault = 11
        case setSearchList = 12
        case addToSearchList = 13
        case removeFromSearchList = 14
        case adopt = 15
        case setPartitions = 16
        case copy = 19
        case restore = 20
    }

    init(_ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        func password(_ reader: inout WireReader) throws(WireError) -> Secret? {
            guard try reader.flag() else { return nil }
            return secret(try reader.block(atMost: WireLimits.protectorSecretBytes))
        }
        switch try reader.value(Action.self) {
        case .report: self = .report(try reader.keychainPath())
        case .create:
            let path = try reader.keychainPath()
            self = .create(path, password: try password(&reader))
        case .delete: self = .delete(try reader.keychainPath())
        case .lock: self = .lock(try reader.keychainPath())
        case .lockAll: self = .lockAll
        case .unlock:
            let path = try reader.keychainPath()
            self = .unlock(path, password: try password(&reader))
        case .change:
            let path = try reader.keychainPath()
            self = .change(path, try reader.fileKeychainSettings())
        case .changePassword:
            let path = try reader.keychainPath()
            let old = try password(&reader)
            self = .changePassword(path, old: old, new: try password(&reader))
        case .list: self = .list
        case .readList: self = .readList(try reader.value(PreferencesDomain.self))
        case .setDefault:
            let domain = try reader.value(PreferencesDomain.self)
            self = .setDefault(
                domain, try reader.optional { reader throws(WireError) in try reader.keychainPath() })
        case .setSearchList:
            let domain = try reader.value(PreferencesDomain.self)
            self = .setSearchList(domain, try reader.keychainPaths())
        case .addToSearchList:
            let domain = try reader.value(PreferencesDomain.self)
            self = .addToSearchList(domain, try reader.keychainPaths())
        case .removeFromSearchList:
            let domain = try reader.value(PreferencesDomain.self)
            self = .removeFromSearchList(domain, try reader.keychainPaths())
        case .adopt:
            let domain = try reader.value(PreferencesDomain.self)
            let path = try reader.keychainPath()
            self = .adopt(
                domain, path,
                replacing: try reader.optional { reader throws(WireError) in try reader.keychainPath() })
        case .copy:
            let path = try reader.keychainPath()
            self = .copy(path, to: try reader.keychainPath())
        case .restore:
            let path = try reader.keychainPath()
            self = .restore(path, from: try reader.keychainPath())
        case .setPartitions:
            let path = try reader.keychainPath()
            let items = try reader.partitionedItems()
            let partitions = try reader.partitions()
            self = .setPartitions(path, items, partitions, password: try password(&reader))
        }
    }
}

extension FileKeychainRequest where Secret: Collection, Secret.Element == UInt8 {
    /// An upper bound of the size that ``write(to:)`` writes.
    var size: Int {
        switch self {
        case .report(let path), .delete(let path), .lock(let path), .change(let path, _): 16 + path.utf8.count
        case .create(let path, let password), .unlock(let path, let password):
            16 + path.utf8.count + (password?.count ?? 0)
        case .changePassword(let path, let old, let new):
            24 + path.utf8.count + (old?.count ?? 0) + (new?.count ?? 0)
        case .lockAll, .list, .readList: 4
        case .setDefault(_, let path): 16 + (path?.utf8.count ?? 0)
        case .setSearchList(_, let paths), .addToSearchList(_, let paths), .removeFromSearchList(_, let paths):
            paths.reduce(8) { $0 + 4 + $1.utf8.count }
        case .adopt(_, let path, let replaced): 24 + path.utf8.count + (replaced?.utf8.count ?? 0)
        case .copy(let path, let other), .restore(let path, let other): 16 + path.utf8.count + other.utf8.count
        case .setPartitions(let path, let items, let partitions, let password):
            partitions.reduce(24 + path.utf8.count + 21 * items.count + (password?.count ?? 0)) {
                $0 + 4 + $1.text.utf8.count
            }
        }
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .report(let path):
            writer.u8(Action.report.rawValue)
            writer.block(path)
        case .create(let path, let password):
            writer.u8(Action.create.rawValue)
            writer.block(path)
            writer.optional(password) { $0.block($1) }
        case .delete(let path):
            writer.u8(Action.delete.rawValue)
            writer.block(path)
        case .lock(let path):
            writer.u8(Action.lock.rawValue)
            writer.block(path)
        case .lockAll: writer.u8(Action.lockAll.rawValue)
        case .unlock(let path, let password):
            writer.u8(Action.unlock.rawValue)
            writer.block(path)
            writer.optional(password) { $0.block($1) }
        case .change(let path, let settings):
            writer.u8(Action.change.rawValue)
            writer.block(path)
            writer.fileKeychainSettings(settings)
        case .changePassword(let path, let old, let new):
            writer.u8(Action.changePassword.rawValue)
            writer.block(path)
            writer.optional(old) { $0.block($1) }
            writer.optional(new) { $0.block($1) }
        case .list: writer.u8(Action.list.rawValue)
        case .readList(let domain):
            writer.u8(Action.readList.rawValue)
            writer.u8(domain.rawValue)
        case .setDefault(let domain, let path):
            writer.u8(Action.setDefault.rawValue)
            writer.u8(domain.rawValue)
            writer.optional(path) { $0.block($1) }
        case .setSearchList(let domain, let paths):
            writer.u8(Action.setSearchList.rawValue)
            writer.u8(domain.rawValue)
            writer.keychainPaths(paths)
        case .addToSearchList(let domain, let paths):
            writer.u8(Action.addToSearchList.rawValue)
            writer.u8(domain.rawValue)
            writer.keychainPaths(paths)
        case .removeFromSearchList(let domain, let paths):
            writer.u8(Action.removeFromSearchList.rawValue)
            writer.u8(domain.rawValue)
            writer.keychainPaths(paths)
        case .adopt(let domain, let path, let replaced):
            writer.u8(Action.adopt.rawValue)
            writer.u8(domain.rawValue)
            writer.block(path)
            writer.optional(replaced) { $0.block($1) }
        case .copy(let path, let destination):
            writer.u8(Action.copy.rawValue)
            writer.block(path)
            writer.block(destination)
        case .restore(let path, let source):
            writer.u8(Action.restore.rawValue)
            writer.block(path)
            writer.block(source)
        case .setPartitions(let path, let items, let partitions, let password):
            writer.u8(Action.setPartitions.rawValue)
            writer.block(path)
            writer.u16(UInt16(items.count))
            for item in items { writer.persistentReference(item) }
            writer.u16(UInt16(partitions.count))
            for partition in partitions { writer.block(partition.text) }
            writer.optional(password) { $0.block($1) }
        }
    }

    /// Whether the service accepts the request; a larger one ends the connection.
    public var isWithinLimits: Bool {
        func fits(_ path: String?) -> Bool { path.map(WireLimits.isKeychainPath) ?? true }
        func fits(_ secret: Secret?) -> Bool { secret?.count ?? 0 <= WireLimits.protectorSecretBytes }
        return switch self {
        case .report(let path), .delete(let path), .lock(let path), .change(let path, _): fits(path)
        case .create(let path, let password), .unlock(let path, let password): fits(path) && fits(password)
        case .changePassword(let path, let old, let new): fits(path) && fits(old) && fits(new)
        case .lockAll, .list, .readList: true
        case .setDefault(_, let path): fits(path)
        case .setSearchList(_, let paths), .addToSearchList(_, let paths), .removeFromSearchList(_, let paths):
            paths.count <= KeychainList.limit && paths.allSatisfy(fits)
        case .adopt(_, let path, let replaced): fits(path) && fits(replaced)
        case .copy(let path, let other), .restore(let path, let other): fits(path) && fits(other)
        case .setPartitions(let path, let items, let partitions, let password):
            fits(path) && items.count <= WireLimits.partitionedItems && partitions.count <= AccessLimits.partitions
                && fits(password)
        }
    }
}

extension WireLimits {
    /// The path of a keychain file: Linux's PATH_MAX.
    public static let keychainPathBytes = 4096

    /// Items whose partition lists are replaced with one proof of the password.
    public static let partitionedItems = 256

    public static func isKeychainPath(_ path: String) -> Bool {
        (1...keychainPathBytes).contains(path.utf8.count) && !path.utf8.contains(0)
    }
}

extension WireReader {
    mutating func keychainPath() throws(WireError) -> String {
        let path = try text(atMost: WireLimits.keychainPathBytes)
        guard WireLimits.isKeychainPath(path) else { throw .malformed }
        return path
    }

    mutating func keychainPaths() throws(WireError) -> [String] {
        let count = Int(try u16())
        guard count <= KeychainList.limit else { throw .tooLarge }
        var paths: [String] = []
        for _ in 0..<count { paths.append(try keychainPath()) }
        return paths
    }

    fileprivate mutating func partitionedItems() throws(WireError) -> [PersistentReference] {
        let count = Int(try u16())
        guard count <= WireLimits.partitionedItems else { throw .tooLarge }
        var items: [PersistentReference] = []
        for _ in 0..<count { items.append(try persistentReference()) }
        return items
    }

    fileprivate mutating func partitions() throws(WireError) -> [PartitionID] {
        let count = Int(try u16())
        guard count <= AccessLimits.partitions else { throw .tooLarge }
        var partitions: [PartitionID] = []
        for _ in 0..<count {
            guard let partition = PartitionID(try text(atMost: 255)) else { throw .malformed }
            partitions.append(partition)
        }
        return partitions
    }

    fileprivate mutating func fileKeychainSettings() throws(WireError) -> FileKeychainSettings {
        let locksOnSleep = try flag()
        return FileKeychainSettings(
            locksOnSleep: locksOnSleep,
            idleLockSeconds: try optional { reader throws(WireError) in try reader.u32() })
    }

    fileprivate mutating func fileKeychainReport() throws(WireError) -> FileKeychainReport {
        let path = try keychainPath()
        let state = try value(FileKeychainReport.State.self)
        let settings = try optional { reader throws(WireError) in try reader.fileKeychainSettings() }
        return FileKeychainReport(path: path, state: state, settings: settings, isDamaged: try flag())
    }
}

extension WireWriter {
    mutating func keychainPaths(_ paths: [String]) {
        u16(UInt16(paths.count))
        for path in paths { block(path) }
    }

    fileprivate mutating func fileKeychainSettings(_ settings: FileKeychainSettings) {
        u8(settings.locksOnSleep ? 1 : 0)
        optional(settings.idleLockSeconds) { $0.u32($1) }
    }

    fileprivate mutating func fileKeychainReport(_ report: FileKeychainReport) {
        block(report.path)
        u8(report.state.rawValue)
        optional(report.settings) { $0.fileKeychainSettings($1) }
        u8(report.isDamaged ? 1 : 0)
    }
}

// MARK: - Answers

/// The reply to requests about keychains: one report for each, in the order of the request.
public struct FileKeychainAnswer: Hashable, Sendable {
    public let keychains: [FileKeychainReport]

    public init(_ keychains: [FileKeychainReport]) { self.keychains = keychains }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let count = Int(try reader.u16())
        var keychains: [FileKeychainReport] = []
        for _ in 0..<count { keychains.append(try reader.fileKeychainReport()) }
        self.keychains = keychains
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 2 + keychains.reduce(0) { $0 + 16 + $1.path.utf8.count })
        // The list of a folder with more keychains is cut before.
        writer.u16(UInt16(keychains.count))
        for keychain in keychains { writer.fileKeychainReport(keychain) }
        return writer.frame()
    }
}

extension KeychainList {
    /// Reads the reply to `readList`.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let standard = try reader.optional { reader throws(WireError) in try reader.keychainPath() }
        self.init(standard: standard, searched: try reader.keychainPaths())
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4096)
        writer.optional(standard) { $0.block($1) }
        writer.keychainPaths(searched)
        return writer.frame()
    }
}
