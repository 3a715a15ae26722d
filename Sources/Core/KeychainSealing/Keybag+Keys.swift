// SPDX-License-Identifier: Apache-2.0

package import Crypto
import FoundationEssentials
public import KeychainModel

// MARK: - Making

extension Keybag {
    /// Returns a new keybag with new keys from the system's generator, without a passcode.
    ///
    /// - Parameter date: the date for the list of protectors.
    public static func generate(for deviceKey: DeviceKey, at date: Timestamp) throws(SealingError) -> Keybag {
        try Keybag(
            identifier: Array(SymmetricKey(size: .bits128).copyBytes()),
            salt: Array(SymmetricKey.generate().copyBytes()),
            deviceKey: deviceKey, at: date, nextKey: SymmetricKey.generate)
    }

    /// Creates a keybag of these values. Takes keys from `nextKey` in this order: keybag key, index key, then for each
    /// class in ascending order its class key and its metadata key.
    package init(
        identifier: [UInt8], salt: [UInt8], deviceKey: DeviceKey, at date: Timestamp, nextKey: () -> SymmetricKey
    ) throws(SealingError) {
        precondition(
            identifier.count == SealingConstants.keybagIdentifierSize && salt.count == SealingConstants.saltSize)
        let derivation = KeyDerivation(identifier: identifier, salt: salt, deviceKey: deviceKey)
        let keybagKey = KeybagKey(key: nextKey())
        self.identifier = identifier
        self.salt = salt
        protectors = []
        wrappedIndexKey = Array(try derivation.indexWrappingKey().wrap(nextKey()))
        classKeys = []
        for accessibility in Self.classes {
            classKeys.append(try ClassKey(new: accessibility, keybagKey, derivation, nextKey))
        }
        protectors = [try deviceKeyProtector(keybagKey, derivation, number: 1, at: date)]
    }

    private func deviceKeyProtector(
        _ key: KeybagKey, _ derivation: KeyDerivation, number: UInt32, at date: Timestamp
    ) throws(SealingError) -> Protector {
        try Protector(
            ProtectorDescription(number: number, kind: .deviceKey, added: date, label: ""), nil, Data(), key: key,
            derivation: derivation)
    }

    /// Above all current numbers. The number of a removed protector may be reused, but wraps made for the old one do
    /// not open, because the date takes part in wrapping as well.
    private var nextNumber: UInt32 { (protectors.map(\.description.number).max() ?? 0) &+ 1 }

    private func derivation(_ deviceKey: DeviceKey) -> KeyDerivation {
        KeyDerivation(identifier: identifier, salt: salt, deviceKey: deviceKey)
    }
}

// MARK: - Opening

extension Keybag {
    /// Returns the keys that are available when the service starts: all of a keychain without a passcode; otherwise
    /// those that need only the device key.
    ///
    /// - Parameter attributesClass: the class whose metadata key seals the attributes of all items, so that they can be
    ///   read while that key is available; nil: each item's attributes are sealed under the metadata key of its own
    ///   class.
    /// - Throws: `.wrongDeviceKey` if nothing opens with this device key; `.damaged` if one part opens and another does
    ///   not; `.noKeyStorage`.
    public func keyRing(
        with deviceKey: DeviceKey, in storage: some SecretKeyStorage, attributesClass: Accessibility? = nil
    ) throws(SealingError) -> KeyRing {
        let derivation = derivation(deviceKey)
        let indexKey = try? derivation.indexWrappingKey().unwrap(wrappedIndexKey)
        var keybagKey: KeybagKey?
        if !isProtected {
            keybagKey = try? self.keybagKey(with: deviceKey)
            // With a wrong device key, neither opens; in a damaged keybag, one does.
            guard (indexKey == nil) == (keybagKey == nil) else { throw .damaged }
        }
        guard let indexKey else {
            // With a passcode set, the classes that need only the device key distinguish the two errors.
            let opens = (try? openClassKeys(nil, derivation, storage)) != nil
            throw opens ? .damaged : .wrongDeviceKey
        }
        let ring = KeyRing(
            indexKey: IndexKey(indexKey), lockState: isProtected ? .beforeFirstUnlock : .noPasscode, salt: salt,
            attributesClass: attributesClass, random: storage.random, stretching: deviceKey.stretching)
        ring.put(try openClassKeys(keybagKey, derivation, storage))
        return ring
    }

