// SPDX-License-Identifier: Apache-2.0

/// The reason for a refusal, in addition to its status code, so that a program can say how to continue.
public struct Refusal: Error, Hashable, Sendable {
    public let status: StatusCode
    public let reason: Reason

    public init(_ status: StatusCode, _ reason: Reason) {
        self.status = status
        self.reason = reason
    }

    /// The raw value is the number on the wire; it never changes.
    public enum Reason: UInt8, CaseIterable, Hashable, Sendable {
        /// Nothing to add to the status code.
        case none = 0
        /// The service could not identify the caller.
        case unidentifiedCaller = 1
        /// The access group named is not one of the caller's.
        case foreignAccessGroup = 2
        /// Another program made the item. Its use requires approval, and no prompt is possible.
        case otherProgramsItem = 3
        /// The request does not fit the protocol.
        case malformedRequest = 4
        /// This version does not store items of that class, or cannot provide that guarantee yet.
        case notSupportedYet = 5
        /// The disk that holds the keychain is full.
        case diskFull = 6
        /// The keychain's files cannot be written.
        case readOnlyStore = 7
        /// The keychain's database is damaged.
        case damagedStore = 8
        /// The service has reached its limit of connections.
        case tooManyConnections = 9
        /// The class key of the item is not in memory.
        case locked = 10
        /// The passcode, or another secret that opens the keychain, is wrong.
        case wrongSecret = 11
        /// Too many attempts failed; the next one is checked later.
        case tooManyAttempts = 12
        /// The operation requires the passcode or the recovery key.
        case proofRequired = 13
        /// Only the command that was installed with the service may do that.
        case administrationOnly = 14
        /// No passcode is set.
        case noPasscode = 15
        /// The keychain has no protector of that kind or number.
        case noSuchProtector = 16
        /// The keychain has reached its limit of protectors of that kind.
        case tooManyProtectors = 17
        /// A secret of that kind must have another size, or be valid UTF-8.
        case unusableSecret = 18
        /// The setting does not exist, or cannot have that value.
        case unusableSetting = 19
        /// The backup is damaged, or was changed.
        case damagedBackup = 20
        /// The end of the backup is missing.
        case truncatedBackup = 21
        /// The backup was made by a newer version.
        case newerBackup = 22
        /// The backup opens only on the device that made it.
        case otherDevicesBackup = 23
        /// The passphrase or recovery key does not open the backup.
        case wrongBackupSecret = 24
        /// Another backup or restore is in progress.
        case jobUnderWay = 25
        /// The backup or restore of the request has ended.
        case jobEnded = 26
        /// The program has no entitlements, and this keychain or this connection requires them.
        case noEntitlements = 27
        /// The access group is read-only.
        case readOnlyGroup = 28
        /// No remembered grant has that number.
        case noSuchGrant = 29
        /// In strict mode only programs that the kernel shields may do that without approval.
        case strictMode = 30
        /// The process or file cannot be inspected on the caller's behalf.
        case notInspectable = 31
        /// The audit log is damaged or was changed.
        case damagedLog = 32
        /// The service has reached its limit of connections of this user.
        case tooManyConnectionsOfUser = 33
        /// This user's keychain cannot be opened; the service's own log has the reason.
        case storeUnavailable = 34
        /// The private half of the key does not leave the service.
        case heldKey = 35
        /// The key's attributes do not allow that use.
        case keyUseNotAllowed = 36
        /// The item is not a private key, or its data does not match its attributes.
        case unusableKey = 37
        /// The key's algorithm does not accept that input.
        case unusableKeyInput = 38
        /// The operation requires approval. Without a passcode, an approval by the user cannot be told from one by the
        /// program itself.
        case passcodeNeededToAsk = 39
        /// The program was denied repeatedly, or too many prompts are waiting already.
        case tooManyPrompts = 40
        /// The item requires owner authentication, and none was given.
        case authenticationNeeded = 41
        /// The item has its own password, and the given one is wrong.
        case wrongApplicationPassword = 42
        /// A factor that the item's access control requires is not available: no reader, no enrolled finger, or locked
        /// out.
        case factorNotAvailable = 43
        /// The enrolled fingers are not the ones for which the item was stored.
        case enrolmentChanged = 44
        /// The item's access control has a requirement that cannot be met.
        case unusableAccessControl = 45
        /// Unlock by fingerprint is not enabled for the keychain.
        case noUnlockByFinger = 46
        /// Unlock by fingerprint requires that the passcode is entered first.
        case passcodeNeededFirst = 47
        /// The token that keeps the key is missing, or does not respond.
        case tokenUnavailable = 60
        /// The key was made by another token, or the token was cleared since.
        case foreignTokenKey = 61
        /// The token received too many wrong PINs.
        case tokenLockedOut = 62
        /// Keys of a token are made by it, and stay there.
        case tokenKey = 63
        /// The device key is protected by a PIN that was not entered since the service started, or not with the
        /// request.
        case pinNeeded = 64
        /// The PIN does not open the device key.
        case wrongPIN = 65
        /// The device key is sealed to another token, or the token was cleared since.
        case foreignDeviceKey = 66
        /// The item's access object does not trust the program, and the user did not approve the request.
        case notTrusted = 70
        /// The item's partition list does not contain the program's partition, and the user did not approve the
        /// request.
        case otherPartition = 71
        /// The item's access object has no entry for that operation.
        case noAccessEntry = 72
        /// The item has no access object.
        case noAccessObject = 73
        /// Changing the access object requires its owner, or the keychain's password.
        case notAccessOwner = 74
        /// Only the agent that was installed with the system service may show prompts for it, and only if the kernel
        /// shields it.
        case agentOnly = 75
        /// Only a bridge in the service's helper folder makes requests on behalf of another process, and it makes no
        /// others.
        case bridgesOnly = 76
        /// An application in a sandbox uses its own items alone.
        case sandboxedApplication = 77
        /// No keychain exists at that path.
        case noSuchKeychain = 80
        /// A file exists at that path already.
        case duplicateKeychain = 81
        /// The file is not a keychain, or belongs to another device.
        case notAKeychain = 82
        /// A newer version made the keychain.
        case newerKeychain = 83
        /// Keychains are not allowed in that folder.
        case unusableKeychainPath = 84
        /// Another process has the keychain open.
        case keychainInUse = 85
        /// No default keychain is chosen.
        case noDefaultKeychain = 86
        /// Lists of that domain cannot be changed here.
        case unchangeableList = 87
        /// Items of keychain files cannot have that attribute.
        case notInKeychainFiles = 88
        /// The search list has reached its limit of keychains.
        case fullSearchList = 90
        /// The stored item was changed by another program than the service.
        case changedItem = 92
        /// The file is a keychain of macOS.
        case macKeychain = 93
        /// A file of the keychain is a link, belongs to another user, or is a journal that the service did not make.
        case untrustedFile = 94
        /// The program did not send a greeting, so nothing proves that it makes its own requests.
        case notGreeted = 95
        /// The service has reached its limit of connections of this program.
        case tooManyConnectionsOfProgram = 100
        /// The requests of this program, of its user or of all users have reached the limit of memory in the service.
        case tooMuchAtOnce = 101
        /// The machine's policy does not allow it.
        case machinePolicy = 102
        /// The item is private: each use requires approval.
        case privateItem = 103
        /// The operation requires the owner's authorization by polkit, and no authentication agent can prompt.
        case authorizationNeeded = 104
        /// The owner did not authorize the operation: polkit denied it, or did not respond in time.
        case authorizationDenied = 105
        /// The operation requires the owner's authorization by polkit, and polkit is missing or does not respond.
        case authorizationUnavailable = 106
        /// The folder is not usable for development: it, or a folder on its path, belongs to another user, is writable
        /// by other users, or is a link.
        case unsuitableFolder = 110
    }
}

extension Refusal: CustomStringConvertible {
    /// For logs. The client has sentences for the user.
    public var description: String { reason == .none ? "status \(status)" : "status \(status), \(reason)" }
}
