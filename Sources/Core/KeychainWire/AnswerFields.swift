// SPDX-License-Identifier: Apache-2.0

import KeychainBytes

// Replies without items but with their own fields (Documentation/Protocols/client.md, "Answers").

extension Frame {
    /// Returns a reader after the head of a successful `reply` without items: status 0, no reason.
    func answer() throws(WireError) -> WireReader {
        guard kind == .reply else { throw .unexpected(kind) }
        var reader = reader
        guard try reader.u32() == 0, try reader.u8() == 0, try reader.u32() == 0 else { throw .malformed }
        return reader
    }
}

extension WireWriter {
    /// Returns a writer with the head of a successful `reply` without items, up to its own fields.
    static func answer(reserving size: Int) -> WireWriter {
        var writer = WireWriter(.reply, reserving: size + 16)
        writer.u32(0)
        writer.u8(0)
        writer.u32(0)
        return writer
    }
}
