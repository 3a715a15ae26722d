// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainWire
import LocalAuthentication
import Testing

private func password(_ more: [CFString: Any]) -> CFDictionary {
    more.merging([kSecClass: kSecClassGenericPassword]) { given, _ in given } as CFDictionary
}

/// Returns the authentication data sent with a search by this dictionary; nil if there is none.
private func sent(_ more: [CFString: Any], sourceLocation: SourceLocation = #_sourceLocation) -> ScriptedService
    .Received?
{
    let service = ScriptedService()
    service.run { #expect(SecItemCopyMatching(password(more), nil) == errSecSuccess, sourceLocation: sourceLocation) }
    #expect(service.requestCount == 1, sourceLocation: sourceLocation)
    return service.received.first
}

@Suite struct `Contexts in item functions` {
    @Test func `nothing goes with a call that says nothing`() {
        #expect(sent([:]) == nil)
    }

    @Test func `a context gives its settings, its password and what was shown`() throws {
        let service = ScriptedService()
        let context = LAContext()
        context.localizedReason = "read your mail"
        context.localizedCancelTitle = "Not now"
        context.localizedFallbackTitle = "Passcode"
        context.touchIDAuthenticationAllowableReuseDuration = 10
        context.setCredential(Data("secret".utf8), type: .applicationPassword)
        service.run {
            for _ in 0..<2 {
                #expect(SecItemCopyMatching(password([kSecUseAuthenticationContext: context]), nil) == errSecSuccess)
            }
            #expect(
                SecItemUpdate(
                    password([kSecUseAuthenticationContext: context]), [kSecAttrLabel: "x"] as CFDictionary)
                    == errSecSuccess)
            #expect(
                SecItemAdd(password([kSecAttrAccount: "ann", kSecUseAuthenticationContext: context]), nil)
                    == errSecSuccess)
        }
        let received = service.received
        try #require(received.count == 4)
        for each in received {
            #expect(each.reason == "read your mail")
            #expect(each.cancelTitle == "Not now" && each.fallbackTitle == "Passcode")
            #expect(each.reuseMilliseconds == 10_000)
            #expect(each.applicationPassword == Array("secret".utf8))
            #expect(each.keepsProof)
            #expect(each.interaction == .allow)
        }
        #expect(received.map(\.proofs) == [[], [[1]], [[1], [2]], [[1], [2], [3]]])
    }

    @Test func `the newest eight proofs are kept`() throws {
        let service = ScriptedService()
        let context = LAContext()
        service.run {
            for _ in 0..<10 { SecItemCopyMatching(password([kSecUseAuthenticationContext: context]), nil) }
        }
        #expect(try #require(service.received.last).proofs == (2...9).map { [$0] })
    }

    @Test func `a subclass of LAContext is a context`() {
        final class OwnContext: LAContext {}
        #expect(sent([kSecUseAuthenticationContext: OwnContext()])?.keepsProof == true)
    }

    @Test func `an object other than a context is refused`() {
        for value in ["context", 1, true, Data(), NSObject(), NSNull()] as [Any] {
            let service = ScriptedService()
            service.run {
                let dictionary = password([kSecUseAuthenticationContext: value])
                #expect(SecItemCopyMatching(dictionary, nil) == errSecParam)
                #expect(SecItemAdd(dictionary, nil) == errSecParam)
                #expect(SecItemUpdate(dictionary, [:]) == errSecParam)
                #expect(SecItemDelete(dictionary) == errSecParam)
            }
            #expect(service.requestCount == 0)
        }
    }

    @Test func `an invalidated context fails, but for deleting`() {
        let service = ScriptedService()
        service.run {
            let context = LAContext()
            context.invalidate()
            let dictionary = password([kSecUseAuthenticationContext: context])
            #expect(SecItemCopyMatching(dictionary, nil) == errSecAuthFailed)
            #expect(SecItemAdd(dictionary, nil) == errSecAuthFailed)
            #expect(SecItemUpdate(dictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecAuthFailed)
            #expect(service.requestCount == 0)
            #expect(SecItemDelete(dictionary) == errSecSuccess)
        }
    }

    /// The values of the two keys, and their result; nil for a contradiction.
    static let interactions: [(ui: String?, forbidden: Bool?, AuthenticationInteraction?)] = [
        ("u_AuthUIA", nil, .allow), ("u_AuthUIF", nil, .fail), ("u_AuthUIS", nil, .skip), (nil, true, .fail),
        (nil, false, .allow), ("u_AuthUIF", true, .fail), ("u_AuthUIS", false, .skip), ("u_AuthUIA", false, .allow),
        ("u_AuthUIA", true, nil), ("u_AuthUIS", true, nil), ("u_AuthUIF", false, nil),
    ]

    @Test(arguments: interactions) func `the keys about asking are kept, contradictions refused`(
        _ ui: String?, _ forbidden: Bool?, _ interaction: AuthenticationInteraction?
    ) {
        var keys: [CFString: Any] = [:]
        keys[kSecUseAuthenticationUI] = ui
        keys[kSecUseNoAuthenticationUI] = forbidden
        guard let interaction else {
            let service = ScriptedService()
            service.run { #expect(SecItemCopyMatching(password(keys), nil) == errSecParam) }
            #expect(service.requestCount == 0)
            return
        }
        let received = sent(keys)
        #expect(received?.interaction == interaction)
        #expect(received?.keepsProof == false)
    }

    // C110
    @Test func `only a search can leave items out`() {
        let service = ScriptedService()
        service.run {
            let dictionary = password([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
            #expect(SecItemAdd(dictionary, nil) == errSecParam)
            #expect(SecItemUpdate(dictionary, [:]) == errSecParam)
            #expect(SecItemDelete(dictionary) == errSecParam)
        }
        #expect(service.requestCount == 0)
    }

    @Test func `a context without interaction fails or leaves out, whatever else is said`() {
        let context = LAContext()
        context.interactionNotAllowed = true
        func interaction(_ more: [CFString: Any]) -> AuthenticationInteraction? {
            sent(more.merging([kSecUseAuthenticationContext: context]) { $1 })?.interaction
        }
        #expect(interaction([:]) == .fail)
        #expect(interaction([kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]) == .fail)
        #expect(interaction([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) == .skip)
    }

    @Test func `the call's own words stand before the context's`() {
        let context = LAContext()
        context.localizedReason = "context"
        #expect(sent([kSecUseOperationPrompt: "call"])?.reason == "call")
        #expect(sent([kSecUseOperationPrompt: "call", kSecUseAuthenticationContext: context])?.reason == "call")
        #expect(sent([kSecUseAuthenticationContext: context])?.reason == "context")
        #expect(sent([kSecUseOperationPrompt: String(repeating: "x", count: 5000)])?.reason?.count == 1024)
    }
}
