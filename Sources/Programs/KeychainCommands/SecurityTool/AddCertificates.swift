// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainClient
internal import KeychainModel

/// `security add-certificates`
enum AddCertificates {
    static let usage = """
        [-k keychain] file...
            -k  The keychain to add to
        Each file holds one certificate in DER, or certificates in PEM.
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "h", withValue: "k", invocation.words)
        var name: String?
        while let option = options.next() {
            switch option {
            case .value("k", let keychain): name = keychain
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard !options.operands.isEmpty else { return .usage }
        let keychain: ToolKeychain
        do throws(ClientError) {
            keychain = try invocation.keychain(namedOrDefault: name)
            if keychain.isFile { try invocation.checkKeychain(keychain) }
        } catch {
            return invocation.fail("SecKeychainOpen", error)
        }
        var isComplete = true
        for file in options.operands {
            isComplete = add(file, to: keychain, invocation) && isComplete
        }
        return isComplete ? .success : .failure
    }

    private static func add(_ file: String, to keychain: ToolKeychain, _ invocation: SecurityInvocation) -> Bool {
        let certificates: [Certificate]
        do {
            let bytes = try invocation.context.files.contents(of: file, limit: largestFile)
            certificates = try PEM.isPresent(in: bytes) ? Certificate.certificates(inPEM: bytes) : [Certificate(bytes)]
        } catch let error as StreamError {
            invocation.complain("\(file): \(error.reason)")
            return false
        } catch {
            invocation.complain("\(file): cannot read a certificate: \(error)")
            return false
        }
        guard !certificates.isEmpty else {
            invocation.complain("\(file): the file contains no certificate")
            return false
        }
        var isComplete = true
        for certificate in certificates {
            do throws(ClientError) {
                try keychain.client.add(certificate)
            } catch {
                guard error.status == .duplicateItem else {
                    _ = invocation.fail("SecCertificateAddToKeychain", error.status.rawValue)
                    return false
                }
                let title = visible(keychain.name ?? "default keychain")
                invocation.context.diagnostics.writeIfPossible("\(visible(file)): already in \(title)\n")
                isComplete = false
            }
        }
        return isComplete
    }

    /// Larger than any file of certificates in use.
    private static let largestFile = 16 << 20
}
