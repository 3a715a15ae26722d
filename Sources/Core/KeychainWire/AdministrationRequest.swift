// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

/// A client's request for the keychain as a whole. `Secret` as in ``Request``.
public enum AdministrationRequest<Secret> {
    case unlock(ProtectorSecret<Secret>)
    case lock
    /// Returns the protectors, and the number of failed attempts.
    case listProtectors
    /// Verifies a secret, without opening anything.
    case verify(ProtectorSecret<Secret>)
    /// Sets the first passcode, or changes it.
    case setPasscode(Secret, proof: ProtectorSecret<Secret>?)
    case removePasscode(proof: ProtectorSecret<Secret>)
    case addProtector(ProtectorSecret<Secret>, label: String, proof: ProtectorSecret<Secret>)
    case removeProtector(UInt32, proof: ProtectorSecret<Secret>)
    case readSettings
    case changeSettings([Setting: UInt64], proof: ProtectorSecret<Secret>?)
    /// Accepts the current database rows as correct.
    case acceptContents(proof: ProtectorSecret<Secret>?)
    /// Returns the tokens, and the location of the device key.
    case readTokens
    /// Moves the device key into a token or out of it, and sets, changes or removes its PIN.
    case moveDeviceKey(DeviceKeyMove<Secret>, proof: ProtectorSecret<Secret>?)
    /// Opens the device key with its PIN, which makes the keychain usable.
    case openDeviceKey(pin: Secret)
    /// Returns the service's figures.
    case readFigures
    /// The teams whose programs may hold lasting grants.
    case listTeams
    case trustTeam(String, proof: ProtectorSecret<Secret>?)
    case distrustTeam(String)
    /// The development folders, by their paths.
    case listDevelopmentFolders
    case trustFolder(String, proof: ProtectorSecret<Secret>?)
    case revokeFolder(String)

    /// The byte after the nonce. Never changes.
    private enum Action: UInt8 {
        case unlock = 1
        case lock = 2
        case listProtectors = 3
        case verify = 4
        case setPasscode = 5
        case removePasscode = 6
        case addProtector = 7
        case removeProtector = 8
        case readSettings = 9
        case changeSettings = 10
        case acceptContents = 20
        case readTokens = 21
        case moveDeviceKey = 22
        /// The same with a PIN, now or from then on.
        case moveGuardedDeviceKey = 25
        case openDeviceKey = 26
        case readFigures = 27
        /// The same as 20, with a proof.
        case acceptContentsProved = 28
        case listTeams = 29
        case trustTeam = 30
        case distrustTeam = 31
        case listDevelopmentFolders = 32
        case trustFolder = 33
        case revokeFolder = 34
    }

    /// In bytes.
    private static var teamLimit: Int { 64 }

    init(_ reader: inout WireReader, secret: (ArraySlice<UInt8>) -> Secret) throws(WireError) {
        func bytes(_ reader: inout WireReader) throws(WireError) -> Secret {
            secret(try reader.block(atMost: WireLimits.protectorSecretBytes))
        }
        func protectorSecret(_ reader: inout WireReader) throws(WireError) -> ProtectorSecret<Secret> {
            let kind = try reader.value(ProtectorKind.self)
            return ProtectorSecret(kind, try bytes(&reader))
        }
        switch try reader.value(Action.self) {
        case .unlock: self = .unlock(try protectorSecret(&reader))
        case .lock: self = .lock
        case .listProtectors: self = .listProtectors
        case .verify: self = .verify(try protectorSecret(&reader))
        case .setPasscode:
            let proof = try reader.optional(protectorSecret)
            self = .setPasscode(try bytes(&reader), proof: proof)
        case .removePasscode: self = .removePasscode(proof: try protectorSecret(&reader))
        case .addProtector:
            let proof = try protectorSecret(&reader)
            let label = try reader.text(atMost: ProtectorDescription.labelBytes)
            self = .addProtector(try protectorSecret(&reader), label: label, proof: proof)
        case .removeProtector:
            let proof = try protectorSecret(&reader)
            self = .removeProtector(try reader.u32(), proof: proof)
        case .readSettings: self = .readSettings
        case .acceptContents: self = .acceptContents(proof: nil)
        case .acceptContentsProved: self = .acceptContents(proof: try protectorSecret(&reader))
        case .readTokens: self = .readTokens
        case .moveDeviceKey:
            let proof = try reader.optional(protectorSecret)
            self = .moveDeviceKey(DeviceKeyMove(to: try reader.value(DeviceKeyLocation.self)), proof: proof)
        case .moveGuardedDeviceKey:
            let proof = try reader.optional(protectorSecret)
            let place = try reader.value(DeviceKeyLocation.self)
            let pin = try reader.optional(bytes)
            let newPIN = try reader.optional(bytes)
            // Each request has only one encoding.
            guard pin != nil || newPIN != nil else { throw .malformed }
            self = .moveDeviceKey(DeviceKeyMove(to: place, pin: pin, newPIN: newPIN), proof: proof)
        case .openDeviceKey: self = .openDeviceKey(pin: try bytes(&reader))
        case .readFigures: self = .readFigures
        case .listTeams: self = .listTeams
        case .trustTeam:
            let proof = try reader.optional(protectorSecret)
            self = .trustTeam(try reader.text(atMost: Self.teamLimit), proof: proof)
        case .distrustTeam: self = .distrustTeam(try reader.text(atMost: Self.teamLimit))
        case .listDevelopmentFolders: self = .listDevelopmentFolders
        case .trustFolder:
            let proof = try reader.optional(protectorSecret)
            self = .trustFolder(try reader.text(atMost: DevelopmentFolder.pathBytes), proof: proof)
        case .revokeFolder: self = .revokeFolder(try reader.text(atMost: DevelopmentFolder.pathBytes))
        case .changeSettings:
            let proof = try reader.optional(protectorSecret)
            self = .changeSettings(try reader.settings(), proof: proof)
        }
    }
}

