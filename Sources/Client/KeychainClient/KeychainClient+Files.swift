// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire
public import SecretMemory

// Requests for keychain files. A keychain is named by an absolute path, or by a name in the folder of the user's
// keychains.
//
// A request without a password prompts the user for it; ``authenticating(_:)`` defines whether a prompt is allowed.
extension KeychainClient {
    /// The same client, whose requests for items and keys use this file.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain` for an invalid path.
    public func inKeychain(_ path: String) throws(ClientError) -> KeychainClient {
        guard WireLimits.isKeychainPath(path) else { throw .refused(Refusal(.noSuchKeychain, .noSuchKeychain)) }
        var client = self
        client.keychain = path
        return client
    }

    /// The same client, whose requests for items and keys use the file of a report.
    public func inKeychain(of report: FileKeychainReport) -> KeychainClient {
        var client = self
        client.keychain = report.path
        return client
    }

    /// The file that requests for items and keys use; nil for the data-protection keychain.
    public var keychainPath: String? { keychain }

    /// Returns a report on the file at a path. Neither unlocks the file nor prompts. A missing file, or a file that is
    /// not a keychain, is no error.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain` for an invalid path; `.unavailable`.
    public func keychain(at path: String) throws(ClientError) -> FileKeychainReport {
        try one(.report(path), isRepeatable: true)
    }

    /// Returns the keychains in the user's folder, by name.
    public func keychains() throws(ClientError) -> [FileKeychainReport] { try reports(.list, isRepeatable: true) }

    /// Creates a keychain, which is then unlocked.
    ///
    /// - Parameter password: may be empty; nil: the user is prompted.
    /// - Throws: `.refused` with `errSecDuplicateKeychain`, `errSecWrPerm`, `errSecParam` for an invalid password,
    ///   `errSecInteractionNotAllowed` if no prompt is possible; `.unavailable`.
    public func createKeychain(
        at path: String, password: SecretBytes?
    ) throws(ClientError) -> FileKeychainReport {
        try one(.create(path, password: password?.bytes), isRepeatable: false)
    }

    /// Deletes a keychain with all its items, and removes it from the lists.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain`, `errSecInvalidKeychain` (the file stays); `.unavailable`.
    public func deleteKeychain(at path: String) throws(ClientError) { try carryOut(.delete(path)) }

    /// Locks a keychain, if it is not locked.
    ///
    /// - Throws: `.refused` with `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func lockKeychain(at path: String) throws(ClientError) { try carryOut(.lock(path)) }

    /// Locks all keychain files.
    public func lockAllKeychains() throws(ClientError) { try carryOut(.lockAll) }

