// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security find-generic-password` and `find-internet-password`
enum FindPassword {
    static func run(_ passwordClass: PasswordClass, _ invocation: SecurityInvocation) -> SecurityResult {
        var filter = PasswordFilter(passwordClass)
        var options = ShortOptions(flags: "hgw", withValue: filter.letters, invocation.words)
        var showsPassword = false
        var showsOnlyPassword = false
        while let option = options.next() {
            switch option {
            case .flag("g"): showsPassword = true
            case .flag("w"): showsOnlyPassword = true
            case .value(let letter, let value):
                if let complaint = filter.take(letter, value) {
                    invocation.complain(complaint)
                    return .failure
                }
            case .flag, .missingValue, .unknown: return .usage
            }
        }
        let item: ListedItem
        let keychain: ToolKeychain
        switch invocation.find(filter, in: options.operands) {
        case .success(let found): (item, keychain) = found
        case .failure(let failure): return failure.result
        }
        var password: SecretBytes?
        if showsPassword || showsOnlyPassword {
            do {
                password = try keychain.client.secret(of: item)
            } catch {
                // macOS prints nothing here; the exit status is the answer.
                if invocation.isVerbose {
                    invocation.complain(
                        CommandFailure(error, group: item.group, message: invocation.context.statusMessage).message)
                }
                return SecurityResult(code: error.status.rawValue)
            }
        }
        if showsOnlyPassword, let password { return printPlain(password, invocation) }
        let listing = ItemListing(item: item, keychainPath: keychain.path)
        guard invocation.print(listing.text) else { return .failure }
        if let password { printDiagnostic(password, invocation) }
        return .success
    }

    /// Prints the password and a newline; in lower-case hexadecimal digits unless all of it is printable ASCII.
    private static func printPlain(_ password: SecretBytes, _ invocation: SecurityInvocation) -> SecurityResult {
        var line: [UInt8] = []
        // Room for the longer of the two forms, because growing would leave an unwiped copy behind.
        line.reserveCapacity(2 * password.count + 1)
        defer { wipe(&line) }
        if password.bytes.allSatisfy({ (0x20...0x7E).contains($0) }) {
            line += password.bytes
        } else {
            var digits = hexadecimal(password.bytes, digits: lowercaseDigits)
            line += digits
            wipe(&digits)
        }
        line.append(UInt8(ascii: "\n"))
        return invocation.print(line) ? .success : .failure
    }

    /// Prints on standard error, as on macOS.
    private static func printDiagnostic(_ password: SecretBytes, _ invocation: SecurityInvocation) {
        var text = printedBuffer(password.bytes)
        defer { wipe(&text) }
        invocation.context.diagnostics.writeIfPossible("password: ")
        try? invocation.context.diagnostics.write(text)
        invocation.context.diagnostics.writeIfPossible("\n")
    }
}