    /// Returns the key of a keybag without a passcode.
    ///
    /// - Throws: `.damaged` if it does not open.
    /// - Precondition: there is no passcode.
    public func keybagKey(with deviceKey: DeviceKey) throws(SealingError) -> KeybagKey {
        precondition(!isProtected, "there is a passcode")
        return try protectors[0].open(Data(), derivation(deviceKey))
    }

    /// Opens the keybag with a secret. If the user chooses the secret, this takes as long as its cost requires.
    ///
    /// - Throws: `.noSuchProtector` if there is none of the kind; `.wrongSecret`; `.noKeyStorage` if there is not
    ///   enough memory.
    public func keybagKey(
        for secret: ProtectorSecret<some Collection<UInt8>>, with deviceKey: DeviceKey
    ) throws(SealingError) -> KeybagKey {
        let candidates = protectors.filter { $0.kind == secret.kind && secret.kind != .deviceKey }
        guard !candidates.isEmpty else { throw .noSuchProtector }
        guard secret.kind.sealableSizes.contains(secret.bytes.count) else { throw .wrongSecret }
        for protector in candidates {
            var material = try Self.material(secret, protector.stretching, deviceKey)
            defer { material.wipe() }
            do throws(SealingError) {
                return try protector.open(material, derivation(deviceKey))
            } catch {
                continue
            }
        }
        throw .wrongSecret
    }

    /// Returns the class keys that the keybag key opens, which unlock the keychain.
    ///
    /// - Throws: `.damaged`, `.noKeyStorage`.
    public func classKeys(
        with key: KeybagKey, _ deviceKey: DeviceKey, in storage: some SecretKeyStorage
    ) throws(SealingError) -> UnlockedClassKeys {
        UnlockedClassKeys(keys: try openClassKeys(key, derivation(deviceKey), storage))
    }

    private func openClassKeys(
        _ keybagKey: KeybagKey?, _ derivation: KeyDerivation, _ storage: some SecretKeyStorage
    ) throws(SealingError) -> [Accessibility: ClassKeys] {
        var keys: [Accessibility: ClassKeys] = [:]
        for entry in classKeys where keybagKey != nil || entry.accessibility.needsOnlyDevice {
            let classKey = try derivation.classWrappingKey(entry.accessibility, keybagKey).unwrap(entry.wrappedKey)
            let metadataKey = try classKey.unwrap(entry.wrappedMetadataKey)
            keys[entry.accessibility] = ClassKeys(
                classKey: try storage.store(classKey), metadataKey: try storage.store(metadataKey))
        }
        return keys
    }

    /// Returns a secret in the form in which it takes part in a wrap; the caller wipes it.
    private static func material(
        _ secret: ProtectorSecret<some Collection<UInt8>>, _ stretching: Protector.Stretching?, _ deviceKey: DeviceKey
    ) throws(SealingError) -> Data {
        guard let stretching else { return Data(secret.bytes) }
        var copy = Data(secret.bytes)
        defer { copy.wipe() }
        return try stretching.cost.stretch(copy, salt: stretching.salt, in: deviceKey.stretching).copyBytes()
    }
}

// MARK: - Changing

