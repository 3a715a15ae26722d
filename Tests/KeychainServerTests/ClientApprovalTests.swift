// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainPlatform
@testable import KeychainPolicy
@testable import KeychainServer

/// The memory of approvals that clients of bridges hold.
struct ClientApprovalTests {
    private let approvals = ClientApprovals()

    private static func caller(
        _ process: Int32 = 7, start: UInt64 = 1, bridge: (process: Int32, start: UInt64) = (3, 1)
    ) -> Caller {
        Caller(
            userID: 1000, processID: process, processStart: start, tier: .installed,
            identity: .installed(path: "/usr/bin/p"), accessGroups: ["a"], displayPath: "/usr/bin/p",
            bridge: Bridge(displayPath: "/bridge", processID: bridge.process, processStart: bridge.start))
    }

    private static func approval(_ items: Range<UInt128> = 0..<1, by caller: Caller = caller()) throws -> HeldApproval {
        let request = ApprovalRequest(
            caller: caller, operation: .readData,
            items: items.map { PersistentReference(itemClass: .genericPassword, item: ItemIdentifier(value: $0)) },
            because: .otherProgramsItem)
        let permission = try #require(Permission(request))
        return try #require(HeldApproval(permission))
    }

    private static func run(of process: Int32) throws -> PeerProcess.Snapshot {
        try PeerProcess(lookingAt: process).snapshot()
    }

    @Test func `an approval belongs to one run of one program`() throws {
        let other = try OtherProcess()
        let (run, otherRun) = (try Self.run(of: getpid()), try Self.run(of: other.pid))
        approvals.hold(try Self.approval(), in: run, for: nil)
        #expect(approvals.held(by: Self.caller(), in: run, for: nil).count == 1)
        #expect(approvals.held(by: Self.caller(), in: otherRun, for: nil).isEmpty)
        #expect(approvals.held(by: Self.caller(), in: nil, for: nil).isEmpty)
        #expect(approvals.held(by: Self.caller(8), in: run, for: nil).isEmpty)
        #expect(approvals.held(by: Self.caller(start: 2), in: run, for: nil).isEmpty)
        approvals.forget(processOf: Self.caller(start: 2))
        #expect(approvals.held(by: Self.caller(), in: run, for: nil).count == 1)
        approvals.forget(processOf: Self.caller())
        #expect(approvals.held(by: Self.caller(), in: run, for: nil).isEmpty)
    }

    @Test func `an approval through one bridge process is of no use through another one`() throws {
        let run = try Self.run(of: getpid())
        approvals.hold(try Self.approval(), in: run, for: nil)
        #expect(approvals.held(by: Self.caller(bridge: (4, 1)), in: run, for: nil).isEmpty)
        // A later process with the number of the first one.
        #expect(approvals.held(by: Self.caller(bridge: (3, 2)), in: run, for: nil).isEmpty)
        #expect(approvals.held(by: Self.caller(), in: run, for: nil).count == 1)
    }

    @Test func `an approval belongs to one keychain, and ends when this keychain is locked`() throws {
        let keychains = ["/work", "/copy", nil]
        for keychain in keychains.dropFirst() { approvals.hold(try Self.approval(), in: nil, for: keychain) }
        func counts() -> [Int] { keychains.map { approvals.held(by: Self.caller(), in: nil, for: $0).count } }
        #expect(counts() == [0, 1, 1])
        approvals.forget(keychain: "/copy")
        #expect(counts() == [0, 0, 1])
        approvals.forget(keychain: nil)
        #expect(counts() == [0, 0, 0])
    }

    @Test func `the list has each client once, and no process that has ended or runs another program`() throws {
        var other: OtherProcess? = try OtherProcess()
        let pid = try #require(other?.pid)
        let (run, otherRun) = (try Self.run(of: getpid()), try Self.run(of: pid))
        let (own, ended, replaced) = (Self.caller(getpid()), Self.caller(pid), Self.caller(getpid(), start: 2))
        approvals.hold(try Self.approval(0..<2, by: own), in: run, for: nil)
        approvals.hold(try Self.approval(1..<3, by: own), in: run, for: nil)
        approvals.hold(try Self.approval(by: ended), in: otherRun, for: nil)
        approvals.hold(try Self.approval(by: replaced), in: otherRun, for: nil)
        func listed() -> [String] { approvals.list().map { "\($0.process) \($0.itemCount) \($0.bridgePath)" } }
        #expect(listed() == ["\(getpid()) 3 /bridge", "\(pid) 1 /bridge"])
        #expect(approvals.held(by: replaced, in: otherRun, for: nil).isEmpty)
        other = nil
        #expect(listed() == ["\(getpid()) 3 /bridge"])
        #expect(approvals.held(by: ended, in: otherRun, for: nil).isEmpty)
        #expect(approvals.held(by: own, in: run, for: nil).count == 2)
        // The same references in a keychain file are other items.
        approvals.hold(try Self.approval(0..<2, by: own), in: run, for: "/work")
        #expect(listed() == ["\(getpid()) 5 /bridge"])
    }

    @Test func `the oldest approvals are forgotten beyond the limits`() throws {
        let clients = (0...ClientApprovals.limit).map { Self.caller(Int32($0 + 1)) }
        for client in clients { approvals.hold(try Self.approval(by: client), in: nil, for: nil) }
        #expect(approvals.held(by: clients[0], in: nil, for: nil).isEmpty)
        #expect(clients.dropFirst().allSatisfy { approvals.held(by: $0, in: nil, for: nil).count == 1 })
        // One that holds as many items as all may.
        let all = try Self.approval(0..<UInt128(ClientApprovals.itemLimit), by: clients[0])
        approvals.hold(all, in: nil, for: nil)
        #expect(approvals.held(by: clients[0], in: nil, for: nil).map(\.items.count) == [ClientApprovals.itemLimit])
        #expect(clients.dropFirst().allSatisfy { approvals.held(by: $0, in: nil, for: nil).isEmpty })
        approvals.hold(try Self.approval(0..<UInt128(ClientApprovals.itemLimit + 1), by: clients[1]), in: nil, for: nil)
        #expect(clients.allSatisfy { approvals.held(by: $0, in: nil, for: nil).isEmpty })
    }
}

/// A process that runs until this value is released.
private final class OtherProcess {
    private let process = Process()
    private let input = Pipe()

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        process.standardInput = input
        try process.run()
    }

    var pid: Int32 { process.processIdentifier }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
