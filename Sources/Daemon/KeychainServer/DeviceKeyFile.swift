// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import SecretMemory

/// The device key in a file that only its owner can read: as it is, or sealed to a token, with or without a PIN
/// (Documentation/Formats/device-key.md).
struct DeviceKeyFile: Sendable {
    let path: String
    /// The database that the key belongs to.
    let databasePath: String
    private let secureElement: SecureElement
    let gate: PINGate

    /// - Parameters:
    ///   - secureElement: what opens a key that is sealed to it.
    ///   - log: for what an administrator would want to know of wrong PINs.
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

    /// Whether it opens only with a PIN.
    ///
    /// - Throws: where the file is there and cannot be read.
    func isGuarded() throws(StartFailure) -> Bool {
        guard let file = try read() else { return false }
        return GuardedDeviceKey(file.bytes) != nil
    }

    /// The key, opened with its PIN.
    ///
    /// - Throws: `errSecAuthFailed` with `wrongPIN` or `tooManyAttempts`; what the token says.
    func open(with pin: SecretBytes, in storage: some SecretKeyStorage) throws(Refusal) -> DeviceKey {
        var bytes = try clearContent(pin)
        defer { wipe(&bytes) }
        do throws(SealingError) {
            return try DeviceKey(decoding: bytes, in: storage)
        } catch {
            throw Refusal(.notAvailable, .storeUnavailable)
        }
    }

    /// The key, made on first use. Never made anew for a database that exists: that could not be opened with it, and the
    /// lost key would look as if it had never been.
    func loadOrCreate(in storage: some SecretKeyStorage) throws(StartFailure) -> DeviceKey {
        if let file = try read() { return try decode(file, in: storage) }
        guard FileIdentity(path: databasePath) == nil else {
            throw StartFailure(
                "the device key \(path) is missing, without which \(databasePath) cannot be opened; nothing was changed",
                hint: "restore both files from the same backup, or move the database away to start anew")
        }
        return try create(in: storage)
    }

    // MARK: Moving it

    var moving: DeviceKeyMoving {
        DeviceKeyMoving { () throws(Refusal) in
            try state()
        } move: { move, cost throws(Refusal) in
            try self.move(move, cost)
        }
    }

