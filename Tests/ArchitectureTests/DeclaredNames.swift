// SPDX-License-Identifier: Apache-2.0

/// The names that Swift sources declare, as links in documentation comments write them: "UserKeychain/find(_:)".
///
/// The reader knows the tokens of the language and the declarations, and nothing of types or conditions. A link cannot lead to a name in the body
/// of a function, so only declarations at the top or directly in a type count.
struct DeclaredNames {
    /// With the types around them, outermost first.
    private(set) var paths: Set<[String]> = []

    init() {}

    init(in sources: String...) {
        for source in sources { add(source) }
    }

    /// Adds the declarations of a source file.
    mutating func add(_ source: String) {
        var reader = Reader(tokens: Token.tokens(of: source))
        reader.read()
        paths.formUnion(reader.paths)
    }

    /// The components of a link, without what tells overloads apart: "init(_:)-(String)", "code-swift.property".
    static func components(of link: Substring) -> [String] {
        link.split(separator: "/").map { component in
            guard let dash = component.firstIndex(of: "-"), dash != component.startIndex else {
                return String(component)
            }
            return String(component[..<dash])
        }
    }

    /// The names of several modules, for looking links up.
    struct Index {
        private let byLastName: [String: [[String]]]

        init(_ modules: [DeclaredNames]) {
            byLastName = Dictionary(grouping: modules.flatMap(\.paths)) { $0.last! }
        }

        /// Whether a link leads to a declaration: its components are the last ones of a declaration's path.
        func contains(_ link: [String]) -> Bool {
            guard let last = link.last else { return false }
            return byLastName[last, default: []].contains { $0.suffix(link.count).elementsEqual(link) }
        }
    }
}

/// A word or a sign of a Swift source.
private enum Token: Equatable {
    case word(String)
    /// A name in backticks, which is never a keyword.
    case quoted(String)
    case sign(UInt8)
    /// "->", of which the second sign is no bracket.
    case arrow

    var name: String? {
        switch self {
        case .word(let name), .quoted(let name): name
        case .sign, .arrow: nil
        }
    }

    func isSign(_ character: Unicode.Scalar) -> Bool { self == .sign(UInt8(ascii: character)) }

    /// The tokens of a source, without comments and the contents of texts.
    static func tokens(of source: String) -> [Token] {
        let bytes = Array(source.utf8)
        var tokens: [Token] = []
        var index = 0
        func at(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
            bytes[index] == UInt8(ascii: first) && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: second)
        }
        func isWord(_ byte: UInt8) -> Bool {
            (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F
                || byte >= 0x80
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 {
                index += 1
            } else if at("/", "/") {
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
            } else if at("/", "*") {
                while index < bytes.count, !at("*", "/") { index += 1 }
                index += 2
            } else if byte == UInt8(ascii: "\"") {
                index = endOfText(in: bytes, from: index)
            } else if byte == UInt8(ascii: "`") {
                let end = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.count
                tokens.append(.quoted(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)))
                index = end + 1
            } else if at("-", ">") {
                tokens.append(.arrow)
                index += 2
            } else if isWord(byte) {
                let start = index
                while index < bytes.count, isWord(bytes[index]) { index += 1 }
                tokens.append(.word(String(decoding: bytes[start..<index], as: UTF8.self)))
            } else {
                tokens.append(.sign(byte))
                index += 1
            }
        }
        return tokens
    }

    /// Behind the closing quotes of a text. Where none are on the line of a short text, that line is its end, so that a mistake stays small.
    private static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
        let quote = UInt8(ascii: "\"")
        let isLong = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
        var index = start + (isLong ? 3 : 1)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if isLong {
                if bytes[index] == quote, index + 2 < bytes.count, bytes[index + 1] == quote, bytes[index + 2] == quote
                {
                    return index + 3
                }
                index += 1
            } else if bytes[index] == quote || bytes[index] == 0x0A {
                return index + 1
            } else {
                index += 1
            }
        }
        return index
    }
}

/// Walks through the tokens of a file and keeps where it is.
private struct Reader {
    let tokens: [Token]
    private(set) var paths: Set<[String]> = []
    private var index = 0
    /// For each open brace: the names of the type that it belongs to; nil where it is the body of something else.
    private var braces: [[String]?] = []
    /// The type whose body the next brace opens.
    private var nextType: [String]?

    init(tokens: [Token]) { self.tokens = tokens }

    private static let types: Set<String> = ["struct", "class", "enum", "protocol", "actor"]
    private static let keywords = types.union([
        "extension", "typealias", "associatedtype", "macro", "var", "let", "case", "func", "init", "subscript",
    ])

