// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `security add-generic-password` and `add-internet-password`
enum AddPassword {
    static func run(_ passwordClass: PasswordClass, _ invocation: SecurityInvocation) -> SecurityResult {
        var filter = PasswordFilter(passwordClass)
        // Internet passwords have a path, and -p means that.
        let passwordLetters = passwordClass == .generic ? "pwX" : "wX"
        var options = ShortOptions(
            flags: "hUA", withValue: filter.letters + passwordLetters + "T", invocation.words)
        var password: SecretBytes?
        var asks = false
        var programs = TrustedPrograms()
        var updates = false
        while let option = options.next() {
            switch option {
            case .flag("U"): updates = true
            case .flag("A"): programs.allowAny()
            case .value("T", let path): programs.add(path)
            case .value("X", let digits):
                guard let bytes = Self.bytes(hexadecimal: digits) else {
                    invocation.complain("-X: an even number of hexadecimal digits is expected")
                    return .failure
                }
                password = bytes
            case .value(let letter, let text) where passwordLetters.contains(letter):
                password = SecretBytes(copying: text.utf8)
            case .value(let letter, let value):
                if let complaint = filter.take(letter, value) {
                    invocation.complain(complaint)
                    return .failure
                }
            case .missingValue("w"): asks = true
            case .flag, .missingValue, .unknown: return .usage
            }
        }
        guard filter[.account] != nil, let subject = filter[filter.subject] else { return .usage }
        let name = options.operands.first
        let function = function(passwordClass, name)
        let keychain: ToolKeychain
        do throws(ClientError) {
            keychain = try invocation.keychain(namedOrDefault: name)
        } catch {
            return invocation.fail(function, error)
        }
        if asks {
            password = invocation.askNew("password data for new item: ", "retype password for new item: ")
            guard password != nil else { return .failure }
        }
        let label: [ItemAttributes.Entry] = filter[.label] == nil ? [.init(.label, subject)] : []
        invocation.noteEffect(of: programs, in: keychain)
        do throws(ClientError) {
            let client = keychain.client
            let access = keychain.isFile ? try programs.access(description: subjectText(subject), client) : nil
            let new = label + [access].compactMap { $0.map { .init(.access, .data($0.encoded)) } }
            guard updates else {
                try client.add(
                    try client.attributes(passwordClass, for: .add, filter.keyOfNewItem + filter.rest + new),
                    secret: password ?? SecretBytes(copying: []))
                return .success
            }
            let result =
                access == nil
                ? try client.addOrUpdate(
                    passwordClass, key: filter.keyOfNewItem, new: filter.rest + new, changes: filter.rest,
                    secret: password)
                : try addOrMerge(
                    passwordClass, filter, new: filter.rest + new, programs: programs, password: password,
                    client: client)
            guard case .otherKind(let item) = result else { return .success }
            let code = invocation.fail(function, StatusCode.duplicateItem.rawValue)
            let failure = OneTimePassword.mismatch(item)
            for sentence in [failure.message, failure.hint] { sentence.map(invocation.complain) }
            return code
        } catch {
            return invocation.fail(function, error)
        }
    }

    /// Adds an item, or changes the existing one, and adds these programs to its trusted ones.
    private static func addOrMerge(
        _ passwordClass: PasswordClass, _ filter: PasswordFilter, new: [ItemAttributes.Entry],
        programs: TrustedPrograms, password: SecretBytes?, client: KeychainClient
    ) throws(ClientError) -> AddOrUpdateResult {
        let addition = try client.attributes(passwordClass, for: .add, filter.keyOfNewItem + new)
        // Between the requests another program may delete or add the item, but hardly repeatedly.
        for _ in 0..<4 {
            do throws(ClientError) {
                try client.add(addition, secret: password ?? SecretBytes(copying: []))
                return .added
            } catch {
                guard error.status == .duplicateItem else { throw error }
            }
            let names = passwordClass.keys(of: filter.keyOfNewItem)
            guard let item = try client.listItems(passwordClass, names).first else { continue }
            guard !OneTimePassword.isMismatch(item, isSeed: false, secret: password, changes: filter.rest) else {
                return .otherKind(item)
            }
            let access = try programs.merged(into: item, client)
            let changes = filter.rest + [.init(.access, .data(access.encoded))]
            do throws(ClientError) {
                try client.update(
                    item.query, changes: try client.attributes(passwordClass, for: .update, changes), secret: password)
                return .updated
            } catch {
                guard error.status == .itemNotFound else { throw error }
            }
        }
        throw .refused(Refusal(.duplicateItem, .none))
    }

    private static func subjectText(_ value: AttributeValue) -> String {
        if case .string(let text) = value { text } else { "" }
    }

    /// Returns the function of macOS whose failure is reported, with the keychain as macOS writes it.
    private static func function(_ passwordClass: PasswordClass, _ name: String?) -> String {
        switch passwordClass {
        case .generic: "SecKeychainItemCreateFromContent (\(name ?? "<default>"))"
        case .internet: "SecKeychainAddInternetPassword \(name ?? "<NULL>")"
        }
    }

    /// Returns the bytes; nil unless the text is pairs of hexadecimal digits.
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

/// Prompts through the standard streams if there is no terminal, as getpass(3) does: a line for each question.
struct InputPrompt: SecretPrompt {
    let context: CommandContext

    func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        context.diagnostics.writeIfPossible(question)
        do {
            switch try context.input.readLine(limit: ItemLimits.secretBytes) {
            case .text(let line): return line.secret()
            case .tooLong: throw CommandFailure("the password is too long")
            case .endOfInput: throw CommandFailure("no password was entered")
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
