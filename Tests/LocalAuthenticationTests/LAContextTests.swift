// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KeychainModel
import KeychainWire
import LocalAuthentication
import Synchronization
import Testing

private let owner = LAPolicy.deviceOwnerAuthentication
private let biometric = LAPolicy.deviceOwnerAuthenticationWithBiometrics

/// How a blocking evaluation ended: nil for success.
private func evaluate(_ context: LAContext, _ policy: LAPolicy = owner, reason: String = "show it") -> LAError.Code? {
    let ended = DispatchSemaphore(value: 0)
    let code = Mutex<LAError.Code?>(nil)
    context.evaluatePolicy(policy, localizedReason: reason) { succeeded, error in
        #expect(succeeded == (error == nil))
        code.withLock { $0 = (error as? LAError)?.code }
        ended.signal()
    }
    ended.wait()
    return code.withLock { $0 }
}

@Suite struct `A look at what a policy needs` {
    @Test(arguments: [
        (AuthenticationState(hasPasscode: false, prompter: "tty"), owner, LAError.Code.passcodeNotSet),
        (AuthenticationState(hasPasscode: true, prompter: "tty"), owner, nil),
        (AuthenticationState(hasPasscode: true, prompter: nil), owner, .notInteractive),
        (AuthenticationState(hasPasscode: true, biometry: .lockedOut, prompter: "tty"), owner, nil),
        (AuthenticationState(hasPasscode: true, prompter: "tty"), biometric, .biometryNotAvailable),
        (
            AuthenticationState(hasPasscode: true, biometry: .notEnrolled, prompter: "tty"), biometric,
            .biometryNotEnrolled
        ),
        (AuthenticationState(hasPasscode: true, biometry: .lockedOut, prompter: "tty"), biometric, .biometryLockout),
        (AuthenticationState(hasPasscode: false, biometry: .enrolled, prompter: "tty"), biometric, .passcodeNotSet),
        (AuthenticationState(hasPasscode: true, biometry: .enrolled, prompter: "tty"), biometric, nil),
        (
            AuthenticationState(hasPasscode: true, prompter: "tty"), .deviceOwnerAuthenticationWithCompanion,
            .companionNotAvailable
        ),
    ]) func `reports the missing factor, without a prompt`(
        _ state: AuthenticationState, _ policy: LAPolicy, _ code: LAError.Code?
    ) {
        let service = ScriptedService(.answers(.failed), state)
        service.run {
            var error: NSError?
            #expect(LAContext().canEvaluatePolicy(policy, error: &error) == (code == nil))
            #expect((error as? LAError)?.code == code)
            #expect(LAContext().canEvaluatePolicy(policy, error: nil) == (code == nil))
        }
        #expect(service.received.isEmpty)
    }

    @Test func `finds out what reads who is there, also where the policy cannot be met`() {
        let states: [(AuthenticationState.Biometry, LABiometryType)] = [
            (.notAvailable, .none), (.notEnrolled, .touchID), (.enrolled, .touchID), (.lockedOut, .touchID),
        ]
        for (biometry, type) in states {
            ScriptedService(
                .answers(.success), AuthenticationState(hasPasscode: true, biometry: biometry, prompter: "tty")
            ).run {
                let context = LAContext()
                #expect(context.biometryType == .none)
                context.canEvaluatePolicy(biometric, error: nil)
                #expect(context.biometryType == type)
                #expect(context.domainState.biometry.biometryType == type)
            }
        }
    }

    @Test func `tells of the enrolment once a biometric policy could be met`() {
        let enrolment = [UInt8](repeating: 9, count: 32)
        let state = AuthenticationState(hasPasscode: true, biometry: .enrolled, enrolment: enrolment, prompter: "tty")
        ScriptedService(.answers(.success), state).run {
            let context = LAContext()
            #expect(context.evaluatedPolicyDomainState == nil)
            context.canEvaluatePolicy(owner, error: nil)
            #expect(context.evaluatedPolicyDomainState == nil)
            context.canEvaluatePolicy(biometric, error: nil)
            #expect(context.evaluatedPolicyDomainState == Data(enrolment))
            #expect(context.domainState.biometry.stateHash == Data(enrolment))
            #expect(context.domainState.stateHash != nil)
            #expect(context.domainState.companion.availableCompanionTypes.isEmpty)
        }
    }

