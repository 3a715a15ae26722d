// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import SecretMemory

/// The device key in a file that only its owner can read: in plaintext, or sealed to a token, with or without a PIN
/// (Documentation/Formats/device-key.md).
struct DeviceKeyFile: Sendable {
    let path: String
    /// The database that the key belongs to.
    let databasePath: String
    private let secureElement: SecureElement
    let gate: PINGate

    /// Creates the file's accessor.
    ///
    /// - Parameters:
    ///   - secureElement: opens a key that is sealed to it.
    ///   - log: receives messages for administrators on wrong PINs.
    init(
        in folder: KeychainFolder, _ secureElement: SecureElement, wallClock: WallClock = .live,
        clock: MonotonicClock = .includingSleep, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        path = folder.deviceKeyPath
        databasePath = folder.databasePath
        self.secureElement = secureElement
        gate = PINGate(
            folder.pinAttemptsPath, wallClock: { Timestamp(secondsSinceReferenceDate: wallClock.now()) },
            clock: clock, log: log)
    }

    /// Returns whether the key opens only with a PIN.
    ///
    /// - Throws: if the file exists and cannot be read.
    func isGuarded() throws(StartError) -> Bool {
        guard let file = try read() else { return false }
        return GuardedDeviceKey(file.bytes) != nil
    }

    /// Returns the key, opened with its PIN.
    ///
    /// - Throws: `errSecAuthFailed` with `wrongPIN` or `tooManyAttempts`; the errors of the token.
    func open(with pin: SecretBytes, in storage: some SecretKeyStorage) throws(Refusal) -> DeviceKey {
        var bytes = try clearContent(pin)
        defer { wipe(&bytes) }
        do throws(SealingError) {
            return try DeviceKey(decoding: bytes, in: storage)
        } catch {
            throw Refusal(.notAvailable, .storeUnavailable)
        }
    }

    /// Returns the key, and creates it on first use. A key is never created for an existing database, because a new key
    /// could not open that database, and the loss of the old key would be hidden.
    func loadOrCreate(in storage: some SecretKeyStorage) throws(StartError) -> DeviceKey {
        if let file = try read() { return try decode(file, in: storage) }
        guard FileIdentity(path: databasePath) == nil else {
            throw StartError(
                "the device key \(path) is missing, so \(databasePath) cannot be opened; nothing was changed",
                hint:
                    "restore both files from the same backup, or move the database away to start with an empty keychain"
            )
        }
        return try create(in: storage)
    }

    // MARK: Moving the key

    var moving: DeviceKeyMoving {
        DeviceKeyMoving { () throws(Refusal) in
            try state()
        } move: { move, cost throws(Refusal) in
            try self.move(move, cost)
        }
    }

    /// Reports the place of the key, and refuses any move.
    var staying: DeviceKeyMoving {
        DeviceKeyMoving { () throws(Refusal) in
            try state()
        } move: { _, _ throws(Refusal) in
            throw Refusal(.unimplemented, .notSupportedYet)
        }
    }

    func state() throws(Refusal) -> DeviceKeyMoving.State {
        let file = try content()
        if let guarded = GuardedDeviceKey(file.bytes) {
            let place: DeviceKeyLocation = guarded.token == TokenKind.tpm.rawValue ? .tpm : .software
            return DeviceKeyMoving.State(place: place, pin: gate.report)
        }
        return DeviceKeyMoving.State(place: SealedDeviceKey(file.bytes) == nil ? .file : .tpm)
    }

    /// Moves the key. The new file replaces the old one atomically, and only after the token has opened the newly
    /// sealed key again.
    private func move(
        _ move: DeviceKeyMove<SecretBytes>, _ cost: () throws(Refusal) -> ScryptCost
    ) throws(Refusal) {
        if move.place == .file, move.newPIN != nil { throw Refusal(.parameter, .unusableSecret) }
        // Without a PIN, the software token would protect the key no better than the plaintext file, because its secret
        // lies beside it.
        if move.place == .software, move.newPIN == nil { throw Refusal(.parameter, .pinNeeded) }
        if let newPIN = move.newPIN { try Self.checkUsable(newPIN) }
        let state = try state()
        guard move.place != state.place || state.pin != nil || move.newPIN != nil else { return }
        var key = try clearContent(move.pin)
        defer { wipe(&key) }
        switch (move.place.token, move.newPIN) {
        case (nil, _): try replace(SecretBytes(copying: key))
        case (let token?, nil): try replace(SecretBytes(copying: try sealed(key, to: token)))
        case (let token?, let pin?): try replace(SecretBytes(copying: try guarded(key, by: pin, in: token, try cost())))
        }
    }

    private static func checkUsable(_ pin: SecretBytes) throws(Refusal) {
        let isUsable = pin.withSpan { bytes in
            // No other text could be typed again.
            ProtectorKind.passcode.secretSizes.contains(bytes.count) && (try? UTF8Span(validating: bytes)) != nil
                && bytes.indices.allSatisfy { bytes[$0] != 0 }
        }
        guard isUsable else { throw Refusal(.parameter, .unusableSecret) }
    }

    /// Returns the content that a file of the first version has, however the key is sealed. The caller must wipe it.
    private func clearContent(_ pin: SecretBytes?) throws(Refusal) -> [UInt8] {
        let file = try content()
        if let guarded = GuardedDeviceKey(file.bytes) {
            guard let pin else { throw Refusal(.authenticationFailed, .pinNeeded) }
            return try gate.trying { () throws(Refusal) in try unseal(guarded, pin) }
        }
        if let sealed = SealedDeviceKey(file.bytes) {
            return try opening { () throws(TokenError) in try unseal(sealed) }
        }
        return Array(file.bytes)
    }

