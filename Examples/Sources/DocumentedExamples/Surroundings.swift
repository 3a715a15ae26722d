// SPDX-License-Identifier: Apache-2.0

import Keychain

// What the examples of the documents use and leave to the reader. Tools/examples puts the examples beside this file.

let keychain = UserKeychain()
let mail = GenericPassword(service: "com.example.mail", account: "ann")
let token = GenericPassword(service: "com.example.api", account: "ann")
let secret = SecretData(utf8: "correct horse")

/// A certificate that is never read.
let certificate = { () -> KeychainCertificate in preconditionFailure("examples are compiled, not run") }()
let authority = certificate

func show(_ accounts: [String]) {}

func login(with password: Span<UInt8>) {}

func keepToken(_ token: String, in keychain: UserKeychain) async throws {}

func readSettings() throws -> String { "com.example" }