extension AdministrationRequest where Secret: Collection, Secret.Element == UInt8 {
    func write(to writer: inout WireWriter) {
        switch self {
        case .unlock(let secret):
            writer.u8(Action.unlock.rawValue)
            writer.protectorSecret(secret)
        case .lock:
            writer.u8(Action.lock.rawValue)
        case .listProtectors:
            writer.u8(Action.listProtectors.rawValue)
        case .verify(let secret):
            writer.u8(Action.verify.rawValue)
            writer.protectorSecret(secret)
        case .setPasscode(let passcode, let proof):
            writer.u8(Action.setPasscode.rawValue)
            writer.optional(proof) { $0.protectorSecret($1) }
            writer.block(passcode)
        case .removePasscode(let proof):
            writer.u8(Action.removePasscode.rawValue)
            writer.protectorSecret(proof)
        case .addProtector(let secret, let label, let proof):
            writer.u8(Action.addProtector.rawValue)
            writer.protectorSecret(proof)
            writer.block(label)
            writer.protectorSecret(secret)
        case .removeProtector(let number, let proof):
            writer.u8(Action.removeProtector.rawValue)
            writer.protectorSecret(proof)
            writer.u32(number)
        case .readSettings:
            writer.u8(Action.readSettings.rawValue)
        case .acceptContents(let proof):
            writer.u8((proof == nil ? Action.acceptContents : .acceptContentsProved).rawValue)
            if let proof { writer.protectorSecret(proof) }
        case .readTokens:
            writer.u8(Action.readTokens.rawValue)
        case .moveDeviceKey(let move, let proof):
            let isGuarded = move.pin != nil || move.newPIN != nil
            writer.u8((isGuarded ? Action.moveGuardedDeviceKey : .moveDeviceKey).rawValue)
            writer.optional(proof) { $0.protectorSecret($1) }
            writer.u8(move.place.rawValue)
            guard isGuarded else { return }
            for pin in [move.pin, move.newPIN] { writer.optional(pin) { $0.block($1) } }
        case .openDeviceKey(let pin):
            writer.u8(Action.openDeviceKey.rawValue)
            writer.block(pin)
        case .readFigures:
            writer.u8(Action.readFigures.rawValue)
        case .listTeams:
            writer.u8(Action.listTeams.rawValue)
        case .trustTeam(let team, let proof):
            writer.u8(Action.trustTeam.rawValue)
            writer.optional(proof) { $0.protectorSecret($1) }
            writer.block(team)
        case .distrustTeam(let team):
            writer.u8(Action.distrustTeam.rawValue)
            writer.block(team)
        case .listDevelopmentFolders:
            writer.u8(Action.listDevelopmentFolders.rawValue)
        case .trustFolder(let folder, let proof):
            writer.u8(Action.trustFolder.rawValue)
            writer.optional(proof) { $0.protectorSecret($1) }
            writer.block(folder)
        case .revokeFolder(let folder):
            writer.u8(Action.revokeFolder.rawValue)
            writer.block(folder)
        case .changeSettings(let settings, let proof):
            writer.u8(Action.changeSettings.rawValue)
            writer.optional(proof) { $0.protectorSecret($1) }
            writer.settings(settings)
        }
    }

    /// An upper bound of the size that ``write(to:)`` writes, so that growing leaves no copy of a secret behind.
    var size: Int {
        func size(_ secret: ProtectorSecret<Secret>?) -> Int { 8 + (secret?.bytes.count ?? 0) }
        return switch self {
        case .unlock(let secret), .verify(let secret): 8 + size(secret)
        case .lock, .listProtectors, .readSettings, .readTokens, .readFigures, .listTeams, .listDevelopmentFolders: 8
        case .trustTeam(let name, let proof), .trustFolder(let name, let proof): 16 + name.utf8.count + size(proof)
        case .distrustTeam(let name), .revokeFolder(let name): 16 + name.utf8.count
        case .acceptContents(let proof): 8 + size(proof)
        case .moveDeviceKey(let move, let proof):
            32 + size(proof) + (move.pin?.count ?? 0) + (move.newPIN?.count ?? 0)
        case .openDeviceKey(let pin): 16 + pin.count
        case .setPasscode(let passcode, let proof): 16 + passcode.count + size(proof)
        case .removePasscode(let proof), .removeProtector(_, let proof): 16 + size(proof)
        case .addProtector(let secret, let label, let proof): 16 + size(secret) + label.utf8.count + size(proof)
        case .changeSettings(let settings, let proof): 64 * (1 + settings.count) + size(proof)
        }
    }
}

