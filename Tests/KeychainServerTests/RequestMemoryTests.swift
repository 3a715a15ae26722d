// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

@testable import KeychainServer

@Suite struct `Memory that requests hold` {
    private static let mib = 1 << 20
    private let memory = RequestMemory(.init(all: 8 * mib, ofUser: 6 * mib, ofProgram: 3 * mib))

    private func share(user: UInt32 = 1, program: UInt8 = 1, tier: CallerTier = .unsigned) -> RequestMemory.Share {
        memory.share(
            of: Caller(
                userID: user, processID: 1, tier: tier, identity: .unsigned(digest: [program]), accessGroups: [],
                displayPath: "/p"))
    }

    @Test func `of usual size is not counted`() {
        let shares = (0..<1000).map { _ in share() }
        for share in shares { #expect(share.take(64 << 10)) }
    }

    @Test func `is bounded for one program, however many connections it has`() {
        let (first, second) = (share(), share())
        #expect(first.take(2 * Self.mib))
        #expect(!second.take(2 * Self.mib))
        #expect(second.take(1 * Self.mib))
        #expect(!first.take(2 * Self.mib))
        #expect(share(program: 2).take(2 * Self.mib), "another program has its own")
    }

    @Test func `is bounded apart for an enforced program and for its file without the shield`() {
        #expect(share(tier: .installed).take(3 * Self.mib))
        #expect(share(tier: .enforced).take(3 * Self.mib))
    }

    @Test func `is bounded for one user, however many programs there are, and for all`() {
        let own = (1...3).map { share(program: $0) }
        #expect(own.map { $0.take(3 * Self.mib) } == [true, true, false])
        let other = share(user: 2)
        #expect(other.take(2 * Self.mib))
        #expect(!other.take(Self.mib), "all of it is taken")
        own[0].giveBack()
        #expect(other.take(Self.mib))
    }

    @Test func `grows in steps, and refused memory is not counted`() {
        let share = share()
        for _ in 0..<3 * 1024 { #expect(share.take(1 << 10)) }
        #expect(!share.take(Self.mib))
        #expect(share.take(1 << 10))
    }

    @Test func `is given back with the request, and with the connection`() {
        let first = share()
        for _ in 0..<100 {
            #expect(first.take(3 * Self.mib))
            first.giveBack()
        }
        do {
            let gone = share()
            #expect(gone.take(3 * Self.mib))
            #expect(!first.take(Self.mib))
        }
        #expect(first.take(3 * Self.mib))
    }

    @Test(
        arguments: [
            (1 << 30, false, 256 << 20, 256 << 20), (16 << 30, false, 4 << 30, 4 << 30),
            (16 << 30, true, 4 << 30, 2 << 30),
            (0, true, 256 << 20, 128 << 20), (UInt64.max, false, 4 << 30, 4 << 30),
        ] as [(UInt64, Bool, Int, Int)])
    func `follows the machine's`(_ physical: UInt64, _ isOfUsers: Bool, _ all: Int, _ ofUser: Int) {
        let limits = RequestMemory.Limits(physicalMemory: physical, isOfUsers: isOfUsers)
        #expect((limits.all, limits.ofUser, limits.ofProgram) == (all, ofUser, ofUser / 2))
    }
}
