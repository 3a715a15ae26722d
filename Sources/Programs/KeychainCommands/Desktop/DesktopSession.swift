// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainHelperWire
internal import KeychainTerminal

/// The user's session bus, and the start of a program on it. Tests use another implementation.
protocol DesktopSession {
    /// Connects to the session bus through the helper.
    ///
    /// - Throws: a failure if there is a bus and it cannot be reached.
    func connect() throws(CommandFailure) -> DesktopConnection
    /// Starts a program that outlives this command, and waits for a condition.
    ///
    /// - Returns: false if the program ended before the condition was met, or the time is up.
    func start(
        _ program: String, _ arguments: [String], until isMet: () throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Bool
}

/// A connection to the session bus, or the reason why there is none.
enum DesktopConnection {
    case open(any ProviderLink)
    case noBus
    /// There is a session bus, but the helper program is not installed.
    case noHelper
}

/// A session of the helper that reads the provider of the Secret Service.
protocol ProviderLink {
    /// Sends a request. The user may be prompted by the provider meanwhile.
    ///
    /// - Throws: a failure with the helper's reason, also for a refusal.
    func answer(to request: ProviderRequest) throws(CommandFailure) -> ProviderReply
}

/// This user's session.
struct ThisDesktop: DesktopSession {
    static let helper = "chatelaine-secrets-import"

    func connect() throws(CommandFailure) -> DesktopConnection {
        guard let address = Self.address else { return .noBus }
        guard let path = ThisMachine().helper(Self.helper) else { return .noHelper }
        let link = try HelperLink(path)
        _ = try link.answer(to: .connect(bus: address))
        return .open(link)
    }

    /// The address of the session bus; nil for none.
    private static var address: String? {
        if let address = CurrentProcess.environmentVariable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            return address
        }
        guard let folder = CurrentProcess.environmentVariable("XDG_RUNTIME_DIR"), folder.hasPrefix("/"),
            let facts = try? FileFacts(folder + "/bus"), facts.kind == .socket
        else { return nil }
        return "unix:path=" + folder.utf8.map(Self.escaped).joined() + "/bus"
    }

    /// Writes a byte as the addresses of D-Bus need it.
    private static func escaped(_ byte: UInt8) -> String {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-_/.\\".contains(character) {
            return String(character)
        }
        let digits = String(byte, radix: 16)
        return "%" + (digits.count < 2 ? "0" : "") + digits
    }

    func start(
        _ program: String, _ arguments: [String], until isMet: () throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Bool {
        let child: ChildProcess
        do throws(SystemCallError) {
            child = try ChildProcess(
                program, arguments: arguments, streams: .none, environment: nil,
                options: [.newSession, .closedDescriptors])
        } catch {
            throw CommandFailure("cannot start \"\(program)\": \(error.reason)")
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try isMet() {
                child.detach()
                return true
            }
            // Also the pause between two looks.
            if child.wait(atMost: .milliseconds(20)) != nil { return false }
        }
        return false
    }
}

/// The session of a helper process, which ends with this object.
private final class HelperLink: ProviderLink {
    private let session: HelperSession

    init(_ path: String) throws(CommandFailure) {
        do throws(HelperError) {
            session = try HelperSession(path, arguments: [])
        } catch {
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
    }

    func answer(to request: ProviderRequest) throws(CommandFailure) -> ProviderReply {
        // Longer than the time that the helper gives the user for a prompt of the provider.
        let timeout: Duration =
            switch request {
            case .unlock, .secret: .seconds(360)
            case .connect, .owner, .collections, .items, .reload: .seconds(120)
            }
        let frame: [UInt8]
        do throws(HelperError) {
            frame = try session.answer(to: request.frame, timeout: timeout, size: HelperFrameHeader.frameSize)
        } catch {
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
        let reply: ProviderReply
        do throws(HelperWireError) {
            reply = try ProviderReply(frame)
        } catch {
            throw CommandFailure("\(ThisDesktop.helper) gave an invalid answer", exitCode: .unavailable)
        }
        if case .refusal(let refusal) = reply { throw CommandFailure(refusal.reason, exitCode: .unavailable) }
        return reply
    }
}
