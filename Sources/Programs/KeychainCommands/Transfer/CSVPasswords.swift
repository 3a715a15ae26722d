// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The CSV columns of other password managers.
enum CSVLayout: String, CaseIterable {
    case apple
    case chrome
    case firefox

    /// The columns in the order of each program.
    var header: [String] {
        switch self {
        case .apple: ["Title", "URL", "Username", "Password", "Notes", "OTPAuth"]
        case .chrome: ["name", "url", "username", "password", "note"]
        case .firefox:
            [
                "url", "username", "password", "httpRealm", "formActionOrigin", "guid", "timeCreated", "timeLastUsed",
                "timePasswordChanged",
            ]
        }
    }

    /// The columns that a file of this layout must have. Older versions of the programs write fewer columns than
    /// current ones.
    fileprivate var required: Set<String> {
        switch self {
        case .apple: ["title", "url", "username", "password"]
        case .chrome: ["name", "url", "username", "password"]
        case .firefox: ["url", "username", "password", "guid"]
        }
    }

    /// Returns the meaning of a column.
    fileprivate func column(_ name: String) -> Column? {
        switch (self, name) {
        case (.apple, "title"), (.chrome, "name"): .title
        case (_, "url"): .url
        case (_, "username"): .user
        case (_, "password"): .password
        case (.apple, "notes"), (.chrome, "note"): .note
        case (.apple, "otpauth"): .oneTimePassword
        case (.firefox, "httprealm"): .realm
        default: nil
        }
    }

    fileprivate enum Column: Hashable {
        case title
        case url
        case user
        case password
        case note
        case oneTimePassword
        case realm
    }
}

// MARK: Reading

extension PasswordFile {
    /// Reads the file of another password manager, which the header determines.
    ///
    /// - Throws: the problem of the file as a whole. The problems of rows are in ``problems``.
    init(csv source: SecretAccumulator) throws(TextProblem) {
        let document = try CSVDocument(source)
        guard let header = document.records.first else { throw TextProblem(1, "the file is empty") }
        let table = try Table(document, header)
        ignoredColumns = table.ignoredColumns
        isOfAnotherProgram = true
        for record in document.records.dropFirst() {
            do throws(TextProblem) {
                records += try table.passwords(record)
            } catch {
                problems.append(error)
            }
        }
    }

    private struct Table {
        let document: CSVDocument
        let width: Int
        let places: [CSVLayout.Column: Int]
        let ignoredColumns: [String]

        init(_ document: CSVDocument, _ header: CSVDocument.Record) throws(TextProblem) {
            let shownNames = header.fields.map { document.text($0) }
            let names = shownNames.map { $0.lowercased() }
            guard Set(names).count == names.count else {
                throw TextProblem(header.line, "two columns have the same name")
            }
            guard let layout = CSVLayout.allCases.first(where: { $0.required.isSubset(of: names) }) else {
                let known = CSVLayout.allCases.map { $0.header.joined(separator: ",") }.joined(separator: " or ")
                throw TextProblem(header.line, "the columns do not match the export of a supported program: \(known)")
            }
            var places: [CSVLayout.Column: Int] = [:]
            for (place, name) in names.enumerated() {
                if let column = layout.column(name) { places[column] = place }
            }
            self.document = document
            self.places = places
            width = names.count
            ignoredColumns = zip(shownNames, names).filter { layout.column($0.1) == nil }.map(\.0)
        }

        /// Returns the items of a row: the password and, separately, the setup of one-time passwords.
        func passwords(_ record: CSVDocument.Record) throws(TextProblem) -> [PasswordRecord] {
            let line = record.line
            guard record.fields.count == width else {
                throw TextProblem(line, "the row has \(record.fields.count) fields, but the header has \(width)")
            }
            func field(_ column: CSVLayout.Column) -> CSVDocument.Field? { places[column].map { record.fields[$0] } }
            func text(_ column: CSVLayout.Column) -> String { field(column).map(document.text) ?? "" }
            let place = try place(url: text(.url), title: text(.title), user: text(.user), line)
            var entries = place.entries
            entries.append(.init(.account, .string(place.user)))
            entries.append(.init(.label, .string(place.label)))
            if !text(.note).isEmpty { entries.append(.init(.comment, .string(text(.note)))) }
            if !text(.realm).isEmpty, place.passwordClass == .internet {
                entries.append(.init(.securityDomain, .string(text(.realm))))
            }
            var records: [PasswordRecord] = []
            if let password = field(.password), !password.isEmpty {
                records.append(
                    try PasswordRecord(line: line, place.passwordClass, entries, secret: document.secret(password)))
            }
            if let setup = field(.oneTimePassword), !setup.isEmpty {
                let entries = OneTimePassword.entries(place.subject, user: place.user, label: place.label)
                records.append(try PasswordRecord(line: line, .generic, entries, secret: document.secret(setup)))
            }
            guard !records.isEmpty else { throw TextProblem(line, "the password is empty") }
            return records
        }

        private struct Place {
            let passwordClass: PasswordClass
            /// The attributes without the account.
            let entries: [ItemAttributes.Entry]
            let subject: ItemName.Subject
            let user: String
            let label: String
        }

