// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainEndpoint
internal import KeychainTerminal

/// The program `chatelaine`, which acts as `security` when it is called by that name.
public enum CommandLineProgram {
    /// Runs the process's command line and ends the process.
    ///
    /// - Parameters:
    ///   - keychain: the keychain of this machine and environment.
    ///   - statusMessage: returns the text of an `OSStatus`.
    public static func main(
        keychain: @escaping @autoclosure () -> KeychainLocation, statusMessage: @escaping (Int32) -> String
    ) -> Never {
        DescriptorStream.occupyStandardDescriptors()
        let arguments = CommandLine.arguments
        if isSecurity(arguments) { ArgumentVector.eraseSecrets() }
        CurrentProcess.exit(run(arguments, in: .process(keychain: keychain(), statusMessage: statusMessage)))
    }

    /// Runs a command line; the first argument is the name by which the program was called.
    ///
    /// - Returns: the exit status.
    static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
        let words = Array(arguments.dropFirst())
        // Bytes that are not UTF-8 arrive as this character, and would be stored or searched for as other text.
        if words.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            let failure = CommandFailure(
                "an argument is not UTF-8", hint: "names must be text; only secrets may be any bytes", exitCode: .usage)
            context.diagnostics.writeIfPossible(failure.report(styled: context.diagnosticsAreStyled))
            return failure.exitCode.rawValue
        }
        guard isSecurity(arguments) else { return ChatelaineCommand.run(words, in: context) }
        let isSubcommand = baseName(arguments[0]) != "security"
        return SecurityTool(context).run(isSubcommand ? Array(words.dropFirst()) : words)
    }

    /// Returns whether the command line is `security …` by any path, or `chatelaine security …`.
    private static func isSecurity(_ arguments: [String]) -> Bool {
        guard let name = arguments.first else { return false }
        return baseName(name) == "security" || arguments.dropFirst().first == "security"
    }

    private static func baseName(_ path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }
}

extension CommandContext {
    /// Returns the context of this process: its standard streams, its terminal, and the keychain of its environment.
    static func process(
        keychain: @escaping @autoclosure () -> KeychainLocation, statusMessage: @escaping (Int32) -> String
    ) -> CommandContext {
        // Colours are for terminals only, and are off with NO_COLOR (no-color.org) or on a terminal without colours.
        let mayStyle =
            (CurrentProcess.environmentVariable("NO_COLOR") ?? "").isEmpty
            && CurrentProcess.environmentVariable("TERM") != "dumb"
        let hasWindows = ["CHATELAINE_PINENTRY", "WAYLAND_DISPLAY", "DISPLAY"].contains { name in
            CurrentProcess.environmentVariable(name)?.isEmpty == false
        }
        var context = CommandContext(
            client: .current, input: CommandInput(StandardStream.input), output: StandardStream.output,
            diagnostics: StandardStream.error, prompt: TerminalPrompt.controllingTerminal,
            pinentry: { PinentryPrompt.ofEnvironment }, pinentryHasWindows: hasWindows,
            screen: TerminalScreen.controllingTerminal,
            inputIsTerminal: StandardStream.input.isTerminal, outputIsTerminal: StandardStream.output.isTerminal,
            outputIsStyled: mayStyle && StandardStream.output.isTerminal,
            diagnosticsAreTerminal: StandardStream.error.isTerminal,
            diagnosticsAreStyled: mayStyle && StandardStream.error.isTerminal,
            findKeychain: keychain, files: SystemFiles(), statusMessage: statusMessage,
            secondsFromUTC: CurrentProcess.localSecondsFromUTC(at:),
            secondsSince1970: { CurrentProcess.secondsSince1970 })
        context.startAuthenticationAgent = {
            // Root needs no authorization.
            let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains { name in
                CurrentProcess.environmentVariable(name)?.isEmpty == false
            }
            guard !CurrentProcess.isRoot, let agent = AuthenticationAgent(yieldingToDesktop: hasDesktop) else {
                return nil
            }
            return agent.end
        }
        return context
    }
}
