// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Passwords of Python's file `.pypirc`: sections with names and values (packaging.python.org, "The .pypirc file").
enum PypiSections {
    private struct Section {
        let name: String
        var repository: String?
        var username: String?
        var password: (line: TextLine, value: ArraySlice<UInt8>)?
        /// Whether the password continues in the next line.
        var isContinued = false
    }

    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        let bytes = source.bytes
        var sections: [Section] = []
        /// Whether the last line was a password.
        var follows = false
        for line in TextLine.lines(of: bytes, from: try source.startOfText()) {
            let text = bytes[line.text].trimmed
            guard let first = text.first, !"#;".utf8.contains(first) else { continue }
            if let start = bytes[line.text].first, [UInt8].isBlank(start) {
                // The line continues the value above.
                if follows, !sections.isEmpty { sections[sections.count - 1].isContinued = true }
                continue
            }
            follows = false
            if first == UInt8(ascii: "[") {
                guard text.last == UInt8(ascii: "]") else {
                    throw TextProblem(line.number, "a section header is not closed")
                }
                sections.append(Section(name: text.dropFirst().dropLast().asText))
                continue
            }
            guard let separator = text.firstIndex(where: { "=:".utf8.contains($0) }) else {
                throw TextProblem(line.number, "the line is neither a section header nor a name with a value")
            }
            guard !sections.isEmpty else { throw TextProblem(line.number, "a value precedes the first section") }
            let value = text[(separator + 1)...].trimmed
            switch text[..<separator].trimmed.asText.lowercased() {
            case "repository": sections[sections.count - 1].repository = value.asText
            case "username": sections[sections.count - 1].username = value.asText
            case "password":
                guard sections[sections.count - 1].password == nil else {
                    throw TextProblem(line.number, "a section has two passwords")
                }
                sections[sections.count - 1].password = (line, value)
                follows = true
            default: break
            }
        }
        return sections.compactMap(credential)
    }

    /// The addresses that twine uses if the file names none.
    private static let usual = ["pypi": "https://upload.pypi.org/legacy/", "testpypi": "https://test.pypi.org/legacy/"]

    private static func credential(_ section: Section) -> FoundCredential? {
        guard let password = section.password, !password.value.isEmpty else { return nil }
        let user = section.username ?? "__token__"
        let place: FoundCredential.Place
        if section.isContinued {
            place = .stays("its password spans several lines")
        } else if let repository = section.repository ?? usual[section.name], !repository.isEmpty {
            // Attributes are shown in lists, and a URL can contain a password.
            let isClean = (try? WebAddress.parse(repository))?.user == nil && !repository.contains("@")
            place =
                !isClean
                ? .stays("its repository address contains a user name")
                : .item(CredentialItem(service: repository, account: user), cut: password.line.whole)
        } else {
            place = .stays("its section does not name a repository")
        }
        return FoundCredential(
            line: password.line.number, title: "the password of \"\(user)\" in the section \(section.name)",
            secret: SecretBytes(copying: password.value), place: place)
    }
}
