// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security add-generic-password`
enum AddGenericPassword {
    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(
            flags: "hUA", withValue: GenericPasswordFilter.letters + "pwXT", invocation.words)
        var filter = GenericPasswordFilter()
        var password: SecretBytes?
        var asks = false
        var updates = false
        while let option = options.next() {
            switch option {
            case .flag("U"): updates = true
            case .flag("A"), .value("T", _):
                // Scripts name the programs that may read an item; here that is the program that made it, until there are
                // access control lists.
                if invocation.isVerbose { invocation.complain("-A and -T are accepted, but have no effect yet") }
            case .value("w", let text), .value("p", let text): password = SecretBytes(copying: text.utf8)
            case .value("X", let digits):
                guard let bytes = Self.bytes(hexadecimal: digits) else {
                    invocation.complain("-X: an even number of hexadecimal digits is expected")
                    return .failure
                }
                password = bytes
            case .value(let letter, let value):
                guard filter.take(letter, value) else {
                    invocation.complain(GenericPasswordFilter.complaint(letter))
                    return .failure
                }
            case .missingValue("w"): asks = true
            case .flag, .missingValue, .unknown: return .usage
            }
        }
        guard let account = filter.account, let service = filter.service else { return .usage }
        let keychain = KeychainArgument(options.operands, ownPath: invocation.context.keychainPath)
        let function = "SecKeychainItemCreateFromContent (\(keychain.name ?? "<default>"))"
        guard keychain.isKnown else { return invocation.fail(function, invocation.noSuchKeychain) }
        if asks {
            password = askForPassword(invocation)
            guard password != nil else { return .failure }
        }
        let label: [ItemAttributes.Entry] = filter.label == nil ? [.init(.label, .string(service))] : []
        do {
            let client = invocation.context.client
            if updates {
                _ = try client.addOrUpdate(
                    service: service, account: account, new: filter.rest + label, changes: filter.rest,
                    secret: password)
            } else {
                let names: [ItemAttributes.Entry] = [
                    .init(.account, .string(account)), .init(.service, .string(service)),
                ]
                try client.add(
                    try client.attributes(for: .add, names + filter.rest + label),
                    secret: password ?? SecretBytes(copying: []))
            }
            return .success
        } catch {
            return invocation.fail(function, error)
        }
    }

    /// Asks twice, three times at most; nil when that came to nothing, which has been reported.
    private static func askForPassword(_ invocation: SecurityInvocation) -> SecretBytes? {
        let question = "password data for new item: "
        let repetition = "retype password for new item: "
        let prompt: any SecretPrompt = invocation.context.prompt ?? InputPrompt(context: invocation.context)
        do {
            for _ in 0..<3 {
                let password = try prompt.ask(question)
                if password.isSameEntry(as: try prompt.ask(repetition)) { return password }
                invocation.context.diagnostics.writeIfPossible("passwords don't match\n")
            }
        } catch {
            invocation.complain(error.message)
        }
        return nil
    }

    /// Nil unless the text is pairs of hexadecimal digits.
    static func bytes(hexadecimal text: String) -> SecretBytes? {
        let bytes = SecretAccumulator()
        var high: UInt8?
        for character in text {
            guard character.isASCII, let digit = character.hexDigitValue else { return nil }
            if let first = high {
                bytes.append([first << 4 | UInt8(digit)])
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return high == nil ? bytes.secret() : nil
    }
}

/// Asks through the standard streams where there is no terminal, as getpass(3) does: a line for each question.
struct InputPrompt: SecretPrompt {
    let context: CommandContext

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        context.diagnostics.writeIfPossible(question)
        do {
            switch try context.input.readLine(limit: ItemLimits.secretBytes) {
            case .text(let line): return line.secret()
            case .tooLong: throw CommandFailure("the password is too long")
            case .endOfInput: throw CommandFailure("nothing was entered")
            }
        } catch let error as StreamError {
            throw CommandFailure("cannot read standard input: \(error.reason)")
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure("cannot read standard input")
        }
    }
}
