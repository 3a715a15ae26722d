// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainEndpoint
internal import KeychainModel
internal import KeychainPlatform
internal import KeychainSealing
internal import KeychainStore
public import SecretMemory

// The salvage of a keychain file: the implementation of `chatelained salvage --keychain`. The file is not replaced; its
// readable contents go into a new keychain beside it.
extension SalvageProgram {
    /// Salvages a keychain file.
    ///
    /// - Parameters:
    ///   - name: the name of the keychain, or its path.
    ///   - password: the password of the keychain, so that its items can be checked; without it they are copied
    ///     unchecked.
    ///   - pin: opens a device key with a PIN.
    /// - Returns: the lines to print for the user.
    public func run(keychain name: String, password: SecretBytes?, pin: SecretBytes? = nil) throws(StartError)
        -> [String]
    {
        let path = try place(name)
        guard FileIdentity(path: path) != nil else { throw StartError("\(path) does not exist", hint: nil) }
        guard FileLocation.byteCount(of: path) != nil else {
            throw StartError("\(path) is not a regular file", hint: "name the file of a keychain")
        }
        let lock = try takeLock(ofKeychain: path)
        defer { withExtendedLifetime(lock) {} }
        let storage = LockedKeyStorage()
        let key = try deviceKey(pin, in: storage)
        let snapshots = Snapshots(
            of: path, in: OpenFileKeychain.snapshotsPath(of: path), synchronize: { _ in }, log: { _ in }
        ).paths
        let work = OpenFileKeychain.lockPath(of: path) + ".salvage"
        try copyDamaged(path, into: work)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let report: Salvage.Report
        do throws(StoreError) {
            let salvage = try Salvage(
                "\(work)/damaged.db", of: .file, snapshots: snapshots, deviceKey: key, in: storage,
                passcode: password.map { ProtectorSecret(.passcode, $0.bytes) })
            report = try salvage.run("\(work)/damaged.db", snapshots: snapshots, into: "\(work)/new.db")
        } catch {
            throw Self.failure(error, path)
        }
        let saved = try keep("\(work)/new.db", beside: path)
        return report.lines + ["The new keychain is \(saved); \(path) was not changed."]
    }

    private func place(_ name: String) throws(StartError) -> String {
        do throws(Refusal) {
            return try FileKeychainPlaces(folder: folder.filesPath, allowsOthers: isOfUser).place(name)
        } catch {
            throw StartError("'\(name)' is not a valid name of a keychain", hint: nil)
        }
    }

    private func takeLock(ofKeychain path: String) throws(StartError) -> InstanceLock {
        do throws(InstanceLock.Error) {
            return try InstanceLock(path: OpenFileKeychain.lockPath(of: path))
        } catch {
            throw StartError("the keychain service is using \(path)", hint: whatEndsTheService)
        }
    }

    /// Puts the new keychain beside the old one, under an unused name.
    private func keep(_ new: String, beside path: String) throws(StartError) -> String {
        let suffix = path.hasSuffix(FileKeychainPlaces.suffix) ? FileKeychainPlaces.suffix : ""
        let plain = path.dropLast(suffix.count)
        for number in 1...99 {
            let name = plain + ".salvaged" + (number == 1 ? "" : "-\(number)") + suffix
            if FileIdentity(path: String(name)) != nil { continue }
            do throws(DurableFile.Error) {
                try DurableFile.name(new, as: String(name))
            } catch {
                throw StartError(error)
            }
            return String(name)
        }
        throw StartError(
            "99 salvaged keychains already exist beside \(path)", hint: "remove the keychains that are not needed")
    }
}
