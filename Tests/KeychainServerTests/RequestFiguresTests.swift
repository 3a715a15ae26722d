// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainPlatform
@testable import KeychainServer

@Suite struct `Figures of requests` {
    private let noon = Timestamp(secondsSinceReferenceDate: 800_000_000)

    private func figures() -> RequestFigures { RequestFigures(now: noon, clock: .constant(0)) }

    @Test func `are counted by kind and by how they ended`() throws {
        let figures = figures()
        for outcome in [RequestResult.served, .served, .refused(Refusal(.itemNotFound, .none)), .abandoned] {
            figures.count(.lookup, outcome, nanoseconds: 30_000) { noon }
        }
        figures.count(.add, .refused(Refusal(.diskFull, .none)), nanoseconds: 7) { noon }
        let requests = figures.read().requests
        #expect(requests.map(\.kind) == [.lookup, .add])
        #expect(requests.map(\.count) == [4, 1])
        let lookups = try #require(requests.first)
        #expect((lookups.served, lookups.notFound, lookups.refused, lookups.abandoned) == (2, 1, 0, 1))
        #expect(lookups.nanoseconds == 120_000 && lookups.slowestNanoseconds == 30_000)
        #expect(requests[1].refused == 1)
    }

    @Test func `keep the slowest, whatever comes behind it`() {
        let figures = figures()
        for nanoseconds in [5, 900, 20] as [UInt64] {
            figures.count(.update, .served, nanoseconds: nanoseconds) { noon }
        }
        #expect(figures.read().requests.map(\.slowestNanoseconds) == [900])
    }

    @Test(arguments: Array(ServiceFigures.Requests.bounds.enumerated()))
    func `put a time that is a bound below it, and one more above`(index: Int, bound: UInt64) throws {
        let figures = figures()
        figures.count(.list, .served, nanoseconds: bound) { noon }
        figures.count(.list, .served, nanoseconds: bound + 1) { noon }
        figures.count(.list, .served, nanoseconds: .max / 4) { noon }
        let histogram = try #require(figures.read().requests.first).histogram
        var expected = [UInt64](repeating: 0, count: ServiceFigures.Requests.bounds.count + 1)
        for place in [index, index + 1, expected.count - 1] { expected[place] += 1 }
        #expect(histogram == expected)
    }

    @Test func `count refusals with the latest moment, the latest first, and ask for the time only then`() {
        let figures = figures()
        let (locked, full) = (Refusal(.interactionNotAllowed, .locked), Refusal(.diskFull, .none))
        for (index, refusal) in [locked, full, locked].enumerated() {
            figures.count(.lookup, .refused(refusal), nanoseconds: 1) {
                Timestamp(secondsSinceReferenceDate: Double(index))
            }
        }
        figures.count(.lookup, .served, nanoseconds: 1) {
            Issue.record("nobody needs to know what time it is")
            return noon
        }
        #expect(
            figures.read().refusals == [
                .init(locked, count: 2, last: Timestamp(secondsSinceReferenceDate: 2)),
                .init(full, count: 1, last: Timestamp(secondsSinceReferenceDate: 1)),
            ])
    }

    @Test func `remember 32 different refusals, and forget the oldest refusal`() {
        let figures = figures()
        for status in Int32(-40)...(-8) {
            figures.count(.add, .refused(Refusal(StatusCode(rawValue: status), .none)), nanoseconds: 1) { noon }
        }
        let refusals = figures.read().refusals
        #expect(refusals.map(\.refusal.status.rawValue) == Array((-39 ... -8).reversed()))
        #expect(refusals.allSatisfy { $0.count == 1 })
    }

    @Test func `tell how many connections there are and were at once`() {
        let figures = figures()
        for _ in 0..<3 { figures.connectionBegan() }
        for _ in 0..<2 { figures.connectionEnded() }
        figures.connectionBegan()
        #expect(figures.connections == (now: 2, most: 3))
    }

    @Test func `count the time since the keychain was opened, whatever the clock on the wall says`() {
        let moments = ManualClock(5_000_000_000)
        let figures = RequestFigures(now: noon, clock: moments.clock)
        moments.advance(60_900_000_000)
        #expect(figures.uptimeSeconds == 60 && figures.since == noon)
    }

    @Test func `lose none that are counted at once`() async {
        let figures = figures()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { figures.count(.lookup, .served, nanoseconds: 3) { noon } }
                }
            }
        }
        #expect(figures.read().requests.map(\.count) == [4000])
        #expect(figures.read().requests.map(\.nanoseconds) == [12_000])
    }
}
