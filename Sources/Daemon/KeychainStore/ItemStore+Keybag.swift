// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainModel
public import KeychainSealing
import SQLiteStatements

// The protectors of the keychain. Each change is one transaction, and only items that need a passcode are affected.
//
// The caller must run these functions one at a time, because each begins with the keybag that the last one left.
extension ItemStore {
    /// Whether a passcode is set.
    public var isProtected: Bool { keybag.isProtected }

    public var protectors: [ProtectorDescription] { keybag.protectorDescriptions }

    /// Returns the cost of a guess at the protector of the kind; nil if there is no such protector, or if its secret
    /// cannot be guessed.
    public func cost(of kind: ProtectorKind) -> ScryptCost? { keybag.cost(of: kind) }

    /// Opens the keybag and all class keys. If users choose the secret, this takes as long as the configured cost.
    ///
    /// - Throws: `.refused` with the reasons `wrongSecret` and `noSuchProtector`; `.damaged(.keybag)` if the secret is
    ///   correct and not all class keys open, because a keybag derived from a damaged one must not replace an intact
    ///   one; `.inputOutput` if memory is not available.
    public func openKeybag(
        with secret: ProtectorSecret<some Collection<UInt8>>
    ) throws(StoreError) -> (key: KeybagKey, classKeys: UnlockedClassKeys) {
        let keybag = keybag
        return try ofKeybag { () throws(SealingError) in
            let key = try keybag.keybagKey(for: secret, with: deviceKey)
            return (key, try keybag.classKeys(with: key, deviceKey, in: keyStorage))
        }
    }

    /// Opens the keybag, as ``openKeybag(with:)``, for a change of its protectors.
    public func keybagKey(for secret: ProtectorSecret<some Collection<UInt8>>) throws(StoreError) -> KeybagKey {
        try openKeybag(with: secret).key
    }

    /// Adds all class keys to the key ring.
    ///
    /// - Parameter epoch: the value of ``KeyRing/epoch`` when the secret was requested.
    /// - Returns: false if the keychain was locked since then.
    public func unlock(with keys: UnlockedClassKeys, since epoch: UInt64) -> Bool {
        putKeybagIntoSnapshots()
        return keyRing.unlock(with: keys, since: epoch)
    }

    /// Opens all class keys and adds them to the key ring, as ``unlock(with:since:)``.
    public func unlock(with key: KeybagKey, since epoch: UInt64) throws(StoreError) -> Bool {
        let keybag = keybag
        let keys = try ofKeybag { () throws(SealingError) in
            try keybag.classKeys(with: key, deviceKey, in: keyStorage)
        }
        return unlock(with: keys, since: epoch)
    }

    /// Wipes the keys that may be used only while the keychain is unlocked.
    ///
    /// - Returns: whether it was unlocked.
    @discardableResult
    public func lock() -> Bool { keyRing.lock() }

    /// See ``unlock(with:since:)``.
    public var epoch: UInt64 { keyRing.epoch }

    /// Sets the first passcode and unlocks the keychain.
    ///
    /// - Returns: the key with which the passcode opens the keybag from now on.
    /// - Precondition: no passcode is set; the secret has a legal size.
    @discardableResult
    public func setFirstPasscode(
        _ passcode: some Collection<UInt8>, cost: ScryptCost
    ) throws(StoreError) -> KeybagKey {
        let old = keybag
        let (new, keys, key) = try ofKeybag { () throws(SealingError) in
            let (new, key) = try old.withPasscode(passcode, cost: cost, at: clock(), deviceKey: deviceKey)
            return (new, try new.classKeys(with: key, deviceKey, in: keyStorage), key)
        }
        try replaceKeybag(with: new) { db in try Attempts().write(db, of: .protector(.passcode)) }
        _ = keyRing.unlock(with: keys, since: keyRing.epoch)
        return key
    }

    /// Adds a protector. For a kind that allows only one protector, such as the passcode, replaces its secret.
    ///
    /// - Parameter replaced: the protector of the same secret whose number and date are kept, if only the cost is new.
    /// - Returns: the number of the protector.
    /// - Throws: `.refused` with the reason `tooManyProtectors`; as ``add(_:secret:with:material:keepsDates:)``, and nothing is changed.
    /// - Precondition: a passcode is set; secret and label have legal sizes.
    public func addProtector(
        _ secret: ProtectorSecret<some Collection<UInt8>>, label: String, cost: ScryptCost, with key: KeybagKey,
        inPlaceOf replaced: ProtectorDescription? = nil
    ) throws(StoreError) -> UInt32 {
        let old = keybag
        let (new, number) = try ofKeybag { () throws(SealingError) in
            try old.adding(
                secret, label: label, cost: cost, at: clock(), key, deviceKey: deviceKey, inPlaceOf: replaced)
        }
        try replaceKeybag(with: new) { db in
            // A new secret has no failed attempts. The counts of other protectors stay.
            guard replaced == nil, secret.kind.isChosenByPeople else { return }
            try Attempts().write(db, of: .protector(secret.kind))
        }
        return number
    }

