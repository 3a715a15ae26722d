// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The kinds of keychains.
struct KeychainKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let dataProtection = KeychainKinds(rawValue: 1)
    /// The keychain files of the search list, or those that the dictionary names.
    static let files = KeychainKinds(rawValue: 2)
    static let both: KeychainKinds = [.dataProtection, .files]
}

// The kind of keychain that a call applies to (semantics 2.10).
extension ItemDictionary {
    /// Determines the kinds after all entries were read; no kind at all if the dictionary contradicts itself.
    mutating func choosePlace() {
        // If a keychain file was set for all requests, the kind is already determined.
        place.followsMacOS = PlainItemCalls.current == .allKeychains && KeychainClient.current.keychain == nil
        place.kinds = chosenKinds
        // Both are possible: macOS prefers files.
        if role == .addition, place.kinds == .both { place.kinds = .files }
    }

    private var chosenKinds: KeychainKinds {
        // An explicit value takes precedence, unless the dictionary also names the other kind.
        if let usesDataProtection = place.usesDataProtection {
            guard usesDataProtection else { return .files }
            return place.namesFiles ? [] : .dataProtection
        }
        guard place.followsMacOS else { return place.namesFiles ? .files : .dataProtection }
        var kinds = KeychainKinds.both
        if asksForDataProtection { kinds.remove(.files) }
        if asksForFiles { kinds.remove(.dataProtection) }
        return kinds
    }

    var contradiction: String {
        place.usesDataProtection == true
            ? "kSecUseDataProtectionKeychain is true, but the dictionary names keychain files or their items"
            : "the dictionary combines keys for keychain files with keys for the data-protection keychain"
    }

    /// Whether the dictionary identifies items.
    var isAboutSomething: Bool { itemClass != nil || persistentReference != nil || reference != nil }

    /// Whether the dictionary contains a value that keychain files do not support.
    private var asksForDataProtection: Bool {
        if persistentReference != nil, place.item == nil { return true }
        // A key that is not in a file yet may be added to a named file.
        if !place.namesFiles, let key = referencedKey, key.keychain == nil { return true }
        return entries.contains { entry in
            switch entry.key {
            case .tokenID, .accessControl, .sharingGroup: true
            case .synchronizable: entry.value == .number(1)
            case .accessGroup: entry.value == .string("com.apple.token")
            default: false
            }
        }
    }

    /// Whether the dictionary contains a value that the data-protection keychain does not support.
    private var asksForFiles: Bool {
        if place.namesFiles || place.hasItemList || access != nil || !isAboutSomething { return true }
        if referencedKey?.keychain != nil || conditions.comparesSubject { return true }
        return !textMatching.isDisjoint(with: [.diacriticInsensitive, .widthInsensitive])
    }

    /// The key that the dictionary refers to, which is in one kind or in the other; certificates are in both.
    private var referencedKey: SecKey? {
        switch reference {
        case .key(let key): key
        case .identity(let identity): identity.privateKey
        case .certificate, nil: nil
        }
    }
}

/// Performs a call in both kinds and combines the results: both results if both succeed, the one result if one
/// succeeds, and the status of the files if neither succeeds (semantics 2.10).
///
/// - Parameter function: for the log, which receives the failure that the result omits.
func inBothKinds<R>(
    _ function: StaticString, protected: () throws(CallFailure) -> R, files: () throws(CallFailure) -> R,
    joined: (R, R) -> R
) throws(CallFailure) -> R {
    let first = Result { () throws(CallFailure) in try protected() }
    let second = Result { () throws(CallFailure) in try files() }
    switch (first, second) {
    case (.success(let first), .success(let second)): return joined(first, second)
    case (.success(let answer), .failure(let passedOver)), (.failure(let passedOver), .success(let answer)):
        if passedOver.status != .itemNotFound { passedOver.log(function) }
        return answer
    case (.failure(let passedOver), .failure(let failure)):
        if passedOver.status != failure.status { passedOver.log(function) }
        throw failure
    }
}
