// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import Prompting

@main struct TerminalPrompterProgram {
    static func main() {
        PrompterProgram.run(
            name: "chatelaine-prompt-tty", purpose: "Asks a person on a terminal, for the keychain service."
        ) { TerminalPrompter().answer($0) }
    }
}
