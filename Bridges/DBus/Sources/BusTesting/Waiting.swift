// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Glibc

/// An event of a test that did not happen within 60 seconds.
public struct MissingEvent: Error, CustomStringConvertible {
    /// The event, as the subject of a sentence.
    public let event: String

    public var description: String { "\(event) did not happen within 60 seconds" }
}

/// Waits until a condition is met.
///
/// - Parameter event: names the condition, such as "the start of the provider".
/// - Throws: ``MissingEvent``, and the errors of the condition.
public func wait(for event: String, until condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw MissingEvent(event: event) }
    }
}

extension FileHandle {
    /// Returns the next line of a program's output, without its end; the rest of the output if the program ends.
    ///
    /// - Parameter event: names the line, such as "the address of the bus".
    /// - Throws: ``MissingEvent``.
    public func line(_ event: String) throws -> String {
        var line: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            // The kernel reads and writes one entry.
            guard unsafe poll(&entry, 1, 1000) == 1 else { continue }
            guard let byte = try read(upToCount: 1)?.first, byte != 0x0A else {
                return String(decoding: line, as: UTF8.self)
            }
            line.append(byte)
        }
        throw MissingEvent(event: event)
    }
}
