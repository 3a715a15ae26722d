// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import KeychainWire
import Security
import Testing

/// What the item functions say in the log when they fail.
@Suite struct `Diagnostics of the item functions` {
    init() { Recorder.install }

    private func logged(_ answer: RecordingService.Answer = .items([]), _ body: () -> OSStatus) -> [String] {
        let recorder = Recorder()
        Recorder.$current.withValue(recorder) { _ = RecordingService(answer).run(body) }
        return recorder.lines
    }

    @Test func `a wrong key or value is named by its constant`() {
        let cases: [([CFString: Any], String)] = [
            ([kSecClass: kSecClassInternetPassword, kSecAttrService: "s"], "internet password has no kSecAttrService"),
            ([kSecClass: kSecClassGenericPassword, kSecMatchLimit: "two"], "value of kSecMatchLimit has a wrong type"),
            (
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: Date()],
                "value of kSecAttrAccount has a wrong type"
            ),
            ([kSecClass: kSecClassGenericPassword, "v_Unknown" as CFString: 1], "does not know the key \"v_Unknown\""),
            ([kSecAttrAccount: "a"], "neither kSecClass nor kSecValuePersistentRef"),
            ([kSecClass: "ashp"], "kSecClass is not a class"),
            ([kSecClass: kSecClassGenericPassword, kSecReturnData: 1], "value of kSecReturnData"),
        ]
        for (dictionary, reason) in cases {
            let lines = logged { SecItemCopyMatching(dictionary as CFDictionary, nil) }
            #expect(lines.count == 1 && lines[0].hasPrefix("SecItemCopyMatching: status -"), "\(lines)")
            #expect(lines.first?.contains(reason) == true, "\(lines) does not say: \(reason)")
        }
    }

    @Test func `values never appear`() {
        let secret = "do not print me"
        let dictionaries: [[CFString: Any]] = [
            [kSecClass: secret], [kSecClass: kSecClassGenericPassword, kSecMatchLimit: secret],
            [kSecClass: kSecClassGenericPassword, kSecAttrService: secret, kSecAttrServer: secret],
            [kSecClass: kSecClassGenericPassword, kSecValueData: secret],
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: secret],
        ]
        for dictionary in dictionaries {
            let lines = logged(.refusal(.duplicateItem)) { SecItemAdd(dictionary as CFDictionary, nil) }
            #expect(!lines.isEmpty && lines.allSatisfy { !$0.contains(secret) }, "\(lines)")
        }
    }

    @Test func `a key of a caller's own invention is shortened and made printable`() {
        let key = "v_\u{1B}[31m" + String(repeating: "x", count: 100)
        let lines = logged {
            SecItemCopyMatching(
                [kSecClass: kSecClassGenericPassword, key: 1] as [AnyHashable: Any] as CFDictionary, nil)
        }
        #expect(lines.count == 1 && lines[0].contains("v_?[31mxxx") && !lines[0].contains("\u{1B}"), "\(lines)")
        #expect(lines[0].utf8.count < 300)
    }

    @Test func `the text of an error of the service contains no structure of Swift`() {
        let errors =
            Refusal.Reason.allCases.map { ClientError.refused(Refusal(.interactionNotAllowed, $0)) }
            + [.unavailable("it is gone", hint: "start it"), .protocolViolation(.truncated)]
            + [WireError.version(9), .unexpected(.hello), .attributes(.wrongType(.label))]
            .map(ClientError.protocolViolation)
        for error in errors {
            #expect(
                "\(error)".contains(" ") && !"\(error)".contains(/\w\(|KeychainModel|rawValue|Optional/), "\(error)")
        }
        #expect("\(ClientError.unavailable("it is gone", hint: "start it"))" == "it is gone; start it")
    }

    @Test func `an error object of a key function contains no structure of Swift`() throws {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as [CFString: Any],
        ]
        var error: Unmanaged<CFError>?
        RecordingService(.refusal(.interactionNotAllowed)).run {
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
        }
        let object: NSError = try #require(error?.takeRetainedValue())
        #expect(
            object.localizedDescription.hasSuffix(
                "(OSStatus error -25308 - the key cannot be stored: User interaction is not allowed.)"))
    }

    @Test func `a log line about the service is a sentence`() {
        let lines = logged(.refusal(.interactionNotAllowed)) {
            SecItemCopyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, nil)
        }
        #expect(
            lines.first?.hasSuffix(" The keychain service refused the request with status -25308.") == true, "\(lines)")
    }

    @Test func `a success logs nothing, and without a listener nothing is logged`() {
        let item = ReturnedItem<[UInt8]>(
            reference: PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: 1)),
            attributes: nil,
            secret: nil)
        #expect(
            logged(.items([item])) { SecItemAdd([kSecClass: kSecClassGenericPassword] as CFDictionary, nil) }.isEmpty)
        let service = RecordingService(.refusal(.itemNotFound))
        #expect(
            service.run { SecItemCopyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, nil) }
                == errSecItemNotFound)
        // The search, and no request for an explanation.
        #expect(service.requestCount == 1)
    }
}
