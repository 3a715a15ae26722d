// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import SecretMemory

/// The device key in a file that only its owner can read: as it is, or sealed to a token (Documentation/Formats/device-key.md).
struct DeviceKeyFile: Sendable {
    let path: String
    /// The database that the key belongs to.
    let databasePath: String
    private let secureElement: SecureElement

    /// - Parameter secureElement: what opens a key that is sealed to it.
    init(in folder: KeychainFolder, _ secureElement: SecureElement) {
        path = folder.deviceKeyPath
        databasePath = folder.databasePath
        self.secureElement = secureElement
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
            try place()
        } move: { place throws(Refusal) in
            try move(to: place)
        }
    }

    private func place() throws(Refusal) -> DeviceKeyPlace {
        SealedDeviceKey(try content().bytes) == nil ? .file : .tpm
    }

    /// The new file takes the old one's place all at once, and only after the token has opened again what it closed in.
    private func move(to place: DeviceKeyPlace) throws(Refusal) {
        guard try self.place() != place else { return }
        let file = try content()
        switch place {
        case .file:
            guard let sealed = SealedDeviceKey(file.bytes) else { throw Refusal(.internalError, .none) }
            var key = try opening { () throws(TokenFailure) in try unseal(sealed) }
            try replace(SecretBytes(moving: &key))
        case .tpm:
            var key = Array(file.bytes)
            defer { wipe(&key) }
            let blob = try opening { () throws(TokenFailure) in try secureElement.seal(key, in: .tpm) }
            var again = try opening { () throws(TokenFailure) in try secureElement.unseal(blob, in: .tpm) }
            defer { wipe(&again) }
            guard again == key else { throw Refusal(.internalComponent, .tokenUnavailable) }
            try replace(SecretBytes(copying: SealedDeviceKey(token: TokenKind.tpm.rawValue, blob: blob).bytes))
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
            throw Refusal(.inputOutput, .none)
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
