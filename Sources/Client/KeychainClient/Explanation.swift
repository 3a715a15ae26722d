// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

extension Refusal.Reason {
    /// The reason behind the status code, for display; nil if the code is sufficient.
    public var explanation: String? {
        switch self {
        case .none: nil
        case .unidentifiedCaller: "the keychain service could not identify the calling program"
        case .foreignAccessGroup: "the program does not have this access group"
        case .otherProgramsItem: "the item belongs to another program"
        case .malformedRequest: "the request does not fit the protocol of this keychain service"
        case .notSupportedYet: "this version of the keychain cannot store such an item yet"
        case .diskFull: "the disk that holds the keychain is full; nothing was changed"
        case .readOnlyStore: "the keychain's files cannot be written; nothing was changed"
        case .damagedStore: "the keychain's database is damaged"
        case .tooManyConnections: "the keychain service has reached its limit of connections"
        case .locked: "the keychain is locked"
        case .wrongSecret: "the passcode, recovery key, password or credential is wrong"
        case .tooManyAttempts: "too many attempts in a row failed; the next attempt is possible after a delay"
        case .proofRequired: "a passcode is set, so this requires the passcode or the recovery key"
        case .administrationOnly:
            "only the administration tool that was installed with the keychain service may do this"
        case .noPasscode: "no passcode is set, so the keychain is always open"
        case .noSuchProtector: "the keychain has no such protector"
        case .tooManyProtectors: "the keychain already has the maximum number of protectors of this kind"
        case .unusableSecret:
            "the secret cannot be used: a passcode must have 1 to 1024 bytes of UTF-8 text without a zero byte"
        case .unusableSetting: "the setting does not accept this value"
        case .damagedBackup: "the backup is damaged, or was changed after it was made"
        case .truncatedBackup: "the end of the backup is missing"
        case .newerBackup: "a newer version created the backup"
        case .otherDevicesBackup: "the backup can be opened only on the device that created it"
        case .wrongBackupSecret: "the passphrase or recovery key of the backup is wrong"
        case .jobUnderWay: "another backup or restore is in progress"
        case .jobEnded: "the keychain service has aborted the backup or restore"
        case .noEntitlements: "the program has no entitlements, but this keychain requires them"
        case .readOnlyGroup: "programs cannot add items to the access group of tokens"
        case .noSuchGrant: "no grant has this number"
        case .strictMode:
            "the keychain is in strict mode, but this program is not shielded from the user's other programs"
        case .notInspectable: "the process or program does not exist, or belongs to another user"
        case .damagedLog: "the audit log is damaged, or another program changed it"
        case .tooManyConnectionsOfUser: "this user has reached the limit of connections to the keychain service"
        case .tooManyConnectionsOfProgram:
            "this program has reached the limit of connections to the keychain service"
        case .tooMuchAtOnce:
            "the simultaneous requests of this program need more memory than the keychain service allows"
        case .storeUnavailable: "this user's keychain cannot be opened"
        case .heldKey: "the private key never leaves the keychain service, which uses it for the program"
        case .keyUseNotAllowed: "the key's attributes do not allow this use"
        case .unusableKey: "the item is not a private key, or its data contradicts its attributes"
        case .tokenUnavailable: "the token for this key is missing, or does not answer"
        case .foreignTokenKey:
            "another token made the key, or this token made it before it was cleared; the item is kept"
        case .tokenLockedOut: "the token is locked after too many wrong PINs"
        case .pinNeeded: "the keychain's device key is protected by a PIN that was not entered"
        case .wrongPIN: "the PIN of the device key is wrong"
        case .foreignDeviceKey: "the device key is sealed to another token, or the token was cleared since"
        case .tokenKey: "a token generates its own keys, on P-256 only, and cannot import or export a key"
        case .unusableKeyInput:
            "the key cannot be used with this algorithm, or the algorithm does not accept this input"
        case .passcodeNeededToAsk:
            "the request requires the user's approval, but without a passcode, an approval given here cannot be trusted"
        case .tooManyPrompts:
            "the user has just denied several requests of the program, or too many prompts are waiting"
        case .authenticationNeeded: "the item requires owner authentication"
        case .wrongApplicationPassword: "the application password of the item is wrong"
        case .noUnlockByFinger: "unlock by fingerprint is switched off"
        case .passcodeNeededFirst: "unlock by fingerprint requires that the passcode is entered first"
        case .factorNotAvailable:
            "the item requires a fingerprint, but no finger is enrolled or no fingerprint reader is available"
        case .enrolmentChanged: "the enrolled fingers have changed since the item was stored"
        case .unusableAccessControl: "an item of this kind cannot have this access control"
        case .notTrusted:
            "the program is not a trusted application of the item, and the user did not approve the request"
        case .otherPartition:
            "the item's partition list does not include the program, and the user did not approve the request"
        case .noAccessEntry: "the item's access object allows no program to do this"
        case .noAccessObject: "the item has no access object"
        case .notAccessOwner:
            "only the owner of the access object, or the keychain's password, can change who may use the item"
        case .agentOnly:
            "only the agent that was installed with the system service may show its prompts, and only as an enforced program"
        case .bridgesOnly:
            "only a bridge that was installed with the service makes requests on behalf of another process, and it makes no others"
        case .sandboxedApplication:
            "a sandboxed application uses its own items alone: it neither locks or changes the keychain nor uses keychain files"
        case .noSuchKeychain: "no keychain exists at this path"
        case .duplicateKeychain: "a file already exists at this path"
        case .notAKeychain: "the file is not a keychain, or belongs to another device"
        case .newerKeychain: "a newer version created the keychain"
        case .unusableKeychainPath: "a keychain cannot be stored at this path"
        case .keychainInUse: "another process has the keychain open"
        case .noDefaultKeychain: "no default keychain is set"
        case .unchangeableList: "the list of this domain cannot be changed here"
        case .notInKeychainFiles: "items of keychain files do not support this attribute or option"
        case .fullSearchList: "the search list already has the maximum number of keychains"
        case .changedItem: "another program changed the stored item, so it fails verification"
        case .macKeychain: "the file is a keychain of macOS, and its cipher is not supported"
        case .untrustedFile:
            "a file of the keychain is a link, belongs to another user, or is a journal that the keychain service did not create"
        case .machinePolicy: "the policy of this machine does not allow this"
        case .privateItem: "the item is private, so each use needs your approval"
        case .authorizationNeeded:
            "no passcode is set, so this requires your authorization by polkit, but no authentication agent is available"
        case .authorizationDenied: "polkit denied the authorization, or it was not given in time"
        case .authorizationUnavailable: "this requires your authorization by polkit, but polkit does not answer"
        case .notGreeted: "the program did not send the greeting that proves that its own code makes the request"
        case .unsuitableFolder:
            "the folder is not usable for development: it must belong to you, and no other user may own or write it or a folder on its path"
        }
    }

