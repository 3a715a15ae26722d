// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainCodeSigning
internal import KeychainModel

/// Entitlements as developers write them: a property list. Only the signer reads it; the service reads only signed
/// data.
enum EntitlementsFile {
    /// A list of entitlements takes some hundreds of bytes.
    static let byteLimit = 65_536

    /// Reads a property list: booleans, strings and arrays of strings.
    ///
    /// As in Xcode, `$(AppIdentifierPrefix)` and `$(TeamIdentifierPrefix)` are replaced with the team identifier and a
    /// full stop, `$(CFBundleIdentifier)` and `$(PRODUCT_BUNDLE_IDENTIFIER)` with the signing identifier, so that the
    /// same file can be used by every team.
    ///
    /// - Parameter path: for messages.
    static func read(
        _ bytes: [UInt8], path: String, team: TeamIdentifier, identifier: SigningIdentifier
    ) throws(CommandFailure) -> Entitlements {
        let values: [String: PropertyListValue]
        do {
            values = try PropertyListDecoder().decode([String: PropertyListValue].self, from: Data(bytes))
        } catch {
            throw CommandFailure("\"\(path)\" is not a property list with a dictionary")
        }
        func filled(_ text: String) -> String {
            text.replacing("$(AppIdentifierPrefix)", with: team.prefix)
                .replacing("$(TeamIdentifierPrefix)", with: team.prefix)
                .replacing("$(CFBundleIdentifier)", with: identifier.text)
                .replacing("$(PRODUCT_BUNDLE_IDENTIFIER)", with: identifier.text)
        }
        var entries: [(key: String, value: Entitlements.Value)] = []
        for (key, value) in values {
            switch value {
            case .bool(let value): entries.append((key, .bool(value)))
            case .text(let text): entries.append((key, .text(filled(text))))
            case .list(let texts): entries.append((key, .list(texts.map(filled))))
            case .other:
                throw CommandFailure(
                    "\"\(path)\": the value of \(key) is not a truth value, a text or a list of texts")
            }
        }
        do throws(EntitlementError) {
            return try Entitlements(entries)
        } catch {
            throw CommandFailure("\"\(path)\": \(error.sentence)")
        }
    }

    /// Returns the XML form, which every reader of property lists accepts.
    static func xml(_ entitlements: Entitlements) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        for entry in entitlements.entries {
            text += "\t<key>\(escaped(entry.key))</key>\n"
            switch entry.value {
            case .bool(let value): text += "\t<\(value)/>\n"
            case .text(let value): text += "\t<string>\(escaped(value))</string>\n"
            case .list(let values):
                text += "\t<array>\n"
                for value in values { text += "\t\t<string>\(escaped(value))</string>\n" }
                text += "\t</array>\n"
            }
        }
        return text + "</dict>\n</plist>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private enum PropertyListValue: Decodable {
        case bool(Bool)
        case text(String)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([String].self) {
                self = .list(value)
            } else {
                self = .other
            }
        }
    }
}

extension EntitlementError {
    /// The error as a readable sentence.
    var sentence: String {
        switch self {
        case .name(let name):
            "\"\(name)\" is not a valid entitlement name: a name is printable ASCII without spaces, "
                + "with at most \(Entitlements.keyByteLimit) characters"
        case .twice(let key): "\(key) occurs twice"
        case .tooMany(let limit): "there are more than \(limit) entitlements"
        case .tooLarge(let limit): "the entitlements have more than \(limit) bytes"
        case .longList(let key, let limit): "\(key) has more than \(limit) texts"
        case .longText(let key, let limit): "a text of \(key) has more than \(limit) bytes"
        case .controlCharacter(let key): "a text of \(key) has a control character"
        }
    }
}

extension EntitlementRules.Violation {
    /// Returns the error as a readable failure.
    func failure(of team: TeamIdentifier) -> CommandFailure {
        switch self {
        case .notAList(let key): CommandFailure("the entitlement \(key) must be a list of texts")
        case .notAText(let key): CommandFailure("the entitlement \(key) must be one text")
        case .foreign(let key, let value):
            CommandFailure(
                "the entitlement \(key) names \"\(value)\", which does not belong to the team",
                hint:
                    "the value must begin with \"\(team.prefix)\"; in the file, $(AppIdentifierPrefix) stands for this prefix"
            )
        }
    }
}
