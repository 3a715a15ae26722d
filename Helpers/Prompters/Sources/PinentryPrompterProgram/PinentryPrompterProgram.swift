// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import Prompting

@main struct PinentryPrompterProgram {
    static func main() {
        PrompterProgram.run(
            name: "chatelaine-prompt-pinentry", purpose: "Shows prompts of the keychain service with pinentry."
        ) { PinentryPrompter().answer($0, packages: $1, desktopNames: $2) }
    }
}