    mutating func read() {
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            switch token {
            case .sign(UInt8(ascii: "{")):
                braces.append(nextType)
                nextType = nil
            case .sign(UInt8(ascii: "}")):
                if !braces.isEmpty { braces.removeLast() }
            case .word(let word) where Self.keywords.contains(word) && !isMember:
                declaration(word)
            case .word, .quoted, .sign, .arrow:
                break
            }
        }
    }

    /// Whether the current word stands behind a dot, as in `self.init`.
    private var isMember: Bool { index >= 2 && tokens[index - 2].isSign(".") }

    private mutating func declaration(_ keyword: String) {
        // Inside of functions nothing can be linked to; a type in one is skipped with it.
        guard !braces.contains(nil) else { return }
        switch keyword {
        case let type where Self.types.contains(type):
            // `class func`, and `: class`.
            guard let name = peek()?.name, !["func", "var", "let", "subscript"].contains(name) else { return }
            index += 1
            add(name)
            nextType = [name]
        case "extension":
            var names: [String] = []
            while let name = peek()?.name {
                names.append(name)
                index += 1
                guard peek()?.isSign(".") == true else { break }
                index += 1
            }
            nextType = names
        case "typealias", "associatedtype", "macro":
            if let name = peek()?.name { add(name) }
        case "var", "let":
            variables()
        case "case":
            enumerationCases()
        case "func":
            let isOperator = peek()?.name == nil
            add(functionName() + labels(isOperator ? .none : .named))
        case "init":
            while let next = peek(), next.isSign("?") || next.isSign("!") { index += 1 }
            guard peek()?.isSign("(") == true || peek()?.isSign("<") == true else { return }
            add("init" + labels(.named))
        case "subscript":
            add("subscript" + labels(.subscripts))
        default:
            break
        }
    }

    private func peek() -> Token? { index < tokens.count ? tokens[index] : nil }

    private mutating func add(_ name: String) { paths.insert(braces.flatMap { $0 ?? [] } + [name]) }

    /// `var a: Int`, `let (a, b)`, `let a = 1, b = 2`: of the last only the first, which is enough here.
    private mutating func variables() {
        if peek()?.isSign("(") == true {
            index += 1
            while let next = peek(), !next.isSign(")") {
                if let name = next.name { add(name) }
                index += 1
            }
        } else if let name = peek()?.name {
            add(name)
        }
    }

    /// `case a, b(Int), c(x: Int) = 3`.
    private mutating func enumerationCases() {
        while let name = peek()?.name {
            index += 1
            add(name + (peek()?.isSign("(") == true ? labels(.named) : ""))
            if peek()?.isSign("=") == true {
                // A raw value is one token, or none where it is a text.
                index += 1
                if peek()?.isSign("-") == true { index += 1 }
                if case .word(let value) = peek(), value.first!.isNumber { index += 1 }
            }
            guard peek()?.isSign(",") == true else { return }
            index += 1
        }
    }

    private mutating func functionName() -> String {
        if let name = peek()?.name {
            index += 1
            return name
        }
        var name = ""
        while case .sign(let byte) = peek(), byte != UInt8(ascii: "("), name.isEmpty || byte != UInt8(ascii: "<") {
            name.unicodeScalars.append(Unicode.Scalar(byte))
            index += 1
        }
        return name
    }

    /// How parameters of a declaration get their labels.
    private enum Labelling {
        /// A single name is the label: functions, initializers, cases.
        case named
        /// A single name is no label.
        case subscripts
        /// No labels: operators.
        case none
    }

    /// The labels of parameters, from the parenthesis on: "(_:with:)".
    private mutating func labels(_ labelling: Labelling) -> String {
        var angles = 0
        while let next = peek(), angles > 0 || !next.isSign("(") {
            if next.isSign("<") { angles += 1 }
            if next.isSign(">") { angles -= 1 }
            index += 1
        }
        index += 1
        var labels = "("
        var depth = 0
        var isAtStart = true
        while let next = peek() {
            if depth == 0, next.isSign(")") { break }
            if isAtStart {
                isAtStart = false
                labels += (labelling == .none ? "_" : label(isSubscript: labelling == .subscripts)) + ":"
            }
            for opening in ["(", "[", "{", "<"] as [Unicode.Scalar] where peek()?.isSign(opening) == true { depth += 1 }
            for closing in [")", "]", "}", ">"] as [Unicode.Scalar] where peek()?.isSign(closing) == true { depth -= 1 }
            if depth == 0, peek()?.isSign(",") == true { isAtStart = true }
            index += 1
        }
        index += 1
        return labels + ")"
    }

    /// The label of the parameter that begins here.
    private mutating func label(isSubscript: Bool) -> String {
        while peek()?.isSign("@") == true { index += 2 }
        guard let first = peek()?.name else { return "_" }
        let second = index + 1 < tokens.count ? tokens[index + 1] : nil
        if second?.isSign(":") == true { return isSubscript ? "_" : first }
        // `label name: Type`; without a colon there is only a type, as in cases of enumerations.
        let third = index + 2 < tokens.count ? tokens[index + 2] : nil
        return second?.name != nil && third?.isSign(":") == true ? first : "_"
    }
}
