// SPDX-License-Identifier: Apache-2.0

import Testing

/// Links to symbols in documentation comments and articles, in double backticks. `Tools/documentation` has DocC check the links of the products;
/// this check covers all modules and builds none.
@Suite struct DocumentationLinkTests {
    @Test func `links in documentation lead to declared names`() throws {
        var declared: [String: DeclaredNames] = [:]
        var imports: [String: Set<String>] = [:]
        var linking: [(path: String, module: String, text: String)] = []
        for folder in ["Sources", "Bridges", "Helpers", "Tests", "Conformance"] {
            for file in try Repository.swiftFiles(below: folder) {
                guard let module = Self.module(of: file.path) else { continue }
                declared[module, default: DeclaredNames()].add(file.text)
                imports[module, default: []].formUnion(file.imports)
                linking.append((file.path, module, file.text))
            }
            for path in try Repository.files(below: folder, endings: [".md"]) where path.contains(".docc/") {
                guard let module = Self.module(of: path) else { continue }
                linking.append((path, module, try Repository.text(path)))
            }
        }
        var visible: [String: DeclaredNames.Index] = [:]
        var count = 0
        for each in linking where each.text.contains("``") {
            let modules = imports[each.module, default: []].union([each.module])
            if visible[each.module] == nil {
                visible[each.module] = DeclaredNames.Index(modules.compactMap { declared[$0] })
            }
            for (line, link) in Self.links(in: each.text, isArticle: each.path.hasSuffix(".md")) {
                count += 1
                let components = DeclaredNames.components(of: link)
                let isModule = components.count == 1 && modules.contains(components[0])
                let isThere = isModule || visible[each.module]!.contains(components)
                #expect(
                    isThere,
                    "\(each.path):\(line): ``\(link)`` is not declared in \(each.module) or a module that it imports")
            }
        }
        #expect(count > 400, "links are not recognized any more")
    }

    /// The module that a file belongs to: the folder below Sources (in the root package below a layer) or Tests.
    private static func module(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard let place = parts.firstIndex(where: { $0 == "Sources" || $0 == "Tests" }) else { return nil }
        let index = place + (parts[0] == "Sources" ? 2 : 1)
        return index < parts.count - 1 ? String(parts[index]) : nil
    }

    /// The links of documentation comments, or of an article outside of its code.
    private static func links(in text: String, isArticle: Bool) -> [(line: Int, link: Substring)] {
        var found: [(line: Int, link: Substring)] = []
        var isCode = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.contains("``") else { continue }
            let content = line.drop { $0 == " " }
            guard isArticle || content.hasPrefix("///") else { continue }
            if content.drop(while: { $0 == "/" || $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                found += line.matches(of: /``([^`]+)``/).map { (index + 1, $0.output.1) }
            }
        }
        return found
    }

    // MARK: The check itself

    @Test func `declarations are read with their types and labels`() {
        let names = DeclaredNames.Index([
            DeclaredNames(
                in: #"""
                    // struct Comment {}
                    public struct Outer<T>: Equatable where T: P {
                        public let value = "struct Text {", `other`: Int = 1
                        static func find<S>(_ a: [String: Int], with b: (Int, Int) -> Void = { _, _ in }) -> Int { var local = 1 }
                        init?(_ x: Dictionary<String, Int>, y: Int) { self.init(z: 1) }
                        subscript(position: Int) -> Int { 0 }
                        static func == (left: Self, right: Self) -> Bool { true }
                        enum Inner: Int { case one = 1, two(Int, label: Int), `default` }
                    }
                    extension Outer.Inner { var extra: Int { let hidden = 1 } }
                    class C { class func make() {} }
                    """#)
        ])
        for link in [
            "Outer", "Outer/value", "find(_:with:)", "Outer/init(_:y:)-(A,B)", "subscript(_:)", "==(_:_:)",
            "Outer/Inner/one",
            "Inner/two(_:label:)", "default", "Inner/extra-swift.property", "C/make()",
        ] {
            #expect(names.contains(DeclaredNames.components(of: link[...])), "\(link)")
        }
        for link in [
            "Comment", "Text", "local", "hidden", "init(z:)", "find(_:)", "C/value", "Outer/extra", "Inner/two",
        ] {
            #expect(!names.contains(DeclaredNames.components(of: link[...])), "\(link)")
        }
    }
}
