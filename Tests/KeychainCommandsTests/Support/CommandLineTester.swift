// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import SecretMemory

@testable import KeychainCommands

/// Runs command lines against a keychain and records their output.
final class CommandLineTester {
    let keychain = ScriptedKeychain()
    /// Another keychain in its place.
    var client: KeychainClient?
    var diagnosticsAreTerminal = false
    var place = KeychainLocation(path: "/home/u/.local/share/chatelaine/keychain.db")
    /// The typed answers to prompts, in order; nil if there is no terminal.
    var answers: [String]?
    /// The answers entered into a pinentry; nil if there is no pinentry.
    var pinentryAnswers: [String]?
    var pinentryHasWindows = false
    /// The text that is shown only on the terminal; nil if there is no terminal.
    var screen: RecordedScreen?
    var inputIsTerminal = false
    var outputIsTerminal = false
    var isStyled = false
    var outputFails = false
    var secondsSince1970: Int64 = 0
    var machine = RecordedMachine()
    let desktop = RecordedDesktop()
    /// The secrets that were put into the clipboard.
    private(set) var copied: [Copied] = []

    struct Copied: Equatable {
        let secret: String
        let seconds: UInt32
        let terminal: String?
    }

    struct Outcome: Equatable {
        var status: Int32
        var output: [UInt8] = []
        var errors: [UInt8] = []

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Runs a command line whose first word is the program's name.
    func run(_ words: String..., input: [UInt8] = []) -> Outcome {
        run(words, input: input)
    }

    func run(_ words: String..., typing text: String) -> Outcome {
        run(words, input: Array(text.utf8))
    }

    func run(_ words: [String], input: [UInt8]) -> Outcome {
        let output = Recorder(fails: outputFails)
        let errors = Recorder()
        let place = place
        var context = CommandContext(
            client: client ?? keychain.client, input: CommandInput(Bytes(input)), output: output, diagnostics: errors,
            prompt: answers.map { [screen] in Typist($0, errors, screen) },
            pinentry: { [pinentryAnswers] in pinentryAnswers.map { Typist($0, errors, name: "pinentry: ") } },
            pinentryHasWindows: pinentryHasWindows, screen: screen, inputIsTerminal: inputIsTerminal,
            outputIsTerminal: outputIsTerminal, outputIsStyled: isStyled,
            diagnosticsAreTerminal: diagnosticsAreTerminal, diagnosticsAreStyled: isStyled,
            findKeychain: { place }, files: SystemFiles(),
            statusMessage: Self.message, columns: 80, secondsSince1970: { [secondsSince1970] in secondsSince1970 })
        context.machine = machine
        context.desktop = desktop
        context.keepInClipboard = { [unowned self] secret, seconds, terminal in
            copied.append(
                Copied(
                    secret: String(decoding: secret.bytes, as: UTF8.self), seconds: seconds, terminal: terminal))
        }
        let status = CommandLineProgram.run(words, in: context)
        return Outcome(status: status, output: output.bytes, errors: errors.bytes)
    }

    /// Apple's texts of the few codes that tests meet.
    static func message(_ status: Int32) -> String {
        switch status {
        case -25300: "The specified item could not be found in the keychain."
        case -25299: "The specified item already exists in the keychain."
        case -25294: "The specified keychain could not be found."
        case -25291: "No keychain is available. You may need to restart your computer."
        case -25307: "The default keychain could not be found."
        case -25308: "User interaction is not allowed."
        default: "OSStatus \(status)"
        }
    }
}

final class Recorder: ByteSink {
    private(set) var bytes: [UInt8] = []
    private let fails: Bool

    init(fails: Bool = false) {
        self.fails = fails
    }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
        if fails { throw StreamError(reason: "Broken pipe") }
        self.bytes += bytes
    }
}

/// Input in pieces of at most 1000 bytes, as pipes give it.
final class Bytes: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    func read(into buffer: inout [UInt8]) throws(StreamError) -> Int {
        let piece = rest.prefix(min(1000, buffer.count))
        buffer.replaceSubrange(0..<piece.count, with: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}

/// A simulated user with prepared answers.
final class Typist: SecretPrompt {
    private var answers: ArraySlice<String>
    private let questions: Recorder
    private let screen: RecordedScreen?
    private let name: String

    /// - Parameter answers: `SHOWN` types the text on the screen in groups of four.
    init(_ answers: [String], _ questions: Recorder, _ screen: RecordedScreen? = nil, name: String = "") {
        self.answers = answers[...]
        self.questions = questions
        self.screen = screen
        self.name = name
    }

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        questions.writeIfPossible(name + question + "\n")
        guard let answer = answers.popFirst() else { throw CommandFailure("nothing was entered") }
        return SecretBytes(copying: (answer == "SHOWN" ? screen?.key ?? "" : answer).utf8)
    }
}

/// A terminal's screen.
final class RecordedScreen: Screen {
    private(set) var text = ""
    private(set) var linesTakenBack = 0

    func show(_ text: some Collection<UInt8>) throws(CommandFailure) {
        self.text += String(decoding: text, as: UTF8.self)
    }

    func takeBack(lines: Int) { linesTakenBack += lines }

    /// The line that looks like a recovery key.
    var key: String? {
        text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }.first {
            $0.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4, 4]
        }.map(String.init)
    }
}
