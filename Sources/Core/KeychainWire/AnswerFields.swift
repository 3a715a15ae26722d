// SPDX-License-Identifier: Apache-2.0

// Answers that carry no items but fields of their own (Documentation/Protocols/client.md, "Answers").

extension Frame {
    /// What comes behind the head of a `reply` that grants and carries no items: status 0, no reason.
    func answer() throws(WireError) -> WireReader {
        guard kind == .reply else { throw .unexpected(kind) }
        var reader = reader
        guard try reader.u32() == 0, try reader.u8() == 0, try reader.u32() == 0 else { throw .malformed }
        return reader
    }
}

extension WireWriter {
    /// A `reply` that grants and carries no items, up to where its own fields begin.
    static func answer(reserving size: Int) -> WireWriter {
        var writer = WireWriter(.reply, reserving: size + 16)
        writer.u32(0)
        writer.u8(0)
        writer.u32(0)
        return writer
    }
}
