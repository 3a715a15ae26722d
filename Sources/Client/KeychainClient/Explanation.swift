// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

extension Refusal.Reason {
    /// The reason behind the status code, for display; nil if the code is sufficient.
    public var explanation: String? {
        switch self {
        case .none: nil
        case .unidentifiedCaller: "the keychain service could not find out which program is asking"
        case .foreignAccessGroup: "the access group that was named is not one of this program's"
        case .otherProgramsItem: "the item belongs to another program"
        case .malformedRequest: "the request does not fit the protocol of this keychain service"
        case .notSupportedYet: "this version of the keychain cannot store that yet"
        case .diskFull: "the disk that holds the keychain is full; nothing was changed"
        case .readOnlyStore: "the keychain's files cannot be written; nothing was changed"
        case .damagedStore: "the keychain's database is damaged"
        case .tooManyConnections: "the keychain service is serving as many connections as it may"
        case .locked: "the keychain is locked"
        case .wrongSecret: "that is not the right passcode, recovery key, password or credential"
        case .tooManyAttempts: "there were too many wrong entries in a row; the next one is looked at later"
        case .proofRequired: "a passcode is set, and without it or the recovery key this is not done"
        case .administrationOnly: "only the command that comes with the keychain service may do this"
        case .noPasscode: "no passcode is set, so the keychain is always open"
        case .noSuchProtector: "the keychain cannot be opened that way: nothing of the kind was set up"
        case .tooManyProtectors: "there are as many of that kind as there may be"
        case .unusableSecret:
            "such a secret cannot be used: a passcode has 1 to 1024 bytes of UTF-8 text without a zero byte"
        case .unusableSetting: "the setting cannot have that value"
        case .damagedBackup: "the backup is damaged, or was changed after it was made"
        case .truncatedBackup: "the end of the backup is missing"
        case .newerBackup: "the backup was made by a newer version"
        case .otherDevicesBackup: "the backup opens only on the device that made it"
        case .wrongBackupSecret: "the passphrase or recovery key does not open the backup"
        case .jobUnderWay: "another backup or restore is under way"
        case .jobEnded: "the keychain service has given the backup or restore up"
        case .noEntitlements: "the program has no entitlements, and this keychain demands them"
        case .readOnlyGroup: "nothing can be added to the access group of tokens"
        case .noSuchGrant: "there is no permission of that number"
        case .strictMode: "the keychain is in strict mode, and this program is not shielded from others of its user"
        case .notInspectable: "there is no such process or program, or it is not this user's"
        case .damagedLog: "the audit log is damaged, or was changed from outside"
        case .tooManyConnectionsOfUser: "the keychain service is serving as many connections of this user as it may"
        case .tooManyConnectionsOfProgram:
            "the keychain service is serving as many connections of this program as it may"
        case .tooMuchAtOnce:
            "what this program asks for at once takes more memory than the keychain service may give it"
        case .storeUnavailable: "this user's keychain cannot be opened"
        case .heldKey: "the private half of the key stays in the keychain service, which uses it"
        case .keyUseNotAllowed: "the key's attributes do not allow that use"
        case .unusableKey: "the item is no private key, or its data is not what its attributes say"
        case .tokenUnavailable: "the token that keeps such keys is not there, or does not answer"
        case .foreignTokenKey: "the key was made by another token, or by this one before it was cleared; it is kept"
        case .tokenLockedOut: "the token was given too many wrong PINs"
        case .pinNeeded: "the keychain's device key is closed in with a PIN, which was not given"
        case .wrongPIN: "that is not the PIN of the device key"
        case .tokenKey: "a key in a token is made there, on P-256, and stays there"
        case .unusableKeyInput: "the key cannot be used with that algorithm, or the algorithm does not take that"
        case .passcodeNeededToAsk:
            "a person would have to allow that, and without a passcode nobody can be asked here in a way that counts"
        case .tooManyPrompts: "the program was denied several times just now, or too many questions are waiting"
        case .authenticationNeeded: "the item is given out only when its owner has shown to be there"
        case .wrongApplicationPassword: "the item has a password of its own, and this was not it"
        case .noUnlockByFinger: "no finger unlocks the keychain: that is switched off"
        case .passcodeNeededFirst: "a finger does not unlock the keychain before its passcode was given again"
        case .factorNotAvailable: "what the item asks for cannot be shown: there is no enrolled finger, or no reader"
        case .enrolmentChanged: "the item was stored for other fingers than are enrolled now"
        case .unusableAccessControl: "such an item cannot have that access control"
        case .notTrusted: "the item does not trust the program, and nobody said that it may use it"
        case .otherPartition: "the item's partition list does not name the program, and nobody said that it may use it"
        case .noAccessEntry: "the item lets no program do that"
        case .noAccessObject: "the item does not say who may use it"
        case .notAccessOwner: "who may use the item is changed by its owner, or with the keychain's password"
        case .agentOnly:
            "only the agent installed with the service of the system asks people for it, and only as an enforced program"
        case .noSuchKeychain: "there is no keychain at that path"
        case .duplicateKeychain: "there is a file at that path already"
        case .notAKeychain: "the file is no keychain, or one of another device"
        case .newerKeychain: "the keychain was made by a newer version"
        case .unusableKeychainPath: "keychains cannot be kept in that place"
        case .keychainInUse: "another process has the keychain open"
        case .noDefaultKeychain: "nobody has chosen a default keychain"
        case .unchangeableList: "the list of that domain cannot be changed here"
        case .notInKeychainFiles: "items of keychain files cannot have or ask for that"
        case .fullSearchList: "the search list has as many keychains as it may"
        case .changedItem: "the item is not what was stored: it was changed behind the keychain service"
        case .macKeychain: "the file is a keychain of macOS, whose cipher this keychain does not have"
        case .untrustedFile:
            "a file of the keychain is a link, belongs to another user, or is a journal that the keychain service did not make"
        case .machinePolicy: "the policy of this machine does not allow that"
        case .privateItem: "the item is private: you are asked about each use"
        case .authorizationNeeded:
            "no passcode is set, so this requires your authorization by polkit, and no authentication agent can ask you"
        case .authorizationDenied: "you did not authorize it: polkit said no, or had no answer in time"
        case .authorizationUnavailable: "polkit, by which you authorize this, cannot be asked"
        case .notGreeted: "nothing shows that the program asks for itself, and does not pass on what another one wrote"
        }
    }

