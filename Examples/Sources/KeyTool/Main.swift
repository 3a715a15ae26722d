// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication

/// `KeyTool COMMAND ARGUMENT...`, or without arguments one command a line from standard input, with an answer a line.
///
/// Keys, data and signatures are in Base64; nothing at all is written `-`.
@main
struct Main {
    static let usage = """
        new TYPE BITS                                       a private key and its public half
        public TYPE PRIVATE                                 its public half
        can OPERATION TYPE HALF KEY ALGORITHM               yes or no
        sign TYPE PRIVATE ALGORITHM DATA                    a signature
        verify TYPE PUBLIC ALGORITHM DATA SIGNATURE         yes, or why not
        encrypt TYPE PUBLIC ALGORITHM DATA                  the ciphertext
        decrypt TYPE PRIVATE ALGORITHM CIPHERTEXT           the data
        agree TYPE PRIVATE ALGORITHM PUBLIC BYTES INFO      a secret
        import PASSPHRASE FILE                              the numbers of format and type, and the items
        export FORMAT pem|der PASSPHRASE TYPE HALF KEY CERTIFICATE...
                                                            a file

        With a private key in the keychain, which stays there and has the application tag TAG:
        keychain make TAG TYPE BITS                         a new one; its public half
        keychain make-in-token TAG                          a new one in a token; its public half
        keychain make-in-token-for-owner TAG                the same, for one that asks for its owner each time
        keychain store TAG TYPE PRIVATE                     yes
        keychain public TAG                                 its public half
        keychain export TAG                                 why not, as for a key that is let go, or returned as data
        keychain data TAG
        keychain let-go TAG
        keychain sign TAG ALGORITHM DATA                    a signature
        keychain sign-in-context TAG ALGORITHM DATA         a signature; the owner is asked once for all of them
        keychain decrypt TAG ALGORITHM CIPHERTEXT           the data
        keychain agree TAG ALGORITHM TYPE PUBLIC            a secret

        TYPE is rsa, ec, ed25519 or x25519; HALF is private or public; OPERATION is sign, verify, encrypt, decrypt or
        agree. ALGORITHM is a raw value of SecKeyAlgorithm, such as algid:sign:ECDSA:message-X962:SHA256.
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let context = LAContext()
        guard arguments.isEmpty else {
            let answer = answer(arguments, in: context)
            print(answer)
            exit(answer.hasPrefix("error ") ? 1 : 0)
        }
        while let line = readLine() {
            // Not with print, which buffers lines if the output is not a terminal; the program at the other end waits
            // for the answer.
            let answer = answer(line.split(separator: " ").map(String.init), in: context)
            FileHandle.standardOutput.write(Data((answer + "\n").utf8))
        }
    }

    static func answer(_ words: [String], in context: LAContext) -> String {
        do {
            return try Command(words, in: context).run()
        } catch is Misuse {
            return "error " + usage.replacing("\n", with: "; ")
        } catch {
            let reason = error as NSError
            return "error \(reason.code) \(reason.localizedDescription)"
        }
    }
}

/// A command that is none.
struct Misuse: Error {}
