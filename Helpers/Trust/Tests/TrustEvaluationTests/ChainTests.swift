// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import FoundationEssentials
import KeychainHelperWire
import SwiftASN1
import Testing
import TrustEvaluation
import X509

/// Building chains.
struct ChainTests {
    @Test func `a chain to an anchor is trusted, and the answer is the whole chain`() async throws {
        let chain = try TestChain()
        let answer = try await chain.evaluate()
        #expect(answer.isClean)
        #expect(answer.anchor == .own)
        #expect(answer.chain == [chain.leaf.der, chain.middle.der, chain.root.der])
    }

    @Test func `the others may come in any order, twice, and beside what has no place in the chain`() async throws {
        let chain = try TestChain()
        let stranger = try TestChain()
        let answer = try await chain.evaluate(
            certificates: [
                chain.leaf.der, stranger.middle.der, chain.root.der, [1, 2, 3], chain.middle.der, chain.middle.der,
                chain.leaf.der,
            ])
        #expect(answer.isClean)
        #expect(answer.chain.count == 3)
    }

    @Test func `without the issuer there is no chain`() async throws {
        let chain = try TestChain()
        let answer = try await chain.evaluate(certificates: [chain.leaf.der])
        #expect(answer.anchor == .none)
        #expect(answer.findings == [.init(place: 0, fault: .missingIssuer)])
    }

    @Test func `a root that is no anchor is not trusted`() async throws {
        let chain = try TestChain()
        let other = try TestAuthority(.authority("other"))
        let answer = try await chain.evaluate(
            certificates: [chain.leaf.der, chain.middle.der, chain.root.der], anchors: [other])
        #expect(answer.anchor == .none)
        #expect(answer.chain.count == 3)
        #expect(answer.findings == [.init(place: 2, fault: .anchorNotTrusted)])
        #expect(try await chain.evaluate(anchors: []).findings == [.init(place: 1, fault: .missingIssuer)])
    }

    @Test func `an anchor of the same name with another key vouches for nothing`() async throws {
        let chain = try TestChain()
        let impostor = try TestAuthority(.authority("root"))
        #expect(try await chain.evaluate(anchors: [impostor]).faults == [.missingIssuer])
        #expect(try await chain.evaluate(anchors: [impostor, chain.root]).isClean)
    }

    @Test func `the system's anchors count only where they are wanted`() async throws {
        let chain = try TestChain()
        let answer = try await chain.evaluate(anchors: [], system: [chain.root])
        #expect(answer.isClean)
        #expect(answer.anchor == .system)
        #expect(try await !chain.evaluate(anchors: []).isClean)
        #expect(try await chain.evaluate(anchors: [chain.root], system: []).anchor == .own)
    }

    @Test func `an anchor need not have signed itself`() async throws {
        let chain = try TestChain()
        let answer = try await chain.evaluate(certificates: [chain.leaf.der], anchors: [chain.middle])
        #expect(answer.isClean)
        #expect(answer.chain == [chain.leaf.der, chain.middle.der])
    }

    @Test func `a certificate that is an anchor itself is trusted, be it an authority or not`() async throws {
        let chain = try TestChain()
        let alone = try TestAuthority(.server())
        let policy = TrustPolicy(.tlsServer, name: "example.org")
        let answer = try await chain.evaluate(policy, certificates: [alone.der], anchors: [alone])
        #expect(answer.isClean)
        #expect(answer.chain == [alone.der])
        #expect(try await chain.evaluate(policy, certificates: [chain.leaf.der], anchors: [chain.leaf]).isClean)
        let other = TrustPolicy(.tlsServer, name: "example.com")
        #expect(try await chain.evaluate(other, certificates: [alone.der], anchors: [alone]).faults == [.hostName])
    }

    @Test func `a self-signed certificate is an anchor where the request says so`() async throws {
        let chain = try TestChain()
        let certificates = [chain.leaf.der, chain.middle.der, chain.root.der]
        let answer = try await chain.evaluate(
            options: .takesSelfSignedAsAnchors, certificates: certificates, anchors: [])
        #expect(answer.isClean)
        #expect(try await !chain.evaluate(certificates: certificates, anchors: []).isClean)
    }

