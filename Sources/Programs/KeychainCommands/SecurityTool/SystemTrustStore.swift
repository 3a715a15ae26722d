// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel
internal import SecurityValues

/// The certificates that the distribution trusts. They take the place of the keychains of macOS with the system's roots.
enum SystemTrustStore {
    /// Returns whether a word names a keychain of the system's roots, by its name or by its path on macOS.
    static func isMeant(by name: String) -> Bool {
        let parts = name.split(separator: "/")
        guard ["SystemRootCertificates.keychain", "System.keychain"].contains(parts.last ?? "") else { return false }
        return !name.contains("/") || parts.suffix(3).dropLast() == ["Library", "Keychains"]
    }

    /// Returns the certificates, in the order of the distribution's file.
    ///
    /// - Throws: the reason why `chatelaine-trust`, which reads that file, does not report them.
    static func certificates() throws(CommandFailure) -> [ListedCertificate] {
        let anchors: [[UInt8]]
        do throws(TrustFailure) {
            anchors = try TrustHelper.installed.systemAnchors()
        } catch {
            throw CommandFailure(error.reason)
        }
        var found: [ListedCertificate] = []
        for der in anchors {
            guard let certificate = try? Certificate(der),
                let attributes = try? ItemAttributes(
                    .certificate, for: .add, CertificateAttributes(certificate).entries.sorted { $0.key < $1.key })
            else { continue }
            // They are not items, so they have no reference of their own.
            let reference = PersistentReference(itemClass: .certificate, item: ItemIdentifier(value: 0))
            found.append(
                ListedCertificate(
                    item: ListedItem(reference: reference, attributes: attributes), certificate: certificate))
        }
        return found
    }
}

/// `security dump-trust-settings`
enum DumpTrustSettings {
    static let usage = """
        [-s] [-d]
            -s  Show the certificates that the distribution trusts
            -d  Show the settings of the administrator (there are none)
        """

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hsd", withValue: "", invocation.words)
        var isOfSystem = false
        while let option = options.next() {
            switch option {
            case .flag("s"): isOfSystem = true
            case .flag("d"): break
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        guard options.operands.isEmpty else { return .usage }
        guard isOfSystem else {
            invocation.complain("SecTrustSettingsCopyCertificates: No Trust Settings were found.")
            return .failure
        }
        do throws(CommandFailure) {
            let certificates = try SystemTrustStore.certificates()
            var text = "Number of trusted certs = \(certificates.count)\n"
            for (number, certificate) in certificates.enumerated() {
                let name = certificate.certificate?.subjectSummary ?? ""
                text += "Cert \(number): \(visible(name))\n   Number of trust settings : 0\n"
            }
            return invocation.print(text.utf8) ? .success : .failure
        } catch {
            invocation.complain(error.message)
            return .failure
        }
    }
}
