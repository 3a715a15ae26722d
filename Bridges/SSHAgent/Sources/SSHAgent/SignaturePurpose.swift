// SPDX-License-Identifier: Apache-2.0

public import SSHAgentProtocol

/// What a signature is for, as prompts and the log state it.
public enum SignaturePurpose: Hashable, Sendable {
    /// A login, and the name of the host in a constraint of the key or in the files of known hosts; otherwise the
    /// fingerprint of its key. Nil if the request does not prove the host.
    case login(user: String, host: String?)
    /// A signature of a message, for example in the namespace `git`.
    case message(namespace: String)
    case unknown

    /// Finds the purpose of data.
    ///
    /// - Parameters:
    ///   - sessions: of the client's connection; they prove the host.
    ///   - constraint: the name of the host in a constraint of the key.
    ///   - knownHosts: the files of known hosts, read only for a login.
    init(
        _ data: SignedData, _ sessions: ConnectionSessions, constraint: String?, knownHosts: () -> [KnownHosts]
    ) {
        switch data {
        case .authentication(let authentication):
            self = .login(
                user: authentication.user,
                host: constraint ?? Self.host(of: authentication, sessions, knownHosts))
        case .message(let namespace): self = .message(namespace: namespace)
        case .other: self = .unknown
        }
    }

    private static func host(
        of authentication: UserAuthentication, _ sessions: ConnectionSessions, _ knownHosts: () -> [KnownHosts]
    ) -> String? {
        // Without a verified session the client may name any host.
        do throws(MessageError) { try authentication.verify(sessions) } catch { return nil }
        guard let key = sessions.bindings.last?.hostKey else { return nil }
        return knownHosts().lazy.compactMap { $0.name(of: key) }.first ?? key.fingerprint()
    }

    /// The continuation of "… wants to".
    public var description: String {
        switch self {
        case .login(let user, let host?): "log in as \(user.printable) on \(host.printable)"
        case .login(let user, nil): "log in as \(user.printable) on a host that is not verified"
        case .message(let namespace): "sign data for ‘\(namespace.printable)’"
        case .unknown: "sign data of an unknown kind"
        }
    }
}

/// A request for the user's confirmation of a signature.
public struct ConfirmationRequest: Hashable, Sendable {
    public let key: AgentKey
    public let purpose: SignaturePurpose
    /// The program that requests the signature.
    public let client: String
    /// Its process; nil if it cannot be inspected.
    public let process: Int32?
    /// Whether the request comes from another machine.
    public let isForwarded: Bool

    /// Returns the text of the prompt.
    public func text(_ hash: FingerprintHash) -> String {
        let client = isForwarded ? "another machine, through \(client.printable)," : client.printable
        return """
            Allow \(client) to \(purpose.description) with the key ‘\(key.printableComment)’?
            Key fingerprint \(key.publicKey.fingerprint(hash)).
            """
    }
}

extension AgentKey {
    /// The comment in one line of a prompt or a log.
    public var printableComment: String { String(decoding: comment, as: UTF8.self).printable }
}

extension String {
    /// The text without control characters and changes of the direction, and not longer than a line: it comes from a
    /// client, and must not change the rest of a prompt.
    var printable: String {
        let limit = 100
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard text.count < limit else { return String(text) + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
