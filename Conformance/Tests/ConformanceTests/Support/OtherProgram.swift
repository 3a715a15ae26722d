// SPDX-License-Identifier: Apache-2.0

import Testing

/// A program with an access group of its own: the command line. Its items are generic passwords.
struct OtherProgram {
    static var isAvailable: Bool { Service.isOurs }

    @discardableResult
    private func run(_ verb: String, account: String, service: String, input: String = "") throws -> String {
        let options = verb == "get" ? ["--no-newline"] : []
        let output = try Service.shared.chatelaine([verb] + options + [service, "--user", account], input: input)
        return try #require(output, "chatelaine \(verb) failed")
    }

    func addPassword(_ secret: String, account: String, service: String) throws {
        try run("set", account: account, service: service, input: secret)
    }

    func password(account: String, service: String) throws -> String {
        try run("get", account: account, service: service)
    }

    func deletePassword(account: String, service: String) throws {
        try run("remove", account: account, service: service)
    }
}