    /// The recommended action for the user; nil if none is known.
    public var hint: String? {
        switch self {
        case .none, .malformedRequest, .notSupportedYet, .wrongBackupSecret: nil
        case .damagedBackup, .truncatedBackup: "use another copy of the file, or an older backup"
        case .newerBackup: "install that version"
        case .otherDevicesBackup:
            "to restore a backup on another device, create it with `chatelaine backup --portable`, or from a keychain with a passcode"
        case .jobUnderWay: "wait until it ends"
        case .jobEnded: "start again; items that were already restored are kept"
        case .noEntitlements:
            "sign the program with entitlements (`chatelaine codesign`), or switch this requirement off"
        case .readOnlyGroup: "use another access group"
        case .noSuchGrant: "`chatelaine grants list` shows the numbers"
        case .strictMode: "`chatelaine whoami` shows how to make it an enforced program"
        case .notInspectable:
            "use the ID of one of your processes, or the path of a program that is yours, or that root installed where only root can write"
        case .damagedLog: "`chatelaine log verify` shows the damaged place"
        case .tooManyConnectionsOfUser: "close programs that hold connections, and try again"
        case .tooManyConnectionsOfProgram: "use fewer connections, or close unused connections"
        case .tooMuchAtOnce: "request fewer items at a time, or use fewer connections with large answers"
        case .storeUnavailable: "an administrator can read the reason in the service's log: journalctl -u chatelaine"
        case .unidentifiedCaller: "programs in a user namespace of their own (containers) need a keychain of their own"
        case .foreignAccessGroup: "omit the access group to use the program's own"
        case .otherProgramsItem:
            "run the program in a terminal or on a desktop to approve access, or use the program that stored the item"
        case .diskFull: "free disk space and try again"
        case .readOnlyStore: "check the permissions of the directory, and that the file system is mounted writable"
        case .damagedStore: "restore the keychain's directory from a backup; readable items stay readable"
        case .tooManyConnections: "close programs that hold connections, and try again"
        case .locked: "unlock the keychain, or set the passcode that the item requires"
        case .wrongSecret, .unusableSecret, .unusableSetting: nil
        case .tooManyAttempts: "wait, or use the recovery key; `chatelaine passcode status` shows the remaining time"
        case .proofRequired: "enter the passcode or the recovery key"
        case .administrationOnly: "use `chatelaine`"
        case .noPasscode: "set one with `chatelaine passcode set`"
        case .noSuchProtector: "`chatelaine protector list` shows the protectors of the keychain"
        case .tooManyProtectors: "remove a protector first"
        case .heldKey: "sign, decrypt or agree with the key instead"
        case .keyUseNotAllowed: "`SecItemUpdate` can change the allowed uses of a key"
        case .tokenUnavailable: "`chatelaine token status` shows the reason"
        case .foreignTokenKey:
            "use the machine and the token that made the key, or delete the key and generate another one"
        case .tokenLockedOut: "wait; `chatelaine token status` shows the remaining time"
        case .pinNeeded: "run `chatelaine unlock` to enter it"
        case .wrongPIN: nil
        case .foreignDeviceKey:
            "use the machine and the token that sealed it, or restore a backup into a new keychain; do not delete the device key"
        case .tokenKey: "generate the key with SecKeyCreateRandomKey"
        case .passcodeNeededToAsk: "set a passcode: `chatelaine passcode set`"
        case .tooManyPrompts: "wait a minute, then try again"
        case .unusableKey, .unusableKeyInput, .wrongApplicationPassword, .unusableAccessControl: nil
        case .notTrusted, .otherPartition:
            "run the program in a terminal or on a desktop to approve access; `security dump-keychain -a` shows the trusted applications"
        case .noAccessEntry, .noAccessObject: nil
        case .notAccessOwner:
            "supply the keychain's password, or run the program in a terminal or on a desktop to enter it"
        case .authenticationNeeded: "run the program in a terminal or on a desktop to authenticate"
        case .factorNotAvailable: "`chatelaine auth status` shows the available authentication methods"
        case .noUnlockByFinger: "`chatelaine settings set unlock-by-finger on` switches it on"
        case .passcodeNeededFirst: "run `chatelaine unlock` to enter it"
        case .enrolmentChanged: "the item can no longer be decrypted: delete the item and store it again"
        case .agentOnly: "as root, run `chatelaine enforce` with the path of chatelaine-agent"
        case .bridgesOnly: "use the keychain directly"
        case .sandboxedApplication: "do this outside of the sandbox"
        case .noSuchKeychain: "`chatelaine keychains list` shows the keychains in your folder"
        case .duplicateKeychain: "choose another name, or delete the existing file first"
        case .notAKeychain:
            "the file was not changed; a keychain can be opened only with the device key that it was created with"
        case .newerKeychain: "install that version"
        case .unusableKeychainPath: "use a name, or the path of a file in one of your folders"
        case .keychainInUse: "stop that process, or use its keychain service"
        case .noDefaultKeychain: "set one with `chatelaine keychains default NAME`"
        case .unchangeableList: "change the list of the domain user"
        case .notInKeychainFiles: "omit it, or use the data-protection keychain"
        case .fullSearchList: "remove unused keychains from the list"
        case .changedItem: "delete the item and store it again"
        case .macKeychain:
            "on the Mac: `security export -k FILE -t identities -f pkcs12 -o OUT.p12` for keys and certificates, then `security import` here; `security dump-keychain -d` prints passwords"
        case .untrustedFile:
            "the service's log names the file: check the keychain's file, and the files beside it that end in -journal, -wal and -shm; move that file away"
        case .machinePolicy: "the administrator sets the policy in /etc/chatelaine/policy.d"
        case .privateItem: "run the program in a terminal or on a desktop to approve access"
        case .authorizationNeeded:
            "run the command in a terminal or on a desktop; for other programs, an administrator can write a polkit rule: chatelaine-authorization(8)"
        case .authorizationDenied: "run the command again and enter your login password"
        case .authorizationUnavailable:
            "an administrator can check `systemctl status polkit`, and the action org.chatelaine.administer-own-keychain (pkaction)"
        case .notGreeted: "build the program with the library of the installed version"
        case .unsuitableFolder:
            "`namei -l FOLDER` shows the owners and modes; `chmod go-w FOLDER` takes the right to write from other users"
        }
    }
}
