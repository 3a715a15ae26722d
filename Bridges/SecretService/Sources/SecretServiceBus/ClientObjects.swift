// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService

/// `org.freedesktop.Secret.Session`, for the client that opened it.
struct SessionObject: BusObject {
    let client: Client
    let number: UInt64

    static let interfaces: [Interface<SessionObject>] = [
        Interface(
            "org.freedesktop.Secret.Session",
            methods: [
                // After the calls that use the session.
                Method(
                    "Close",
                    later: { session, _, reply in
                        session.client.enqueue(reply) {
                            session.client.closeSession(session.number)
                            return []
                        }
                    })
            ])
    ]
}

/// `org.freedesktop.Secret.Prompt`, for the client that needs it.
struct PromptObject: BusObject {
    let provider: SecretServiceProvider
    let client: Client
    let number: UInt64

    static let description = interfaces[0].description

    static let interfaces: [Interface<PromptObject>] = [
        Interface(
            "org.freedesktop.Secret.Prompt",
            methods: [
                // The keychain service shows its own window, which no program chooses the place of.
                Method("Prompt", in: [Argument("window-id", "s")]) { prompt, _ in
                    let report = prompt.provider.dependencies.report
                    prompt.client.startPrompt(prompt.number) { error in
                        report("A prompt failed: \(MethodError(error).text)")
                    }
                    return []
                },
                Method("Dismiss") { prompt, _ in
                    prompt.client.dismissPrompt(prompt.number)
                    return []
                },
            ],
            signals: [SignalDescription("Completed", [Argument("dismissed", "b"), Argument("result", "v")])])
    ]
}
