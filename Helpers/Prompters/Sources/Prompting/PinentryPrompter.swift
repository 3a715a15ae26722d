// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// A prompter that uses the user's pinentry.
public struct PinentryPrompter {
    private let candidates: (PromptLocation) -> [String]
    private let requester: DescriptorStream?

    /// Creates a prompter with the pinentry of this process's user. It reads the environment of the process and sets it
    /// for the pinentry. It ends the prompt when standard input ends, because the sender of the request has then gone.
    public init() {
        requester = .standardInput
        candidates = { place in
            PinentrySearch.live.candidates(
                home: CurrentProcess.environmentVariable("HOME") ?? CurrentProcess.accountHome,
                gnupgHome: CurrentProcess.environmentVariable("GNUPGHOME"), hasDisplay: place.display != nil,
                hasTerminal: place.terminal != nil)
        }
    }

    init(candidates: [String]) {
        self.candidates = { _ in candidates }
        requester = nil
    }

    /// Shows the prompt, and waits for the answer until the time limit of the request.
    ///
    /// - Parameters:
    ///   - packages: the packages of the installed programs in the prompt, by path.
    ///   - desktopNames: the desktop names of the installed programs in the prompt, by path.
    public func answer(
        _ request: PromptRequest, packages: [String: String] = [:], desktopNames: [String: String] = [:]
    ) -> Answer {
        guard !request.place.isNowhere else { return .unavailable("the request has neither a display nor a terminal") }
        setEnvironment(request.place)
        let deadline = ContinuousClock.now + .seconds(Int(request.seconds))
        let programs = candidates(request.place)
        let wording = PromptWording(request, packages: packages, desktopNames: desktopNames)
        var reason = "no pinentry program is installed"
        for program in programs {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return .timedOut }
            do throws(PinentryError) {
                let pinentry = Pinentry(program: program, requester: requester)
                return try ask(request, wording, in: pinentry, until: deadline)
            } catch {
                switch error {
                case .cancelled, .abandoned: return .cancelled
                case .timedOut: return .timedOut
                // Try the next program: a pinentry that ended without output had no display to open.
                case .notStarted, .ended, .silent, .notHeard, .unintelligible, .failed:
                    reason = "\(program) could not show the prompt"
                case .entriesDiffer, .tooLong: return .cancelled
                }
            }
        }
        return .unavailable(reason)
    }

    private func setEnvironment(_ place: PromptLocation) {
        for (name, value) in [
            ("PATH", "/usr/bin:/bin"), ("DISPLAY", place.display?.x11), ("WAYLAND_DISPLAY", place.display?.wayland),
            ("XAUTHORITY", place.display?.authority), ("TERM", place.terminalKind), ("LC_ALL", place.locale),
        ] {
            CurrentProcess.setEnvironmentVariable(name, value)
        }
    }

    private func ask(
        _ request: PromptRequest, _ wording: PromptWording, in pinentry: Pinentry,
        until deadline: ContinuousClock.Instant
    ) throws(PinentryError) -> Answer {
        var question = Pinentry.Question(description: wording.description, prompt: "")
        question.timeout = .seconds(max(1, ContinuousClock.now.duration(to: deadline).components.seconds))
        question.terminal = request.place.terminal.map { ($0, request.place.terminalKind ?? "") }
        question.locale = request.place.locale
        question.cancelTitle = wording.cancelTitle
        switch request.purpose {
        case .confirmation, .itemConfirmation, .accessChange:
            return try confirm(request, wording, in: pinentry, question: question, until: deadline)
        case .passcode, .applicationPassword, .keychainPassword:
            return .secret(try entry(request, wording, in: pinentry, question: question))
        case .biometry:
            question.cancelTitle = wording.cancelTitle ?? "Cancel"
            let choice = try pinentry.choose(question, ok: wording.fallbackTitle, notOK: nil)
            return choice == .ok ? .fallback : .cancelled
        }
    }

    /// The safe choice is the button that the escape key and closing the window also select. "Always Allow" is the
    /// button that some pinentries do not have.
    ///
    /// If the passcode is required, the first window has its field: a user who types at once types into the field, and
    /// after a wrong entry again. No pinentry has a third button beside a field, so a second window offers
    /// "Always Allow". There the safe choice is to allow once.
    private func confirm(
        _ request: PromptRequest, _ wording: PromptWording, in pinentry: Pinentry, question: Pinentry.Question,
        until deadline: ContinuousClock.Instant
    ) throws(PinentryError) -> Answer {
        var question = question
        question.cancelTitle = wording.cancelTitle ?? "Deny"
        let mayRemember = request.options.contains(.mayRemember)
        guard request.options.contains(.needsPasscode) else {
            return switch try pinentry.choose(question, ok: "Allow", notOK: mayRemember ? "Always Allow" : nil) {
            case .cancel: .denied
            case .ok: .allowed(always: false, passcode: nil)
            case .notOK: .allowed(always: true, passcode: nil)
            }
        }
        question.okTitle = "Allow"
        let passcode: SecretBytes
        do throws(PinentryError) {
            passcode = try entry(request, wording, in: pinentry, question: question)
        } catch .cancelled {
            return .denied
        }
        guard mayRemember else { return .allowed(always: false, passcode: passcode) }
        question.description = wording.rememberingDescription
        question.cancelTitle = wording.allowance.button
        question.timeout = .seconds(max(1, ContinuousClock.now.duration(to: deadline).components.seconds))
        let choice = try pinentry.choose(question, ok: "Always Allow", notOK: nil)
        return .allowed(always: choice == .ok, passcode: passcode)
    }

    private func entry(
        _ request: PromptRequest, _ wording: PromptWording, in pinentry: Pinentry, question: Pinentry.Question
    ) throws(PinentryError) -> SecretBytes {
        var question = question
        question.prompt = wording.fieldName + ":"
        question.error = wording.error
        guard request.options.contains(.isNew) else { return try pinentry.ask(question) }
        question.repetition = wording.repetition + ":"
        while true {
            do throws(PinentryError) {
                return try pinentry.ask(question, quality: PromptWording.quality(of:))
            } catch .entriesDiffer {
                question.error = "The two entries differ."
            }
        }
    }
}