    /// The recommended action for the user; nil if none is known.
    public var hint: String? {
        switch self {
        case .none, .malformedRequest, .notSupportedYet, .wrongBackupSecret: nil
        case .damagedBackup, .truncatedBackup: "use another copy of the file, or an older backup"
        case .newerBackup: "install that version"
        case .otherDevicesBackup: "a keychain with a passcode makes backups that can be restored elsewhere"
        case .jobUnderWay: "wait for its end"
        case .jobEnded: "begin again; what was restored stays"
        case .noEntitlements: "sign the program with entitlements (`chatelaine codesign`), or switch that off"
        case .readOnlyGroup: "name another access group"
        case .noSuchGrant: "`chatelaine grants list` shows them"
        case .strictMode: "`chatelaine whoami` says what would make it an enforced program"
        case .notInspectable: "give the number of a process of yours, or the path of a program"
        case .damagedLog: "`chatelaine log verify` says where"
        case .tooManyConnectionsOfUser: "close programs that hold connections, and try again"
        case .tooManyConnectionsOfProgram: "use fewer connections, or close those that are not used"
        case .tooMuchAtOnce: "ask for less at once: fewer items, or fewer connections that wait for large answers"
        case .storeUnavailable: "the log of the service says why: journalctl -u chatelaine, for an administrator"
        case .unidentifiedCaller: "programs in a user namespace of their own (containers) need a keychain of their own"
        case .foreignAccessGroup: "leave the access group out to use the program's own"
        case .otherProgramsItem:
            "ask again on a terminal or a desktop, where you can allow it; or use the program that stored it"
        case .diskFull: "make room and try again"
        case .readOnlyStore: "check the permissions of the directory, and that the file system is mounted writable"
        case .damagedStore: "restore the keychain's directory from a backup; what is readable stays readable"
        case .tooManyConnections: "close programs that hold connections, and try again"
        case .locked: "unlock the keychain, or set the passcode that the item asks for"
        case .wrongSecret, .unusableSecret, .unusableSetting: nil
        case .tooManyAttempts: "wait, or use the recovery key; `chatelaine passcode status` says how long"
        case .proofRequired: "give the passcode or the recovery key"
        case .administrationOnly: "use `chatelaine`"
        case .noPasscode: "set one with `chatelaine passcode set`"
        case .noSuchProtector: "`chatelaine protector list` shows what opens the keychain"
        case .tooManyProtectors: "remove one first"
        case .heldKey: "sign, decrypt or agree with the key instead"
        case .keyUseNotAllowed: "`SecItemUpdate` can change what a key may be used for"
        case .tokenUnavailable: "`chatelaine token status` says what is missing"
        case .foreignTokenKey: "use the machine and the token that made it, or delete it and make another"
        case .tokenLockedOut: "wait; `chatelaine token status` says how long"
        case .pinNeeded: "`chatelaine unlock` asks for it"
        case .wrongPIN: nil
        case .tokenKey: "make one with SecKeyCreateRandomKey"
        case .passcodeNeededToAsk: "set a passcode: `chatelaine passcode set`"
        case .tooManyPrompts: "wait a minute, then try again"
        case .unusableKey, .unusableKeyInput, .wrongApplicationPassword, .unusableAccessControl: nil
        case .notTrusted, .otherPartition:
            "ask again on a terminal or a desktop, where you can allow it; `security dump-keychain -a` shows whom it trusts"
        case .noAccessEntry, .noAccessObject: nil
        case .notAccessOwner: "give the keychain's password, or ask again where you can be asked for it"
        case .authenticationNeeded: "run it on a terminal or a desktop where you can be asked"
        case .factorNotAvailable: "`chatelaine auth status` says what there is"
        case .noUnlockByFinger: "`chatelaine settings set unlock-by-finger on` switches it on"
        case .passcodeNeededFirst: "`chatelaine unlock` asks for it"
        case .enrolmentChanged: "it cannot be opened any more: delete it and store it again"
        case .agentOnly: "as root: `chatelaine enforce` with the path of chatelaine-agent"
        case .noSuchKeychain: "`chatelaine keychains list` shows those of your folder"
        case .duplicateKeychain: "choose another name, or delete that one first"
        case .notAKeychain: "the file is as it was; a keychain opens only beside the device key it was made with"
        case .newerKeychain: "install that version"
        case .unusableKeychainPath: "give a name, or the path of a file in a folder of yours"
        case .keychainInUse: "end that process, or use its keychain service"
        case .noDefaultKeychain: "choose one: `chatelaine keychains default NAME`"
        case .unchangeableList: "change the list of the domain user"
        case .notInKeychainFiles: "leave it out, or use the data-protection keychain"
        case .fullSearchList: "take keychains off the list that are not searched any more"
        case .changedItem: "delete it and store it again"
        case .macKeychain:
            "on the Mac: `security export -k FILE -t identities -f pkcs12 -o OUT.p12` for keys and certificates, then `security import` here; passwords go with `security dump-keychain -d`"
        case .untrustedFile:
            "the log of the service names the file: look at the keychain's file, and at those beside it that end in -journal, -wal and -shm; move that file away"
        case .machinePolicy: "its administrator sets it, in /etc/chatelaine/policy.d"
        case .privateItem: "ask again on a terminal or a desktop, where you can allow it"
        case .authorizationNeeded:
            "run the command on a terminal or a desktop; for programs without either, an administrator writes a polkit rule: chatelaine-authorization(8)"
        case .authorizationDenied: "run the command again and enter your login password"
        case .authorizationUnavailable:
            "an administrator looks at `systemctl status polkit`, and at the action org.chatelaine.administer-own-keychain (pkaction)"
        case .notGreeted: "build it with the library of the installed version"
        }
    }
}
