// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainClient
internal import SecretMemory
internal import Security

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
        let data: Data
        do throws(StreamError) {
            data = Data(try invocation.context.files.contents(of: file, limit: TransferFile.maximumByteCount))
        } catch {
            invocation.complain("\(file): \(error.reason)")
            return .failure
        }
        guard let items = read(data, arguments, invocation) else { return .failure }
        return store(items, in: keychain, arguments, invocation)
    }

    private struct Arguments {
        var keychain: String?
        var type = SecExternalItemType.itemTypeUnknown
        var format = SecExternalFormat.formatUnknown
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
            if arguments.format == .formatPKCS12 { arguments.type = .itemTypeUnknown }
            if isWrapped || arguments.format == .formatWrappedPKCS8 {
                guard let format = TransferFile.wrapped(arguments.format) else { return nil }
                // OpenSSL's files are encrypted in one of two ways, which the bytes determine.
                arguments.format = format == .formatWrappedOpenSSL ? .formatUnknown : format
            }
            return arguments
        }

        private static let types: [String: SecExternalItemType] = [
            "pub": .itemTypePublicKey, "priv": .itemTypePrivateKey, "session": .itemTypeSessionKey,
            "cert": .itemTypeCertificate, "agg": .itemTypeAggregate,
        ]
    }

    /// Reads the items in the file; nil if it could not be read, which was reported. Asks for a passphrase, at most
    /// twice.
    private static func read(
        _ data: Data, _ arguments: Arguments, _ invocation: SecurityInvocation
    ) -> [AnyObject]? {
        var passphrase = arguments.passphrase
        for attempt in 0... {
            do throws(ItemTransfer.Failure) {
                return try ItemTransfer.items(
                    in: data, format: arguments.format, type: arguments.type,
                    passphrase: passphrase.map { Array($0.bytes) })
            } catch {
                let isAboutPassphrase = [errSecPassphraseRequired, errSecPkcs12VerifyFailure].contains(error.status)
                guard isAboutPassphrase, attempt < 2 else {
                    TransferFile.report("SecKeychainItemImport", error, invocation)
                    return nil
                }
                if error.status == errSecPkcs12VerifyFailure { invocation.complain(error.explanation) }
                passphrase = TransferFile.passphrase("passphrase of the file: ", invocation)
                guard passphrase != nil else { return nil }
            }
        }
        return nil
    }

    private static func store(
        _ items: [AnyObject], in keychain: ToolKeychain, _ arguments: Arguments, _ invocation: SecurityInvocation
    ) -> SecurityResult {
        var counts = (identities: 0, keys: 0, certificates: 0)
        var isNew = items.isEmpty
        for item in items {
            if item is SecIdentity {
                counts.identities += 1
            } else if item is SecKey {
                counts.keys += 1
            } else {
                counts.certificates += 1
            }
            for part in ItemTransfer.halves(of: item) {
                let addition: CFDictionary
                do throws(ClientError) {
                    addition = try self.addition(part, to: keychain, arguments, invocation)
                } catch {
                    _ = invocation.fail("SecKeychainItemImport", error)
                    return .failure
                }
                // Into this keychain, whatever the environment specifies for calls without a keychain.
                let status = keychain.client.asCurrent {
                    PlainItemCalls.dataProtectionKeychain.during { SecItemAdd(addition, nil) }
                }
                guard status == errSecSuccess || status == errSecDuplicateItem else {
                    _ = invocation.fail("SecKeychainItemImport", status)
                    return .failure
                }
                isNew = isNew || status == errSecSuccess
            }
        }
        guard isNew else {
            _ = invocation.fail("SecKeychainItemImport", errSecDuplicateItem)
            return .failure
        }
        let lines = [
            line(counts.identities, "identity", "identities"), line(counts.keys, "key", "keys"),
            line(counts.certificates, "certificate", "certificates"),
        ]
        return invocation.print(Array(lines.joined().utf8)) ? .success : .failure
    }

    private static func addition(
        _ item: AnyObject, to keychain: ToolKeychain, _ arguments: Arguments, _ invocation: SecurityInvocation
    ) throws(ClientError) -> CFDictionary {
        var values: [CFString: Any] = [kSecValueRef: item]
        if let key = item as? SecKey {
            let isPrivate =
                (SecKeyCopyAttributes(key) as? [String: Any])?[kSecAttrKeyClass as String] as? String
                == kSecAttrKeyClassPrivate as String
            let label = isPrivate ? "Imported Private Key" : "Imported Public Key"
            values[kSecAttrLabel] = label
            let access = try invocation.accessEntries(arguments.programs, description: label, in: keychain)
            values.merge(access) { $1 }
            if isPrivate, !arguments.isExtractable { values[kSecAttrIsExtractable] = false }
        }
        return values as CFDictionary
    }

    private static func line(_ count: Int, _ one: String, _ several: String) -> String {
        count == 0 ? "" : "\(count) \(count == 1 ? one : several) imported.\n"
    }
}
