// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import SecretMemory

@testable import KeychainCommands

/// Runs command lines against a keychain and keeps what they print.
final class CommandLineTester {
    let keychain = ScriptedKeychain()
    /// What a person types when asked, one answer after the other; nil: there is no terminal.
    var answers: [String]?
    var inputIsTerminal = false
    var outputIsTerminal = false
    var isStyled = false
    var outputFails = false

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
        let context = CommandContext(
            client: keychain.client, input: CommandInput(Bytes(input)), output: output, diagnostics: errors,
            prompt: answers.map { Typist($0, errors) }, inputIsTerminal: inputIsTerminal,
            outputIsTerminal: outputIsTerminal, outputIsStyled: isStyled, diagnosticsAreStyled: isStyled,
            keychainPath: "/home/u/.local/share/chatelaine/keychain.db", files: SystemFiles(),
            statusMessage: Self.message, columns: 80)
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

/// A person who answers what was prepared.
final class Typist: SecretPrompt {
    private var answers: ArraySlice<String>
    private let screen: Recorder

    init(_ answers: [String], _ screen: Recorder) {
        self.answers = answers[...]
        self.screen = screen
    }

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        screen.writeIfPossible(question + "\n")
        guard let answer = answers.popFirst() else { throw CommandFailure("nothing was entered") }
        return SecretBytes(copying: answer.utf8)
    }
}
