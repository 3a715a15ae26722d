// SPDX-License-Identifier: Apache-2.0

internal import KeychainEndpoint
internal import KeychainTerminal

/// A stream of the process as input or output of a command.
struct StandardStream: ByteSource, ByteSink {
    let stream: DescriptorStream

    static let input = StandardStream(stream: .standardInput)
    static let output = StandardStream(stream: .standardOutput)
    static let error = StandardStream(stream: .standardError)

    var isTerminal: Bool { stream.isTerminal }

    func read(into buffer: inout [UInt8]) throws(StreamError) -> Int {
        do throws(SystemCallError) {
            return try stream.read(into: &buffer)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }

    func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
        do throws(SystemCallError) {
            try stream.write(bytes)
        } catch {
            throw StreamError(reason: error.reason)
        }
    }
}
