// SPDX-License-Identifier: Apache-2.0

internal import Authorization
internal import BusQuestion
internal import KeychainHelperWire

/// The main program: answers one authorization request.
@main struct AuthorizationProgram {
    private static let usage = """
        usage: chatelaine-authorization <request >answer

        Asks polkit, for the system service, whether the owner of a keychain authorizes a change.
        The system service starts this program; do not run it by hand. See chatelaine-authorization(8).

        """

    static func main() {
        BusQuestion(usage: usage, questionBytes: 32 + AuthorizationLimits.operationBytes, seconds: 150).run {
            question in
            { bus, end in AuthorizationConversation(on: bus).answer(question, until: end) }
        }
    }
}
