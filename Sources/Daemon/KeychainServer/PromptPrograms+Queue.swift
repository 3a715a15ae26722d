// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainPlatform
internal import KeychainPrompting
internal import SecretMemory

extension PromptPrograms {
    /// Finds the programs of a user service, which its user may keep in another folder.
    ///
    /// - Parameter environment: the service's own; values of ``serviceVariables``.
    init(environment: [String: String]) {
        self.init(in: ServiceHelper.folders(named: environment["CHATELAINE_HELPERS"]), environment: environment)
    }

    /// The variables of its environment that a user service uses.
    static let serviceVariables = CallerLocation.variables.union(variables).union(["CHATELAINE_HELPERS"])

    /// The function with which these programs show the prompts of a queue.
    var show: PromptQueue.Show {
        { request, timeout, interruption in
            var answer = PromptAnswer.notAsked()
            let outcome = ask(request, timeout: timeout, interruption: interruption) { reply, frame in
                answer = reply.answer(from: frame)
            }
            return switch outcome {
            case .replied: answer
            case .interrupted: .cancelled
            case .timedOut: .timedOut
            case .unavailable: .notAsked()
            }
        }
    }
}

extension PromptReply {
    /// Returns the user's answer; `.notAsked` for the refusal of a prompter.
    ///
    /// - Parameter frame: the bytes from which it was decoded, which still contain secrets.
    func answer(from frame: [UInt8]) -> PromptAnswer {
        switch self {
        case .denied: .denied
        case .allowed(let always, let passcode):
            .allowed(always: always, passcode: passcode.map { SecretBytes(copying: frame[$0]) })
        case .cancelled: .cancelled
        case .fallback: .fallback
        case .secret(let secret): .secret(SecretBytes(copying: frame[secret]))
        case .timedOut: .timedOut
        case .refusal: .notAsked()
        }
    }
}