// None of these functions changes a class key, so no item has to be sealed again. Secrets that opened an earlier
// version of the file still open that version: an attacker with a copy of it and one of its secrets needs nothing else.
extension Keybag {
    /// Returns the keybag with a first passcode, under a new keybag key, and with the class that requires a passcode.
    ///
    /// The keybag key is new because the old one was wrapped under the device key alone.
    ///
    /// - Throws: `.damaged`, `.noKeyStorage`.
    /// - Precondition: there is no passcode; the secret has a legal size.
    public func withPasscode(
        _ passcode: some Collection<UInt8>, cost: ScryptCost, at date: Timestamp, deviceKey: DeviceKey
    ) throws(SealingError) -> (keybag: Keybag, key: KeybagKey) {
        try withPasscode(passcode, cost: cost, at: date, deviceKey: deviceKey, nextKey: SymmetricKey.generate)
    }

    /// Takes from `nextKey`: keybag key, class key and metadata key of `akpu`, scrypt's salt.
    package func withPasscode(
        _ passcode: some Collection<UInt8>, cost: ScryptCost, at date: Timestamp, deviceKey: DeviceKey,
        nextKey: () -> SymmetricKey
    ) throws(SealingError) -> (keybag: Keybag, key: KeybagKey) {
        let (old, new) = (try keybagKey(with: deviceKey), KeybagKey(key: nextKey()))
        let derivation = derivation(deviceKey)
        var keybag = try rewrapped(from: old, to: new, derivation)
        keybag.classKeys.append(try ClassKey(new: .whenPasscodeSetThisDeviceOnly, new, derivation, nextKey))
        let number = nextNumber
        keybag.protectors = []
        try keybag.add(
            ProtectorSecret(.passcode, passcode), label: "", cost: cost, number: number, at: date, key: new,
            derivation: derivation,
            nextKey: nextKey)
        return (keybag, new)
    }

    /// Returns the keybag without the passcode and all other protectors, under a new keybag key, and without the class
    /// that requires a passcode: its key is lost permanently.
    ///
    /// - Throws: `.damaged`.
    public func withoutPasscode(
        _ key: KeybagKey, at date: Timestamp, deviceKey: DeviceKey
    ) throws(SealingError) -> (keybag: Keybag, key: KeybagKey) {
        let (derivation, new) = (derivation(deviceKey), KeybagKey(key: .generate()))
        var keybag = try rewrapped(from: key, to: new, derivation)
        keybag.classKeys.removeAll { $0.accessibility == .whenPasscodeSetThisDeviceOnly }
        keybag.protectors = [try deviceKeyProtector(new, derivation, number: nextNumber, at: date)]
        return (keybag, new)
    }

    /// Returns the keybag with one more protector. If only one protector of its kind is allowed, it replaces the
    /// existing one.
    ///
    /// - Parameter old: the protector of the same secret whose number and date it keeps, if only the cost changes.
    /// - Throws: `.tooManyProtectors`; `.noKeyStorage`.
    /// - Precondition: there is a passcode; the secret and the label have legal sizes.
    public func adding(
        _ secret: ProtectorSecret<some Collection<UInt8>>, label: String, cost: ScryptCost, at date: Timestamp,
        _ key: KeybagKey, deviceKey: DeviceKey, inPlaceOf old: ProtectorDescription? = nil
    ) throws(SealingError) -> (keybag: Keybag, number: UInt32) {
        try adding(
            secret, label: label, cost: cost, at: date, key, deviceKey: deviceKey, inPlaceOf: old,
            nextKey: SymmetricKey.generate)
    }

    /// Takes scrypt's salt from `nextKey`, if the secret is stretched.
    package func adding(
        _ secret: ProtectorSecret<some Collection<UInt8>>, label: String, cost: ScryptCost, at date: Timestamp,
        _ key: KeybagKey, deviceKey: DeviceKey, inPlaceOf old: ProtectorDescription? = nil,
        nextKey: () -> SymmetricKey
    ) throws(SealingError) -> (keybag: Keybag, number: UInt32) {
        precondition(isProtected, "a passcode comes first")
        var keybag = self
        let number = old?.number ?? nextNumber
        if let old { keybag.protectors.removeAll { $0.description == old } }
        if secret.kind.limit == 1 { keybag.protectors.removeAll { $0.kind == secret.kind } }
        guard keybag.protectors.count(where: { $0.kind == secret.kind }) < secret.kind.limit else {
            throw .tooManyProtectors
        }
        try keybag.add(
            secret, label: label, cost: cost, number: number, at: old?.added ?? date, key: key,
            derivation: derivation(deviceKey),
            nextKey: nextKey)
        return (keybag, number)
    }