    private func sealed(_ key: [UInt8], to token: TokenKind) throws(Refusal) -> [UInt8] {
        let blob = try opening { () throws(TokenError) in try secureElement.seal(key, in: token) }
        var again = try opening { () throws(TokenError) in try secureElement.unseal(blob, in: token) }
        defer { wipe(&again) }
        guard again == key else { throw Refusal(.internalComponent, .tokenUnavailable) }
        return SealedDeviceKey(token: token.rawValue, blob: blob).bytes
    }

    private func guarded(
        _ key: [UInt8], by pin: SecretBytes, in token: TokenKind, _ cost: ScryptCost
    ) throws(Refusal) -> [UInt8] {
        guard let stretching = PINStretching(cost: cost, salt: RandomSource.live.bytes(PINStretching.saltBytes)) else {
            throw Refusal(.internalError, .none)
        }
        var authorization = try stretched(pin, stretching)
        defer { wipe(&authorization) }
        let blob = try opening { () throws(TokenError) in
            try secureElement.seal(key, in: token, guardedBy: authorization)
        }
        var again = try opening { () throws(TokenError) in
            try secureElement.unseal(blob, in: token, guardedBy: authorization)
        }
        defer { wipe(&again) }
        guard again == key else { throw Refusal(.internalComponent, .tokenUnavailable) }
        return GuardedDeviceKey(token: token.rawValue, stretching: stretching, blob: blob).bytes
    }

    private func unseal(_ guarded: GuardedDeviceKey, _ pin: SecretBytes) throws(Refusal) -> [UInt8] {
        guard let kind = TokenKind(rawValue: guarded.token) else { throw Refusal(.decode, .foreignDeviceKey) }
        var authorization = try stretched(pin, guarded.stretching)
        defer { wipe(&authorization) }
        return try opening { () throws(TokenError) in
            try secureElement.unseal(guarded.blob, in: kind, guardedBy: authorization)
        }
    }

    private func stretched(_ pin: SecretBytes, _ stretching: PINStretching) throws(Refusal) -> [UInt8] {
        do throws(SealingError) {
            return try stretching.authorization(for: pin.bytes)
        } catch {
            // The parameters are legal, so only memory can be missing.
            throw Refusal(.inputOutput, .none)
        }
    }

    private func unseal(_ sealed: SealedDeviceKey) throws(TokenError) -> [UInt8] {
        guard let kind = TokenKind(rawValue: sealed.token) else {
            throw TokenError(.foreignBlob, "the key is sealed to a kind of token that this version does not support")
        }
        return try secureElement.unseal(sealed.blob, in: kind)
    }

    private func opening(_ body: () throws(TokenError) -> [UInt8]) throws(Refusal) -> [UInt8] {
        do throws(TokenError) {
            return try body()
        } catch {
            throw error.reason == .foreignBlob ? Refusal(.decode, .foreignDeviceKey) : error.refusal
        }
    }

    private func content() throws(Refusal) -> SecretBytes {
        do throws(DurableFile.Error) {
            return try DurableFile.read(path, limit: Self.sizeLimit)
        } catch {
            throw Refusal(.inputOutput, .none)
        }
    }

    private func replace(_ content: SecretBytes) throws(Refusal) {
        do throws(DurableFile.Error) {
            try DurableFile.replace(path, contents: content)
        } catch {
            throw error.refusal
        }
    }

    // MARK: Reading and creating the key

    private static let sizeLimit = 8192

    private func read() throws(StartError) -> SecretBytes? {
        do throws(DurableFile.Error) {
            return try DurableFile.read(path, limit: Self.sizeLimit)
        } catch {
            if case .missing = error { return nil }
            throw StartError(error)
        }
    }

    private func create(in storage: some SecretKeyStorage) throws(StartError) -> DeviceKey {
        let key: DeviceKey
        var encoded: [UInt8]
        do throws(SealingError) {
            key = try DeviceKey.generate(in: storage)
            var data = try key.encoded()
            encoded = Array(data)
            data.wipe()
        } catch {
            throw StartError("cannot create a device key: \(error)", hint: nil)
        }
        do throws(DurableFile.Error) {
            try DurableFile.create(path, contents: SecretBytes(moving: &encoded))
        } catch {
            throw StartError(error)
        }
        return key
    }

    private func decode(_ file: SecretBytes, in storage: some SecretKeyStorage) throws(StartError) -> DeviceKey {
        var bytes: [UInt8]
        guard GuardedDeviceKey(file.bytes) == nil else {
            throw StartError(
                "the device key \(path) is protected by a PIN, which cannot be entered here; nothing was changed",
                hint:
                    "in a user service, enter it with chatelaine unlock; chatelaine setup --device-key file removes it")
        }
        if let sealed = SealedDeviceKey(file.bytes) {
            do throws(TokenError) {
                bytes = try unseal(sealed)
            } catch {
                throw StartError(
                    "the device key \(path) is sealed to a TPM and cannot be opened: \(error); nothing was changed",
                    hint: error.reason == .foreignBlob
                        ? "another TPM sealed it, or this TPM was cleared: restore a backup into a new keychain"
                        : "start the service on the machine of that TPM, as a user who may use it")
            }
        } else {
            bytes = Array(file.bytes)
        }
        defer { wipe(&bytes) }
        do throws(SealingError) {
            return try DeviceKey(decoding: bytes, in: storage)
        } catch {
            throw StartError(
                "the device key \(path) is damaged; nothing was changed", hint: "restore it from a backup")
        }
    }
}

extension DeviceKeyLocation {
    /// The kind of token to which the key is sealed; nil for none.
    fileprivate var token: TokenKind? {
        switch self {
        case .file: nil
        case .tpm: .tpm
        case .software: .software
        }
    }
}
