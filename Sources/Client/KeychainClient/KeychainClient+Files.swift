// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire
public import SecretMemory

// Keychains that are files. A keychain is named by an absolute path, or by a name in the folder of the user's keychains.
//
// Whoever asks without a password leaves it to a person; ``authenticating(_:)`` says whether one may be asked.
extension KeychainClient {
    /// The same client, whose requests for items and keys are about this file.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain` for what can be no path.
    public func inKeychain(_ path: String) throws(ClientError) -> KeychainClient {
        guard WireLimits.isKeychainPath(path) else { throw .refused(Refusal(.noSuchKeychain, .noSuchKeychain)) }
        var client = self
        client.keychain = path
        return client
    }

    /// The file that requests for items and keys are about; nil for the data-protection keychain.
    public var keychainPath: String? { keychain }

    /// What there is at a path. Opens nothing, asks nobody, and a file that is missing or no keychain is no error.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain` for what can be no path; `.unavailable`.
    public func keychain(at path: String) throws(ClientError) -> FileKeychainReport {
        try one(.report(path), isRepeatable: true)
    }

    /// The keychains in the user's folder, by name.
    public func keychains() throws(ClientError) -> [FileKeychainReport] { try reports(.list, isRepeatable: true) }

    /// Makes a keychain; it is unlocked then.
    ///
    /// - Parameter password: may be empty; nil: a person is asked.
    /// - Throws: `.refused` with `errSecDuplicateKeychain`, `errSecWrPerm`, `errSecParam` for a password that cannot be one,
    ///   `errSecInteractionNotAllowed` where nobody can be asked; `.unavailable`.
    public func createKeychain(
        at path: String, password: SecretBytes?
    ) throws(ClientError) -> FileKeychainReport {
        try one(.create(path, password: password?.bytes), isRepeatable: false)
    }

    /// Deletes a keychain with all that is in it, and takes it off the lists.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain`, `errSecInvalidKeychain` (the file stays); `.unavailable`.
    public func deleteKeychain(at path: String) throws(ClientError) { try carryOut(.delete(path)) }

    /// Locks a keychain, if it is not locked.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func lockKeychain(at path: String) throws(ClientError) { try carryOut(.lock(path)) }

    /// Locks all keychains that are files.
    public func lockAllKeychains() throws(ClientError) { try carryOut(.lockAll) }

