// SPDX-License-Identifier: Apache-2.0

/// Why a request was refused, beyond its status code, so that a program can say what to do about it.
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
        /// The service could not find out which program is asking.
        case unidentifiedCaller = 1
        /// The access group named is not one of the caller's.
        case foreignAccessGroup = 2
        /// The item was made by another program; a person would have to allow it, and nobody can be asked.
        case otherProgramsItem = 3
        /// The request does not fit the protocol.
        case malformedRequest = 4
        /// This version stores no items of that class, or cannot keep that promise yet.
        case notSupportedYet = 5
        /// The disk that holds the keychain is full.
        case diskFull = 6
        /// The keychain's files cannot be written.
        case readOnlyStore = 7
        /// The keychain's database is damaged.
        case damagedStore = 8
        /// The service is serving as many connections as it may.
        case tooManyConnections = 9
        /// The class key of the item is not at hand.
        case locked = 10
        /// The passcode, or whatever else was to open the keychain, is not the right one.
        case wrongSecret = 11
        /// There were too many wrong entries; the next one is looked at later.
        case tooManyAttempts = 12
        /// Only with the passcode or the recovery key.
        case proofRequired = 13
        /// Only the command that comes with the service may do that.
        case administrationOnly = 14
        /// No passcode is set.
        case noPasscode = 15
        /// The keychain has no protector of that kind or number.
        case noSuchProtector = 16
        /// The keychain has as many protectors of that kind as it may.
        case tooManyProtectors = 17
        /// A secret of that kind must have another size, or be valid UTF-8.
        case unusableSecret = 18
        /// There is no such setting, or it cannot have that value.
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
        /// Another backup or restore is under way.
        case jobUnderWay = 25
        /// The backup or restore that the request belongs to has ended.
        case jobEnded = 26
        /// The program has no entitlements, and this keychain or this connection demands them.
        case noEntitlements = 27
        /// The access group can be read and nothing else.
        case readOnlyGroup = 28
        /// There is no remembered permission of that number.
        case noSuchGrant = 29
        /// In strict mode only programs that the kernel shields do that without a person.
        case strictMode = 30
        /// The process or file cannot be looked at on the caller's behalf.
        case notInspectable = 31
        /// The audit log is damaged or was changed.
        case damagedLog = 32
        /// The service is serving as many connections of this user as it may.
        case tooManyConnectionsOfUser = 33
        /// This user's keychain cannot be opened; the service's own log says why.
        case storeUnavailable = 34
        /// The private half of the key does not leave the service.
        case heldKey = 35
        /// The key's attributes do not allow that use.
        case keyUseNotAllowed = 36
        /// The item is no private key, or its data is not what its attributes say.
        case unusableKey = 37
        /// The key's algorithm does not take that.
        case unusableKeyInput = 38
        /// A person would have to allow it, and without a passcode no answer can be told from one of the program's own.
        case passcodeNeededToAsk = 39
        /// The program was denied again and again, or too many questions wait for an answer already.
        case tooManyPrompts = 40
        /// Its owner has to show to be there, and nobody did.
        case authenticationNeeded = 41
        /// The item has a password of its own, and this was not it.
        case wrongApplicationPassword = 42
        /// What the item's access control asks for cannot be shown: no reader, no finger enrolled, or locked out.
        case factorNotAvailable = 43
        /// The fingers that the item was stored for are not the ones that are enrolled.
        case enrolmentChanged = 44
        /// The item's access control says something that cannot be kept.
        case unusableAccessControl = 45
        /// No finger unlocks the keychain: its owner has not switched that on.
        case noUnlockByFinger = 46
        /// A finger does not unlock the keychain before its passcode was given again.
        case passcodeNeededFirst = 47
        /// The token that keeps the key is not there, or does not answer.
        case tokenUnavailable = 60
        /// The key was made by another token, or by one that was cleared since.
        case foreignTokenKey = 61
        /// The token was given too many wrong PINs.
        case tokenLockedOut = 62
        /// Keys of a token are made by it, and stay there.
        case tokenKey = 63
        /// The device key is closed in with a PIN, which was not given since the service was started, or not with the request.
        case pinNeeded = 64
        /// The PIN is not the one with which the device key is closed in.
        case wrongPIN = 65
        /// The item's access object does not trust the program, and nobody said that it may.
        case notTrusted = 70
        /// The program is of a kind that the item's partition list does not name, and nobody said that it may.
        case otherPartition = 71
        /// The item's access object has no entry for that operation.
        case noAccessEntry = 72
        /// The item has no access object.
        case noAccessObject = 73
        /// Who may use the item is changed by its owner, or with the keychain's password.
        case notAccessOwner = 74
        /// Only the agent that was installed with the service of the system asks people for it, and only shielded by the kernel.
        case agentOnly = 75
        /// There is no keychain at that path.
        case noSuchKeychain = 80
        /// There is a file at that path already.
        case duplicateKeychain = 81
        /// The file is no keychain, or one of another device.
        case notAKeychain = 82
        /// A newer version made the keychain.
        case newerKeychain = 83
        /// Keychains cannot be kept in that place.
        case unusableKeychainPath = 84
        /// Another process has the keychain open.
        case keychainInUse = 85
        /// Nobody has chosen a default keychain.
        case noDefaultKeychain = 86
        /// Lists of that domain cannot be changed here.
        case unchangeableList = 87
        /// Items of keychain files cannot have that.
        case notInKeychainFiles = 88
        /// The search list has as many keychains as it may.
        case fullSearchList = 90
        /// The item is not what was stored: it was changed behind the service.
        case changedItem = 92
        /// The file is a keychain of macOS.
        case macKeychain = 93
        /// A file of the keychain is a link, belongs to another user, or is a journal that the service did not make.
        case untrustedFile = 94
        /// The program did not greet: nothing shows that it asks for itself.
        case notGreeted = 95
        /// The service is serving as many connections of this program as it may.
        case tooManyConnectionsOfProgram = 100
        /// What this program's requests, its user's or all hold in the service is as much as it may be.
        case tooMuchAtOnce = 101
        /// The machine's policy does not allow it.
        case machinePolicy = 102
        /// The item is private: a person is asked about each use.
        case privateItem = 103
        /// The owner has to authorize it by polkit, and no authentication agent can ask.
        case authorizationNeeded = 104
        /// The owner did not authorize it: polkit's answer was no, or none came in time.
        case authorizationDenied = 105
        /// polkit, by which the owner authorizes it, is not there or does not answer.
        case authorizationUnavailable = 106
    }
}
