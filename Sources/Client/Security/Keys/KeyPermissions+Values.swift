// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import KeychainModel
internal import SecurityValues

extension KeyPermissions {
    /// Reads the permissions of a dictionary with these values.
    ///
    /// - Throws: `errSecParam` for a value that is not a boolean.
    init(_ values: [String: Any]) throws(KeyFailure) {
        var said: [AttributeKey: Bool] = [:]
        for key in Self.attributes {
            guard let value = values[key.name] else { continue }
            switch DictionaryValue(value) {
            case .truth(let truth): said[key] = truth
            case .number(0), .text("0"): said[key] = false
            case .number(1), .text("1"): said[key] = true
            case .number, .text, .data, .date, .other:
                throw KeyFailure(errSecParam, "\(KeyName(key)) is not a Boolean")
            }
        }
        self.init(said)
    }

    /// - Parameter key: a use, such as `canSign`.
    func allow(_ key: AttributeKey) throws(KeyFailure) {
        guard isAllowed(key) else {
            throw KeyFailure(errSecKeyUsageIncorrect, "\(KeyName(key)) is false for the key")
        }
    }

    /// Checks that the private half may be exported.
    ///
    /// - Throws: `errSecDataNotAvailable` for a key that is not extractable, `errSecKeyIsSensitive` for a sensitive one.
    func allowExtraction() throws(KeyFailure) {
        guard isAllowed(.isExtractable) else {
            throw KeyFailure(errSecDataNotAvailable, "the key is not extractable")
        }
        guard said[.isSensitive] != true else {
            throw KeyFailure(errSecKeyIsSensitive, "the key is sensitive, so it must be exported encrypted")
        }
    }
}
