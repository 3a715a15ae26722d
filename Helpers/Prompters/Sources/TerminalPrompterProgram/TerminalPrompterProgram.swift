// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import Prompting

@main struct TerminalPrompterProgram {
    static func main() {
        PrompterProgram.run(
            name: "chatelaine-prompt-tty", purpose: "Shows prompts of the keychain service on a terminal."
        ) { TerminalPrompter().answer($0, packages: $1, desktopNames: $2) }
    }
}
