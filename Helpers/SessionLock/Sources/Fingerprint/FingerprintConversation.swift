// SPDX-License-Identifier: Apache-2.0

public import DBus
public import DBusMessages
internal import KeychainHelperWire

/// One fingerprint request and its answer (Documentation/Protocols/helper.md, "Fingerprints").
public struct FingerprintConversation: Sendable {
    /// Limits of time and of attempts.
    public struct Limits: Sendable {
        /// The time for the list of fingers. The service waits a little longer.
        public var enrolment: Duration = .milliseconds(1600)
        /// The time to release the reader.
        public var tidying: Duration = .milliseconds(800)
        /// The number of unreadable scans that are allowed.
        public var unreadableScans = 10
        /// The number of readers that are examined.
        public var readers = 8

        public init() {}
    }

    private let addresses: [ServerAddress]
    private let limits: Limits
    private let accountName: @Sendable (UInt32) -> String?

    /// - Parameters:
    ///   - addresses: the addresses of fprintd's bus.
    ///   - accountName: returns the account name of a user, because fprintd identifies users by name; nil if the user
    ///     does not exist.
    public init(
        on addresses: [ServerAddress], limits: Limits = Limits(), accountName: @escaping @Sendable (UInt32) -> String?
    ) {
        self.addresses = addresses
        self.limits = limits
        self.accountName = accountName
    }

    /// Returns the answer to a request frame; nil after an interruption. When this function returns, no reader is
    /// claimed any more.
    ///
    /// - Parameter end: interrupts the request, from any thread.
    public func answer(_ frame: [UInt8], until end: Wakeup) -> [UInt8]? {
        do throws(HelperWireError) {
            switch try FingerprintRequest(frame) {
            case .enrolment(let user): return enrolment(of: user, until: end)?.frame
            case .verification(let user, let seconds):
                return verification(of: user, .seconds(Int(seconds)), until: end).map {
                    VerificationReply.result($0).frame
                }
            }
        } catch {
            return HelperRefusal(reason: "the request is malformed: \(error)").frame
        }
    }

    /// Returns the owner of the fingers; nil if the user does not exist.
    private func owner(_ user: UInt32?) -> Fprintd.FingerOwner? {
        guard let user else { return .ownUser }
        return accountName(user).flatMap(Fprintd.FingerOwner.init(named:))
    }

    // MARK: Enrolment

    private func enrolment(of user: UInt32?, until end: Wakeup) -> EnrolmentReply? {
        let deadline = ContinuousClock.now + limits.enrolment
        guard let owner = owner(user) else { return .absent(.refused) }
        do throws(RemoteService.Error) {
            let fprintd = try Fprintd(on: addresses, until: deadline, or: end)
            return .reader(try reader(of: fprintd, for: owner, until: deadline).enrolled)
        } catch {
            switch error {
            case .interrupted: return nil
            case .noBus, .unreachable, .unknown, .notStarted: return .absent(.noService)
            case .refused("net.reactivated.Fprint.Error.NoSuchDevice"): return .absent(.noReader)
            case .refused: return .absent(.refused)
            case .timedOut, .broken: return .absent(.unanswered)
            }
        }
    }

    private struct Reader {
        let device: ObjectPath
        let enrolled: EnrolledFingers
    }

    /// Returns the first reader that knows a finger of the user; the first reader if none does.
    private func reader(
        of fprintd: Fprintd, for owner: Fprintd.FingerOwner, until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> Reader {
        var first: Reader?
        for device in try fprintd.devices(until: deadline).prefix(limits.readers) {
            let (name, scan) = try fprintd.properties(of: device, until: deadline)
            let fingers = try fprintd.fingers(of: owner, on: device, until: deadline)
            guard
                let enrolled = EnrolledFingers(
                    reader: Self.shortened(name), scan: Self.scan(scan), fingers: fingers)
            else { throw .broken }
            let reader = Reader(device: device, enrolled: enrolled)
            if !enrolled.fingers.isEmpty { return reader }
            first = first ?? reader
        }
        guard let first else { throw .broken }
        return first
    }

    private static func scan(_ text: String?) -> EnrolledFingers.Scan {
        switch text {
        case "press": .press
        case "swipe": .swipe
        default: .unknown
        }
    }

    private static func shortened(_ name: String) -> String {
        var name = name
        while name.utf8.count > FingerprintLimits.readerBytes { name.removeLast() }
        return name.isEmpty ? "fingerprint reader" : name
    }

    // MARK: Verification

    /// Returns the result of the verification; nil after an interruption.
    private func verification(
        of user: UInt32?, _ patience: Duration, until end: Wakeup
    ) -> VerificationResult? {
        let deadline = ContinuousClock.now + patience
        guard let owner = owner(user) else { return .unavailable }
        do throws(RemoteService.Error) {
            let fprintd = try Fprintd(on: addresses, until: deadline, or: end)
            let reader = try reader(of: fprintd, for: owner, until: deadline)
            guard !reader.enrolled.fingers.isEmpty else { return .unavailable }
            try fprintd.listen(to: reader.device, until: deadline)
            return try look(at: reader.device, for: owner, fprintd, until: deadline)
        } catch {
            switch error {
            case .interrupted: return nil
            case .timedOut, .noBus, .unreachable, .unknown, .notStarted, .refused, .broken: return .unavailable
            }
        }
    }

    private func look(
        at device: ObjectPath, for owner: Fprintd.FingerOwner, _ fprintd: Fprintd,
        until deadline: ContinuousClock.Instant
    ) throws(RemoteService.Error) -> VerificationResult {
        var isLooking = false
        // Also without an answer to the claim, because the claim may still succeed later.
        defer { fprintd.giveBack(device, isLooking: isLooking, until: .now + limits.tidying) }
        try fprintd.claim(device, for: owner, until: deadline)
        // Set also if the answer to this call is lost.
        isLooking = true
        try fprintd.startVerification(on: device, until: deadline)
        var unreadableScans = 0
        while true {
            let status: Fprintd.Status
            do throws(RemoteService.Error) {
                status = try fprintd.status(of: device, until: deadline)
            } catch .timedOut {
                return .timedOut
            } catch {
                throw error
            }
            switch status.result {
            case "verify-match": return .match
            case "verify-no-match": return .noMatch
            case "verify-disconnected", "verify-unknown-error": return .unavailable
            default:
                // The scan was too short or not centred, or has a result of a later version. The user shows the finger
                // again; fprintd continues by itself unless it reports that it has stopped.
                unreadableScans += 1
                guard unreadableScans < limits.unreadableScans else { return .unreadable }
                guard status.isDone else { continue }
                try fprintd.stopVerification(on: device, until: deadline)
                try fprintd.startVerification(on: device, until: deadline)
            }
        }
    }
}
