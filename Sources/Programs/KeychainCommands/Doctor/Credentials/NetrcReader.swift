// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// Passwords of a `.netrc`: words separated by blanks (the GNU inetutils' manual, "The .netrc file"; quotes as curl
/// reads them).
struct NetrcReader {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    private var found: [FoundCredential] = []
    private var entry: Entry?

    private struct Entry {
        /// The machine; nil for `default`.
        var machine: String?
        var login = ""
        var password: (secret: SecretBytes, line: Int, cut: Range<Int>)?
    }

    private struct Word {
        let line: Int
        let range: Range<Int>
        let text: SecretBytes

        func reads(_ name: String) -> Bool { text.bytes.elementsEqual(name.utf8) }
        var string: String { String(decoding: text.bytes, as: UTF8.self) }
    }

    static func credentials(in source: SecretAccumulator) throws(TextProblem) -> [FoundCredential] {
        var reader = NetrcReader(bytes: source.bytes, position: try source.startOfText())
        try reader.read()
        return reader.found
    }

    private init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    private mutating func read() throws(TextProblem) {
        while let word = try next() {
            if word.reads("machine") {
                close()
                let name = try value(of: word).string
                entry = Entry(machine: name)
            } else if word.reads("default") {
                close()
                entry = Entry(machine: nil)
            } else if word.reads("login") || word.reads("user") {
                let name = try value(of: word).string
                entry?.login = name
            } else if word.reads("password") || word.reads("passwd") {
                let value = try value(of: word)
                guard entry?.password == nil else { throw TextProblem(word.line, "a machine has two passwords") }
                let password = (value.text, word.line, cut(from: word, to: value))
                entry?.password = password
            } else if word.reads("account") {
                _ = try value(of: word)
            } else if word.reads("macdef") {
                close()
                _ = try value(of: word)
                skipMacro()
            } else {
                throw TextProblem(word.line, "a word is not allowed at this place in a .netrc")
            }
        }
        close()
    }

    /// Returns the range to remove: the two words with the blanks before them, and the whole line if they are alone in
    /// it.
    private func cut(from keyword: Word, to value: Word) -> Range<Int> {
        var start = keyword.range.lowerBound
        while start > 0, [UInt8].isBlank(bytes[start - 1]) { start -= 1 }
        var end = value.range.upperBound
        let beginsLine = start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
        if !beginsLine { return start..<end }
        var rest = end
        while rest < bytes.count, [UInt8].isBlank(bytes[rest]) || bytes[rest] == 0x0D { rest += 1 }
        if rest == bytes.count {
            end = rest
        } else if bytes[rest] == 0x0A {
            end = rest + 1
        } else {
            start = keyword.range.lowerBound
        }
        return start..<end
    }

    /// Ends the entry.
    private mutating func close() {
        defer { entry = nil }
        guard let entry, let password = entry.password, password.secret.count > 0 else { return }
        let user = entry.login.isEmpty ? "" : " of \"\(entry.login)\""
        let place: FoundCredential.Place
        let title: String
        if let machine = entry.machine {
            title = "the password\(user) at \(machine.withoutUser)"
            if let address = try? WebAddress.parse(machine).address, address == WebAddress(host: address.host) {
                place = .item(CredentialItem(address, account: entry.login), cut: password.cut)
            } else {
                place = .stays("its machine is not a host name")
            }
        } else {
            title = "the password\(user) of the entry default"
            place = .stays("it does not belong to a host")
        }
        found.append(FoundCredential(line: password.line, title: title, secret: password.secret, place: place))
    }

    /// Skips a macro, which ends at the next empty line.
    private mutating func skipMacro() {
        var lineIsEmpty = false
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard byte == 0x0A else {
                if byte != 0x0D { lineIsEmpty = false }
                continue
            }
            line += 1
            if lineIsEmpty { return }
            lineIsEmpty = true
        }
    }

    private mutating func value(of keyword: Word) throws(TextProblem) -> Word {
        guard let word = try next() else { throw TextProblem(keyword.line, "the file ends in the middle of an entry") }
        return word
    }

    private mutating func next() throws(TextProblem) -> Word? {
        while position < bytes.count {
            let byte = bytes[position]
            let beginsLine = position == 0 || bytes[position - 1] == 0x0A
            if byte == 0x0A { line += 1 }
            if beginsLine, bytes[position...].drop(while: [UInt8].isBlank).first == UInt8(ascii: "#") {
                position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
                continue
            }
            guard [UInt8].isBlank(byte) || byte == 0x0A || byte == 0x0D else { break }
            position += 1
        }
        guard position < bytes.count else { return nil }
        return bytes[position] == UInt8(ascii: "\"") ? try quoted() : plain()
    }

    private mutating func plain() -> Word {
        let start = position
        position = bytes[start...].firstIndex { [UInt8].isBlank($0) || $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        return Word(line: line, range: start..<position, text: SecretBytes(copying: bytes[start..<position]))
    }

    private mutating func quoted() throws(TextProblem) -> Word {
        let start = position
        let text = SecretAccumulator()
        position += 1
        while position < bytes.count, bytes[position] != 0x0A {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return Word(line: line, range: start..<position, text: text.secret()) }
            guard byte == UInt8(ascii: "\\"), position < bytes.count, bytes[position] != 0x0A else {
                text.append([byte])
                continue
            }
            let escapes: [UInt8: UInt8] = [UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09]
            text.append([escapes[bytes[position]] ?? bytes[position]])
            position += 1
        }
        throw TextProblem(line, "a quotation mark is not closed")
    }
}
