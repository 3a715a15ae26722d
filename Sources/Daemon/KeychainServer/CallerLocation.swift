// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainPlatform

/// The place where the user of a program can be prompted, and whether the program still runs: facts that the service
/// found itself about the caller's process. None was declared in a request, but a process chooses its terminal and its
/// environment.
public struct CallerLocation: Sendable {
    /// Inspects the process. Called only if a prompt is required.
    let find: @Sendable () -> PromptLocation
    /// Returns the paths of the programs that started the process, the nearest first. Called only if a prompt is
    /// required.
    let starters: @Sendable () -> [String]
    private let process: PeerProcess?
    /// The program that the process ran when it was identified.
    private let run: PeerProcess.Snapshot?
    private var connection: ServerConnection?

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - starters: finds the programs that started the process.
    ///   - find: finds the place where a prompt could be shown.
    public init(
        starters: @escaping @Sendable () -> [String] = { [] }, find: @escaping @Sendable () -> PromptLocation
    ) {
        self.find = find
        self.starters = starters
        process = nil
        run = nil
    }

    /// A place where no prompt can be shown.
    public static let nowhere = CallerLocation { .nowhere }

    /// Creates the place of a process.
    ///
    /// - Parameter run: the program that it ran when it was identified.
    init(of process: PeerProcess, running run: PeerProcess.Snapshot) {
        self.process = process
        self.run = run
        starters = { process.starters(atMost: PromptLimits.starters) }
        find = {
            let values = process.environment(Self.variables)
            return PromptLocation(
                terminal: process.controllingTerminal(), terminalKind: values["TERM"], values)
        }
    }

    /// Returns the same place, for a caller that is gone when this connection ends.
    func on(_ connection: ServerConnection) -> CallerLocation {
        var place = self
        place.connection = connection
        return place
    }

    /// Returns whether the process still runs the program with which it was identified. True if there is no process.
    func isOfSameRun() -> Bool {
        guard let process else { return true }
        return process.isAlive && (try? process.snapshot()) == run
    }

    /// The event that means that no caller waits for the answer any more.
    var interruption: ServiceHelper.Interruption {
        ServiceHelper.Interruption(
            readable: process.map { [$0.endDescriptor] } ?? [], hungUp: connection.map { [$0.descriptor] } ?? [])
    }

    /// The environment variables that determine where windows can be shown, and in which language.
    static let variables: Set<String> = [
        "TERM", "LC_ALL", "LC_CTYPE", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
    ]
}

extension PromptLocation {
    /// Creates a place from values.
    ///
    /// - Parameter environment: values of ``CallerLocation/variables``. Invalid values are ignored.
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