    /// Removes a protector.
    ///
    /// - Throws: `.refused` with the reason `noSuchProtector` if no protector has the number, or if it is the passcode,
    ///   which this function does not remove.
    public func removeProtector(_ number: UInt32) throws(StoreError) {
        guard let new = keybag.removing(number) else { throw .refused(Refusal(.itemNotFound, .noSuchProtector)) }
        try replaceKeybag(with: new) { _ in }
    }

    /// Removes the passcode and all other protectors. The items that need a passcode are lost with their key.
    public func removePasscode(with key: KeybagKey) throws(StoreError) {
        let old = keybag
        let (new, keys) = try ofKeybag { () throws(SealingError) in
            let (new, newKey) = try old.withoutPasscode(key, at: clock(), deviceKey: deviceKey)
            return (new, try new.classKeys(with: newKey, deviceKey, in: keyStorage))
        }
        try replaceKeybag(with: new) { db in
            for kind in ProtectorKind.allCases where kind.isChosenByPeople {
                try Attempts().write(db, of: .protector(kind))
            }
            for itemClass in ItemClass.allCases {
                guard let table = ItemTable.of(itemClass) else { continue }
                let rows = try db.rows(
                    of: "SELECT id FROM \(itemClass.code) WHERE accessibility = ?",
                    [.integer(Int64(Accessibility.whenPasscodeSetThisDeviceOnly.rawValue))])
                for row in rows.compactMap(\.[0].integer) { try writer.delete(row, in: table, db) }
            }
        }
        keyRing.stayOpen(with: keys)
    }

    /// Writes the keybag, and runs `body` in the same transaction.
    private func replaceKeybag(with new: Keybag, _ body: (Database) throws -> Void) throws(StoreError) {
        try StoreError.translating {
            try writer.inTransaction { db in
                try writer.replaceKeybag(with: new.encoded, db)
                try body(db)
                return .commit
            }
        }
        keybag = new
        snapshots?.replaceKeybag(keybag.encoded, contentsKey)
        // The log still contains the old keybag. If a reader prevents this checkpoint, the next checkpoint removes it.
        try? writer.access { db in try db.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    private func ofKeybag<R>(_ body: () throws(SealingError) -> R) throws(StoreError) -> R {
        do throws(SealingError) { return try body() } catch { throw StoreError(ofKeybag: error) }
    }
}

// MARK: - Settings

extension ItemStore {
    /// Returns all settings within the limits of the machine's policy. A setting that was never set, or whose value is
    /// out of range, has its default.
    public func settings() throws(StoreError) -> [Setting: UInt64] {
        try StoreError.translating {
            try writer.access { db in
                var settings: [Setting: UInt64] = [:]
                for setting in Setting.allCases { settings[setting] = setting.defaultValue }
                for row in try db.rows(of: "SELECT name, value FROM settings") {
                    guard let name = row[0].text, let number = row[1].integer else {
                        throw StoreError.damaged(.database)
                    }
                    guard let setting = Setting(rawValue: name), let value = UInt64(exactly: number),
                        setting.range.contains(value)
                    else { continue }
                    settings[setting] = value
                }
                for (setting, value) in settings { settings[setting] = limits.applied(to: value, of: setting) }
                return settings
            }
        }
    }

    /// Changes settings, all or none.
    ///
    /// - Precondition: the values are in their ranges.
    public func change(_ changes: [Setting: UInt64]) throws(StoreError) {
        try StoreError.translating {
            try writer.inTransaction { db in
                for (setting, value) in changes {
                    precondition(setting.range.contains(value), "a value out of range")
                    try db.execute(
                        "INSERT INTO settings (name, value) VALUES (?, ?) "
                            + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                        [.text(setting.rawValue), .integer(Int64(value))])
                }
                return .commit
            }
        }
    }

    /// The prefix of a team identifier in the table of settings.
    static let teamPrefix = "trusted-team:"

    /// Returns the identifiers of the teams that the user trusts.
    public func trustedTeams() throws(StoreError) -> Set<String> {
        try StoreError.translating {
            try writer.access { db in
                let rows = try db.rows(
                    of: "SELECT name FROM settings WHERE name GLOB ? AND value = 1", [.text(Self.teamPrefix + "*")])
                return Set(rows.compactMap(\.[0].text).map { String($0.dropFirst(Self.teamPrefix.count)) })
            }
        }
    }

    public func setTeam(_ team: String, isTrusted: Bool) throws(StoreError) {
        try StoreError.translating {
            try writer.inTransaction { db in
                try db.execute(
                    isTrusted
                        ? "INSERT OR REPLACE INTO settings (name, value) VALUES (?, 1)"
                        : "DELETE FROM settings WHERE name = ?", [.text(Self.teamPrefix + team)])
                return .commit
            }
        }
    }
}