    @Test func `fails where there is no service`() {
        ScriptedService(.isNotThere).run {
            var error: NSError?
            #expect(!LAContext().canEvaluatePolicy(owner, error: &error))
            #expect((error as? LAError)?.code == .systemCancel)
        }
    }
}

@Suite struct `Evaluating a policy` {
    @Test func `succeeds, and what was shown goes with the next evaluation`() throws {
        let service = ScriptedService()
        service.run {
            let context = LAContext()
            #expect(evaluate(context, reason: "pay") == nil)
            #expect(evaluate(context, biometric) == nil)
        }
        let received = service.received
        try #require(received.count == 2)
        #expect(received[0].request == .evaluate(.owner))
        #expect(received[1].request == .evaluate(.biometry))
        #expect(received[0].reason == "pay")
        #expect(received[0].keepsProof)
        #expect(received.map(\.proofs) == [[], [[1]]])
    }

    @Test(arguments: [
        (AuthenticationOutcome.failed, LAError.Code.authenticationFailed), (.cancelled, .userCancel),
        (.fallback, .userFallback),
        (.withdrawn, .systemCancel), (.passcodeNotSet, .passcodeNotSet), (.biometryNotAvailable, .biometryNotAvailable),
        (.biometryNotEnrolled, .biometryNotEnrolled), (.biometryLockout, .biometryLockout),
        (.companionNotAvailable, .companionNotAvailable), (.notInteractive, .notInteractive),
    ]) func `says how it ended`(_ outcome: AuthenticationOutcome, _ code: LAError.Code) {
        ScriptedService(.answers(outcome)).run { #expect(evaluate(LAContext()) == code) }
    }

    @Test func `says that the service refuses or is not there`() {
        ScriptedService(.isRefused(.missingEntitlement)).run { #expect(evaluate(LAContext()) == .authenticationFailed) }
        ScriptedService(.isRefused(.interactionNotAllowed)).run { #expect(evaluate(LAContext()) == .notInteractive) }
        ScriptedService(.isNotThere).run { #expect(evaluate(LAContext()) == .systemCancel) }
    }

    @Test func `waits without a thread of tasks`() async throws {
        try await ScriptedService().run { () async throws in
            let context = LAContext()
            #expect(try await context.evaluatePolicy(owner, localizedReason: "show it"))
        }
        await ScriptedService(.answers(.cancelled)).run {
            do {
                try await LAContext().evaluatePolicy(owner, localizedReason: "show it")
                Issue.record("it did not fail")
            } catch LAError.userCancel {
            } catch {
                Issue.record(error)
            }
        }
    }

    // C113
    @Test func `of an invalidated context ends with invalidContext`() {
        let service = ScriptedService()
        service.run {
            let context = LAContext()
            context.invalidate()
            context.invalidate()
            #expect(evaluate(context) == .invalidContext)
            var error: NSError?
            #expect(!context.canEvaluatePolicy(owner, error: &error))
            #expect((error as? LAError)?.code == .invalidContext)
        }
        #expect(service.requestCount == 0)
    }

    @Test func `ends with appCancel when the context is invalidated, and the person is asked no more`() async {
        let service = ScriptedService(.saysNothing)
        let (replies, sender) = AsyncStream.makeStream(of: LAError.Code?.self)
        let context = LAContext()
        service.run {
            context.evaluatePolicy(owner, localizedReason: "show it") { _, error in
                sender.yield((error as? LAError)?.code)
                sender.finish()
            }
        }
        DispatchQueue(label: "program").async { [invalidate = Invalidation(context)] in
            service.isAsking.wait()
            invalidate.context.invalidate()
        }
        var codes: [LAError.Code?] = []
        for await code in replies { codes.append(code) }
        #expect(codes == [.appCancel])
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "service").async {
                service.hasGivenUp.wait()
                continuation.resume()
            }
        }
    }

    @Test func `goes on when the context is gone`() {
        let ended = DispatchSemaphore(value: 0)
        ScriptedService().run {
            LAContext().evaluatePolicy(owner, localizedReason: "show it") { succeeded, _ in
                #expect(succeeded)
                ended.signal()
            }
        }
        ended.wait()
    }

    @Test func `without a reason is a mistake of the program's`() async {
        await #expect(processExitsWith: .failure) {
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "") { _, _ in }
        }
    }
}

/// A context that another thread invalidates, which any may.
private struct Invalidation: @unchecked Sendable {
    let context: LAContext
    init(_ context: LAContext) { self.context = context }
}

