// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The restrictions with which a client adds a key.
public struct KeyConstraints: Hashable, Sendable {
    /// Seconds after which the agent removes the key.
    public private(set) var lifetime: UInt32?
    /// Whether the user must confirm each signature.
    public private(set) var needsConfirmation = false
    /// The library with which ssh-sk-helper reaches the security key; nil for the helper's own.
    public private(set) var securityKeyProvider: String?
    /// The hosts to which the key may authenticate; nil for all.
    public private(set) var destinations: [DestinationConstraint]?
    /// For keys of a token: certificates of its keys, and whether only those are added.
    public private(set) var attachedCertificates: [SSHPublicKey] = []
    public private(set) var addsCertificatesOnly = false

    /// What the constraints are for.
    enum Subject {
        case key, token
    }

    public init() {}

    /// Reads constraints up to the end of the message.
    ///
    /// - Throws: `.invalid` for a constraint that is unknown, not valid for the subject, or given twice. A key is never
    ///   added with fewer restrictions than the client requested.
    init(_ reader: inout MessageReader, of subject: Subject) throws(MessageError) {
        while !reader.isAtEnd {
            switch try reader.u8() {
            case 1:
                guard lifetime == nil else { throw Self.duplicate }
                lifetime = try reader.u32()
            case 2:
                guard !needsConfirmation else { throw Self.duplicate }
                needsConfirmation = true
            case 255: try readExtension(&reader, of: subject)
            default: throw .invalid("a constraint of the key is not supported")
            }
        }
    }

    private static var duplicate: MessageError { .invalid("a constraint of the key is given twice") }

    private mutating func readExtension(_ reader: inout MessageReader, of subject: Subject) throws(MessageError) {
        switch (try reader.name(), subject) {
        case ("sk-provider@openssh.com", .key):
            guard securityKeyProvider == nil else { throw Self.duplicate }
            securityKeyProvider = try reader.text(atMost: MessageLimits.text)
        case ("restrict-destination-v00@openssh.com", _):
            guard destinations == nil else { throw Self.duplicate }
            destinations = try Self.destinations(try reader.fields())
        case ("associated-certs-v00@openssh.com", .token):
            guard attachedCertificates.isEmpty, !addsCertificatesOnly else { throw Self.duplicate }
            addsCertificatesOnly = try reader.boolean()
            attachedCertificates = try Self.certificates(try reader.fields())
        default: throw .invalid("an extension of the constraints of the key is not supported")
        }
    }

    private static func destinations(_ fields: MessageReader) throws(MessageError) -> [DestinationConstraint] {
        var fields = fields
        var destinations: [DestinationConstraint] = []
        while !fields.isAtEnd {
            guard destinations.count < MessageLimits.destinations else { throw .tooLarge }
            destinations.append(try DestinationConstraint(try fields.fields()))
        }
        return destinations
    }

    private static func certificates(_ fields: MessageReader) throws(MessageError) -> [SSHPublicKey] {
        var fields = fields
        var certificates: [SSHPublicKey] = []
        while !fields.isAtEnd {
            guard certificates.count < MessageLimits.attachedCertificates else { throw .tooLarge }
            certificates.append(try SSHPublicKey(blob: try fields.string()))
        }
        return certificates
    }
}
