// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire
internal import SecretMemory

/// The object that a connection reaches: a keychain, or the door of a keychain that waits for the PIN of its device
/// key.
enum KeychainEntrance: Sendable {
    case open(Pipeline)
    case closed(KeychainDoor)
}

/// The door of a keychain that cannot be opened before the PIN of its device key is entered. Until then the service
/// knows neither its items nor its access rules. The door accepts the PIN, reports the state of the keychain, and
/// refuses all other requests.
struct KeychainDoor: Sendable {
    /// Returns the keychain after it was opened.
    let opened: @Sendable () -> Pipeline?
    /// Opens the keychain with the PIN.
    let open: @Sendable (_ pin: SecretBytes) throws(Refusal) -> Pipeline
    let report: @Sendable () throws(Refusal) -> TokenReport
    /// The protections that the service could apply to its process.
    let protections: [String]

    static let refusal = Refusal(.interactionNotAllowed, .pinNeeded)

    /// Carries out one request, like ``Pipeline/respond(to:on:identify:willWatch:)``. Its refusals leave no line
    /// in the audit log, because the key of the log depends on the device key; the correct PIN leaves a line.
    func respond(
        to frame: consuming Frame, on connection: RequestConnection, identify: () throws(Refusal) -> AuditedCaller
    ) throws(ConnectionLostError) -> Pipeline.NextPhase {
        var answer: [UInt8]
        var next = Pipeline.NextPhase.requests
        let request: Request<SecretBytes>
        do throws(WireError) {
            request = try Request(frame, nonce: connection.nonce) { SecretBytes(copying: $0) }
        } catch {
            answer = ReplyWriter.refusal(error.refusal)
            try connection.send(&answer)
            return error.isCallersMistake ? .requests : .end
        }
        do throws(Refusal) {
            let caller: AuditedCaller
            do throws(Refusal) { caller = try identify() } catch {
                next = .end
                throw error
            }
            answer = try carryOut(request, for: caller)
        } catch {
            answer = ReplyWriter.refusal(error)
        }
        try connection.send(&answer)
        return next
    }

    private func carryOut(_ request: Request<SecretBytes>, for caller: AuditedCaller) throws(Refusal) -> [UInt8] {
        switch request {
        case .status: return status(for: caller.caller)
        case .administer(let administration):
            guard caller.caller.tier != .unidentified else { throw Refusal(.missingEntitlement, .unidentifiedCaller) }
            switch administration {
            case .openDeviceKey(let pin):
                let pipeline = try open(pin)
                pipeline.service.record(AuditEvent(request, by: caller, .carriedOut))
                return finished()
            // No keys are open that could be locked.
            case .lock: return finished()
            case .readTokens: return try report().frame
            default: throw Self.refusal
            }
        default: throw Self.refusal
        }
    }

    private func finished() -> [UInt8] {
        var writer = ReplyWriter()
        return writer.finish()
    }

    private func status(for caller: Caller) -> [UInt8] {
        ServiceStatus(
            version: ProductVersion.current, lockState: .awaitingPIN, callerTier: caller.tier,
            callerPath: caller.displayPath, accessGroups: caller.accessGroups, itemCount: nil, unreadableCount: nil,
            protections: protections, contents: nil
        ).frame
    }
}
