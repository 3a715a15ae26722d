// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KeychainModel

@testable import KeychainSealing

/// A backup with arbitrary records from an attacker who knows its secret: each record is sealed correctly, whatever its
/// content.
struct ForgedBackup {
    private var writer = Self.writer
    private(set) var bytes: [UInt8] = []

    private static let storage = PlainKeyStorage()
    private static let secret = BackupSecret(.recoveryKey, Array(UInt8(0)..<16))
    private static let (writer, reader, readerElsewhere) = make()

    private static func make() -> (BackupWriter, BackupReader, BackupReader) {
        do {
            let (here, elsewhere) = (try DeviceKey.generate(in: storage), try DeviceKey.generate(in: storage))
            let writer = try BackupWriter(
                secret: secret, cost: .minimum, form: .portable, keybag: Array(repeating: 7, count: 16),
                date: Timestamp(secondsSinceReferenceDate: 0), deviceKey: here, in: storage)
            return (
                writer, try BackupReader(writer.header, secret: secret, deviceKey: here, in: storage),
                try BackupReader(writer.header, secret: secret, deviceKey: elsewhere, in: storage)
            )
        } catch {
            finding("no backup can be made: \(error)")
        }
    }

    /// Creates a backup from the input: for each record a byte that selects its form, a length of two bytes and its
    /// content. A form is one of the three kinds, or bytes that are not sealed.
    init(_ input: ArraySlice<UInt8>) {
        var rest = input
        while let form = rest.popFirst() {
            let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            let content = Data(rest.dropFirst(2).prefix(size))
            rest = rest.dropFirst(2 + size)
            switch form & 3 {
            case 0: bytes += writer.seal(content, .item)
            case 1:
                let (head, secret) = (content.prefix(18), content.dropFirst(18))
                let box = writer.cipher.sealForDevice(Data(secret), head, writer.number)
                bytes += writer.seal(head + box, .deviceBoundItem)
            case 2: bytes += writer.seal(content, .end)
            default: bytes += content
            }
        }
    }

    /// Reads the backup in pieces of this size. The read items, sealed again, must give the bytes of the backup, and
    /// another device must read a backup that its own device reads.
    func verify(pieces: Int) {
        let whole = read(Self.reader, pieces: .max)
        check(bytes.starts(with: whole.sealed), "a record has two encodings")
        let inPieces = read(Self.reader, pieces: pieces)
        check(whole == inPieces, "a backup reads differently in pieces of \(pieces)")
        if case .success = whole.outcome {
            check(
                read(Self.readerElsewhere, pieces: pieces).outcome == whole.outcome,
                "a backup that its own device reads is refused by another")
        }
    }

    private struct Reading: Equatable {
        /// The items that were read, sealed again, as long as all of them could be read.
        var sealed: [UInt8] = []
        var outcome: Result<BackupCounts, BackupError> = .failure(.truncated)
    }

    private func read(_ start: BackupReader, pieces: Int) -> Reading {
        var (reader, writer, reading, rest) = (start, Self.writer, Reading(), bytes[...])
        do throws(BackupError) {
            while !rest.isEmpty {
                reader.receive(rest.prefix(pieces))
                rest = rest.dropFirst(pieces)
                while let record = try reader.next() {
                    guard case .item(let item, let isDeviceBound) = record else { continue }
                    reading.sealed += writer.record(of: item, isDeviceBound: isDeviceBound)
                }
            }
            reading.outcome = .success(try reader.finish())
        } catch {
            reading.outcome = .failure(error)
        }
        return reading
    }
}
