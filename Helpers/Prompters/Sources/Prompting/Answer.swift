// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
public import SecretMemory

/// The result of a prompt: a reply, with the secret that the user entered.
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

    /// Returns the refusal for a prompt that could not be shown. The reason is a sentence without a full stop.
    public static func unavailable(_ reason: String) -> Answer { Answer(.refusal(HelperRefusal(reason: reason))) }

    /// The encoded reply. The sender must wipe it.
    public var frame: [UInt8] { reply.frame(secret: secret?.bytes) }
}
