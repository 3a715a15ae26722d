// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Tokens of gh's file `hosts.yml`, in the simple form that gh writes: one name and value per line, indented by blanks.
///
/// They are reported but never moved, because gh reads its tokens from this file or from the Secret Service, and uses
/// no helper.
enum GitHubHosts {
    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        let bytes = source.bytes
        var host = ""
        var found: [FoundCredential] = []
        for line in TextLine.lines(of: bytes, from: try source.startOfText()) {
            let all = bytes[line.text]
            let text = all.trimmed
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            guard !all.prefix(while: [UInt8].isBlank).contains(0x09), !"{[&*!|>-%@`?".utf8.contains(first),
                let colon = text.firstIndex(of: UInt8(ascii: ":")),
                colon + 1 == text.endIndex || [UInt8].isBlank(text[colon + 1])
            else { throw TextProblem(line.number, "the line is not in the format that gh writes") }
            let name = text[..<colon].unquoted.asText
            let value = text[(colon + 1)...].trimmed.unquoted
            if let start = all.first, ![UInt8].isBlank(start) { host = name }
            guard name == "oauth_token", !value.isEmpty else { continue }
            found.append(
                FoundCredential(
                    line: line.number, title: "gh's token for \(host)", secret: SecretBytes(copying: value),
                    place: .stays("gh reads this file or the Secret Service, and supports no credential helpers")))
        }
        return found
    }
}
