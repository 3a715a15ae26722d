// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The dialogue of `chatelaine setup` on a terminal: where to store the device key, and whether a PIN protects it.
struct SetupInterview {
    let context: CommandContext
    let report: TokenReport

    /// Returns the plan.
    ///
    /// - Returns: nil if nothing changes.
    /// - Throws: a failure if the input ends before the last answer.
    func plan() throws(CommandFailure) -> SetupPlan? {
        say("The device key, which ties the keychain to this machine, is \(report.deviceKeySentence).\n\n")
        var choices: [DeviceKeyLocation] = [.file]
        for place in [DeviceKeyLocation.tpm, .software] where isAvailable(place) { choices.append(place) }
        for (index, place) in choices.enumerated() {
            say("  \(index + 1)  \(text(place))\(place == report.deviceKey ? " (current)" : "")\n")
        }
        if !choices.contains(.tpm) { say("     (no TPM was found that you have permission to use)\n") }
        guard let place = try choice(of: choices) else { return nil }
        let hasPIN = try wantsPIN(place)
        if place == report.deviceKey, !hasPIN, report.pin == nil { return nil }
        let plan = SetupPlan(place: place, hasPIN: hasPIN)
        say("\n" + plan.sentence(from: report) + "\n")
        return try agrees("Make this change") ? plan : nil
    }

    private func choice(of choices: [DeviceKeyLocation]) throws(CommandFailure) -> DeviceKeyLocation? {
        while true {
            let answer = try ask("Enter a number, or press Return to change nothing: ")
            if answer.isEmpty { return nil }
            if let number = Int(answer), choices.indices.contains(number - 1) { return choices[number - 1] }
        }
    }

    private func wantsPIN(_ place: DeviceKeyLocation) throws(CommandFailure) -> Bool {
        switch place {
        case .file: return false
        case .software: return true
        case .tpm:
            say("\nWith a PIN, the keychain is closed after each start of its service until `chatelaine unlock`.\n")
            return try agrees("Protect the device key with a \(report.pin == nil ? "" : "new ")PIN")
        }
    }

    private func text(_ place: DeviceKeyLocation) -> String {
        switch place {
        case .file: "in a file: each copy of the disk contains it"
        case .tpm: "sealed to the TPM: the keychain opens on this machine only"
        case .software:
            "sealed to the token without hardware, with a PIN: an attacker with a copy of the disk can try PINs"
        }
    }

    private func isAvailable(_ place: DeviceKeyLocation) -> Bool {
        let kind: TokenReport.Token.Kind = place == .tpm ? .tpm : .software
        guard let token = report.tokens.first(where: { $0.kind == kind }) else { return false }
        if case .available = token.state { return true }
        return false
    }

    /// Returns whether the user agrees. Any answer but a clear yes is a no.
    private func agrees(_ question: String) throws(CommandFailure) -> Bool {
        let answer = try ask(question + "? [y/N] ").lowercased()
        return answer == "y" || answer == "yes"
    }

    private func say(_ text: String) { context.diagnostics.writeIfPossible(text) }

    private func ask(_ question: String) throws(CommandFailure) -> String {
        say(question)
        let line: CommandInput.Line
        do throws(StreamError) { line = try context.input.readLine(limit: 64) } catch {
            throw CommandFailure("cannot read from the terminal: \(error.reason)")
        }
        switch line {
        case .text(let line): return String(decoding: line.bytes, as: UTF8.self).filter { !$0.isWhitespace }
        case .tooLong: return "?"
        case .endOfInput:
            say("\n")
            throw CommandFailure("nothing was entered", hint: "nothing was changed")
        }
    }
}
