// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Testing

/// The ways in which programs look at errors of this module. That they compile is a part of the test.
@Suite struct `Errors of LocalAuthentication` {
    private let failure: any Error = LAError(.userCancel)

    @Test func `an error is an LAError and an NSError`() {
        #expect((failure as? LAError)?.code == .userCancel)
        #expect((failure as? LAError)?.errorCode == -2)
        let object = failure as NSError
        #expect(object.domain == LAErrorDomain)
        #expect(object.domain == "com.apple.LocalAuthentication")
        #expect(object.code == LAError.userCancel.rawValue)
        #expect((object as? LAError)?.code == .userCancel)
        let optional: (any Error)? = failure
        #expect((optional as NSError?)?.code == -2)
    }

    @Test func `an NSError of the domain is an LAError, another is not`() {
        let ours: any Error = NSError(domain: LAErrorDomain, code: -8)
        #expect((ours as? LAError)?.code == .biometryLockout)
        let others: [any Error] = [
            NSError(domain: "others", code: -8), NSError(domain: LAErrorDomain, code: 77), CancellationError(),
        ]
        for other in others { #expect(other as? LAError == nil) }
    }

    @Test func `errors are matched in patterns`() {
        switch failure {
        case LAError.userCancel: break
        default: Issue.record("not matched")
        }
        let optional: (any Error)? = failure
        switch optional {
        case LAError.userFallback?: Issue.record("wrongly matched")
        case LAError.userCancel?: break
        default: Issue.record("not matched")
        }
        do {
            throw failure
        } catch LAError.appCancel {
            Issue.record("wrongly matched")
        } catch let error as LAError where error.code == .userCancel {
        } catch {
            Issue.record("not matched")
        }
        do {
            throw failure
        } catch let error as NSError {
            #expect(error.code == Int(kLAErrorUserCancel))
        }
    }

    @Test func `codes have Apple's numbers and older names`() {
        let numbers: [(LAError.Code, Int)] = [
            (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4),
            (.passcodeNotSet, -5), (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8),
            (.appCancel, -9), (.invalidContext, -10), (.companionNotAvailable, -11), (.watchNotAvailable, -11),
            (.biometryNotPaired, -12), (.biometryDisconnected, -13), (.invalidDimensions, -14),
            (.notInteractive, -1004), (.touchIDNotAvailable, -6), (.touchIDNotEnrolled, -7), (.touchIDLockout, -8),
        ]
        for (code, number) in numbers { #expect(code.rawValue == number) }
        #expect(LAError.touchIDLockout == LAError.biometryLockout)
        #expect(kLAErrorNotInteractive == -1004)
    }

    @Test func `an error keeps what it was made with`() {
        let error = LAError(.biometryLockout, userInfo: [NSLocalizedDescriptionKey: "locked out"])
        #expect(error.localizedDescription == "locked out")
        #expect(LAError(.userCancel) == LAError(.userCancel))
        #expect(LAError(.userCancel) != LAError(.appCancel))
    }
}
