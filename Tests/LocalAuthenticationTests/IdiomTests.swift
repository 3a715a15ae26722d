// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Testing

#if !canImport(LocalAuthentication)
    #error("programs ask in this way whether there is a module of that name")
#endif

/// A stand-in, as programs' tests have them.
private final class FakeContext: LAContext {
    var error: NSError?

    override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        error?.pointee = self.error
        return self.error == nil
    }

    override func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, (any Error)?) -> Void
    ) {
        reply(error == nil, error)
    }

    override func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping (Bool, (any Error)?) -> Void
    ) {
        reply(error == nil, error)
    }

    override var biometryType: LABiometryType { .faceID }
}

private final class FakeAsyncContext: LAContext {
    override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        throw LAError(.biometryLockout)
    }
}

@MainActor private final class Screen {
    let context: LAContext
    init(_ context: LAContext) { self.context = context }

    func unlock() async throws -> Bool {
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return false }
        return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock the screen")
    }
}

/// The ways in which programs use contexts. That they compile is most of the test.
@Suite struct `Contexts as programs write them` {
    @Test func `a stand-in answers for the real one`() async throws {
        let fake = FakeContext()
        #expect(try await fake.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test"))
        let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
        #expect(try await fake.evaluateAccessControl(control, operation: .useItem, localizedReason: "test"))
        #expect(fake.biometryType == .faceID)
        fake.error = NSError(domain: LAErrorDomain, code: LAError.userFallback.rawValue)
        do {
            try await fake.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test")
            Issue.record("it did not fail")
        } catch LAError.userFallback {
        } catch {
            Issue.record(error)
        }
    }

    @Test @MainActor func `a context is used from the main actor`() async throws {
        #expect(try await Screen(FakeContext()).unlock())
        try await ScriptedService().run { () async throws in
            #expect(try await Screen(LAContext()).unlock())
        }
        await #expect(throws: LAError.self) {
            try await FakeAsyncContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test")
        }
    }

    @Test func `numbers and older names are Apple's`() {
        #expect(LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue == 3)
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue == 4)
        #expect(LAPolicy(rawValue: Int(kLAPolicyDeviceOwnerAuthentication)) == .deviceOwnerAuthentication)
        #expect(LABiometryType.LABiometryNone == .none)
        #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
        #expect([LACredentialType.applicationPassword, .smartCardPIN].map(\.rawValue) == [0, -3])
    }
}
