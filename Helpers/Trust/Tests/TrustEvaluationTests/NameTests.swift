// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainHelperWire
import SwiftASN1
import Testing
import TrustEvaluation
import X509

/// Attacks with names that a constraint, a wildcard or a comparison could miss.
struct NameTests {
    // MARK: Constraints of DNS names

    /// Names that could reach a host, and that a comparison of labels does not find below `good.test`.
    @Test(arguments: [
        "good.test.", "www.good.test.", "*.test", "*", "*.", "a*c.good.test", "*a.good.test", "a.*.good.test",
        "*.*.good.test", "-a.good.test", "a-.good.test", "a.-good.test", "", ".", ".good.test", "a..good.test",
        "good.test ", " good.test", "good.test\0", "good.test\0.example", "good_test/.good.test", "192.0.2.1", "a.0",
        String(repeating: "a", count: 64) + ".good.test", String(repeating: "a.", count: 123) + "good.test",
    ])
    func `a name that cannot be judged is a fault where an issuer excludes names`(_ name: String) async throws {
        let leaf = try TestAuthority.Content.server([.dnsName("example.org"), .dnsName(name)])
        let constraints = NameConstraints(excludedSubtrees: [.dnsName("good.test")])
        #expect(
            try await constrained(constraints, leaf: leaf).evaluate().findings
                == [.init(place: 0, fault: .nameConstraints)])
        // The name does not match the host either.
        let chain = try TestChain(leaf: .server([.dnsName(name)]))
        for host in [name, "good.test", "www.good.test", "abc.good.test"] {
            #expect(
                try await chain.evaluate(TrustPolicy(.tlsServer, name: host)).faults == [.hostName], "\(host)")
        }
    }

    @Test(arguments: [
        "good.test.", "*.good.test", "*", "-good.test", "good-.test", "good..test", ".", "..good.test", "good.*",
        "good test", "good.test\0", "192.0.2.0", String(repeating: "a", count: 64) + ".test",
    ])
    func `a constraint that cannot be judged is a fault of its issuer`(_ name: String) async throws {
        for constraints in [
            NameConstraints(excludedSubtrees: [.dnsName(name)]),
            NameConstraints(permittedSubtrees: [.dnsName("example.org"), .dnsName(name)]),
        ] {
            #expect(
                try await constrained(constraints).evaluate().findings == [.init(place: 1, fault: .nameConstraints)])
        }
    }

    @Test(arguments: [
        ("*.good.test", ["www.good.test"], false), ("*.GOOD.test", ["www.good.TEST"], false),
        ("*.good.test", [".good.test"], false), ("*.good.test", ["good.test"], false), ("*.good.test", [""], false),
        ("*.good.test", ["a.www.good.test"], true), ("*.good.test", ["www.other.test"], true),
        ("*.good.test", [".www.good.test"], true), ("*.a.good.test", ["www.good.test"], true),
        ("good.test", [".good.test"], true), ("a_b.good.test", ["www.good.test"], true),
    ])
    func `a wildcard must not stand for a name that is excluded`(
        _ name: String, _ excluded: [String], _ isAllowed: Bool
    ) async throws {
        let constraints = NameConstraints(excludedSubtrees: excluded.map { .dnsName($0) })
        let chain = try constrained(constraints, leaf: .server([.dnsName(name)]))
        #expect(
            try await chain.evaluate().findings == (isAllowed ? [] : [.init(place: 0, fault: .nameConstraints)]))
    }

    @Test func `names and constraints of other kinds need not be judged`() async throws {
        let leaf = try TestAuthority.Content.server([.dnsName("good.test."), .dnsName("example.org")])
        let constraints = NameConstraints(
            excludedSubtrees: [.ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 0, 255, 255, 255, 0]))])
        #expect(try await constrained(constraints, leaf: leaf).evaluate().isClean)
    }

    @Test func `names of authorities are held against the constraints, too`() async throws {
        var root = try TestAuthority.Content.authority("root")
        root.extensions.append(
            try Certificate.Extension(NameConstraints(excludedSubtrees: [.dnsName("good.test")]), critical: true))
        var middle = try TestAuthority.Content.authority("middle")
        middle.extensions.append(
            try Certificate.Extension(SubjectAlternativeNames([.dnsName("good.test.")]), critical: false))
        #expect(
            try await TestChain(root: root, middle: middle).evaluate().findings
                == [.init(place: 1, fault: .nameConstraints)])
    }

    @Test(.timeLimit(.minutes(1)))
    func `more comparisons of names with constraints than the limit are not tried`() async throws {
        func faults(_ count: Int) async throws -> [TrustAnswer.Finding] {
            let constraints = NameConstraints(excludedSubtrees: (0..<count).map { .dnsName("a\($0).test") })
            let leaf = try TestAuthority.Content.server((0..<count).map { .dnsName("b\($0).test") })
            return try await constrained(constraints, leaf: leaf).evaluate().findings
        }
        #expect(try await faults(1000).isEmpty)
        #expect(try await faults(10_000) == [.init(place: 0, fault: .tooComplex)])
    }

    // MARK: Constraints of other names

    @Test(arguments: [
        ("https://good.test./", false), ("https://%67ood.test/", false), ("https://good.test\\@example.org/", false),
        ("https://example.org@good.test/", false), ("urn:good.test", false), ("https:/good.test", false),
        ("https://192.0.2.1/", false), ("https://[2001:db8::1]/", false), ("//good.test/", false), ("", false),
        ("https://", false), ("https://*.test/", false), ("https://good.test:80a/", false), ("1s://x.test/", false),
        ("https://GOOD.test/", false), ("https://www.good.test:8443/path?query#fragment", false),
        ("https://good.test", false), ("https://example.org/@good.test/", true), ("ldap://example.org:389", true),
        ("spiffe://example.org/good.test", true),
    ])
    func `an address of a resource without a host that can be judged is a fault where such are excluded`(
        _ name: String, _ isAllowed: Bool
    ) async throws {
        let constraints = NameConstraints(excludedSubtrees: [.uniformResourceIdentifier("good.test")])
        let names: [GeneralName] = [.dnsName("example.org"), .uniformResourceIdentifier(name)]
        let chain = try constrained(constraints, leaf: .server(names))
        #expect(
            try await chain.evaluate().findings == (isAllowed ? [] : [.init(place: 0, fault: .nameConstraints)]))
    }

    @Test(arguments: [
        ("good.test", "https://good.test/", true), ("good.test", "https://www.good.test/", false),
        (".good.test", "https://www.good.test/", true), (".good.test", "https://a.www.good.test/", true),
        (".good.test", "https://good.test/", false), ("good.test.", "https://good.test/", false),
        ("", "https://good.test/", false), ("*.good.test", "https://www.good.test/", false),
    ])
    func `an address of a resource is permitted by its host or by a domain above it`(
        _ permitted: String, _ name: String, _ isAllowed: Bool
    ) async throws {
        let constraints = NameConstraints(permittedSubtrees: [.uniformResourceIdentifier(permitted)])
        let chain = try constrained(constraints, leaf: .server([.uniformResourceIdentifier(name)]))
        #expect(try await chain.evaluate().faults == (isAllowed ? [] : [.nameConstraints]))
    }

    @Test func `invalid addresses and masks are faults where addresses are constrained`() async throws {
        func faults(_ excluded: [UInt8], _ address: [UInt8]) async throws -> [TrustAnswer.Finding] {
            let constraints = NameConstraints(
                excludedSubtrees: [.ipAddress(ASN1OctetString(contentBytes: excluded[...]))])
            let leaf = try TestAuthority.Content.server([.ipAddress(ASN1OctetString(contentBytes: address[...]))])
            return try await constrained(constraints, leaf: leaf).evaluate().findings
        }
        let network: [UInt8] = [192, 0, 2, 0, 255, 255, 255, 0]
        let ofName: [TrustAnswer.Finding] = [.init(place: 0, fault: .nameConstraints)]
        let ofIssuer: [TrustAnswer.Finding] = [.init(place: 1, fault: .nameConstraints)]
        #expect(try await faults(network, [192, 0, 2, 1]) == ofName)
        #expect(try await faults(network, [198, 51, 100, 1]).isEmpty)
        #expect(try await faults(network, [192, 0, 2]) == ofName)
        #expect(try await faults(network, [192, 0, 2, 1, 0]) == ofName)
        #expect(try await faults(network, []) == ofName)
        // ::ffff:192.0.2.1 is another form of that address; 2001:db8::1 is a separate address.
        #expect(try await faults(network, [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1]) == ofName)
        #expect(
            try await faults(network, [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]).isEmpty)
        #expect(try await faults([192, 0, 2, 0, 255, 0, 255, 0], [198, 51, 100, 1]) == ofIssuer)
        #expect(try await faults([192, 0, 2, 0], [198, 51, 100, 1]) == ofIssuer)
        #expect(try await faults(network + [0], [198, 51, 100, 1]) == ofIssuer)
    }

    @Test(arguments: [
        GeneralName.rfc822Name("good.test"), .registeredID([1, 3, 6, 1]),
        .otherName(GeneralName.OtherName(typeID: [1, 3, 6, 1], value: nil)),
    ])
    func `a constraint of a kind that is not known is a fault`(_ name: GeneralName) async throws {
        for constraints in [
            NameConstraints(permittedSubtrees: [name], excludedSubtrees: []),
            NameConstraints(permittedSubtrees: [], excludedSubtrees: [name]),
        ] {
            #expect(try await constrained(constraints).evaluate().faults == [.nameConstraints])
        }
    }

    @Test func `a constraint on subjects is a fault, whatever the subject is`() async throws {
        let name = GeneralName.directoryName(try DistinguishedName { OrganizationName("Good") })
        var leaf = try TestAuthority.Content.server()
        leaf.name = ""
        for constraints in [
            NameConstraints(permittedSubtrees: [name], excludedSubtrees: []),
            NameConstraints(permittedSubtrees: [], excludedSubtrees: [name]),
        ] {
            #expect(try await constrained(constraints).evaluate().faults == [.nameConstraints])
            #expect(try await constrained(constraints, leaf: leaf).evaluate().faults == [.nameConstraints])
        }
    }

    /// Creates a chain whose intermediate certificate has the constraints.
    private func constrained(
        _ constraints: NameConstraints, leaf: TestAuthority.Content? = nil
    ) throws -> TestChain {
        var middle = try TestAuthority.Content.authority("middle")
        middle.extensions.append(try Certificate.Extension(constraints, critical: true))
        return try TestChain(middle: middle, leaf: leaf)
    }

    // MARK: Hosts

    @Test(arguments: [
        ("*.example.org", "www.example.org", true), ("*.EXAMPLE.org", "WWW.example.ORG", true),
        ("*.example.org", "www.example.org.", true), ("*.example.org", "xn--bcher-kva.example.org", true),
        ("*.example.org", "example.org", false), ("*.example.org", ".example.org", false),
        ("*.example.org", "*.example.org", false), ("*.example.org", "-a.example.org", false),
        ("*.example.org", "a.b.example.org", false), ("*.example.org", "www.example.org..", false),
        ("f*.example.org", "foo.example.org", false), ("*o.example.org", "foo.example.org", false),
        ("f*o.example.org", "foo.example.org", false), ("xn--*.example.org", "xn--a.example.org", false),
        ("www.*.org", "www.example.org", false), ("*.org", "example.org", false), ("*", "localhost", false),
        ("localhost", "localhost", true), ("example.org", "example.org\0", false),
        ("\u{6B}.example", "\u{212A}.example", false),
    ])
    func `a wildcard is a whole label and the first`(_ name: String, _ host: String, _ isNamed: Bool) async throws {
        let chain = try TestChain(leaf: .server([.dnsName(name)]))
        let answer = try await chain.evaluate(TrustPolicy(.tlsServer, name: host))
        #expect(answer.findings == (isNamed ? [] : [.init(place: 0, fault: .hostName)]))
    }

    @Test func `an address ends where it ends`() async throws {
        let chain = try TestChain(leaf: .server([.ipAddress(ASN1OctetString(contentBytes: [192, 0, 2, 1]))]))
        for host in ["192.0.2.1\0", "192.0.2.1\0.example.org", "192.0.2.1.", "192.0.2.01", " 192.0.2.1", "192.0.2.1%1"]
        {
            #expect(
                try await chain.evaluate(TrustPolicy(.tlsServer, name: host)).faults == [.hostName], "\(host)")
        }
    }

    // MARK: Mail addresses

    @Test(arguments: [
        ("ada@k.example", "ADA@K.example", true), ("ada@k.example", "ada@\u{212A}.example", false),
        ("ada@k.example", "ada@k.example\0", false), ("ada@k.example", "ad\u{1D43}@k.example", false),
    ])
    func `mail addresses are compared as bytes, and only letters of ASCII have a case`(
        _ named: String, _ asked: String, _ isNamed: Bool
    ) async throws {
        var leaf = TestAuthority.Content("Ada")
        leaf.extensions = [
            try Certificate.Extension(SubjectAlternativeNames([.rfc822Name(named)]), critical: false)
        ]
        let faults = try await TestChain(leaf: leaf).evaluate(TrustPolicy(.mail, name: asked)).faults
        #expect(faults == (isNamed ? [] : [.mailAddress]))
    }
}
