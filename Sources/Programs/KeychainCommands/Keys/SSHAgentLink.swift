// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes
internal import KeychainEndpoint
internal import KeychainKeys

/// A connection to the agent that `SSH_AUTH_SOCK` names (RFC 9987), to check that it signs with a key of the keychain.
struct SSHAgentLink {
    private let socket: EndpointSocket
    /// The bytes of a message. OpenSSH has the same limit.
    private static let messageBytes = 256 << 10
    /// The user may be asked for an approval meanwhile.
    private static let patience = Duration.seconds(180)

    init(connectingTo path: String) throws(CommandFailure) {
        do throws(EndpointError) {
            socket = try EndpointSocket(connectingTo: path)
            try socket.setReceiveTimeout(Self.patience)
        } catch {
            throw CommandFailure(
                "cannot connect to the agent for SSH at \"\(path)\": \(Self.reason(error))",
                hint: "run `systemctl --user enable --now chatelaine-ssh-agent.socket`, and log in again")
        }
    }

    /// Whether the agent lists a key.
    ///
    /// - Parameter blob: the bytes of the public key.
    func lists(_ blob: [UInt8]) throws(CommandFailure) -> Bool {
        var reply = try reply(to: [11], type: 12)
        var isListed = false
        do throws(ByteError) {
            for _ in 0..<(try reply.u32()) {
                if try reply.bytes(atMost: Self.messageBytes) == blob { isListed = true }
                _ = try reply.block(atMost: Self.messageBytes)
            }
            return isListed
        } catch {
            throw Self.wrongReply
        }
    }

    /// Has the agent sign random bytes with a key, and verifies the signature.
    func checkSignature(by key: PublicKey, _ blob: [UInt8]) throws(CommandFailure) {
        let data = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
        var message = ByteWriter()
        message.u8(13)
        message.block(blob)
        message.block(data)
        // RSA with SHA-512; others have one algorithm.
        message.u32(4)
        var reply = try reply(to: message.bytes, type: 14)
        let result: [UInt8]
        do throws(ByteError) {
            var signature = ByteReader<ByteError>(try reply.bytes(atMost: Self.messageBytes))
            _ = try signature.block(atMost: Self.messageBytes)
            result = try Self.raw(try signature.bytes(atMost: Self.messageBytes), of: key)
        } catch {
            throw Self.wrongReply
        }
        do throws(KeyError) {
            try key.verify(result, for: data, using: key.sshAlgorithm)
        } catch {
            throw CommandFailure("the signature of the agent does not match the key")
        }
    }

    /// The numbers of ECDSA with fixed lengths, other signatures as they are.
    private static func raw(_ signature: [UInt8], of key: PublicKey) throws(ByteError) -> [UInt8] {
        guard key.type == .ellipticCurve else { return signature }
        var numbers = ByteReader<ByteError>(signature)
        var raw: [UInt8] = []
        for _ in 0..<2 {
            let number = try numbers.bytes(atMost: 128).drop { $0 == 0 }
            guard number.count <= key.blockSize else { throw .malformed }
            raw += [UInt8](repeating: 0, count: key.blockSize - number.count) + number
        }
        return raw
    }

    // MARK: Messages

    private static var wrongReply: CommandFailure {
        CommandFailure("the agent for SSH sent a reply that the protocol does not define")
    }

    /// Sends a message and returns the reply after its type.
    private func reply(to message: [UInt8], type: UInt8) throws(CommandFailure) -> ByteReader<ByteError> {
        var frame = ByteWriter()
        frame.block(message)
        let reply: [UInt8]
        do throws(EndpointError) {
            try socket.send(frame.bytes.span)
            let size = try receive(4).reduce(0) { $0 << 8 | Int($1) }
            guard (1...Self.messageBytes).contains(size) else { throw .closed }
            reply = try receive(size)
        } catch {
            throw CommandFailure("the agent for SSH does not answer: \(Self.reason(error))")
        }
        guard reply[0] != 5 else {
            throw CommandFailure(
                "the agent for SSH refused to use the key",
                hint: "approve the request, or see its journal: journalctl --user -u chatelaine-ssh-agent")
        }
        guard reply[0] == type else { throw Self.wrongReply }
        return ByteReader<ByteError>(reply, from: 1, to: reply.count)
    }

    /// Returns the reason of a failed connection; the descriptions are about the keychain service.
    private static func reason(_ error: EndpointError) -> String {
        switch error {
        case .notRunning: "no agent listens there"
        case .timedOut: "it did not answer in time"
        case .closed: "it closed the connection"
        case .foreignServer: "it belongs to another user"
        case .socketPathTooLong, .unknownService, .untrustedDirectory, .launchFailed, .system: "\(error)"
        }
    }

    private func receive(_ count: Int) throws(EndpointError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let received = try socket.receive(atMost: count - bytes.count) { span in
                for index in span.indices { bytes.append(span[index]) }
            }
            guard received > 0 else { throw .closed }
        }
        return bytes
    }
}

extension PublicKey {
    /// The algorithm of a signature for SSH, with SHA-512 for RSA.
    var sshAlgorithm: KeyAlgorithm {
        switch type {
        case .ed25519, .x25519: .ed25519
        case .rsa: .rsaSignature(.pkcs1v15, .message, .sha512)
        case .ellipticCurve:
            .ecdsa(.rfc4754, .message, sizeInBits == 256 ? .sha256 : sizeInBits == 384 ? .sha384 : .sha512)
        }
    }
}