        /// Returns the place of a password: a URL that the keychain can represent becomes an internet password, all
        /// others a generic one.
        private func place(url: String, title: String, user: String, _ line: Int) throws(TextProblem) -> Place {
            func generic(_ service: String) -> Place {
                Place(
                    passwordClass: .generic, entries: [.init(.service, .string(service))], subject: .name(service),
                    user: user,
                    label: title.isEmpty ? service : title)
            }
            guard !url.isEmpty else {
                guard !title.isEmpty else { throw TextProblem(line, "the row has neither a URL nor a title") }
                return generic(title)
            }
            let parsed: WebAddress.Parsed
            do {
                parsed = try WebAddress.parse(url)
            } catch {
                guard error == .notWeb else { throw TextProblem(line, error.reason) }
                return generic(url)
            }
            if let named = parsed.user, !user.isEmpty, named != user {
                throw TextProblem(line, "the user in the URL differs from the user of the row")
            }
            return Place(
                passwordClass: .internet, entries: parsed.address.entries, subject: .address(parsed.address),
                user: user.isEmpty ? parsed.user ?? "" : user, label: title.isEmpty ? parsed.address.host : title)
        }
    }
}

// MARK: Writing

/// A password that was read for an export.
struct ExportedPassword {
    let item: ListedItem
    let secret: SecretBytes
}

/// Writes the rows of a layout.
struct CSVPasswords {
    /// The text written so far, including the header.
    let output: SecretAccumulator
    /// The number of secrets that are not text.
    private(set) var binaryCount = 0
    /// The number of items that the layout cannot represent.
    private(set) var unfitCount = 0

    init(_ passwords: [ExportedPassword], _ layout: CSVLayout) {
        let writer = CSVWriter()
        output = writer.output
        writer.append(layout.header.map { .text($0) })
        var setups: [Owner: SecretBytes] = [:]
        for password in passwords where isUTF8(password.secret.bytes) {
            guard OneTimePassword.subject(password.item.attributes) != nil else { continue }
            let owner = Owner(service: password.item.name, user: password.item.text(.account) ?? "")
            // A row has room for one setup.
            if layout == .apple, setups[owner] != nil { unfitCount += 1 }
            setups[owner] = password.secret
        }
        let names = Set(passwords.map { Owner(ItemName(of: $0.item)) })
        for password in passwords {
            guard isUTF8(password.secret.bytes) else {
                binaryCount += 1
                continue
            }
            if OneTimePassword.subject(password.item.attributes) != nil {
                // They are in the row of the password that they belong to; those without a password follow below.
                if layout != .apple { unfitCount += 1 }
                continue
            }
            // A row without a password means no password when it is read.
            guard password.secret.count > 0 else {
                unfitCount += 1
                continue
            }
            let name = ItemName(of: password.item)
            let earlier = OneTimePassword.earlier(name.subject).flatMap { earlier in
                let isTaken = names.contains(
                    Owner(service: OneTimePassword.service(of: earlier.other), user: name.user))
                return isTaken ? nil : Owner(service: earlier.service, user: name.user)
            }
            let setup = setups.removeValue(forKey: Owner(name)) ?? earlier.flatMap { setups.removeValue(forKey: $0) }
            if let row = Self.row(password, setup, layout) {
                writer.append(row)
            } else {
                unfitCount += 1
            }
        }
        guard layout == .apple else { return }
        for (owner, setup) in setups.sorted(by: { $0.key.service.lexicographicallyPrecedes($1.key.service) }) {
            let subject = OneTimePassword.subject(service: String(decoding: owner.service, as: UTF8.self))?.text ?? ""
            let isAddress = (try? WebAddress.parse(subject)) != nil || subject.contains("://")
            writer.append([
                .text(isAddress ? "" : subject), .text(isAddress ? subject : ""),
                .text(String(decoding: owner.user, as: UTF8.self)), .text(""), .text(""), .secret(setup),
            ])
        }
    }

    /// An item, by the service and the user of its seed. As bytes, because equivalent spellings are two items.
    private struct Owner: Hashable {
        let service: [UInt8]
        let user: [UInt8]

        init(service: String, user: String) {
            self.service = Array(service.utf8)
            self.user = Array(user.utf8)
        }

        init(_ name: ItemName) { self.init(service: OneTimePassword.service(of: name.subject), user: name.user) }
    }

    /// Returns the row of an item; nil if the layout cannot represent it.
    private static func row(
        _ password: ExportedPassword, _ setup: SecretBytes?, _ layout: CSVLayout
    ) -> [CSVWriter.Field]? {
        let item = password.item
        let user = CSVWriter.Field.text(item.text(.account) ?? "")
        let note = CSVWriter.Field.text(item.text(.comment) ?? "")
        let secret = CSVWriter.Field.secret(password.secret)
        let (title, url) = titleAndURL(item)
        switch layout {
        case .apple:
            return [.text(title), .text(url), user, secret, note, setup.map { .secret($0) } ?? .text("")]
        case .chrome:
            return [.text(title), .text(url), user, secret, note]
        case .firefox:
            // Its rows have no title, so the item could not be identified.
            guard !url.isEmpty else { return nil }
            return [
                .text(url), user, secret, .text(item.text(.securityDomain) ?? ""), .text(""), .text(""),
                .text(milliseconds(item.creationDate)), .text(""), .text(milliseconds(item.modificationDate)),
            ]
        }
    }

    /// Returns the title and the URL such that reading the row gives the same item again: a service without URL is in
    /// the title.
    private static func titleAndURL(_ item: ListedItem) -> (title: String, url: String) {
        if let address = item.address { return (item.text(.label) ?? address.host, address.text) }
        let service = item.text(.service) ?? ""
        return service.contains("://") ? (item.text(.label) ?? service, service) : (service, "")
    }

    /// Returns the milliseconds since 1970.
    private static func milliseconds(_ moment: Timestamp?) -> String {
        guard let seconds = moment?.secondsSinceReferenceDate, abs(seconds) < 1e12 else { return "" }
        return String(Int64((seconds + Double(CivilTime.referenceDate)) * 1000))
    }
}
