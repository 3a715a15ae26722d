// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire
import Testing
import TrustEvaluation
import X509

/// Wildcards directly below public suffixes.
struct PublicSuffixTests {
    /// A part of the list as in Debian's package.
    private static let list = """
        // ===BEGIN ICANN DOMAINS===
        // uk : https://www.iana.org/domains/root/db/uk.html
        uk
        co.uk trailing words are no rule

        // ck : https://www.iana.org/domains/root/db/ck.html
        *.ck
        !www.ck
        jp
        *.kawasaki.jp
        !city.kawasaki.jp
        hk
        個人.hk
        no
        bodø.no
        BÅDÅDDJÅ.no
        // ===END ICANN DOMAINS===
        // ===BEGIN PRIVATE DOMAINS===
        github.io
        // ===END PRIVATE DOMAINS===
        """

    @Test(arguments: [
        ("*.co.uk", "bank.co.uk", false), ("*.CO.UK", "bank.co.uk", false), ("*.bank.co.uk", "www.bank.co.uk", true),
        ("bank.co.uk", "bank.co.uk", true), ("*.other.uk", "www.other.uk", true),
        ("*.foo.ck", "www.foo.ck", false), ("*.www.ck", "a.www.ck", true), ("*.bar.foo.ck", "www.bar.foo.ck", true),
        ("*.kawasaki.jp", "a.kawasaki.jp", false), ("*.a.kawasaki.jp", "b.a.kawasaki.jp", false),
        ("*.city.kawasaki.jp", "a.city.kawasaki.jp", true), ("*.b.a.kawasaki.jp", "c.b.a.kawasaki.jp", true),
        // Certificates have the ASCII form of registries' names in other scripts.
        ("*.xn--gmqw5a.hk", "a.xn--gmqw5a.hk", false), ("*.xn--mxtq1m.hk", "a.xn--mxtq1m.hk", true),
        ("*.xn--bod-2na.no", "a.xn--bod-2na.no", false), ("*.xn--bdddj-mrabd.no", "a.xn--bdddj-mrabd.no", false),
        ("*.a.xn--bod-2na.no", "b.a.xn--bod-2na.no", true), ("*.xn--0.no", "a.xn--0.no", true),
        ("*.xn--99999999999.no", "a.xn--99999999999.no", true), ("*.trailing", "a.trailing", false),
        // Companies have certificates for all names of their own domains.
        ("*.github.io", "pages.github.io", true),
    ])
    func `a wildcard stands for no strangers' names`(_ name: String, _ host: String, _ isNamed: Bool) async throws {
        let chain = try TestChain(leaf: .server([.dnsName(name)]))
        let policy = TrustPolicy(.tlsServer, name: host)
        #expect(
            try await chain.evaluate(policy, publicSuffixes: Self.list).findings
                == (isNamed ? [] : [.init(place: 0, fault: .hostName)]))
    }

    @Test func `without a list a single label is a public suffix`() async throws {
        let chain = try TestChain(leaf: .server([.dnsName("*.co.uk"), .dnsName("*.uk")]))
        for list in ["", "// ===END ICANN DOMAINS===\nco.uk"] {
            #expect(try await chain.evaluate(TrustPolicy(.tlsServer, name: "a.co.uk"), publicSuffixes: list).isClean)
            #expect(
                try await chain.evaluate(TrustPolicy(.tlsServer, name: "co.uk"), publicSuffixes: list).faults
                    == [.hostName])
        }
    }
}
