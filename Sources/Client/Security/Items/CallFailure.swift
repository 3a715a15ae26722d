// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import Logging

/// Why an item function did not do what it was asked: a status for the caller, and a reason for its programmer.
struct CallFailure: Error {
    let status: StatusCode
    private let reason: Reason

    private enum Reason {
        /// In a dictionary. Names a key, never a value.
        case dictionary(String)
        case service(ClientError, about: Subject, in: KeychainClient)
    }

    /// What a call was about, for the service to say why it found nothing or something.
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
        // Which keychain it was about; by the time somebody asks why, that is not said any more.
        reason = .service(error, about: subject, in: .current)
    }

    /// Why, in a sentence without a full stop; the service is not asked.
    var summary: String {
        switch reason {
        case .dictionary(let reason): reason
        case .service(let error, _, _): "\(error)"
        }
    }

    /// Says it at debug level, under the label `Security`. A program that wants to read it sets the level of its
    /// swift-log system to debug; for all others the explanation is not even asked for.
    func log(_ function: StaticString) {
        // Made anew, so that it is of the logging system that the program has set up by now.
        let logger = Logger(label: "Security")
        guard logger.logLevel <= .debug else { return }
        let text = (SecCopyErrorMessageString(status.rawValue, nil).map { $0 as String } ?? "")
        logger.debug("\(function): status \(status.rawValue). \(text)\(explanation.map { " \($0)" }.joined())")
    }

    /// Sentences, of which one at most is asked of the service.
    private var explanation: [String] {
        switch reason {
        case .dictionary(let reason):
            // A constant keeps its spelling.
            [(reason.hasPrefix("kSec") ? reason : reason.prefix(1).uppercased() + reason.dropFirst()) + "."]
        case .service(let error, .search(let query), let client) where error.status == .itemNotFound:
            Self.notFound(query, client)
        case .service(let error, .update(let query), let client) where error.status == .itemNotFound:
            Self.notFound(query, client)
        case .service(let error, .update, _) where error.status == .duplicateItem:
            ["Another item is already what a matching one would have become; nothing was changed."]
        case .service(let error, .addition(let attributes), let client) where error.status == .duplicateItem:
            // Where it cannot be had, there is the status.
            (try? client.explainAddition(attributes))?.sentences(about: attributes.itemClass) ?? []
        case .service(let error, _, _): ["\(error)."]
        }
    }

    private static func notFound(_ query: ItemQuery, _ client: KeychainClient) -> [String] {
        let sentences = (try? client.explainSearch(query))?.sentences(about: query.itemClass) ?? []
        return sentences + [halves(of: query, client)].compactMap { $0 }
    }

    /// Which half of an identity is there: an identity that is not found is as a rule one half.
    private static func halves(of query: ItemQuery, _ client: KeychainClient) -> String? {
        guard let (certificate, key) = query.identityParts else { return nil }
        let counts = [certificate, key].map { (try? client.explainSearch($0))?.matchCount ?? 0 }
        guard counts != [0, 0] else { return nil }
        let certificates = counts[0] == 1 ? "1 certificate" : "\(counts[0]) certificates"
        let keys = counts[1] == 1 ? "1 private key" : "\(counts[1]) private keys"
        return "Of its halves, \(certificates) and \(keys) match; they are an identity where kSecAttrPublicKeyHash of "
            + "the certificate is kSecAttrApplicationLabel of the key."
    }
}

/// A key of a dictionary in words, and what is wrong about it.
struct KeyName: CustomStringConvertible {
    let name: String

    init(_ name: String) { self.name = name }
    init(_ key: AttributeKey) { name = key.name }

    /// Apple's constant where there is one; otherwise the text itself, shortened and without what a terminal obeys.
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
