// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// A password of a file, in the form to store.
struct PasswordRecord {
    /// The line of its beginning in the file.
    let line: Int
    let attributes: ItemAttributes
    let secret: SecretBytes

    /// Creates a record.
    ///
    /// - Throws: the reason why no item can have these values.
    init(
        line: Int, _ passwordClass: PasswordClass, _ entries: [ItemAttributes.Entry], secret: SecretBytes
    ) throws(TextProblem) {
        self.line = line
        self.secret = secret
        do {
            attributes = try ItemAttributes(passwordClass.itemClass, for: .add, entries)
        } catch {
            throw TextProblem(line, error.sentence)
        }
        guard secret.count <= ItemLimits.secretBytes else {
            throw TextProblem(line, "the secret is larger than \(ItemLimits.secretBytes >> 20) MiB")
        }
    }

    var key: ItemKey? { ItemKey(attributes) }
    /// Whether it is a seed from which codes can be computed.
    var isUsableSeed: Bool {
        OneTimePassword.subject(attributes) != nil && (try? OneTimeCodeSetup(secret)) != nil
    }
    /// The name for display.
    var name: String { PasswordName(attributes).quoted }
}

/// The contents of a file, record by record.
struct PasswordFile {
    var records: [PasswordRecord] = []
    /// Records that cannot be stored, with the reasons.
    var problems: [TextProblem] = []
    /// Columns whose content is dropped.
    var ignoredColumns: [String] = []
    /// Whether another program wrote the file, for which the path of a URL is only the page of the login form.
    var isOfAnotherProgram = false
}

/// The identifying attributes of an item, in one access group (semantics 1.10): equal for two items of which the
/// keychain stores only one.
struct ItemKey: Hashable {
    private let itemClass: ItemClass
    private let values: [Value]

    private enum Value: Hashable {
        /// Text and data with the same bytes are equal.
        case bytes([UInt8])
        case other(AttributeValue)

        init(_ value: AttributeValue) {
            self = value.bytes.map(Value.bytes) ?? .other(value)
        }
    }

    /// Creates the key; nil for attributes of an item other than a password.
    init?(_ attributes: ItemAttributes) {
        guard let passwordClass = PasswordClass(attributes.itemClass) else { return nil }
        itemClass = attributes.itemClass
        values =
            passwordClass.keys(of: attributes.entries).map { Value($0.value) } + [
                Value(attributes[.synchronizable] ?? .number(0)), Value(attributes[.syncViewHint] ?? .string("")),
            ]
    }
}

/// The display name of an item: the service or the address, and the user.
struct PasswordName {
    let subject: String
    let user: String

    init(_ attributes: ItemAttributes) {
        let address = attributes.itemClass == .internetPassword ? WebAddress(attributes)?.text : nil
        subject = address ?? attributes[.service]?.shownText ?? ""
        user = attributes[.account]?.shownText ?? ""
    }

    /// `"github" (user octo)`
    var quoted: String { user.isEmpty ? "\"\(subject)\"" : "\"\(subject)\" (user \(user))" }
}

extension AttributeError {
    /// The sentence, which names attributes, never values.
    fileprivate var sentence: String {
        switch self {
        case .unsupportedClass: "items of this class cannot be stored"
        case .noSuchAttribute(let key, _): "an item of this class has no attribute \(AttributeNames.name(of: key))"
        case .notAllowed(let key): "the attribute \(AttributeNames.name(of: key)) cannot be set"
        case .wrongType(let key): "the attribute \(AttributeNames.name(of: key)) has a value of the wrong type"
        case .repeated(let key): "the attribute \(AttributeNames.name(of: key)) occurs twice"
        case .tooLarge: "the attributes are larger than \(ItemLimits.attributeBytes >> 20) MiB"
        }
    }
}