    @Test func `a changed byte breaks the chain`() async throws {
        let chain = try TestChain()
        var der = chain.leaf.der
        der[der.count - 1] ^= 1
        let answer = try await chain.evaluate(certificates: [der, chain.middle.der])
        #expect(!answer.isClean)
        #expect(answer.anchor == .none)
    }

    @Test func `a chain without faults is preferred`() async throws {
        let old = try TestAuthority(.authority("root"))
        var expired = try TestAuthority.Content.authority("middle")
        expired.days = 10
        let key = expired.key
        var valid = try TestAuthority.Content.authority("middle")
        valid.key = key
        let first = try old.issue(expired)
        let second = try old.issue(valid)
        let leaf = try first.issue(.server())
        let chain = try TestChain()
        for middles in [[first, second], [second, first]] {
            let answer = try await chain.evaluate(certificates: [leaf.der] + middles.map(\.der), anchors: [old])
            #expect(answer.isClean)
            #expect(answer.chain == [leaf.der, second.der, old.der])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `authorities that signed one another without end are given up`() async throws {
        // Twelve authorities, each certified by all others: more chains than can be tried.
        let contents = try (0..<12).map { try TestAuthority.Content.authority("authority \($0)") }
        let authorities = try contents.map(TestAuthority.init)
        var certificates: [[UInt8]] = []
        for (index, content) in contents.enumerated() {
            for (other, issuer) in authorities.enumerated() where other != index {
                certificates.append(try issuer.issue(content).der)
            }
        }
        let leaf = try authorities[0].issue(.server())
        let chain = try TestChain()
        let answer = try await chain.evaluate(certificates: [leaf.der] + certificates)
        #expect(answer.faults.contains(.tooComplex))
        #expect(answer.anchor == .none)
        #expect(answer.chain.count <= TrustLimits.chainLength)
    }

    @Test func `a loop of two authorities does not hide the chain that leaves it`() async throws {
        let chain = try TestChain()
        let first = try TestAuthority.Content.authority("first")
        let second = try TestAuthority.Content.authority("second")
        let one = try TestAuthority(second).issue(first)
        let two = try TestAuthority(first).issue(second)
        let exit = try chain.root.issue(second)
        let leaf = try one.issue(.server())
        let loop = [leaf.der, one.der, two.der]
        for certificates in [loop + [exit.der], [exit.der] + loop] {
            let answer = try await chain.evaluate(certificates: [leaf.der] + certificates)
            #expect(answer.isClean)
            #expect(answer.chain == [leaf.der, one.der, exit.der, chain.root.der])
        }
        let answer = try await chain.evaluate(certificates: loop)
        #expect(answer.anchor == .none)
        #expect(answer.faults.contains(.missingIssuer) && !answer.faults.contains(.tooComplex))
    }

    @Test func `a chain that is too long is not trusted`() async throws {
        let chain = try TestChain()
        var authorities = [chain.root]
        for index in 0..<15 { authorities.append(try authorities[index].issue(.authority("authority \(index)"))) }
        let fits = try authorities[14].issue(.server())
        let answer = try await chain.evaluate(certificates: [fits.der] + authorities.dropFirst().map(\.der))
        #expect(answer.isClean)
        #expect(answer.chain.count == 16)
        let leaf = try authorities[15].issue(.server())
        let other = try await chain.evaluate(certificates: [leaf.der] + authorities.dropFirst().map(\.der))
        #expect(other.faults == [.tooComplex])
    }

    @Test func `bytes that are no certificate are malformed`() async throws {
        let chain = try TestChain()
        for bytes in [[], [0x30, 0x80, 0, 0], Array(chain.leaf.der.dropLast()), chain.leaf.der + [0]] as [[UInt8]] {
            let answer = try await chain.evaluate(certificates: [bytes, chain.middle.der])
            #expect(answer.faults == [.malformed])
        }
    }

    @Test func `a change of any byte of a certificate breaks the chain`() async throws {
        let chain = try TestChain()
        let der = chain.leaf.der
        for index in der.indices {
            var changed = der
            changed[index] ^= 0x20
            let answer = try await chain.evaluate(certificates: [changed, chain.middle.der])
            #expect(!answer.isClean && answer.anchor == .none, "byte \(index)")
        }
    }
}
