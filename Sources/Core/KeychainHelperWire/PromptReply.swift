// SPDX-License-Identifier: Apache-2.0

/// What comes back to a ``PromptRequest``.
///
/// A secret stays in the frame, whose owner wipes it: here is only its place there.
public enum PromptReply: Hashable, Sendable {
    /// No; also when a window was closed.
    case denied
    /// Yes, this time or from now on; with the passcode or password where that was asked for.
    case allowed(always: Bool, passcode: Range<Int>?)
    /// The person gave up.
    case cancelled
    /// The person chose what was offered instead.
    case fallback
    case secret(Range<Int>)
    /// The person took too long.
    case timedOut
    /// Nobody could be asked there.
    case refusal(HelperRefusal)

    private enum Kind: UInt8 {
        case denied = 1
        case allowed = 2
        case alwaysAllowed = 3
        case cancelled = 4
        case fallback = 5
        case secret = 6
        case timedOut = 7
    }

    /// The frame of an answer. It may hold a secret: the sender wipes it.
    ///
    /// - Parameter secret: for `.allowed` and `.secret`, whose ranges are not looked at; at most ``PromptLimits/secretBytes``.
    public func frame(secret: (some Collection<UInt8>)?) -> [UInt8] {
        let kind: Kind
        switch self {
        case .denied: kind = .denied
        case .allowed(let always, _): kind = always ? .alwaysAllowed : .allowed
        case .cancelled: kind = .cancelled
        case .fallback: kind = .fallback
        case .secret: kind = .secret
        case .timedOut: kind = .timedOut
        case .refusal(let refusal): return refusal.frame
        }
        var writer = HelperWriter(.promptReply, capacity: HelperFrameHeader.size + 8 + (secret?.count ?? 0))
        writer.u8(kind.rawValue)
        switch kind {
        case .allowed, .alwaysAllowed: writer.optional(secret) { $0.block($1) }
        case .secret: if let secret { writer.block(secret) } else { writer.u32(0) }
        case .denied, .cancelled, .fallback, .timedOut: break
        }
        return writer.frame()
    }

    /// The frame of an answer without a secret.
    public var frame: [UInt8] { frame(secret: [UInt8]?.none) }

    /// - Parameter frame: a complete frame.
    public init(_ frame: [UInt8]) throws(HelperWireError) {
        var reader = try HelperReader(frame, [.promptReply, .refusal])
        if try HelperFrameHeader(frame).kind == .refusal {
            self = .refusal(try HelperRefusal(&reader))
        } else {
            let kind = try reader.value(Kind.self)
            switch kind {
            case .denied: self = .denied
            case .allowed, .alwaysAllowed:
                let passcode = try reader.optional { reader throws(HelperWireError) in
                    try reader.place(ofBlockAtMost: PromptLimits.secretBytes)
                }
                self = .allowed(always: kind == .alwaysAllowed, passcode: passcode)
            case .cancelled: self = .cancelled
            case .fallback: self = .fallback
            case .secret: self = .secret(try reader.place(ofBlockAtMost: PromptLimits.secretBytes))
            case .timedOut: self = .timedOut
            }
        }
        try reader.finish()
    }

    /// Whether it is one of the answers to a question. A prompter that says "always" where that was not offered, or yes without
    /// the passcode, has not understood it.
    public func answers(_ request: PromptRequest) -> Bool {
        switch self {
        case .cancelled, .timedOut, .refusal: return true
        case .denied: return request.purpose.isConfirmation
        case .allowed(let always, let passcode):
            return request.purpose.isConfirmation && (!always || request.options.contains(.mayRemember))
                && (passcode != nil) == request.options.contains(.needsPasscode)
        case .fallback: return request.fallbackTitle != nil
        case .secret:
            return switch request.purpose {
            case .passcode, .applicationPassword, .keychainPassword: true
            case .confirmation, .itemConfirmation, .accessChange, .biometry: false
            }
        }
    }
}
