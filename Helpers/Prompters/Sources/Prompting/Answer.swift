// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
public import SecretMemory

/// What a prompter found out: a reply, with the secret that goes into it.
public struct Answer: Sendable {
    public let reply: PromptReply
    public let secret: SecretBytes?

    private init(_ reply: PromptReply, _ secret: SecretBytes? = nil) {
        self.reply = reply
        self.secret = secret
    }

    public static let denied = Answer(.denied)
    public static let cancelled = Answer(.cancelled)
    public static let fallback = Answer(.fallback)
    public static let timedOut = Answer(.timedOut)

    public static func allowed(always: Bool, passcode: SecretBytes?) -> Answer {
        Answer(.allowed(always: always, passcode: nil), passcode)
    }

    public static func secret(_ secret: SecretBytes) -> Answer { Answer(.secret(0..<0), secret) }

    /// Nobody could be asked; a sentence without a full stop.
    public static func unavailable(_ reason: String) -> Answer { Answer(.refusal(HelperRefusal(reason: reason))) }

    /// Whoever sends it wipes it.
    public var frame: [UInt8] { reply.frame(secret: secret?.bytes) }
}
