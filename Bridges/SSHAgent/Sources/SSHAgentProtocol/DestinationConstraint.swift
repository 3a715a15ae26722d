// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A host to which a key may authenticate, and from where (`restrict-destination-v00@openssh.com`, PROTOCOL.agent of
/// OpenSSH; the form of its messages is that of OpenSSH's programs, which nest each hop in a string of its own).
public struct DestinationConstraint: Hashable, Sendable {
    /// A host key, or the key of an authority that certifies hosts.
    public struct HostKey: Hashable, Sendable {
        let key: SSHPublicKey
        let isAuthority: Bool

        public init(_ key: SSHPublicKey, isAuthority: Bool) {
            self.key = key
            self.isAuthority = isAuthority
        }
    }

    /// One end of a connection.
    struct Hop: Hashable, Sendable {
        /// A pattern; empty for any user.
        let user: String
        let host: String
        let keys: [HostKey]

        /// The machine of the agent.
        fileprivate static let here = Hop(user: "", host: "", keys: [])

        fileprivate init(user: String, host: String, keys: [HostKey]) {
            self.user = user
            self.host = host
            self.keys = keys
        }

        fileprivate init(_ fields: MessageReader) throws(MessageError) {
            var reader = fields
            user = try reader.text(atMost: MessageLimits.text)
            host = try reader.text(atMost: MessageLimits.text)
            guard try reader.string().isEmpty else { throw DestinationConstraint.hasExtensions }
            var keys: [HostKey] = []
            while !reader.isAtEnd {
                guard keys.count < MessageLimits.hostKeys else { throw .tooLarge }
                let key = try SSHPublicKey(blob: try reader.string())
                keys.append(HostKey(key, isAuthority: try reader.boolean()))
            }
            self.keys = keys
        }

        /// Whether a host proved with this key that it is the host of the hop.
        fileprivate func admits(_ key: SSHPublicKey, at time: UInt64) -> Bool {
            guard let certificate = key.certificate else {
                return keys.contains { !$0.isAuthority && $0.key == key }
            }
            return keys.contains { authority in
                authority.isAuthority && authority.key.blob == certificate.authority
                    && certificate.certifies(host: host, at: time)
            }
        }
    }

    /// The host from which the connection comes; without a host key, the machine of the agent.
    let origin: Hop
    let destination: Hop

    fileprivate static var hasExtensions: MessageError {
        .invalid("a destination constraint has extensions, which are not supported")
    }

    /// Creates a constraint for a host that is reached from the machine of the agent.
    ///
    /// - Parameters:
    ///   - user: a pattern; empty for any user.
    ///   - keys: of the host, and of authorities that certify it.
    public init(to host: String, user: String, keys: [HostKey]) {
        origin = .here
        destination = Hop(user: user, host: host, keys: keys)
    }

    init(_ fields: MessageReader) throws(MessageError) {
        var reader = fields
        origin = try Hop(try reader.fields())
        destination = try Hop(try reader.fields())
        guard try reader.string().isEmpty else { throw Self.hasExtensions }
        try reader.finish()
        guard origin.user.isEmpty, origin.host.isEmpty == origin.keys.isEmpty else {
            throw .invalid("the origin of a destination constraint is inconsistent")
        }
        guard !destination.host.isEmpty, !destination.keys.isEmpty else {
            throw .invalid("a destination constraint has no host, or no host key")
        }
    }

    /// Whether the constraint admits a connection between two hosts.
    ///
    /// - Parameters:
    ///   - origin: the key of the host from which it comes; nil for the machine of the agent.
    ///   - destination: the key of the host to which it goes; nil for any.
    ///   - user: the user at the destination; nil if it is not known.
    ///   - time: seconds since 1970.
    fileprivate func admits(
        from origin: SSHPublicKey?, to destination: SSHPublicKey?, user: String?, at time: UInt64
    ) -> Bool {
        if let origin {
            guard self.origin.admits(origin, at: time) else { return false }
        } else {
            guard self.origin.keys.isEmpty else { return false }
        }
        if let destination, !self.destination.admits(destination, at: time) { return false }
        guard let user, !self.destination.user.isEmpty else { return true }
        return Pattern.matches(user, self.destination.user)
    }
}

extension [DestinationConstraint] {
    /// Returns whether the constraints of a key admit its use through a connection, as OpenSSH evaluates them: each hop
    /// of the connection must match a constraint.
    ///
    /// - Parameters:
    ///   - user: of the request for authentication; nil for requests that do not sign.
    ///   - time: seconds since 1970.
    /// - Returns: the name of the last host in the constraint that admits it, which is nil for a connection without
    ///   sessions.
    /// - Throws: `.invalid` if they do not.
    @discardableResult
    public func admit(_ sessions: ConnectionSessions, user: String?, at time: UInt64) throws(MessageError) -> String? {
        guard let last = sessions.bindings.last else {
            guard !sessions.wasBindingAttempted else {
                throw .invalid("the key is restricted to hosts, and the host of this connection could not be verified")
            }
            return nil
        }
        var (origin, host): (SSHPublicKey?, String?) = (nil, nil)
        for (index, binding) in sessions.bindings.enumerated() {
            let isLast = index == sessions.bindings.count - 1
            guard binding.isForwarding != isLast || (isLast && user == nil) else {
                throw .invalid("the key is restricted to hosts, and the connection is not bound for this use")
            }
            let constraint = first {
                $0.admits(from: origin, to: binding.hostKey, user: isLast ? user : nil, at: time)
            }
            guard let constraint else {
                throw .invalid("the constraints of the key do not allow this host or user")
            }
            origin = binding.hostKey
            host = constraint.destination.host
        }
        // A key that may authenticate to a host is hidden from that host's own users, unless it is of use there.
        if last.isForwarding, user == nil,
            !contains(where: { $0.admits(from: last.hostKey, to: nil, user: nil, at: time) })
        {
            throw .invalid("the constraints of the key do not allow its use beyond this host")
        }
        return host
    }
}