    /// Where it is told, and any move of it is refused.
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
            let place: DeviceKeyPlace = guarded.token == TokenKind.tpm.rawValue ? .tpm : .software
            return DeviceKeyMoving.State(place: place, pin: gate.report)
        }
        return DeviceKeyMoving.State(place: SealedDeviceKey(file.bytes) == nil ? .file : .tpm)
    }

    /// The new file takes the old one's place all at once, and only after the token has opened again what it closed in.
    private func move(
        _ move: DeviceKeyMove<SecretBytes>, _ cost: () throws(Refusal) -> ScryptCost
    ) throws(Refusal) {
        if move.place == .file, move.newPIN != nil { throw Refusal(.parameter, .unusableSecret) }
        // What it would be worth alone, the file is worth as well: both lie beside each other.
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
            // Nobody could type anything else again.
            ProtectorKind.passcode.secretSizes.contains(bytes.count) && (try? UTF8Span(validating: bytes)) != nil
                && bytes.indices.allSatisfy { bytes[$0] != 0 }
        }
        guard isUsable else { throw Refusal(.parameter, .unusableSecret) }
    }

    /// What a file of the first version has in it, however it is closed in. Whoever takes it wipes it.
    private func clearContent(_ pin: SecretBytes?) throws(Refusal) -> [UInt8] {
        let file = try content()
        if let guarded = GuardedDeviceKey(file.bytes) {
            guard let pin else { throw Refusal(.authenticationFailed, .pinNeeded) }
            return try gate.trying { () throws(Refusal) in try unseal(guarded, pin) }
        }
        if let sealed = SealedDeviceKey(file.bytes) {
            return try opening { () throws(TokenFailure) in try unseal(sealed) }
        }
        return Array(file.bytes)
    }

    private func sealed(_ key: [UInt8], to token: TokenKind) throws(Refusal) -> [UInt8] {
        let blob = try opening { () throws(TokenFailure) in try secureElement.seal(key, in: token) }
        var again = try opening { () throws(TokenFailure) in try secureElement.unseal(blob, in: token) }
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
        let blob = try opening { () throws(TokenFailure) in
            try secureElement.seal(key, in: token, guardedBy: authorization)
        }
        var again = try opening { () throws(TokenFailure) in
            try secureElement.unseal(blob, in: token, guardedBy: authorization)
        }
        defer { wipe(&again) }
        guard again == key else { throw Refusal(.internalComponent, .tokenUnavailable) }
        return GuardedDeviceKey(token: token.rawValue, stretching: stretching, blob: blob).bytes
    }

    private func unseal(_ guarded: GuardedDeviceKey, _ pin: SecretBytes) throws(Refusal) -> [UInt8] {
        guard let kind = TokenKind(rawValue: guarded.token) else { throw Refusal(.decode, .foreignTokenKey) }
        var authorization = try stretched(pin, guarded.stretching)
        defer { wipe(&authorization) }
        return try opening { () throws(TokenFailure) in
            try secureElement.unseal(guarded.blob, in: kind, guardedBy: authorization)
        }
    }

    private func stretched(_ pin: SecretBytes, _ stretching: PINStretching) throws(Refusal) -> [UInt8] {
        do throws(SealingError) {
            return try stretching.authorization(for: pin.bytes)
        } catch {
            // The parameters are legal, so what is missing is memory.
            throw Refusal(.inputOutput, .none)
        }
    }

    private func unseal(_ sealed: SealedDeviceKey) throws(TokenFailure) -> [UInt8] {
        guard let kind = TokenKind(rawValue: sealed.token) else {
            throw TokenFailure(.foreignBlob, "it was sealed to a kind of token that this version does not know")
        }
        return try secureElement.unseal(sealed.blob, in: kind)
    }

    private func opening(_ body: () throws(TokenFailure) -> [UInt8]) throws(Refusal) -> [UInt8] {
        do throws(TokenFailure) { return try body() } catch { throw error.refusal }
    }

    private func content() throws(Refusal) -> SecretBytes {
        do throws(DurableFile.Failure) {
            return try DurableFile.read(path, limit: Self.sizeLimit)
        } catch {
            throw Refusal(.inputOutput, .none)
        }
    }

    private func replace(_ content: SecretBytes) throws(Refusal) {
        do throws(DurableFile.Failure) {
            try DurableFile.replace(path, contents: content)
        } catch {
            throw error.refusal
        }
    }

    // MARK: Reading and making it

    private static let sizeLimit = 8192

    private func read() throws(StartFailure) -> SecretBytes? {
        do throws(DurableFile.Failure) {
            return try DurableFile.read(path, limit: Self.sizeLimit)
        } catch {
            if case .missing = error { return nil }
            throw StartFailure(error)
        }
    }

    private func create(in storage: some SecretKeyStorage) throws(StartFailure) -> DeviceKey {
        let key: DeviceKey
        var encoded: [UInt8]
        do throws(SealingError) {
            key = try DeviceKey.generate(in: storage)
            var data = try key.encoded()
            encoded = Array(data)
            data.wipe()
        } catch {
            throw StartFailure("a device key cannot be made: \(error)", hint: nil)
        }
        do throws(DurableFile.Failure) {
            try DurableFile.create(path, contents: SecretBytes(moving: &encoded))
        } catch {
            throw StartFailure(error)
        }
        return key
    }

    private func decode(_ file: SecretBytes, in storage: some SecretKeyStorage) throws(StartFailure) -> DeviceKey {
        var bytes: [UInt8]
        guard GuardedDeviceKey(file.bytes) == nil else {
            throw StartFailure(
                "the device key \(path) is closed in with a PIN, which cannot be asked for here; nothing was changed",
                hint: "in a service of your own: chatelaine unlock; chatelaine setup --device-key file takes it out")
        }
        if let sealed = SealedDeviceKey(file.bytes) {
            do throws(TokenFailure) {
                bytes = try unseal(sealed)
            } catch {
                throw StartFailure(
                    "the device key \(path) is sealed to a TPM, which does not open it: \(error); nothing was changed",
                    hint: error.reason == .foreignBlob
                        ? "that was another TPM, or it was cleared since: restore a backup into a new keychain"
                        : "start the service where that TPM is, and where its user may use it")
            }
        } else {
            bytes = Array(file.bytes)
        }
        defer { wipe(&bytes) }
        do throws(SealingError) {
            return try DeviceKey(decoding: bytes, in: storage)
        } catch {
            throw StartFailure(
                "the device key \(path) is damaged; nothing was changed", hint: "restore it from a backup")
        }
    }
}

extension DeviceKeyPlace {
    /// The kind of token that it is sealed to; nil for none.
    fileprivate var token: TokenKind? {
        switch self {
        case .file: nil
        case .tpm: .tpm
        case .software: .software
        }
    }
}
