// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

extension TokenReport {
    /// The limit of the list: there are two kinds of tokens.
    private static let tokenLimit = 8

    /// Reads the reply to `readTokens`.
    public init(_ frame: Frame) throws(WireError) {
        var reader = try frame.answer()
        let place = try reader.value(DeviceKeyLocation.self)
        let count = Int(try reader.u8())
        guard count <= Self.tokenLimit else { throw .tooLarge }
        var tokens: [Token] = []
        for _ in 0..<count {
            let kind = try reader.value(Token.Kind.self)
            let facts = try reader.optional { reader throws(WireError) in
                let manufacturer = try reader.text(atMost: WireLimits.pathBytes)
                let firmware = try reader.text(atMost: WireLimits.pathBytes)
                let place = try reader.text(atMost: WireLimits.pathBytes)
                let lockout = try reader.optional { reader throws(WireError) in
                    let (failures, limit) = (try reader.u32(), try reader.u32())
                    return Lockout(failures: failures, limit: limit, interval: try reader.u32())
                }
                return Facts(manufacturer: manufacturer, firmware: firmware, place: place, lockout: lockout)
            }
            if let facts {
                tokens.append(Token(kind, .available(facts)))
            } else {
                tokens.append(Token(kind, .unavailable(try reader.text(atMost: WireLimits.pathBytes))))
            }
        }
        let pin = try reader.optional { reader throws(WireError) in
            let failed = try reader.u32()
            return PIN(failedAttempts: failed, retryAfterSeconds: try reader.u32())
        }
        try reader.finish()
        self.init(tokens: tokens, deviceKey: place, pin: pin)
    }

    public var frame: [UInt8] {
        var writer = WireWriter.answer(reserving: 1024)
        writer.u8(deviceKey.rawValue)
        let tokens = tokens.prefix(Self.tokenLimit)
        writer.u8(UInt8(tokens.count))
        for token in tokens {
            writer.u8(token.kind.rawValue)
            switch token.state {
            case .available(let facts):
                writer.optional(facts) { writer, facts in
                    for text in [facts.manufacturer, facts.firmware, facts.place] { writer.cut(text) }
                    writer.optional(facts.lockout) {
                        $0.u32($1.failures)
                        $0.u32($1.limit)
                        $0.u32($1.interval)
                    }
                }
            case .unavailable(let reason):
                writer.optional(nil as Facts?) { _, _ in }
                writer.cut(reason)
            }
        }
        writer.optional(pin) {
            $0.u32($1.failedAttempts)
            $0.u32($1.retryAfterSeconds)
        }
        return writer.frame()
    }
}
