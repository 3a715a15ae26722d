// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainModel
internal import Logging

/// The reason why an item function failed: a status for the caller, and an explanation for its developer.
struct CallFailure: Error {
    let status: StatusCode
    private let reason: Reason

    private enum Reason {
        /// An error in a dictionary. Names a key, never a value.
        case dictionary(String)
        case service(ClientError, about: Subject, in: KeychainClient)
    }

    /// The subject of a call, for the service to explain the result.
    enum Subject {
        case search(ItemQuery)
        case addition(ItemAttributes)
        case update(ItemQuery)
        /// Keychains as a whole.
        case keychain
    }

    /// - Parameter reason: a sentence without a full stop.
    init(_ status: StatusCode, _ reason: String) {
        self.status = status
        self.reason = .dictionary(reason)
    }

    init(_ error: ClientError, about subject: Subject) {
        status = error.status
        // The keychain of the call is stored here, because it is not known any more when the explanation is requested.
        reason = .service(error, about: subject, in: .current)
    }

    /// The reason, in a sentence without a full stop; does not query the service.
    var summary: String {
        switch reason {
        case .dictionary(let reason): reason
        case .service(let error, _, _): "\(error)"
        }
    }

    /// Logs the failure at debug level, under the label `Security`. A program that wants to read it sets the level of
    /// its swift-log system to debug; a program that sets up no logging system writes it to standard error if
    /// `CHATELAINE_LOG` is `debug`. For all other programs, the explanation is not requested from the service.
    func log(_ function: StaticString) {
        // Created for each message, so that it uses the logging system that the program has set up by then.
        var logger = Logger(label: "Security")
        if ClientEnvironment.logsReasons { logger.logLevel = .debug }
        guard logger.logLevel <= .debug else { return }
        let text = (SecCopyErrorMessageString(status.rawValue, nil).map { $0 as String } ?? "")
        logger.debug("\(function): status \(status.rawValue). \(text)\(explanation.map { " \($0)" }.joined())")
    }

    /// Sentences for the log. At most one of them requires a request to the service.
    private var explanation: [String] {
        switch reason {
        case .dictionary(let reason): [Self.sentence(reason)]
        case .service(let error, .search(let query), let client) where error.status == .itemNotFound:
            Self.notFound(query, client)
        case .service(let error, .update(let query), let client) where error.status == .itemNotFound:
            Self.notFound(query, client)
        case .service(let error, .update, _) where error.status == .duplicateItem:
            ["The update would make a matching item identical to an existing item; nothing was changed."]
        case .service(let error, .addition(let attributes), let client) where error.status == .duplicateItem:
            // If no explanation is available, the status alone is logged.
            (try? client.explainAddition(attributes))?.sentences(about: attributes.itemClass) ?? []
        case .service(let error, _, _): [Self.sentence("\(error)")]
        }
    }

    /// Returns a sentence for a reason. A constant keeps its spelling.
    private static func sentence(_ reason: String) -> String {
        (reason.hasPrefix("kSec") ? reason : reason.prefix(1).uppercased() + reason.dropFirst()) + "."
    }

    private static func notFound(_ query: ItemQuery, _ client: KeychainClient) -> [String] {
        let sentences = (try? client.explainSearch(query))?.sentences(about: query.itemClass) ?? []
        return sentences + [halves(of: query, client)].compactMap { $0 }
    }

    /// Reports which half of an identity exists, because usually only one half of a missing identity is absent.
    private static func halves(of query: ItemQuery, _ client: KeychainClient) -> String? {
        guard let (certificate, key) = query.identityParts else { return nil }
        let counts = [certificate, key].map { (try? client.explainSearch($0))?.matchCount ?? 0 }
        guard counts != [0, 0] else { return nil }
        let certificates = counts[0] == 1 ? "1 certificate" : "\(counts[0]) certificates"
        let keys = counts[1] == 1 ? "1 private key" : "\(counts[1]) private keys"
        return "The query matches \(certificates) and \(keys); they form an identity if kSecAttrPublicKeyHash of "
            + "the certificate equals kSecAttrApplicationLabel of the key."
    }
}

/// A key of a dictionary in words, and its error.
struct KeyName: CustomStringConvertible {
    let name: String

    init(_ name: String) { self.name = name }
    init(_ key: AttributeKey) { name = key.name }

    /// Apple's constant if there is one; otherwise the text itself, shortened and without terminal control characters.
    var description: String {
        if let constant = Self.constants[name] { return constant }
        if let key = AttributeKey(name: name), key.constantName != name { return key.constantName }
        let printable = name.unicodeScalars.prefix(32).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        return "the key \"\(String(printable))\(name.unicodeScalars.count > 32 ? "…" : "")\""
    }

    private static let constants = [
        "class": "kSecClass", "v_Data": "kSecValueData", "v_Ref": "kSecValueRef",
        "v_PersistentRef": "kSecValuePersistentRef", "r_Data": "kSecReturnData", "r_Attributes": "kSecReturnAttributes",
        "r_Ref": "kSecReturnRef", "r_PersistentRef": "kSecReturnPersistentRef", "m_Limit": "kSecMatchLimit",
        "m_Policy": "kSecMatchPolicy", "m_Issuers": "kSecMatchIssuers",
        "m_HostOrSubdomainOfHost": "kSecMatchHostOrSubdomainOfHost", "m_CaseInsensitive": "kSecMatchCaseInsensitive",
        "m_DiacriticInsensitive": "kSecMatchDiacriticInsensitive", "m_WidthInsensitive": "kSecMatchWidthInsensitive",
        "m_EmailAddressIfPresent": "kSecMatchEmailAddressIfPresent", "m_TrustedOnly": "kSecMatchTrustedOnly",
        "m_ValidOnDate": "kSecMatchValidOnDate", "u_AuthUI": "kSecUseAuthenticationUI",
        "u_NoAuthUI": "kSecUseNoAuthenticationUI", "u_OpPrompt": "kSecUseOperationPrompt",
        "u_UserIndependentKeychain": "kSecUseUserIndependentKeychain", "u_ItemList": "kSecUseItemList",
        "u_Keychain": "kSecUseKeychain", "u_AuthCtx": "kSecUseAuthenticationContext",
    ]
}
