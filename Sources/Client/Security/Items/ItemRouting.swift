// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel

/// The kinds of keychains that there are.
struct KeychainKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let dataProtection = KeychainKinds(rawValue: 1)
    /// Those of the search list, or which the dictionary names.
    static let files = KeychainKinds(rawValue: 2)
    static let both: KeychainKinds = [.dataProtection, .files]
}

// Which kind of keychain a call is about (semantics 2.10).
extension ItemDictionary {
    /// Says it once everything was read; no kind at all where the dictionary contradicts itself.
    mutating func choosePlace() {
        // Whoever made this the keychain of all requests has said which it is.
        place.followsMacOS = PlainItemCalls.current == .allKeychains && KeychainClient.current.keychain == nil
        place.kinds = chosenKinds
        // Both were possible: files are what macOS prefers.
        if role == .addition, place.kinds == .both { place.kinds = .files }
    }

    private var chosenKinds: KeychainKinds {
        // Said in so many words, it holds whatever else is there, but for another kind that is named as well.
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
            ? "kSecUseDataProtectionKeychain is true, and the dictionary names keychain files or their items"
            : "the dictionary asks for what only keychain files have, and for what only the data-protection keychain has"
    }

    /// Whether the dictionary says of what it is about.
    var isAboutSomething: Bool { itemClass != nil || persistentReference != nil || reference != nil }

    /// Whether there is something in the dictionary that keychain files cannot have.
    private var asksForDataProtection: Bool {
        if persistentReference != nil, place.item == nil { return true }
        // A key that is in no file yet may be put into one that is named.
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

    /// Whether there is something in the dictionary that the data-protection keychain cannot have.
    private var asksForFiles: Bool {
        if place.namesFiles || place.hasItemList || access != nil || !isAboutSomething { return true }
        if referencedKey?.keychain != nil || conditions.comparesSubject { return true }
        return !textMatching.isDisjoint(with: [.diacriticInsensitive, .widthInsensitive])
    }

    /// A key that the call is about, which is in the one kind or in the other; certificates are in both.
    private var referencedKey: SecKey? {
        switch reference {
        case .key(let key): key
        case .identity(let identity): identity.privateKey
        case .certificate, nil: nil
        }
    }
}

/// Asks both kinds, and has one answer: that of both where both have one, that of the one that has, and the status of the files
/// where neither has (semantics 2.10).
///
/// - Parameter function: for the log, which is told what the answer does not say.
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
