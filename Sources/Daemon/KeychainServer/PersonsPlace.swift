// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainPlatform

/// Where the person may be who uses a program, and whether the program is still there: what the service found out by itself about
/// the caller's process. Nothing of it was declared in a request; but a process chooses its terminal and its environment.
public struct PersonsPlace: Sendable {
    /// Looks at the process. Only when somebody is to be asked.
    let find: @Sendable () -> PromptPlace
    /// The paths of the programs that started the process, the nearest first. Also only when somebody is to be asked.
    let starters: @Sendable () -> [String]
    private let process: PeerProcess?
    /// What the process ran when it was identified.
    private let run: PeerProcess.Snapshot?
    private var connection: ServerConnection?

    /// - Parameters:
    ///   - starters: looks who started the process.
    ///   - find: looks where somebody could be asked.
    public init(
        starters: @escaping @Sendable () -> [String] = { [] }, find: @escaping @Sendable () -> PromptPlace
    ) {
        self.find = find
        self.starters = starters
        process = nil
        run = nil
    }

    /// Nobody can be asked there.
    public static let nowhere = PersonsPlace { .nowhere }

    /// The surroundings of a process.
    ///
    /// - Parameter run: what it ran when it was identified.
    init(of process: PeerProcess, running run: PeerProcess.Snapshot) {
        self.process = process
        self.run = run
        starters = { process.starters(atMost: PromptLimits.starters) }
        find = {
            let values = process.environment(Self.variables)
            return PromptPlace(
                terminal: process.controllingTerminal(), terminalKind: values["TERM"], values)
        }
    }

    /// The same, of a caller that is gone when this connection is.
    func on(_ connection: ServerConnection) -> PersonsPlace {
        var place = self
        place.connection = connection
        return place
    }

    /// Whether the process lives and still runs the program that it ran when it was identified. True where there is no process.
    func isOfSameRun() -> Bool {
        guard let process else { return true }
        return process.isAlive && (try? process.snapshot()) == run
    }

    /// What means that nobody waits for the answer any more.
    var interruption: ServiceHelper.Interruption {
        ServiceHelper.Interruption(
            readable: process.map { [$0.endDescriptor] } ?? [], hungUp: connection.map { [$0.descriptor] } ?? [])
    }

    /// The environment variables that say where windows can be shown, and in which language.
    static let variables: Set<String> = [
        "TERM", "LC_ALL", "LC_CTYPE", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    ]
}

extension PromptPlace {
    /// - Parameter environment: values of ``PersonsPlace/variables``. What cannot be a value of its kind is passed over.
    init(terminal: String?, terminalKind: String?, _ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(
            terminal: terminal.flatMap { Self.isTerminal($0) ? $0 : nil },
            terminalKind: terminalKind.flatMap { Self.isWord($0) ? $0 : nil },
            locale: locale.flatMap { Self.isWord($0) ? $0 : nil },
            display: PromptDisplay(
                x11: environment["DISPLAY"], wayland: environment["WAYLAND_DISPLAY"],
                authority: environment["XAUTHORITY"]))
    }
}
