// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
internal import KeychainBytes
public import KeychainHelperWire

/// The connection to a TPM, which takes a command and returns its response.
public protocol TPMTransport {
    /// - Throws: if the TPM is unreachable or does not answer in time.
    func exchange(_ command: [UInt8]) throws(TPMTransportError) -> [UInt8]
}

/// The TPM cannot be reached. The text is a sentence without a full stop.
public struct TPMTransportError: Error, Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}

/// A token that is a TPM 2.0. The TPM creates keys under its storage key, and they leave it only in wrapped form. The
/// token makes no permanent change to the TPM.
public final class TPMToken {
    let transport: any TPMTransport
    private let place: String
    private let random: () -> [UInt8]
    private let pause: () -> Void
    private var root: Root?
    private var session: TPMSession?

    /// The loaded storage key.
    private struct Root {
        let handle: UInt32
        let name: [UInt8]
        let point: [UInt8]
    }

    /// - Parameters:
    ///   - place: the path of the device or socket, for messages.
    ///   - random: returns 16 new random bytes.
    ///   - pause: waits for some milliseconds if a TPM requests it.
    public init(
        _ transport: any TPMTransport, place: String, random: @escaping () -> [UInt8], pause: @escaping () -> Void
    ) {
        self.transport = transport
        self.place = place
        self.random = random
        self.pause = pause
    }

    /// Removes the objects of earlier processes from a TPM without other users; a process that was killed could not
    /// remove them. The kernel does this for its own devices.
    public func removeLeftovers() {
        for kind in [TPMCapability.loadedSessions, TPMCapability.transientHandles] {
            for handle in (try? handles(kind)) ?? [] { flush(handle) }
        }
    }

    /// Releases the TPM's objects of this token.
    public func end() {
        if let session { flush(session.handle) }
        if let root { flush(root.handle) }
        (session, root) = (nil, nil)
    }

    /// - Returns: the answer, and whether the connection to the TPM is still usable.
    public func answer(to request: TokenRequest) -> (answer: TokenAnswer, goesOn: Bool) {
        do throws(CommandError) {
            do throws(CommandError) {
                return (try carryOut(request), true)
            } catch .response(let code) where !code.isFinal {
                // The TPM was reset and has lost the session and the key, so the request is repeated from the start.
                end()
                return (try carryOut(request), true)
            }
        } catch {
            switch error {
            case .token(let failure): return (.failure(failure), true)
            case .transport(let failure): return (.failure(TokenError(.unavailable, failure.text)), false)
            case .malformed:
                return (
                    .failure(TokenError(.failed, "the TPM at \(place) sent an invalid response")), false
                )
            case .response(let code): return (.failure(code.failure(place)), false)
            }
        }
    }

    private enum CommandError: Error {
        case token(TokenError)
        case transport(TPMTransportError)
        case response(ResponseCode)
        case malformed
    }

