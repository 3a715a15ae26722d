// SPDX-License-Identifier: Apache-2.0

import Fuzzer
import KeychainModel
import KeychainWire

@main
enum FuzzAnswers {
    static func main() { runFuzzer() }
}

/// What a client reads: one frame after the other, each as whatever it may be.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var reader = FrameReader()
    do throws(WireError) {
        try reader.receive(UnsafeBufferPointer(start: start, count: count))
        while !reader.isEmpty, try reader.missing == nil {
            try read(try reader.frame(mayHaveMore: true))
            reader.discard { $0 = [] }
        }
    } catch {
        return 0
    }
    return 0
}

private func read(_ frame: Frame) throws(WireError) {
    switch frame.kind {
    case .hello: _ = try Hello(frame)
    case .change, .lockState:
        let event = try WatchedEvent(frame)
        var again = FrameReader()
        try again.receive(event.frame)
        guard try WatchedEvent(try again.frame()) == event else { fatalError("an event reads as something else") }
    case .items: _ = try ReplyPart<[UInt8]>(frame) { Array($0) }
    case .reply:
        _ = try? Refusal(answer: frame)
        if let status = try? ServiceStatus(frame) {
            var again = FrameReader()
            try again.receive(status.frame)
            guard try ServiceStatus(try again.frame()) == status else { fatalError("a status reads as something else") }
        }
        if let explanation = try? Explanation(frame) {
            var again = FrameReader()
            try again.receive(explanation.frame)
            guard try Explanation(try again.frame()) == explanation else {
                fatalError("an explanation reads as something else")
            }
        }
        try readAdministration(frame)
        let part = try ReplyPart<[UInt8]>(frame) { Array($0) }
        guard part.isLast else { fatalError("a reply is the last frame of an answer") }
    case .add, .copyMatching, .update, .delete, .status, .watch, .explain, .administer:
        throw .unexpected(frame.kind)
    }
}

/// The answers to what is asked of the keychain as a whole. Compared as bytes, since a time may be no number.
private func readAdministration(_ frame: Frame) throws(WireError) {
    if let report = try? ProtectorReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        guard try ProtectorReport(try again.frame()).frame == report.frame else {
            fatalError("a list of protectors reads as something else")
        }
    }
    if let report = try? SettingsReport(frame) {
        var again = FrameReader()
        try again.receive(report.frame)
        guard try SettingsReport(try again.frame()) == report else { fatalError("settings read as something else") }
    }
    if let added = try? AddedProtector(frame) {
        var again = FrameReader()
        try again.receive(added.frame)
        guard try AddedProtector(try again.frame()) == added else { fatalError("a number reads as something else") }
    }
}