    /// Unlocks a keychain.
    ///
    /// - Parameter password: nil: the user is prompted, unless the keychain is unlocked.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecInteractionNotAllowed` if no prompt is
    ///   possible, `errSecUserCanceled`, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func unlockKeychain(at path: String, password: SecretBytes?) throws(ClientError) {
        try carryOut(.unlock(path, password: password?.bytes))
    }

    /// Changes when a keychain locks automatically. Requires that the keychain is unlocked.
    ///
    /// - Throws: `.refused` with `errSecInteractionNotAllowed` while it is locked and no prompt is possible,
    ///   `errSecParam` for more than a year, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`.
    public func changeKeychain(at path: String, _ settings: FileKeychainSettings) throws(ClientError) {
        try carryOut(.change(path, settings))
    }

    /// Changes the password of a keychain.
    ///
    /// - Parameters:
    ///   - old: required even if the keychain is unlocked; nil: the user is prompted.
    ///   - new: may be empty; nil: the user is prompted.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecInteractionNotAllowed`,
    ///   `errSecUserCanceled`, `errSecParam` for an invalid password, `errSecNoSuchKeychain`, `errSecInvalidKeychain`;
    ///   `.unavailable`.
    public func changePassword(
        ofKeychainAt path: String, old: SecretBytes?, new: SecretBytes?
    ) throws(ClientError) {
        try carryOut(.changePassword(path, old: old?.bytes, new: new?.bytes))
    }

    /// Copies the current state of a keychain to a new file. The copy opens with the same password on the same device.
    ///
    /// - Parameters:
    ///   - path: the path of the keychain, which may be locked.
    ///   - destination: an absolute path in an existing folder.
    /// - Throws: `.refused` with `errSecDuplicateKeychain` if the file exists already; `errSecNoSuchKeychain` also for
    ///   a destination where no keychain can be stored; `errSecInvalidKeychain`, `errSecWrPerm`, `errSecDiskFull`,
    ///   `errSecIO`; `.unavailable`.
    public func copyKeychain(at path: String, to destination: String) throws(ClientError) {
        try carryOut(.copy(path, to: destination))
    }

    /// Creates a keychain from a copy and appends it to the user's search list; it is locked.
    ///
    /// - Parameters:
    ///   - path: the path of the new keychain.
    ///   - source: the absolute path of the copy, which is kept.
    /// - Throws: `.refused` with `errSecDuplicateKeychain` if the keychain exists already; `errSecInvalidKeychain` for
    ///   a file that is not a keychain of this device; otherwise as ``copyKeychain(at:to:)``.
    public func restoreKeychain(at path: String, from source: String) throws(ClientError) -> FileKeychainReport {
        try one(.restore(path, from: source), isRepeatable: false)
    }

    /// Returns the default keychain and the search list of a domain, including keychains whose files are missing.
    public func keychainList(of domain: PreferencesDomain) throws(ClientError) -> KeychainList {
        try answer(to: Request<[UInt8]>.keychainFile(.readList(domain))) { frame throws(WireError) in
            try KeychainList(frame)
        }
    }

    /// - Parameter path: nil for no default keychain.
    /// - Throws: `.refused` with `errSecWrPerm` for a domain whose lists cannot be changed here; `.unavailable`.
    public func setDefaultKeychain(_ path: String?, of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.setDefault(domain, path))
    }

    /// - Throws: `.refused` with `errSecWrPerm` as above, `errSecParam` for more than ``KeychainList/limit``;
    ///   `.unavailable`.
    public func setSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.setSearchList(domain, paths))
    }

    /// Replaces the partition lists of items of a keychain, one after the other. Unlocks the keychain if it is locked.
    ///
    /// - Parameters:
    ///   - partitions: may be empty; then every program requires a prompt.
    ///   - items: any number of items of one keychain.
    ///   - password: required even if the keychain is unlocked; nil: the user is prompted.
    /// - Throws: `.refused` with `errSecAuthFailed` for a wrong password, `errSecItemNotFound`, `errSecNoAccessForItem`
    ///   for a certificate, `errSecInteractionNotAllowed` if no prompt is possible, `errSecUserCanceled`, `errSecParam`
    ///   for too many partitions, `errSecNoSuchKeychain`, `errSecInvalidKeychain`; `.unavailable`. The items before the
    ///   failed one then have their new lists.
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

    /// Appends keychains to the search list unless they are on it. The change is atomic: if two programs do this at the
    /// same time, the list contains the keychains of both.
    ///
    /// - Throws: as ``setSearchList(_:of:)``, also for a list that would be too long.
    public func addToSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.addToSearchList(domain, paths))
    }

    /// Removes keychains from the search list in one atomic change. Keychains that are not on it are no error.
    ///
    /// - Throws: as ``setSearchList(_:of:)``.
    public func removeFromSearchList(_ paths: [String], of domain: PreferencesDomain) throws(ClientError) {
        try carryOut(.removeFromSearchList(domain, paths))
    }

    /// Appends a keychain to the search list unless it is on it, and makes it the default keychain if there is none, in
    /// one atomic change.
    ///
    /// - Parameters:
    ///   - path: the path of the keychain.
    ///   - former: if this keychain is the default one, it is replaced as well.
    ///   - domain: the domain of the lists.
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