    /// Unlocks a keychain.
    ///
    /// - Parameter password: nil: a person is asked, unless it is unlocked.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecInteractionNotAllowed` where nobody can be asked,
    ///   `errSecUserCanceled`, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func unlockKeychain(at path: String, password: SecretBytes?) throws(ClientError) {
        try carryOut(.unlock(path, password: password?.bytes))
    }

    /// Says when a keychain is locked by itself. It has to be unlocked for that.
    ///
    /// - Throws: `.refused` with `errSecInteractionNotAllowed` while it is locked and nobody can be asked, `errSecParam` for more than
    ///   a year, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func changeKeychain(at path: String, _ settings: FileKeychainSettings) throws(ClientError) {
        try carryOut(.change(path, settings))
    }

    /// Gives a keychain another password.
    ///
    /// - Parameters:
    ///   - old: needed whether it is locked or not; nil: a person is asked.
    ///   - new: may be empty; nil: a person is asked.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecInteractionNotAllowed`,
    ///   `errSecUserCanceled`, `errSecParam` for a password that cannot be one, `errSecNoSuchKeychain`,
    ///   `errSecInvalidKeychain`; `.unavailable`.
    public func changePassword(
        ofKeychainAt path: String, old: SecretBytes?, new: SecretBytes?
    ) throws(ClientError) {
        try carryOut(.changePassword(path, old: old?.bytes, new: new?.bytes))
    }

    /// Copies a keychain, as it is at this moment, to where nothing is. The copy opens with the same password on the same device.
    ///
    /// - Parameters:
    ///   - path: of the keychain, which may be locked.
    ///   - destination: an absolute path in a folder that is there.
    /// - Throws: `.refused` with `errSecDuplicateKeychain` where there is a file already; `errSecNoSuchKeychain` also for a
    ///   destination where no keychain can be; `errSecInvalidKeychain`, `errSecWrPerm`, `errSecDiskFull`, `errSecIO`;
    ///   `.unavailable`.
    public func copyKeychain(at path: String, to destination: String) throws(ClientError) {
        try carryOut(.copy(path, to: destination))
    }

    /// Makes a keychain of a copy and puts it at the end of the user's search list; it is locked.
    ///
    /// - Parameters:
    ///   - path: of the keychain that shall be, where none is.
    ///   - source: the absolute path of the copy, which stays.
    /// - Throws: `.refused` with `errSecDuplicateKeychain` where there is a keychain already; `errSecInvalidKeychain` for
    ///   what is no keychain of this device; else as ``copyKeychain(at:to:)``.
    public func restoreKeychain(at path: String, from source: String) throws(ClientError) -> FileKeychainReport {
        try one(.restore(path, from: source), isRepeatable: false)
    }

    /// The default keychain and the search list of a domain. Keychains that are missing are among them.
    public func keychainList(of domain: PreferencesDomain) throws(ClientError) -> KeychainList {
        try answer(to: Request<[UInt8]>.keychainFile(.readList(domain))) { frame throws(WireError) in
            try KeychainList(frame)
        }
    }

    /// - Parameter path: nil: there is none any more.
    /// - Throws: `.refused` with `errSecWrPerm` for a domain whose lists cannot be changed here; `.unavailable`.
    public func setDefaultKeychain(_ path: String?, of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.setDefault(domain, path))
    }

    /// - Throws: `.refused` with `errSecWrPerm` as above, `errSecParam` for more than ``KeychainList/limit``;
    ///   `.unavailable`.
    public func setSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.setSearchList(domain, paths))
    }

    /// Replaces the partition lists of items of a keychain, one after the other. Where it is locked it is unlocked.
    ///
    /// - Parameters:
    ///   - partitions: may be empty, so that a person is asked about every program.
    ///   - items: those of one keychain; any number.
    ///   - password: needed whether it is locked or not; nil: a person is asked.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecItemNotFound`, `errSecNoAccessForItem` for a
    ///   certificate, `errSecInteractionNotAllowed` where nobody can be asked, `errSecUserCanceled`, `errSecParam` for more
    ///   partitions than there may be, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`. The items before the one
    ///   that it is about have their new lists then.
    public func setPartitions(
        _ partitions: [PartitionID], of items: [PersistentReference], inKeychainAt path: String, password: SecretBytes?
    ) throws(ClientError) {
        var rest = items[...]
        repeat {
            let part = Array(rest.prefix(WireLimits.partitionedItems))
            try carryOut(.setPartitions(path, part, partitions, password: password?.bytes))
            rest = rest.dropFirst(part.count)
        } while !rest.isEmpty
    }

    /// Puts those that are not on the search list at its end, in one step: of two programs that do so at once, both find theirs there.
    ///
    /// - Throws: as ``setSearchList(_:of:)``, also for a list that would be too long.
    public func addToSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.addToSearchList(domain, paths))
    }

    /// Takes keychains off the search list, in one step. Those that are not on it are no error.
    ///
    /// - Throws: as ``setSearchList(_:of:)``.
    public func removeFromSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.removeFromSearchList(domain, paths))
    }

    /// Puts a keychain at the end of the search list unless it is on it, and makes it the default where there is none, in one step.
    ///
    /// - Parameters:
    ///   - path: of the keychain.
    ///   - former: makes it the default also where this one is.
    ///   - domain: whose lists.
    /// - Throws: as ``setSearchList(_:of:)``, also for a list that would be too long.
    public func adoptKeychain(
        _ path: String, replacing former: String? = nil, of domain: PreferencesDomain
    ) throws(ClientError) {
        try carryOut(.adopt(domain, path, replacing: former))
    }

    private func carryOut(_ request: FileKeychainRequest<SecretBytes.BytesView>) throws(ClientError) {
        _ = try reports(request, isRepeatable: false)
    }

    private func one(
        _ request: FileKeychainRequest<SecretBytes.BytesView>, isRepeatable: Bool
    ) throws(ClientError) -> FileKeychainReport {
        let reports = try reports(request, isRepeatable: isRepeatable)
        guard reports.count == 1 else { throw .protocolViolation(.malformed) }
        return reports[0]
    }

    private func reports(
        _ request: FileKeychainRequest<SecretBytes.BytesView>, isRepeatable: Bool
    ) throws(ClientError) -> [FileKeychainReport] {
        guard request.isWithinLimits else { throw .refused(Refusal(.parameter, .unusableSecret)) }
        return try answer(to: Request.keychainFile(request), isRepeatable: isRepeatable) { frame throws(WireError) in
            try FileKeychainAnswer(frame)
        }.keychains
    }
}