    private func carryOut(_ request: TokenRequest) throws(CommandError) -> TokenAnswer {
        switch request {
        case .status: return .status(try status())
        case .createKey:
            let made = try create(PublicArea.key, data: [])
            let point = try reading { () throws(MalformedResponseError) in
                try PublicArea.point(of: made.publicArea, madeWith: PublicArea.key)
            }
            return .key(point: point, blob: made.bytes)
        case .seal(let secret): return .blob(try create(PublicArea.secret, data: secret).bytes)
        case .sealGuarded(let secret, let authorization):
            return .blob(
                try create(PublicArea.guardedSecret, data: secret, authorization: Self.value(authorization)).bytes)
        case .unsealGuarded(let blob, let authorization):
            return try withLoaded(blob, PublicArea.guardedSecret) { item throws(CommandError) in
                do throws(CommandError) {
                    return try unsealed(item, Self.value(authorization))
                } catch .response(let code) where code.error == .authFail {
                    throw .token(TokenError(.wrongAuthorization, "the authorization of the secret is wrong"))
                }
            }
        case .sign(let blob, let digest):
            return try withLoaded(blob, PublicArea.key) { key throws(CommandError) in
                var rest = TPMWriter()
                rest.u16(TPMAlgorithm.ecdsa)
                rest.u16(TPMAlgorithm.sha256)
                // No ticket: the digest does not come from the TPM, and the key is not restricted.
                rest.u16(TPMTag.hashCheckTicket)
                rest.u32(TPMHandle.null)
                rest.sized([])
                let response = try command(.sign, [key], first: digest, rest.bytes, encryptsResponse: false).parameters
                return try reading { () throws(MalformedResponseError) in
                    var reader = TPMReader(response)
                    guard try reader.u16() == TPMAlgorithm.ecdsa, try reader.u16() == TPMAlgorithm.sha256 else {
                        throw MalformedResponseError()
                    }
                    let (r, s) = (try reader.sized(), try reader.sized())
                    try reader.finish()
                    guard r.count <= 32, s.count <= 32 else { throw MalformedResponseError() }
                    return .signature(PublicArea.padded(r) + PublicArea.padded(s))
                }
            }
        case .agree(let blob, let point):
            return try withLoaded(blob, PublicArea.key) { key throws(CommandError) in
                var inner = TPMWriter()
                inner.sized(Array(point[1...32]))
                inner.sized(Array(point[33...]))
                let response: [UInt8]
                do throws(CommandError) {
                    response = try command(.ecdhZGen, [key], first: inner.bytes, [], encryptsResponse: true).parameters
                } catch .response(let code) where code.isAboutParameter {
                    throw .token(TokenError(.unusableInput, "the point is not on the curve"))
                }
                return try reading { () throws(MalformedResponseError) in
                    var outer = TPMReader(response)
                    var reader = TPMReader(try outer.sized())
                    try outer.finish()
                    let x = try reader.sized()
                    _ = try reader.sized()
                    try reader.finish()
                    guard x.count <= 32 else { throw MalformedResponseError() }
                    return .coordinate(PublicArea.padded(x))
                }
            }
        case .unseal(let blob):
            return try withLoaded(blob, PublicArea.secret) { item throws(CommandError) in try unsealed(item, []) }
        }
    }

