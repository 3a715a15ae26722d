// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// The reply to a ``PromptRequest``.
///
/// A secret stays in the frame, whose owner wipes it: a reply contains only its range.
public enum PromptReply: Hashable, Sendable {
    /// The user denied the request, or closed the window.
    case denied
    /// The user allowed the request, once or always; with the passcode or password if it was required.
    case allowed(always: Bool, passcode: Range<Int>?)
    /// The user cancelled the prompt.
    case cancelled
    /// The user chose the offered alternative.
    case fallback
    case secret(Range<Int>)
    /// The user did not answer in time.
    case timedOut
    /// No prompt was possible there.
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

    /// Returns the frame of a reply. It may contain a secret: the sender wipes it.
    ///
    /// - Parameter secret: for `.allowed` and `.secret`, whose ranges are ignored; at most
    ///   ``PromptLimits/secretBytes``.
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

    /// The frame of a reply without a secret.
    public var frame: [UInt8] { frame(secret: [UInt8]?.none) }

    /// Reads a reply.
    ///
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
                    try reader.range(ofBlockAtMost: PromptLimits.secretBytes)
                }
                self = .allowed(always: kind == .alwaysAllowed, passcode: passcode)
            case .cancelled: self = .cancelled
            case .fallback: self = .fallback
            case .secret: self = .secret(try reader.range(ofBlockAtMost: PromptLimits.secretBytes))
            case .timedOut: self = .timedOut
            }
        }
        try reader.finish()
    }

    /// Returns whether the reply is a valid answer to a prompt. A prompter that returns "always" without the offer, or
    /// allows without the required passcode, did not understand the request.
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
