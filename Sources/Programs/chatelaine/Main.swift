// SPDX-License-Identifier: Apache-2.0

import KeychainCommands

@main
struct Main {
    static func main() {
        CommandLineProgram.main(keychainPath: "", statusMessage: { "OSStatus \($0)" })
    }
}