    private func unsealed(_ item: Object, _ authorization: [UInt8]) throws(CommandError) -> TokenAnswer {
        let response = try command(
            .unseal, [item], authorization: authorization, first: nil, [], encryptsResponse: true
        ).parameters
        return try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            let secret = try reader.sized()
            try reader.finish()
            return .secret(secret)
        }
    }

    /// Returns the authorization value in the form that a TPM keeps: without trailing zeros (part 1, 19.6.4.3).
    private static func value(_ authorization: [UInt8]) -> [UInt8] {
        Array(authorization.prefix((authorization.lastIndex { $0 != 0 } ?? -1) + 1))
    }

    // MARK: Objects

    private typealias Object = (handle: UInt32, name: [UInt8])

    private func create(
        _ template: [UInt8], data: [UInt8], authorization: [UInt8] = []
    ) throws(CommandError) -> TPMBlob {
        let root = try loadedRoot()
        var sensitive = TPMWriter()
        sensitive.sized(authorization)
        sensitive.sized(data)
        var rest = TPMWriter()
        rest.sized(template)
        rest.sized([])
        rest.u32(0)
        let response = try command(
            .create, [(root.handle, root.name)], first: sensitive.bytes, rest.bytes, encryptsResponse: true
        ).parameters
        return try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            let privateArea = try reader.sized()
            return TPMBlob(parent: root.name, publicArea: try reader.sized(), privateArea: privateArea)
        }
    }

    /// Loads the object of a blob for the duration of a closure.
    ///
    /// - Parameter template: the template of the object.
    private func withLoaded(
        _ bytes: [UInt8], _ template: [UInt8], _ body: (Object) throws(CommandError) -> TokenAnswer
    ) throws(CommandError) -> TokenAnswer {
        guard let blob = TPMBlob(bytes), PublicArea.isLike(template, blob.publicArea) else { throw .token(.foreign) }
        let root = try loadedRoot()
        guard blob.parent == root.name else {
            // The response may come from another source than the TPM, so the next request asks for its identity again.
            end()
            throw .token(.foreign)
        }
        var rest = TPMWriter()
        rest.sized(blob.publicArea)
        let loaded: (handles: [UInt32], parameters: [UInt8])
        do throws(CommandError) {
            loaded = try command(
                .load, [(root.handle, root.name)], first: blob.privateArea, rest.bytes, responseHandles: 1,
                encryptsResponse: true)
        } catch .response(let code) where code.isAboutParameter {
            throw .token(.foreign)
        }
        let handle = loaded.handles[0]
        defer { flush(handle) }
        return try body((handle, objectName(of: blob.publicArea)))
    }

    private func loadedRoot() throws(CommandError) -> Root {
        if let root { return root }
        var parameters = TPMWriter()
        parameters.sized { sensitive in
            sensitive.sized([])
            sensitive.sized([])
        }
        parameters.sized(PublicArea.storageRoot)
        parameters.sized([])
        parameters.u32(0)
        let response = try send(
            TPMFrame.command(
                .createPrimary, [TPMHandle.owner], authorization: TPMFrame.emptyPassword, parameters: parameters.bytes))
        let (handle, publicArea) = try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            let handle = try reader.u32()
            _ = try reader.u32()
            return (handle, try reader.sized())
        }
        let point = try reading { () throws(MalformedResponseError) in
            try PublicArea.point(of: publicArea, madeWith: PublicArea.storageRoot)
        }
        let made = Root(handle: handle, name: objectName(of: publicArea), point: point)
        root = made
        return made
    }

    /// Returns the object's name: the algorithm and the hash of its public area (part 1, 16).
    private func objectName(of publicArea: [UInt8]) -> [UInt8] {
        var writer = TPMWriter()
        writer.u16(TPMAlgorithm.sha256)
        writer.raw(TPMCryptography.sha256(publicArea))
        return writer.bytes
    }

    private func flush(_ handle: UInt32) {
        var parameters = TPMWriter()
        parameters.u32(handle)
        // If the command fails, the TPM has already lost the object, or is unreachable.
        _ = try? send(TPMFrame.command(.flushContext, parameters: parameters.bytes))
    }

    // MARK: Identity

    private func status() throws(CommandError) -> TokenStatus {
        let manufacturer = try property(TPMCapability.manufacturer) ?? 0
        let version = [
            try property(TPMCapability.firmwareVersion1) ?? 0, try property(TPMCapability.firmwareVersion2) ?? 0,
        ]
        let name = (0..<4).map { UInt8(truncatingIfNeeded: manufacturer >> (24 - 8 * $0)) }
        var lockout: TokenStatus.Lockout?
        if let failures = try property(TPMCapability.lockoutCounter),
            let limit = try property(TPMCapability.maximumFailures),
            let interval = try property(TPMCapability.lockoutInterval)
        {
            lockout = .init(failures: failures, limit: limit, interval: interval)
        }
        return TokenStatus(
            kind: .tpm,
            manufacturer: String(decoding: name.filter { (0x21...0x7E).contains($0) }, as: UTF8.self),
            firmware: version.flatMap { [$0 >> 16, $0 & 0xFFFF] }.map { String($0) }.joined(separator: "."),
            place: place, lockout: lockout)
    }

    private func property(_ number: UInt32) throws(CommandError) -> UInt32? {
        let response = try capability(TPMCapability.properties, number, count: 1)
        return try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            guard try reader.u32() > 0, try reader.u32() == number else { return nil }
            return try reader.u32()
        }
    }

    private func handles(_ first: UInt32) throws(CommandError) -> [UInt32] {
        let response = try capability(TPMCapability.handles, first, count: 64)
        return try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            var handles: [UInt32] = []
            for _ in 0..<min(try reader.u32(), 64) { handles.append(try reader.u32()) }
            return handles.filter { $0 >> 24 == first >> 24 }
        }
    }

    private func capability(_ kind: UInt32, _ first: UInt32, count: UInt32) throws(CommandError) -> [UInt8] {
        var parameters = TPMWriter()
        for number in [kind, first, count] { parameters.u32(number) }
        let response = try send(TPMFrame.command(.getCapability, parameters: parameters.bytes))
        return try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            _ = try reader.u8()
            guard try reader.u32() == kind else { throw MalformedResponseError() }
            return Array(reader.rest)
        }
    }

    // MARK: Commands

    private func command(
        _ code: TPMCommand, _ objects: [Object], authorization: [UInt8] = [], first: [UInt8]?, _ rest: [UInt8],
        responseHandles: Int = 0, encryptsResponse: Bool
    ) throws(CommandError) -> (handles: [UInt32], parameters: [UInt8]) {
        var session = try startedSession()
        let frame = try reading { () throws(MalformedResponseError) in
            try session.command(
                code, objects.map { (handle: $0.handle, name: $0.name) }, authorization: authorization, first: first,
                rest,
                encryptsResponse: encryptsResponse)
        }
        let content = try send(frame)
        let result = try reading { () throws(MalformedResponseError) in
            try session.parameters(
                of: content, to: code, responseHandles: responseHandles, isEncrypted: encryptsResponse)
        }
        // Updated only after success: a rejected command does not change the TPM's nonce.
        self.session = session
        return result
    }

    private func startedSession() throws(CommandError) -> TPMSession {
        if let session { return session }
        let root = try loadedRoot()
        let salt = try reading { () throws(MalformedResponseError) in
            try TPMSession.Salt(for: root.point, ephemeral: P256.KeyAgreement.PrivateKey())
        }
        let nonce = random()
        var parameters = TPMWriter()
        parameters.sized(nonce)
        parameters.sized(salt.encrypted)
        // An HMAC session.
        parameters.u8(0)
        parameters.u16(TPMAlgorithm.aes)
        parameters.u16(128)
        parameters.u16(TPMAlgorithm.cfb)
        parameters.u16(TPMAlgorithm.sha256)
        let response = try send(
            TPMFrame.command(.startAuthSession, [root.handle, TPMHandle.null], parameters: parameters.bytes))
        let random = random
        let started = try reading { () throws(MalformedResponseError) in
            var reader = TPMReader(response)
            let handle = try reader.u32()
            let nonceTPM = try reader.sized()
            try reader.finish()
            return TPMSession(
                handle: handle, salt: salt.secret, nonceCaller: nonce, nonceTPM: nonceTPM, random: random)
        }
        session = started
        return started
    }

    /// Returns the content after the header of the response. Sends the command again as long as the TPM requests it.
    private func send(_ frame: [UInt8]) throws(CommandError) -> [UInt8] {
        for _ in 0..<Self.patience {
            let response: [UInt8]
            do throws(TPMTransportError) { response = try transport.exchange(frame) } catch {
                throw .transport(error)
            }
            switch try reading({ () throws(MalformedResponseError) in try TPMFrame.content(of: response) }) {
            case .success(let content): return content
            case .failure(let code):
                guard code.asksForPatience else { throw .response(code) }
                pause()
            }
        }
        throw .transport(TPMTransportError("the TPM at \(place) is busy"))
    }

    /// The number of repetitions of a command; together with the pause it stays below the time limits of all callers.
    private static let patience = 100

    private func reading<R>(_ body: () throws(MalformedResponseError) -> R) throws(CommandError) -> R {
        do throws(MalformedResponseError) { return try body() } catch { throw .malformed }
    }
}

