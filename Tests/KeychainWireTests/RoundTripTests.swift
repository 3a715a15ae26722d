// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import TestSupport
import Testing

@testable import KeychainWire

/// Data that one side encodes, the other side decodes.
struct RoundTripTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a request comes out as it went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = try generator.request()
        let bytes = original.frame(nonce: testNonce)
        #expect(try request(bytes).isSame(as: original))
        #expect(try request(bytes).frame(nonce: testNonce) == bytes)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `an answer comes out as it went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try (0..<Int.random(in: 0...5, using: &generator)).map { _ in try generator.item() }
        #expect(try roundTrip(items).elementsEqual(items) { $0.isSame(as: $1) })
    }

    @Test(arguments: Refusal.Reason.allCases)
    func `a refusal comes out as it went in`(reason: Refusal.Reason) throws {
        for status in [StatusCode.parameter, .missingEntitlement, StatusCode(rawValue: .max), .init(rawValue: .min)] {
            let part = try replyPart(ReplyWriter.refusal(Refusal(status, reason)))
            #expect(part.refusal == Refusal(status, reason))
            #expect(part.items.isEmpty && part.isLast)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a change and a hello come out as they went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let kind = [ItemChange.Kind.added, .updated, .deleted].randomElement(using: &generator)!
        let change = ItemChange(kind, generator.reference())
        #expect(try ItemChange(try frame(change.frame)) == change)
        let hello = Hello(nonce: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(try Hello(try frame(hello.frame)) == hello)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `records of the audit log are unchanged by a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let page = generator.auditPage()
        #expect(try AuditPage(try frame(page.frame)) == page)
        let result = generator.auditVerification()
        #expect(try AuditVerification(try frame(result.frame)) == result)
        let line = LogEvent.line(generator.bytes(atMost: 300))
        #expect(try LogEvent(try frame(line.frame)) == line)
        #expect(try LogEvent(try frame(LogEvent.end.frame)) == .end)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `an explanation comes out as it went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let explanation = generator.explanation()
        #expect(try Explanation(try frame(explanation.frame)) == explanation)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `what happened in a keychain comes out as it went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notice = generator.keychainNotice()
        #expect(try KeychainNotice(try frame(notice.frame)) == notice)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a status comes out as it went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let states = LockState.allCases
        func list(_ generator: inout SeededGenerator) -> [String] {
            (0..<Int.random(in: 0...64, using: &generator)).map { _ in generator.text(atMost: 9) }
        }
        let status = ServiceStatus(
            version: generator.text(atMost: 20), lockState: states.randomElement(using: &generator)!,
            callerTier: CallerTier.allCases.randomElement(using: &generator)!, callerPath: generator.text(atMost: 99),
            accessGroups: list(&generator),
            itemCount: Bool.random(using: &generator) ? UInt64.random(in: 0...UInt64.max, using: &generator) : nil,
            unreadableCount: Bool.random(using: &generator) ? 0 : nil, protections: list(&generator),
            contents: [
                nil, .unknown, .asLeft, .changed(rowsMore: .random(in: -9...9, using: &generator)), .sealDamaged,
                .damaged,
            ]
            .randomElement(using: &generator)!)
        #expect(try ServiceStatus(try frame(status.frame)) == status)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `figures come out as they went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let figures = generator.figures()
        #expect(try ServiceFigures(try frame(figures.frame)) == figures)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `reports of keychain files come out as they went in`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let reports = (0..<Int.random(in: 0...9, using: &generator)).map { _ in generator.fileKeychainReport() }
        let answer = FileKeychainAnswer(reports)
        #expect(try FileKeychainAnswer(try frame(answer.frame)) == answer)
    }

    @Test func `figures that do not ascend, are there twice or do not add up are refused`() throws {
        func figures(_ change: (inout ServiceFigures) -> Void) -> [UInt8] {
            let now = Timestamp(secondsSinceReferenceDate: 0)
            var figures = ServiceFigures(
                version: "1", lockState: .locked, since: now, uptimeSeconds: 0, items: [:], unreadable: 0)
            change(&figures)
            return figures.frame
        }
        let queue = ServiceFigures.Queue(.changes, now: 0, bound: 1)
        let wrong = [
            figures { $0.queues = [queue, queue] },
            figures { $0.queues = [queue, .init(.connections, now: 0, bound: 1)] },
            figures { $0.keychainFiles = ["/b", "/a"].map { .init(path: $0, bytes: 0, logBytes: 0) } },
            figures {
                $0.requests = [
                    .init(
                        .add, served: 2, notFound: 0, refused: 0, abandoned: 0, nanoseconds: 0, slowestNanoseconds: 0,
                        histogram: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
                ]
            },
        ]
        for bytes in wrong {
            #expect(throws: WireError.malformed) { try ServiceFigures(try frame(bytes)) }
        }
        // Two texts for the same characters are two paths.
        let accents = figures {
            $0.keychainFiles = ["/e\u{301}", "/\u{E9}"].map { .init(path: $0, bytes: 0, logBytes: 0) }
        }
        #expect(try ServiceFigures(try frame(accents)).keychainFiles.count == 2)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `reports about a program, and about grants, are unchanged by a round trip`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let report = generator.callerReport()
        #expect(try CallerReport(try frame(report.frame)) == report)
        let page = generator.grantPage()
        #expect(try GrantPage(try frame(page.frame)) == page)
        let approvals = generator.approvalList()
        #expect(try ApprovalList(try frame(approvals.frame)) == approvals)
        let revoked = RevokedGrants(count: UInt32(truncatingIfNeeded: seed &* 0x9E37_79B9))
        #expect(try RevokedGrants(try frame(revoked.frame)) == revoked)
    }

    @Test func `a program with a path and groups longer than allowed is reported with what fits`() throws {
        let long = String(repeating: "日", count: 3000)
        let report = CallerReport(
            userID: 1, processID: 2, tier: .installed, identity: .installed(path: long), enforcement: nil, path: long,
            accessGroups: [long], hasEntitledGroups: false, entitlements: [], findings: [], isAdministrationTool: false)
        let read = try CallerReport(try frame(report.frame))
        #expect(read.path == String(repeating: "日", count: 2730) && read.accessGroups == [read.path])
        #expect(read.identity == .installed(path: read.path))
    }

    @Test func `a page of the longest grants fits a frame, and one grant more is refused`() throws {
        let path = String(repeating: "x", count: 8192)
        let names = ItemNames(itemClass: .genericPassword, label: path, place: path, account: path)
        let grant = ListedGrant(
            RememberedGrant(
                number: 1, identity: .installed(path: path), tier: .installed, operation: .readData,
                itemClass: .genericPassword, item: ItemIdentifier(value: 1),
                date: Timestamp(secondsSinceReferenceDate: 0)), names: names)
        let page = GrantPage([ListedGrant](repeating: grant, count: GrantPage.limit), next: nil)
        #expect(try GrantPage(try frame(page.frame)) == page)
        let longer = GrantPage(page.grants + [grant], next: nil)
        #expect(throws: WireError.tooLarge) { try GrantPage(try frame(longer.frame)) }
    }

    @Test func `approvals are the bytes of the documentation, and one more than allowed is refused`() throws {
        let approval = ListedApproval(
            identity: .installed(path: "/p"), process: 7, path: "/q", bridgePath: "/b", itemCount: 9)
        let bytes = ApprovalList([approval]).frame
        let fields: [UInt8] = [
            0, 1, 3, 0, 0, 0, 2, 0x2F, 0x70, 0, 0, 0, 7, 0, 0, 0, 2, 0x2F, 0x71, 0, 0, 0, 2, 0x2F, 0x62, 0, 0, 0, 9,
        ]
        // The answer begins as that of a list without grants, up to its count and the absent number.
        #expect(bytes.count == GrantPage([], next: nil).frame.count - 3 + fields.count)
        #expect(bytes.suffix(fields.count) == fields[...])
        #expect(try ApprovalList(try frame(bytes)) == ApprovalList([approval]))
        for count in 0..<bytes.count { #expect((try? ApprovalList(frame(Array(bytes[..<count])))) == nil) }
        let long = ListedApproval(
            identity: .installed(path: String(repeating: "x", count: 8192)), process: 7,
            path: String(repeating: "x", count: 8192), bridgePath: String(repeating: "日", count: 3000), itemCount: 9)
        let all = [ListedApproval](repeating: long, count: ApprovalList.limit)
        #expect(try ApprovalList(try frame(ApprovalList(all).frame)).approvals.count == all.count)
        #expect(throws: WireError.tooLarge) { try ApprovalList(try frame(ApprovalList(all + [long]).frame)) }
    }

    @Test func `a status with texts longer than allowed is cut, and can be read`() throws {
        // Three bytes each, so that the limit falls into the middle of a character.
        let path = String(repeating: "日", count: 3000)
        let status = ServiceStatus(
            version: "1", lockState: .unlocked, callerTier: .unidentified, callerPath: path, accessGroups: [path],
            itemCount: nil, unreadableCount: nil, protections: [String](repeating: path, count: 65), contents: nil)
        let read = try ServiceStatus(try frame(status.frame))
        #expect(read.callerPath == String(repeating: "日", count: 2730))
        #expect(read.accessGroups == [read.callerPath])
        #expect(read.protections.count == 64)
    }

    @Test func `a long answer comes in several frames of bounded size, in order`() throws {
        let items = (0..<1000).map { index in
            ReturnedItem<[UInt8]>(
                reference: PersistentReference(
                    itemClass: .genericPassword,
                    item: ItemIdentifier(bytes: (0..<16).map { UInt8(truncatingIfNeeded: index >> $0) })!),
                attributes: nil, secret: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 2000))
        }
        var frames: [[UInt8]] = []
        #expect(try roundTrip(items) { frames.append($0) }.elementsEqual(items) { $0.isSame(as: $1) })
        #expect(frames.count > 5)
        for frame in frames { #expect(frame.count <= WireLimits.batchBytes + 4096) }
        #expect(frames.dropLast().allSatisfy { $0[1] == FrameKind.items.rawValue })
        #expect(frames.last?[1] == FrameKind.reply.rawValue)
    }

    @Test func `an item larger than a batch travels in a frame of its own`() throws {
        func item(_ count: Int) -> ReturnedItem<[UInt8]> {
            ReturnedItem(
                reference: PersistentReference(bytes: Array("genp".utf8) + [UInt8](repeating: 1, count: 16))!,
                attributes: nil, secret: [UInt8](repeating: 9, count: count))
        }
        let items = [item(10), item(3 * WireLimits.batchBytes), item(10), item(WireLimits.batchBytes)]
        #expect(try roundTrip(items).map(\.secret?.count) == items.map(\.secret?.count))
    }

    @Test func `the largest secret fits a frame`() throws {
        let original = Request<[UInt8]>.add(
            ItemAttributes(empty: .genericPassword), secret: [UInt8](repeating: 1, count: ItemLimits.secretBytes),
            returning: [])
        #expect(try request(original.frame(nonce: testNonce)).isSame(as: original))
    }

    private func roundTrip(
        _ items: [ReturnedItem<[UInt8]>], _ look: ([UInt8]) -> Void = { _ in }
    ) throws -> [ReturnedItem<[UInt8]>] {
        var writer = ReplyWriter()
        var frames = items.compactMap { writer.append($0) }
        frames.append(writer.finish())
        var read: [ReturnedItem<[UInt8]>] = []
        for (index, frame) in frames.enumerated() {
            look(frame)
            let part = try replyPart(frame)
            #expect(part.refusal == nil)
            #expect(part.isLast == (index == frames.count - 1))
            read += part.items
        }
        return read
    }
}
