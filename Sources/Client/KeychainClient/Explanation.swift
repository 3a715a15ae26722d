// SPDX-License-Identifier: Apache-2.0

public import KeychainModel

extension Refusal.Reason {
    /// What is behind the status code, for people; nil where the code says it all.
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
        }
    }

    /// What a person can do about it; nil where nothing is known.
    public var hint: String? {
        switch self {
        case .none, .malformedRequest, .notSupportedYet: nil
        case .unidentifiedCaller: "programs in a user namespace of their own (containers) need a keychain of their own"
        case .foreignAccessGroup: "leave the access group out to use the program's own"
        case .otherProgramsItem:
            "read it with the program that stored it; allowing other programs needs a prompt, which this version lacks"
        case .diskFull: "make room and try again"
        case .readOnlyStore: "check the permissions of the directory, and that the file system is mounted writable"
        case .damagedStore: "restore the keychain's directory from a backup; what is readable stays readable"
        case .tooManyConnections: "close programs that hold connections, and try again"
        case .locked: "unlock the keychain, or set the passcode that the item asks for"
        }
    }
}
