// SPDX-License-Identifier: Apache-2.0

internal import BusQuestion
internal import Fingerprint
@preconcurrency @unsafe internal import Glibc
internal import KeychainHelperWire

/// The main program: answers one fingerprint request.
@main struct FingerprintProgram {
    private static let usage = """
        usage: chatelaine-fingerprint <request >answer

        Verifies fingerprints with fprintd for the keychain service.
        The keychain service starts this program; do not run it by hand. See chatelaine-fingerprint(8).

        """

    static func main() {
        BusQuestion(usage: usage, questionBytes: 16, seconds: 60).run { question in
            // Looked up now, because accounts are in files.
            let user = (try? FingerprintRequest(question))?.user
            let name = user.flatMap(accountName)
            return { bus, end in
                FingerprintConversation(on: bus) { $0 == user ? name : nil }.answer(question, until: end)
            }
        }
    }

    /// Returns the name of a user; nil if the system knows no such user or cannot look it up.
    private static func accountName(of user: UInt32) -> String? {
        // The name is copied at once. Only this thread reads accounts.
        guard let account = unsafe getpwuid(user), let name = unsafe account.pointee.pw_name else { return nil }
        return unsafe String(validatingCString: name)
    }
}
