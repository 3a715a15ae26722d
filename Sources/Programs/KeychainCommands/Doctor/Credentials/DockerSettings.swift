// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Passwords of docker's file `config.json`: the members `auth` below `auths`, each `USER:PASSWORD` in base64 (docker
/// login).
enum DockerSettings {
    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        let document = try JSONDocument(source)
        guard case .object(let members) = document.root.value else {
            throw TextProblem(document.root.line, "the value is not an object")
        }
        guard let auths = members.first(where: { $0.name == "auths" }) else { return [] }
        guard case .object(let registries) = auths.element.value else {
            throw TextProblem(auths.element.line, "the member auths is not an object")
        }
        var found: [FoundCredential] = []
        for registry in registries {
            guard case .object(let fields) = registry.element.value else {
                throw TextProblem(registry.element.line, "a registry is not an object")
            }
            for (index, field) in fields.enumerated() {
                guard case .text(let text) = field.element.value else { continue }
                switch field.name {
                case "auth":
                    let cut = cut(index, of: fields)
                    if let credential = credential(registry.name, field, text: text, in: document, cut: cut) {
                        found.append(credential)
                    }
                case "identitytoken", "registrytoken", "password":
                    let secret = document.secret(text)
                    guard secret.count > 0 else { continue }
                    found.append(
                        FoundCredential(
                            line: field.element.line, title: "docker's \(field.name) for \(registry.name.withoutUser)",
                            secret: secret,
                            place: .stays("docker passes it to credential helpers in its own format")))
                default: break
                }
            }
        }
        return found
    }

    private static func credential(
        _ registry: String, _ field: JSONDocument.Member, text: JSONDocument.Text, in document: JSONDocument,
        cut: Range<Int>
    ) -> FoundCredential? {
        let raw = document.secret(text)
        guard raw.count > 0 else { return nil }
        func stays(_ reason: String) -> FoundCredential {
            FoundCredential(
                line: field.element.line, title: "a password for \(registry.withoutUser)", secret: raw,
                place: .stays(reason))
        }
        guard let decoded = document.bytes(base64: text), let (user, password) = decoded.userAndPassword else {
            return stays("it is not a user name and a password in base64")
        }
        let url = registry.contains("://") ? registry : "https://" + registry
        guard let address = try? WebAddress.parse(url).address else {
            return stays("its registry is not an address that the keychain can store")
        }
        return FoundCredential(
            line: field.element.line, title: "the password of \"\(user)\" at \(address.text)", secret: password,
            // The name that docker's helper for the keychain of macOS uses.
            place: .item(CredentialItem(address, account: user, label: "Docker Credentials"), cut: cut))
    }

    /// Returns the range of the member with its comma.
    private static func cut(_ index: Int, of members: [JSONDocument.Member]) -> Range<Int> {
        let own = members[index].range
        if index + 1 < members.count { return own.lowerBound..<members[index + 1].range.lowerBound }
        if index > 0 { return members[index - 1].range.upperBound..<own.upperBound }
        return own
    }
}
