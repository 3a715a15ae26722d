// SPDX-License-Identifier: Apache-2.0

internal import KeychainTerminal

/// The process's arguments, which the kernel shows to every other process of the machine.
enum ArgumentVector {
    /// Returns which bytes of the arguments may be a secret: for each argument the number of bytes to keep, or nil for
    /// all.
    ///
    /// `security` takes passwords after -w, -p, -P and -X. Every word after these options is assumed to be a password,
    /// for every command. After -o most commands take a file, and one takes a password.
    static func secretPlaces(_ arguments: [String]) -> [Int?] {
        let changesPassword = arguments.contains { $0.hasPrefix("set-keychain-p") }
        // For these commands -k is the keychain's password, and -w and -p have other meanings; "set-key" alone is
        // another command.
        let setsPartitions = arguments.contains { word in
            ["set-g", "set-i", "set-key-"].contains { word.hasPrefix($0) }
        }
        let secretLetters = setsPartitions ? "k".utf8 : changesPassword ? "wpPXo".utf8 : "wpPX".utf8
        var places: [Int?] = []
        var nextIsSecret = false
        for argument in arguments {
            if nextIsSecret {
                places.append(0)
                nextIsSecret = false
                continue
            }
            let letters = Array(argument.utf8)
            guard letters.count >= 2, letters[0] == UInt8(ascii: "-"), letters[1] != UInt8(ascii: "-"),
                let flag = letters.dropFirst().firstIndex(where: secretLetters.contains)
            else {
                places.append(nil)
                continue
            }
            nextIsSecret = flag == letters.count - 1
            places.append(nextIsSecret ? nil : flag + 1)
        }
        return places
    }

    /// Overwrites passwords in the argument vector, so that `ps` no longer shows them. They were visible before this
    /// call.
    static func eraseSecrets() {
        CurrentProcess.eraseArguments(keeping: secretPlaces(CommandLine.arguments))
    }
}