@Suite struct `Evaluating an access control object` {
    @Test(arguments: [
        (LAAccessControlOperation.createItem, AccessControlOperation.createItem), (.useItem, .useItem),
        (.createKey, .createKey), (.useKeySign, .useKeySign), (.useKeyDecrypt, .useKeyDecrypt),
        (.useKeyKeyExchange, .useKeyKeyExchange),
    ]) func `asks for that object and operation`(
        _ operation: LAAccessControlOperation, _ content: AccessControlOperation
    ) async throws {
        #expect(operation.rawValue == Int(content.rawValue))
        let control = try #require(
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .or, .devicePasscode], nil))
        let service = ScriptedService()
        try await service.run { () async throws in
            let context = LAContext()
            #expect(
                try await context.evaluateAccessControl(control, operation: operation, localizedReason: "sign"))
        }
        let content = AccessControl(
            protection: .whenUnlocked, flags: [.biometryAny, .or, .devicePasscode])!
        #expect(
            service.received.map(\.request) == [
                .evaluateAccessControl(content, AccessControlOperation(rawValue: UInt8(operation.rawValue))!)
            ])
    }
}

@Suite struct `What a context holds` {
    // C112
    @Test func `an application password, until it is taken away`() {
        let context = LAContext()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(Data("secret".utf8), type: .applicationPassword))
        #expect(context.isCredentialSet(.applicationPassword))
        #expect(!context.isCredentialSet(.smartCardPIN))
        #expect(context.setCredential(nil, type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
    }

    @Test func `no other credential, none that is too long, and none once it is invalidated`() {
        let context = LAContext()
        #expect(!context.setCredential(Data("1234".utf8), type: .smartCardPIN))
        #expect(!context.setCredential(Data(count: 1025), type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(Data(count: 1024), type: .applicationPassword))
        context.invalidate()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data("secret".utf8), type: .applicationPassword))
    }

    @Test func `settings read back as they were set`() {
        let context = LAContext()
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
        #expect(!context.interactionNotAllowed)
        #expect(context.localizedReason.isEmpty)
        #expect(context.localizedCancelTitle == nil && context.localizedFallbackTitle == nil)
        context.touchIDAuthenticationAllowableReuseDuration = 4000
        context.interactionNotAllowed = true
        context.localizedReason = "why"
        context.localizedCancelTitle = "No"
        context.localizedFallbackTitle = ""
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 4000)
        #expect(context.interactionNotAllowed)
        #expect(context.localizedReason == "why")
        #expect(context.localizedCancelTitle == "No" && context.localizedFallbackTitle == "")
        #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
    }

    @Test(arguments: [
        (0.0, 0), (0.25, 250), (10, 10_000), (300, 300_000), (301, 300_000), (.infinity, 300_000), (-1, 0), (.nan, 0),
    ]) func `a reuse duration that counts for 300 seconds at most`(_ seconds: Double, _ milliseconds: UInt32) throws {
        let service = ScriptedService()
        service.run {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = seconds
            #expect(evaluate(context) == nil)
        }
        #expect(try #require(service.received.first).reuseMilliseconds == milliseconds)
    }

    @Test func `titles, of which empty ones mean what Apple's do`() throws {
        func titles(_ cancel: String?, _ fallback: String?) throws -> [String?] {
            let service = ScriptedService()
            service.run {
                let context = LAContext()
                context.localizedCancelTitle = cancel
                context.localizedFallbackTitle = fallback
                #expect(evaluate(context) == nil)
            }
            let received = try #require(service.received.first)
            return [received.cancelTitle, received.fallbackTitle]
        }
        #expect(try titles(nil, nil) == [nil, nil])
        #expect(try titles("", "") == [nil, ""])
        #expect(try titles("No", "Passcode") == ["No", "Passcode"])
    }

    @Test func `words of any length, cut at a character`() throws {
        let service = ScriptedService()
        service.run {
            let context = LAContext()
            context.localizedCancelTitle = String(repeating: "\u{E4}", count: 65)
            #expect(evaluate(context, reason: "x" + String(repeating: "\u{1F511}", count: 400)) == nil)
        }
        let received = try #require(service.received.first)
        #expect(received.reason == "x" + String(repeating: "\u{1F511}", count: 255))
        #expect(received.cancelTitle?.count == 64)
    }
}
