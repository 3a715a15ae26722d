// SPDX-License-Identifier: Apache-2.0

import KeychainTransfer
import Testing

@Suite struct PassphraseTests {
    @Test func `a passphrase shows nothing of itself`() {
        let passphrase = Passphrase("open sesame")
        #expect("\(passphrase)" == "passphrase")
        var dumped = ""
        dump(passphrase, to: &dumped)
        #expect(!dumped.contains("sesame") && !dumped.contains("111"))
    }
}
