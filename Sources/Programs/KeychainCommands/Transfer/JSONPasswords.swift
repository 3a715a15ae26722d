// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import SecretMemory

/// Chatelaine's own export format, version 1 (Documentation/Formats/export.md): both classes with all attributes.
enum JSONPasswords {
    fileprivate static let format = "chatelaine-passwords"
    fileprivate static let version: Int64 = 1

    /// Returns the document.
    ///
    /// - Returns: bytes that the caller must wipe.
    static func document(_ passwords: [ExportedPassword]) -> [UInt8] {
        let items = passwords.map { password in
            JSONText.object([
                ("class", .text(password.item.reference.itemClass.code)),
                (
                    "attributes",
                    .object(password.item.attributes.entries.map { (AttributeNames.name(of: $0.key), value($0)) })
                ),
                ("secret", .secret(password.secret)),
            ])
        }
        let json = JSONText.object([
            ("format", .text(format)), ("version", .integer(version)), ("items", .array(items)),
        ])
        return json.document(reserving: maximumByteCount(passwords))
    }

    /// Returns the maximum size of the document. It must not grow beyond this, because growing would leave unwiped
    /// copies of secrets behind.
    static func maximumByteCount(_ passwords: [ExportedPassword]) -> Int {
        passwords.reduce(256) { sum, password in
            let attributes = password.item.attributes
            // A control character takes six bytes in JSON; an attribute has a name and blanks in addition to its value.
            return sum + 6 * (password.secret.count + attributes.byteCount) + 128 * attributes.entries.count + 256
        }
    }

    private static func value(_ entry: ItemAttributes.Entry) -> JSONText {
        switch entry.value {
        case .string(let text): .text(text)
        // Never as text, even if it could be text: the keychain returns the type that was stored.
        case .data(let bytes): .object([("base64", .text(base64(bytes)))])
        case .number(let number): entry.key == .synchronizable ? .boolean(number == 1) : .integer(number)
        case .date(let moment): CivilTime(moment).map { .text($0.rfc3339) } ?? .null
        case .accessControl(let control):
            .object([
                ("accessible", .text(control.protection.code)), ("flags", .integer(Int64(control.flags.rawValue))),
            ])
        }
    }
}

extension PasswordFile {
    /// Reads a document in this format.
    ///
    /// - Throws: the problem of the file as a whole. The problems of items are in ``problems``.
    init(json source: SecretAccumulator) throws(TextProblem) {
        let document = try JSONDocument(source)
        let root = try Members(document.root, ["format", "version", "items"], document)
        guard case .text(let format) = try root["format"].value, document.text(format) == JSONPasswords.format else {
            throw TextProblem(try root["format"].line, "the format is not \(JSONPasswords.format)")
        }
        guard case .integer(JSONPasswords.version) = try root["version"].value else {
            throw TextProblem(
                try root["version"].line,
                "the version of the format is not \(JSONPasswords.version); a newer version of chatelaine may support it"
            )
        }
        guard case .array(let items) = try root["items"].value else {
            throw TextProblem(try root["items"].line, "the member items is not an array")
        }
        for item in items {
            do throws(TextProblem) {
                records.append(try Self.record(item, document))
            } catch {
                problems.append(error)
            }
        }
    }

    private static func record(
        _ item: JSONDocument.Element, _ document: JSONDocument
    ) throws(TextProblem) -> PasswordRecord {
        let members = try Members(item, ["class", "attributes", "secret"], document)
        guard case .text(let code) = try members["class"].value,
            let passwordClass = ItemClass(code: document.text(code)).flatMap(PasswordClass.init)
        else { throw TextProblem(try members["class"].line, "the class is neither genp nor inet") }
        guard case .object(let attributes) = try members["attributes"].value else {
            throw TextProblem(try members["attributes"].line, "the member attributes is not an object")
        }
        var entries: [ItemAttributes.Entry] = []
        for attribute in attributes {
            if let entry = try entry(attribute, passwordClass, document) { entries.append(entry) }
        }
        // The access control includes the accessibility too, and the keychain accepts only one of them.
        if entries.contains(where: { $0.key == .accessControl }) { entries.removeAll { $0.key == .accessible } }
        guard let secret = bytes(try members["secret"], document) else {
            throw TextProblem(try members["secret"].line, "the member secret is neither text nor base64")
        }
        return try PasswordRecord(line: item.line, passwordClass, entries, secret: secret)
    }

    /// Returns the attribute to store; nil for attributes that the keychain sets itself: dates, and the access group
    /// unless it is the group of private items.
    private static func entry(
        _ member: JSONDocument.Member, _ passwordClass: PasswordClass, _ document: JSONDocument
    ) throws(TextProblem) -> ItemAttributes.Entry? {
        let line = member.element.line
        guard let key = AttributeNames.key(named: member.name) else {
            throw TextProblem(line, "the attribute is unknown")
        }
        let problem = TextProblem(line, "the attribute \(AttributeNames.name(of: key)) has a value of the wrong type")
        let kind = ItemSchema.schema(for: passwordClass.itemClass)?[key]?.kind
        switch (kind, member.element.value) {
        case (.date, .text), (.date, .null): return nil
        case (.flag, .boolean(let value)): return .init(key, .number(value ? 1 : 0))
        case (.accessControl, _): return .init(key, .accessControl(try accessControl(member.element, document)))
        case (.date, _), (.flag, _), (_, .null), (_, .boolean), (_, .array): throw problem
        case (_, .text(let text)):
            let value = document.text(text)
            return key == .accessGroup && value != CommandGroup.privateItems ? nil : .init(key, .string(value))
        case (_, .integer(let number)): return .init(key, .number(number))
        case (_, .object):
            guard let bytes = bytes(member.element, document) else { throw problem }
            return .init(key, .data(Array(bytes.bytes)))
        }
    }

    private static func accessControl(
        _ element: JSONDocument.Element, _ document: JSONDocument
    ) throws(TextProblem) -> AccessControl {
        let members = try Members(element, ["accessible", "flags"], document)
        guard case .text(let code) = try members["accessible"].value,
            let protection = Accessibility(code: document.text(code)),
            case .integer(let number) = try members["flags"].value, let flags = UInt32(exactly: number),
            let control = AccessControl(protection: protection, flags: AccessControl.Flags(rawValue: flags))
        else { throw TextProblem(element.line, "the value of accessControl is not valid") }
        return control
    }

    /// Returns the bytes of a text, or of an object whose only member is `base64`.
    private static func bytes(_ element: JSONDocument.Element, _ document: JSONDocument) -> SecretBytes? {
        switch element.value {
        case .text(let text): return document.secret(text)
        case .object(let members):
            guard members.count == 1, members[0].name == "base64", case .text(let text) = members[0].element.value
            else { return nil }
            return document.bytes(base64: text)
        case .null, .boolean, .integer, .array: return nil
        }
    }

    /// The members of an object that has exactly these.
    private struct Members {
        private let line: Int
        private let members: [String: JSONDocument.Element]

        init(_ element: JSONDocument.Element, _ names: Set<String>, _ document: JSONDocument) throws(TextProblem) {
            guard case .object(let list) = element.value else {
                throw TextProblem(element.line, "an object is expected")
            }
            line = element.line
            members = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.element) })
            if let stranger = list.first(where: { !names.contains($0.name) }) {
                throw TextProblem(stranger.element.line, "the member is unknown")
            }
        }

        subscript(name: String) -> JSONDocument.Element {
            get throws(TextProblem) {
                guard let element = members[name] else { throw TextProblem(line, "the member \(name) is missing") }
                return element
            }
        }
    }
}
