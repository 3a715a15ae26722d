// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainPlatform
internal import KeychainSealing
internal import SecretMemory

/// The software token: the device key in a file that only its owner can read.
struct DeviceKeyFile {
    let path: String
    /// The database that the key belongs to.
    let databasePath: String

    init(in folder: KeychainFolder) {
        path = folder.deviceKeyPath
        databasePath = folder.databasePath
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

    private func read() throws(StartFailure) -> SecretBytes? {
        do throws(DurableFile.Failure) {
            return try DurableFile.read(path, limit: 4096)
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
        var bytes = Array(file.bytes)
        defer { wipe(&bytes) }
        do throws(SealingError) {
            return try DeviceKey(decoding: bytes, in: storage)
        } catch {
            throw StartFailure(
                "the device key \(path) is damaged; nothing was changed", hint: "restore it from a backup")
        }
    }
}
