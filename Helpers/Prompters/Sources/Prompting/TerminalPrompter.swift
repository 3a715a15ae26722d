// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainEndpoint
internal import KeychainTerminal
internal import SecretMemory

/// A prompter that uses a terminal.
public struct TerminalPrompter {
    private let requester: DescriptorStream?

    /// Creates a prompter that ends the prompt when standard input ends, because the sender of the request has then
    /// gone.
    public init() {
        requester = .standardInput
    }

    init(requester: DescriptorStream?) {
        self.requester = requester
    }

    /// Shows the prompt, and waits for the answer until the time limit of the request.
    ///
    /// - Parameters:
    ///   - packages: the packages of the installed programs in the prompt, by path.
    ///   - desktopNames: the desktop names of the installed programs in the prompt, by path.
    public func answer(
        _ request: PromptRequest, packages: [String: String] = [:], desktopNames: [String: String] = [:]
    ) -> Answer {
        guard let path = request.place.terminal else { return .unavailable("the request has no terminal") }
        let wording = PromptWording(request, packages: packages, desktopNames: desktopNames)
        do throws(TerminalDialog.Error) {
            return try TerminalDialog.hold(
                on: path, timeout: .seconds(Int(request.seconds)), requester: requester
            ) {
                dialog throws(TerminalDialog.Error) in
                try dialog.show("\n" + wording.lines().joined(separator: "\n") + "\n")
                if let error = wording.error { try dialog.show(error + "\n") }
                do throws(TerminalDialog.Error) {
                    return try ask(request, wording, dialog)
                } catch {
                    // End the current line. A failure here does not change the answer.
                    try? dialog.show("\n")
                    throw error
                }
            }
        } catch {
            switch error {
            case .unavailable: return .unavailable("the terminal cannot be used")
            case .cancelled: return .cancelled
            case .timedOut: return .timedOut
            }
        }
    }

    private func ask(
        _ request: PromptRequest, _ wording: PromptWording, _ dialog: TerminalDialog
    ) throws(TerminalDialog.Error) -> Answer {
        switch request.purpose {
        case .confirmation, .itemConfirmation, .accessChange: return try confirm(request, wording, dialog)
        case .passcode: return try entry(wording, dialog)
        case .applicationPassword, .keychainPassword:
            return request.options.contains(.isNew) ? try newPassword(wording, dialog) : try entry(wording, dialog)
        case .biometry:
            let other = wording.fallbackTitle.map { "Return: \($0), " } ?? ""
            try dialog.show("[\(other)Ctrl-C: \(wording.cancelTitle ?? "cancel")] ")
            while true {
                _ = try dialog.line(isShown: false)
                if wording.fallbackTitle != nil { return .fallback }
            }
        }
    }

    private func confirm(
        _ request: PromptRequest, _ wording: PromptWording, _ dialog: TerminalDialog
    ) throws(TerminalDialog.Error) -> Answer {
        let mayRemember = request.options.contains(.mayRemember)
        let needsPasscode = request.options.contains(.needsPasscode)
        var passcode: SecretBytes?
        // A user who was told that the passcode is wrong types it again at once. A choice would show it, or take it
        // for an answer.
        if needsPasscode, wording.error != nil {
            try dialog.show("(Press Ctrl-C to cancel.)\n\(wording.fieldName): ")
            passcode = try dialog.line(isShown: false)
            guard mayRemember else { return .allowed(always: false, passcode: passcode) }
        }
        let choices = "[d]eny, [a]llow \(wording.allowance.choice)" + (mayRemember ? ", al[w]ays allow? " : "? ")
        var always: Bool?
        while always == nil {
            try dialog.show(choices)
            switch Choice(try dialog.line(isShown: true), mayRemember: mayRemember) {
            case .deny: return .denied
            case .allow: always = false
            case .always: always = true
            case nil: try dialog.show(mayRemember ? "Please type d, a or w.\n" : "Please type d or a.\n")
            }
        }
        if needsPasscode, passcode == nil {
            try dialog.show("\(wording.fieldName): ")
            passcode = try dialog.line(isShown: false)
        }
        return .allowed(always: always == true, passcode: passcode)
    }

    enum Choice: Hashable {
        case deny, allow, always

        /// Accepts a letter or the word, in any case; nil for all other input, including an empty line.
        init?(_ line: SecretBytes, mayRemember: Bool) {
            switch String(decoding: Array(line.bytes), as: UTF8.self).lowercased() {
            case "d", "deny": self = .deny
            case "a", "allow": self = .allow
            case "w", "always": self = .always
            default: return nil
            }
            if self == .always, !mayRemember { return nil }
        }
    }

    private func entry(_ wording: PromptWording, _ dialog: TerminalDialog) throws(TerminalDialog.Error) -> Answer {
        if let fallback = wording.fallbackTitle { try dialog.show("(Press Return for: \(fallback))\n") }
        try dialog.show("\(wording.fieldName): ")
        let secret = try dialog.line(isShown: false)
        return secret.count == 0 && wording.fallbackTitle != nil ? .fallback : .secret(secret)
    }

    private func newPassword(_ wording: PromptWording, _ dialog: TerminalDialog) throws(TerminalDialog.Error) -> Answer
    {
        while true {
            try dialog.show("\(wording.fieldName): ")
            let first = try dialog.line(isShown: false)
            try dialog.show("\(wording.repetition): ")
            let second = try dialog.line(isShown: false)
            // A constant-time comparison is not needed: both entries are the user's own.
            if first.bytes.elementsEqual(second.bytes) {
                // A failure to show the text does not matter, because the password is accepted at any strength.
                if let judgement = PromptWording.judgement(of: first) { try? dialog.show(judgement + "\n") }
                return .secret(first)
            }
            try dialog.show("The two entries differ.\n")
        }
    }
}
