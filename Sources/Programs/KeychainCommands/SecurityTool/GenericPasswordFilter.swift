// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// What `find-generic-password` and `delete-generic-password` look for, and the attributes that
/// `add-generic-password` gives.
struct GenericPasswordFilter {
    /// The letters of the options, all of which take a value.
    static let letters = "acCDGjls"

    private var texts: [Character: String] = [:]
    private var codes: [Character: UInt32] = [:]

    /// Takes an option of ``letters``.
    ///
    /// - Returns: false for a creator or type that has not four characters.
    mutating func take(_ letter: Character, _ value: String) -> Bool {
        guard letter == "c" || letter == "C" else {
            texts[letter] = value
            return true
        }
        guard value.utf8.count == 4 else { return false }
        codes[letter] = value.utf8.reduce(0) { $0 << 8 | UInt32($1) }
        return true
    }

    static func complaint(_ letter: Character) -> String {
        "\(letter == "c" ? "creator" : "type"): a four-character code has exactly four characters"
    }

    var account: String? { texts["a"] }
    var service: String? { texts["s"] }
    var label: String? { texts["l"] }
    var isEmpty: Bool { texts.isEmpty && codes.isEmpty }

    /// What to search for. Account and service together name an item, so nothing else is looked at then.
    var criteria: [ItemAttributes.Entry] {
        account != nil && service != nil ? names : names + rest
    }

    private var names: [ItemAttributes.Entry] {
        [(AttributeKey.account, account), (.service, service)].compactMap { key, text in
            text.map { .init(key, .string($0)) }
        }
    }

    /// All attributes given except account and service.
    var rest: [ItemAttributes.Entry] {
        let texts: [(AttributeKey, Character)] = [(.itemDescription, "D"), (.comment, "j"), (.label, "l")]
        let codes: [(AttributeKey, Character)] = [(.creator, "c"), (.type, "C")]
        return texts.compactMap { key, letter in self.texts[letter].map { .init(key, .string($0)) } }
            + (self.texts["G"].map { [.init(.generic, .data(Array($0.utf8)))] } ?? [])
            + codes.compactMap { key, letter in self.codes[letter].map { .init(key, .number(Int64($0))) } }
    }

    /// The first match: an item of this command's own before those of other programs.
    func firstMatch(in client: KeychainClient) throws(ClientError) -> ListedItem? {
        try client.preferred(of: try client.listItems(criteria))
    }
}

extension SecurityInvocation {
    /// Finds the item that a command is about, and reports why it could not.
    func find(_ filter: GenericPasswordFilter, in keychain: KeychainArgument) -> Result<ListedItem, SecurityFailure> {
        let function = "SecKeychainSearchCopyNext"
        guard keychain.isKnown else { return .failure(.init(fail(function, noSuchKeychain))) }
        do {
            if let item = try filter.firstMatch(in: context.client) { return .success(item) }
        } catch {
            return .failure(.init(fail(function, error)))
        }
        return .failure(.init(fail(function, StatusCode.itemNotFound.rawValue)))
    }

    /// Reports an error of the client, with the reason why there is no service if that is it.
    func fail(_ function: String, _ error: ClientError) -> SecurityResult {
        let result = fail(function, error.status.rawValue)
        if case .unavailable(let reason) = error, !reason.isEmpty { complain(reason) }
        return result
    }

    /// `errSecNoSuchKeychain`
    var noSuchKeychain: Int32 { -25294 }
}

/// A result that ends a command, already reported.
struct SecurityFailure: Error {
    let result: SecurityResult

    init(_ result: SecurityResult) {
        self.result = result
    }
}