    /// Returns the keybag without a protector; nil if no protector has that number, or if it is the passcode.
    public func removing(_ number: UInt32) -> Keybag? {
        guard let place = protectors.firstIndex(where: { $0.description.number == number }),
            protectors[place].kind != .passcode, protectors[place].kind != .deviceKey
        else { return nil }
        var keybag = self
        keybag.protectors.remove(at: place)
        return keybag
    }

    private mutating func add(
        _ secret: ProtectorSecret<some Collection<UInt8>>, label: String, cost: ScryptCost, number: UInt32,
        at date: Timestamp, key: KeybagKey, derivation: KeyDerivation, nextKey: () -> SymmetricKey
    ) throws(SealingError) {
        precondition(
            secret.kind.sealableSizes.contains(secret.bytes.count)
                && label.utf8.count <= ProtectorDescription.labelBytes)
        let stretching =
            secret.kind.isChosenByPeople
            ? Protector.Stretching(cost: cost, salt: Array(nextKey().copyBytes())) : nil
        var material = try Self.material(secret, stretching, derivation.deviceKey)
        defer { material.wipe() }
        let description = ProtectorDescription(number: number, kind: secret.kind, added: date, label: label)
        protectors.append(try Protector(description, stretching, material, key: key, derivation: derivation))
        protectors.sort { ($0.kind.rawValue, $0.description.number) < ($1.kind.rawValue, $1.description.number) }
    }

    /// Returns the class keys under another keybag key; those that need only the device key do not change.
    private func rewrapped(
        from old: KeybagKey, to new: KeybagKey, _ derivation: KeyDerivation
    ) throws(SealingError) -> Keybag {
        var keybag = self
        keybag.classKeys = []
        for entry in classKeys {
            guard !entry.accessibility.needsOnlyDevice else {
                keybag.classKeys.append(entry)
                continue
            }
            let classKey = try derivation.classWrappingKey(entry.accessibility, old).unwrap(entry.wrappedKey)
            keybag.classKeys.append(
                ClassKey(
                    accessibility: entry.accessibility,
                    wrappedKey: Array(
                        try derivation.classWrappingKey(entry.accessibility, new).wrap(classKey)),
                    wrappedMetadataKey: entry.wrappedMetadataKey))
        }
        return keybag
    }
}

extension Keybag.Protector {
    fileprivate init(
        _ description: ProtectorDescription, _ stretching: Stretching?, _ material: Data, key: KeybagKey,
        derivation: KeyDerivation
    ) throws(SealingError) {
        self.description = description
        self.stretching = stretching
        let wrapping = derivation.protectorKey(
            description.kind, material: material, head: Keybag.head(description, stretching))
        wrappedKeybagKey = Array(try wrapping.wrap(key.key))
    }

    fileprivate func open(_ material: Data, _ derivation: KeyDerivation) throws(SealingError) -> KeybagKey {
        let wrapping = derivation.protectorKey(kind, material: material, head: Keybag.head(description, stretching))
        return KeybagKey(key: try wrapping.unwrap(wrappedKeybagKey))
    }
}

extension Keybag.ClassKey {
    /// Creates a class with new keys.
    fileprivate init(
        new accessibility: Accessibility, _ keybagKey: KeybagKey, _ derivation: KeyDerivation,
        _ nextKey: () -> SymmetricKey
    ) throws(SealingError) {
        let (classKey, metadataKey) = (nextKey(), nextKey())
        self.accessibility = accessibility
        wrappedKey = Array(try derivation.classWrappingKey(accessibility, keybagKey).wrap(classKey))
        wrappedMetadataKey = Array(try classKey.wrap(metadataKey))
    }
}
