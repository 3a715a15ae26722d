// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import Prompting

@main struct PinentryPrompterProgram {
    static func main() {
        PrompterProgram.run(
            name: "chatelaine-prompt-pinentry", purpose: "Asks a person by pinentry, for the keychain service."
        ) { PinentryPrompter().answer($0) }
    }
}