extension TokenError {
    fileprivate static var foreign: TokenError {
        TokenError(
            .foreignBlob, "the blob was made by another TPM, or by this TPM before it was cleared, or is damaged")
    }
}

extension ResponseCode {
    /// Whether a repetition is useless, because the error would occur again, and a wrong authorization would count
    /// again.
    fileprivate var isFinal: Bool { [.lockout, .notStarted, .badAuth, .authFail].contains(error) }

    fileprivate func failure(_ place: String) -> TokenError {
        switch error {
        case .lockout: TokenError(.lockedOut, "the TPM at \(place) is locked because of too many wrong passwords")
        case .notStarted: TokenError(.unavailable, "the TPM at \(place) has not been started")
        case .badAuth, .authFail: TokenError(.unavailable, "the TPM at \(place) requires the password of its owner")
        default: TokenError(.failed, "the TPM at \(place) rejects the command: \(self)")
        }
    }
}

/// The TPM's form of a key, as the service stores it (Documentation/Formats/token-key.md).
struct TPMBlob: Equatable {
    /// The name of the storage key of the object.
    let parent: [UInt8]
    /// A TPMT_PUBLIC.
    let publicArea: [UInt8]
    /// The private area, wrapped by the storage key.
    let privateArea: [UInt8]

    private static let version: UInt8 = 1
}

extension TPMBlob {
    /// Nil for other bytes.
    init?(_ bytes: [UInt8]) {
        var reader = TPMReader(bytes)
        do throws(MalformedResponseError) {
            guard try reader.u8() == Self.version else { return nil }
            parent = try reader.sized()
            publicArea = try reader.sized()
            privateArea = try reader.sized()
            try reader.finish()
        } catch {
            return nil
        }
    }

    var bytes: [UInt8] {
        var writer = TPMWriter()
        writer.u8(Self.version)
        for part in [parent, publicArea, privateArea] { writer.sized(part) }
        return writer.bytes
    }
}
