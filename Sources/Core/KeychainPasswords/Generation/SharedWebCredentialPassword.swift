// SPDX-License-Identifier: Apache-2.0

/// Passwords of the form `xxx-xxx-xxx-xxx`, as `SecCreateSharedWebCredentialPassword` makes them: of letters and digits
/// that are not easily confused, with at least one capital letter, one small letter and one digit.
package enum SharedWebCredentialPassword {
    /// Returns a password in ASCII. The caller wipes it.
    package static func generate(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var characters = sampler.draw(using: &generator)
        defer { overwrite(&characters) }
        var password: [UInt8] = []
        password.reserveCapacity(15)
        for (place, character) in characters.enumerated() {
            if place > 0, place % 3 == 0 { password.append(UInt8(ascii: "-")) }
            password.append(character)
        }
        return password
    }

    /// The sets in Apple's documentation of the function.
    private static let sampler: CharacterSampler = {
        let sets = ["abcdefghkmnopqrstuvwxy", "ABCDEFGHJKLMNPQRSTUVWXYZ", "3456789"].map { ASCIICharacters($0) }
        guard
            let sampler = CharacterSampler(
                alphabet: sets[0].union(sets[1]).union(sets[2]), demands: sets, length: 12, longestRun: nil)
        else { preconditionFailure("twelve characters have room for three sets") }
        return sampler
    }()
}
