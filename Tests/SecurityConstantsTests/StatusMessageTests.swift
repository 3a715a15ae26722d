// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

private func message(_ status: OSStatus) -> String? { SecCopyErrorMessageString(status, nil) as String? }

@Suite struct `Messages of status codes` {
    @Test(
        arguments: [
            (errSecSuccess, "No error."),
            (errSecParam, "One or more parameters passed to a function were not valid."),
            (errSecUserCanceled, "User canceled the operation."),
            (errSecAuthFailed, "The user name or passphrase you entered is not correct."),
            (errSecNoSuchKeychain, "The specified keychain could not be found."),
            (errSecInvalidKeychain, "The specified keychain is not a valid keychain file."),
            (errSecDuplicateKeychain, "A keychain with the same name already exists."),
            (errSecDuplicateItem, "The specified item already exists in the keychain."),
            (errSecItemNotFound, "The specified item could not be found in the keychain."),
            (errSecNoDefaultKeychain, "A default keychain could not be found."),
            (errSecInteractionNotAllowed, "User interaction is not allowed."),
        ] as [(OSStatus, String)])
    func `are Apple's to the letter where scripts compare them`(status: OSStatus, expected: String) {
        #expect(message(status) == expected)
    }

    @Test func `exist for every code and end as sentences`() throws {
        for row in try ConstantsTable().codes {
            let status = try #require(OSStatus(row.value))
            let text = try #require(message(status))
            #expect(text == row.about, "\(row.name)")
            #expect(!text.hasPrefix("OSStatus") && !text.hasPrefix("UNIX"), "\(row.name) has no message")
            #expect(text.hasSuffix("."), "\(row.name)")
            #expect(text.first?.isUppercase == true, "\(row.name)")
        }
    }

    @Test func `differ from code to code`() throws {
        let texts = try ConstantsTable().codes.map(\.about)
        let repeated = Dictionary(grouping: texts, by: \.self).filter { $0.value.count > 1 }.keys
        #expect(repeated.isEmpty)
    }

    @Test func `of codes without a constant are sentences too`() {
        for status: OSStatus in [-25330, -26276, -34019] {
            #expect(message(status)?.hasSuffix(".") == true)
        }
    }

    @Test func `of errors of the system carry its text`() {
        #expect(message(100_000 + ENOENT) == "UNIX[No such file or directory]")
        #expect(message(100_000 + EACCES) == "UNIX[Permission denied]")
    }

    @Test(arguments: [1, -1, -99_999, 100_000, 100_256, .min, .max] as [OSStatus])
    func `of unknown codes show the number`(status: OSStatus) {
        #expect(message(status) == "OSStatus \(status)")
    }

    @Test func `need not be looked at`() {
        SecCopyErrorMessageString(errSecParam, nil)
    }
}