extension WireWriter {
    fileprivate mutating func protectorSecret(_ secret: ProtectorSecret<some Collection<UInt8>>) {
        u8(secret.kind.rawValue)
        block(secret.bytes)
    }

    /// Writes settings in ascending order of names.
    fileprivate mutating func settings(_ settings: [Setting: UInt64]) {
        u16(UInt16(settings.count))
        for (setting, value) in settings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            block(setting.rawValue)
            u64(value)
        }
    }
}

extension WireReader {
    fileprivate mutating func settings() throws(WireError) -> [Setting: UInt64] {
        var settings: [Setting: UInt64] = [:]
        var last = ""
        for _ in 0..<(try u16()) {
            guard let setting = Setting(rawValue: try text(atMost: 64)), last < setting.rawValue else {
                throw .malformed
            }
            last = setting.rawValue
            settings[setting] = try u64()
        }
        return settings
    }
}

// MARK: - Answers

extension ProtectorReport {
    /// Reads the reply to `listProtectors`.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        var protectors: [ProtectorDescription] = []
        for _ in 0..<(try reader.u8()) {
            let number = try reader.u32()
            let kind = try reader.value(ProtectorKind.self)
            let added = Timestamp(secondsSinceReferenceDate: Double(bitPattern: try reader.u64()))
            let label = try reader.text(atMost: ProtectorDescription.labelBytes)
            protectors.append(ProtectorDescription(number: number, kind: kind, added: added, label: label))
        }
        let (failed, retry) = (try reader.u32(), try reader.u32())
        try reader.finish()
        self.init(protectors: protectors, failedAttempts: failed, retryAfterSeconds: retry)
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 128 * (1 + protectors.count))
        writer.u8(UInt8(protectors.count))
        for protector in protectors {
            writer.u32(protector.number)
            writer.u8(protector.kind.rawValue)
            writer.u64(protector.added.secondsSinceReferenceDate.bitPattern)
            writer.block(protector.label)
        }
        writer.u32(failedAttempts)
        writer.u32(retryAfterSeconds)
        return writer.frame()
    }
}

/// The reply to `addProtector`: the number of the new protector.
public struct AddedProtector: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        number = try reader.u32()
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4)
        writer.u32(number)
        return writer.frame()
    }
}

/// The reply to `readSettings`.
public struct SettingsReport: Hashable, Sendable {
    public let settings: [Setting: UInt64]

    public init(_ settings: [Setting: UInt64]) { self.settings = settings }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        settings = try reader.settings()
        try reader.finish()
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 64 * (1 + settings.count))
        writer.settings(settings)
        return writer.frame()
    }
}

extension WatchedEvent {
    public init(_ frame: Frame) throws(WireError) {
        switch frame.kind {
        case .change: self = .item(try ItemChange(frame))
        case .lockState:
            var reader = frame.reader
            self = .lockState(try reader.value(LockState.self))
            try reader.finish()
        default: throw .unexpected(frame.kind)
        }
    }

    public var frame: [UInt8] {
        switch self {
        case .item(let change): return change.frame
        case .lockState(let state):
            var writer = WireWriter(.lockState, reserving: 1)
            writer.u8(state.rawValue)
            return writer.frame()
        }
    }
}

/// The reply to `listTeams`.
public struct TrustedTeamReport: Hashable, Sendable {
    public let teams: [TrustedTeam]

    public init(_ teams: [TrustedTeam]) { self.teams = teams }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        var teams: [TrustedTeam] = []
        for _ in 0..<(try reader.u16()) {
            let identifier = try reader.text(atMost: 64)
            let source = try reader.u8()
            guard source <= 1 else { throw .malformed }
            teams.append(TrustedTeam(identifier, isOfMachine: source == 1))
        }
        try reader.finish()
        self.teams = teams
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4 + 40 * teams.count)
        writer.u16(UInt16(clamping: teams.count))
        for team in teams.prefix(Int(UInt16.max)) {
            writer.block(team.identifier)
            writer.u8(team.isOfMachine ? 1 : 0)
        }
        return writer.frame()
    }
}

/// The reply to `listDevelopmentFolders`.
public struct DevelopmentFolderReport: Hashable, Sendable {
    /// The paths, in ascending order.
    public let folders: [String]

    public init(_ folders: [String]) { self.folders = folders }

    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        var folders: [String] = []
        for _ in 0..<(try reader.u16()) { folders.append(try reader.text(atMost: DevelopmentFolder.pathBytes)) }
        try reader.finish()
        self.folders = folders
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 4 + 64 * folders.count)
        writer.u16(UInt16(clamping: folders.count))
        for folder in folders.prefix(Int(UInt16.max)) { writer.block(folder) }
        return writer.frame()
    }
}
