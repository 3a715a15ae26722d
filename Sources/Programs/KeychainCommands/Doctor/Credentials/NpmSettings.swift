// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Tokens and passwords of npm's file `.npmrc`: one `//HOST/PATH/:NAME=VALUE` per line (npmrc(5)).
enum NpmSettings {
    private struct Setting {
        let line: TextLine
        /// `//HOST/PATH/`, or empty.
        let registry: String
        let name: String
        let value: ArraySlice<UInt8>
    }

    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        let bytes = source.bytes
        let settings = TextLine.lines(of: bytes, from: try source.startOfText()).compactMap { setting($0, bytes) }
        return settings.compactMap { credential($0, among: settings) }
    }

    private static func setting(_ line: TextLine, _ bytes: [UInt8]) -> Setting? {
        let text = bytes[line.text].trimmed
        guard let first = text.first, !";#[".utf8.contains(first), let equals = text.firstIndex(of: UInt8(ascii: "="))
        else {
            return nil
        }
        let key = text[..<equals].trimmed.unquoted
        let colon = key.starts(with: "//".utf8) ? key.lastIndex(of: UInt8(ascii: ":")) : nil
        return Setting(
            line: line, registry: colon.map { key[..<$0].asText } ?? "",
            name: key[(colon.map { $0 + 1 } ?? key.startIndex)...].asText,
            value: text[(equals + 1)...].trimmed.unquoted)
    }

    private static func credential(_ setting: Setting, among settings: [Setting]) -> FoundCredential? {
        guard ["_authToken", "_password", "_auth"].contains(setting.name), !setting.value.isEmpty,
            // The value of a variable, which is not in the file.
            !setting.value.contains(UInt8(ascii: "$")) || !setting.value.asText.contains("${")
        else { return nil }
        let secret = SecretBytes(copying: setting.value)
        func stays(_ reason: String) -> FoundCredential {
            FoundCredential(
                line: setting.line.number, title: "npm's \(setting.name) \(setting.registry.withoutUser)",
                secret: secret,
                place: .stays(reason))
        }
        guard !setting.registry.isEmpty else { return stays("it does not name a registry") }
        guard let address = try? WebAddress.parse("https:" + setting.registry).address else {
            return stays("its registry is not an address that the keychain can store")
        }
        func item(_ account: String, _ secret: SecretBytes, _ title: String) -> FoundCredential {
            FoundCredential(
                line: setting.line.number, title: title, secret: secret,
                place: .item(CredentialItem(address, account: account), cut: setting.line.whole))
        }
        if setting.name == "_authToken" { return item("_authToken", secret, "the token for \(address.text)") }
        guard let decoded = decodedBase64(setting.value) else { return stays("it is not base64") }
        if setting.name == "_password" {
            guard let user = settings.first(where: { $0.registry == setting.registry && $0.name == "username" }) else {
                return stays("it has no user name")
            }
            let name = user.value.asText
            return item(name, decoded, "the password of \"\(name)\" at \(address.text)")
        }
        guard let (name, password) = decoded.userAndPassword else {
            return stays("it is not a user name and a password")
        }
        return item(name, password, "the password of \"\(name)\" at \(address.text)")
    }
}

extension SecretBytes {
    /// The parts of `USER:PASSWORD`, as in HTTP (RFC 7617); nil for other values, and if the user is not UTF-8.
    var userAndPassword: (user: String, password: SecretBytes)? {
        let view = bytes
        guard let colon = view.firstIndex(of: UInt8(ascii: ":")), colon + 1 < view.endIndex,
            let user = String(validating: view[..<colon], as: UTF8.self), !user.utf8.contains(0)
        else { return nil }
        return (user, SecretBytes(copying: view[(colon + 1)...]))
    }
}
