// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel
internal import KeychainTransfer
internal import SecretMemory
internal import SecurityValues

/// `security import`
enum ImportItems {
    static let usage = """
        inputfile [-k keychain] [-t type] [-f format] [-w] [-x] [-P passphrase] [options...]
            -k  The keychain to import into
            -t  The contents of the file: pub|priv|session|cert|agg
            -f  The format: openssl|openssh1|openssh2|bsafe|raw|pkcs7|pkcs8|pkcs12|netscape|x509|pemseq
            -w  Private keys are encrypted
            -x  Private keys cannot be exported afterwards
            -P  The passphrase (the command asks for it, if omitted and required)
            -a  A name and a value (accepted, without effect)
            -A  Let any program use the keys
            -T  Let a program use the keys, a path or group://NAME; "" for none, so that each use shows a prompt
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        guard let file = invocation.words.first, !file.hasPrefix("-") else { return .usage }
        guard let arguments = Arguments.read(invocation.words.dropFirst()) else { return .usage }
        let keychain: ToolKeychain
        do throws(ClientError) {
            keychain = try invocation.keychain(namedOrDefault: arguments.keychain)
            if keychain.isFile { try invocation.checkKeychain(keychain) }
        } catch {
            _ = invocation.fail("SecKeychainItemImport", error)
            return .failure
        }
        invocation.noteEffect(of: arguments.programs, in: keychain)
        let bytes: [UInt8]
        do throws(StreamError) {
            bytes = try invocation.context.files.contents(of: file, limit: TransferFile.maximumByteCount)
        } catch {
            invocation.complain("\(file): \(error.reason)")
            return .failure
        }
        guard let items = read(bytes, arguments, invocation) else { return .failure }
        return store(items, in: keychain, arguments, invocation)
    }

    private struct Arguments {
        var keychain: String?
        var type = ExternalItemType.unknown
        var format = ExternalFormat.unknown
        var isExtractable = true
        var programs = TrustedPrograms()
        var passphrase: SecretBytes?

        /// Parses the words; nil for wrong usage.
        static func read(_ words: some Sequence<String>) -> Arguments? {
            var options = ShortOptions(flags: "hwxA", withValue: "ktfPaT", words)
            var arguments = Arguments()
            var isWrapped = false
            while let option = options.next() {
                switch option {
                case .value("k", let name): arguments.keychain = name
                case .value("t", let word):
                    guard let type = types[word] else { return nil }
                    arguments.type = type
                case .value("f", let word):
                    guard let format = TransferFile.formats[word] else { return nil }
                    arguments.format = format
                case .flag("w"): isWrapped = true
                case .flag("x"): arguments.isExtractable = false
                case .value("P", let text): arguments.passphrase = SecretBytes(copying: text.utf8)
                case .flag("A"): arguments.programs.allowAny()
                case .value("T", let path): arguments.programs.add(path)
                // The option takes two words.
                case .value("a", _): guard options.nextWord() != nil else { return nil }
                case .flag, .value, .missingValue, .unknown: return nil
                }
            }
            guard options.operands.isEmpty else { return nil }
            // Scripts name one of the kinds of items in such a file, but all are imported.
            if arguments.format == .pkcs12 { arguments.type = .unknown }
            if isWrapped || arguments.format == .wrappedPKCS8 {
                guard let format = TransferFile.wrapped(arguments.format) else { return nil }
                // OpenSSL's files are encrypted in one of two ways, which the bytes determine.
                arguments.format = format == .wrappedOpenSSL ? .unknown : format
            }
            return arguments
        }

        private static let types: [String: ExternalItemType] = [
            "pub": .publicKey, "priv": .privateKey, "session": .sessionKey, "cert": .certificate, "agg": .aggregate,
        ]
    }

    /// Reads the items in the file; nil if it could not be read, which was reported. Asks for a passphrase, at most
    /// twice.
    private static func read(
        _ bytes: [UInt8], _ arguments: Arguments, _ invocation: SecurityInvocation
    ) -> [ImportedFile.Item]? {
        var passphrase = arguments.passphrase
        for attempt in 0... {
            do throws(TransferFailure) {
                return try ImportedFile(
                    bytes, expecting: arguments.format, arguments.type,
                    passphrase: passphrase.map { Passphrase($0.bytes) }
                ).items
            } catch {
                let isAboutPassphrase = error.status == .passphraseRequired || error.status == .wrongPassphrase
                guard isAboutPassphrase, attempt < 2 else {
                    TransferFile.report("SecKeychainItemImport", error, invocation)
                    return nil
                }
                if error.status == .wrongPassphrase { invocation.complain(error.reason) }
                passphrase = TransferFile.passphrase("passphrase of the file: ", invocation)
                guard passphrase != nil else { return nil }
            }
        }
        return nil
    }

    private static func store(
        _ items: [ImportedFile.Item], in keychain: ToolKeychain, _ arguments: Arguments,
        _ invocation: SecurityInvocation
    ) -> SecurityResult {
        var counts = (identities: 0, keys: 0, certificates: 0)
        var isNew = items.isEmpty
        for item in items {
            switch item {
            case .identity: counts.identities += 1
            case .privateKey, .publicKey: counts.keys += 1
            case .certificate: counts.certificates += 1
            }
            do throws(ClientError) {
                isNew = try add(item, to: keychain, arguments, invocation) || isNew
            } catch {
                _ = invocation.fail("SecKeychainItemImport", error)
                return .failure
            }
        }
        guard isNew else {
            _ = invocation.fail("SecKeychainItemImport", StatusCode.duplicateItem.rawValue)
            return .failure
        }
        let lines = [
            line(counts.identities, "identity", "identities"), line(counts.keys, "key", "keys"),
            line(counts.certificates, "certificate", "certificates"),
        ]
        return invocation.print(Array(lines.joined().utf8)) ? .success : .failure
    }

    /// Adds the parts of an item. A part that exists already is not changed.
    ///
    /// - Returns: whether a part was added.
    private static func add(
        _ item: ImportedFile.Item, to keychain: ToolKeychain, _ arguments: Arguments, _ invocation: SecurityInvocation
    ) throws(ClientError) -> Bool {
        func add(_ key: KeyMaterial) throws(ClientError) -> Bool {
            let label = item.keyName ?? (key.isPrivate ? "Imported Private Key" : "Imported Public Key")
            var entries: [ItemAttributes.Entry] = [.init(.label, .string(label))]
            entries += try invocation.accessEntries(arguments.programs, description: label, in: keychain)
            if key.isPrivate, !arguments.isExtractable { entries.append(.init(.isExtractable, .number(0))) }
            return try isAdded { () throws(ClientError) in _ = try keychain.client.add(StoredKey(key), entries) }
        }
        func add(_ certificate: Certificate) throws(ClientError) -> Bool {
            try isAdded { () throws(ClientError) in try keychain.client.add(certificate) }
        }
        switch item {
        case .certificate(let certificate): return try add(certificate)
        case .publicKey(let key): return try add(.publicKey(key))
        case .privateKey(let key, _): return try add(.privateKey(key))
        case .identity(let identity):
            let isKeyAdded = try add(.privateKey(identity.key))
            return try add(identity.certificate) || isKeyAdded
        }
    }

    /// Returns whether a closure added an item; false for an item that exists already.
    private static func isAdded(_ addition: () throws(ClientError) -> Void) throws(ClientError) -> Bool {
        do throws(ClientError) {
            try addition()
            return true
        } catch {
            guard error.status == .duplicateItem else { throw error }
            return false
        }
    }

    private static func line(_ count: Int, _ one: String, _ several: String) -> String {
        count == 0 ? "" : "\(count) \(count == 1 ? one : several) imported.\n"
    }
}
