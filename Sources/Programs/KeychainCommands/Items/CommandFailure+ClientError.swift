// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire

extension CommandFailure {
    /// What `chatelaine` says when the keychain did not do something.
    ///
    /// - Parameters:
    ///   - name: the item that the request was about.
    ///   - group: its access group, where that is known.
    init(_ error: ClientError, name: ItemName? = nil, group: String? = nil, message: (Int32) -> String) {
        switch error {
        case .refused(let refusal):
            self.init(refusal, name: name, group: group, message: message)
        case .unavailable(let reason):
            self.init(
                reason.isEmpty ? "the keychain service cannot be reached" : reason,
                hint:
                    "it is started when it is needed; `chatelained --detach` starts it by hand and says what is wrong",
                exitCode: .unavailable)
        case .protocolViolation(WireError.attributes(let error)):
            self.init(message(error.status.rawValue))
        case .protocolViolation:
            self.init(
                "the keychain service speaks another protocol",
                hint: "chatelaine and chatelained may be of different versions; restart the service",
                exitCode: .unavailable)
        }
    }

    private init(_ refusal: Refusal, name: ItemName?, group: String?, message: (Int32) -> String) {
        let subject = name?.quoted ?? "the item"
        switch refusal.reason {
        case .otherProgramsItem:
            let program = group.map { " (\(programName(ofGroup: $0)))" } ?? ""
            self.init(
                "\(subject) belongs to another program\(program)",
                hint: "use that program to read or change it; `chatelaine set` keeps a copy of your own beside it",
                exitCode: .refused)
        case .unidentifiedCaller:
            self.init(
                "the keychain service could not find out which program is asking",
                hint: "programs in a container or user namespace of their own are not served", exitCode: .refused)
        case .foreignAccessGroup:
            self.init("the access group belongs to another program", exitCode: .refused)
        case .malformedRequest:
            self.init(
                "the keychain service did not understand the request",
                hint: "chatelaine and chatelained may be of different versions; restart the service")
        case .notSupportedYet:
            self.init("this version of the keychain service cannot do that yet", exitCode: .refused)
        case .diskFull:
            self.init("the disk that holds the keychain is full", hint: "free some space and try again")
        case .readOnlyStore:
            self.init("the keychain's files cannot be written", hint: "look at the permissions of its directory")
        case .damagedStore:
            self.init("the keychain's database is damaged", hint: "restore it from a backup")
        case .tooManyConnections:
            self.init(
                "the keychain service is serving as many programs as it may", hint: "try again in a moment",
                exitCode: .unavailable)
        case .locked:
            self.init("the keychain is locked", exitCode: .refused)
        case .none:
            self.init(refusal.status, subject: subject, message: message)
        }
    }

    private init(_ status: StatusCode, subject: String, message: (Int32) -> String) {
        switch status {
        case .itemNotFound:
            self.init(
                "there is no item \(subject)", hint: "`chatelaine list` shows what there is", exitCode: .itemNotFound)
        case .dataTooLarge:
            self.init(
                "too large: a secret may have \(ItemLimits.secretBytes >> 20) MiB, all attributes together "
                    + "\(ItemLimits.attributeBytes >> 20) MiB")
        case .interactionNotAllowed, .missingEntitlement, .authenticationFailed:
            self.init(message(status.rawValue), exitCode: .refused)
        default:
            self.init(message(status.rawValue))
        }
    }
}
