// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Decodes imported password files (CSV or JSON), the addresses in them, and files in which programs keep secrets; the
/// first byte selects the format. Decoded data is encoded and must decode to the same; the rest of a program's file
/// must stay readable, and contain nothing else that could be moved.
///
/// A finding ends the process, and libFuzzer keeps the input that ended it.
func fuzzImports(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let input = bytes.dropFirst()
    switch first % 4 {
    case 0: readCSV(input)
    case 1: readJSON(input)
    case 2: readAddress(String(decoding: input, as: UTF8.self))
    default: readCredentials(input)
    }
}

private func readAddress(_ text: String) {
    guard let address = try? WebAddress.parse(text).address else { return }
    check((try? WebAddress.parse(address.text))?.address == address, "an address as text is another address")
}

private func readCredentials(_ input: some Collection<UInt8>) {
    guard let choice = input.first else { return }
    let file = CredentialFile.allCases[Int(choice) % CredentialFile.allCases.count]
    let before = source(input.dropFirst())
    guard let found = try? file.credentials(in: before) else { return }
    let rest = found.cutting(from: before.bytes)
    guard let again = try? file.credentials(in: source(rest)) else {
        finding("what is left of a file cannot be read")
    }
    check(again.cutting(from: rest) == rest, "what is left of a file has something to move")
}

private func readCSV(_ input: some Collection<UInt8>) {
    guard let document = try? CSVDocument(source(input)) else { return }
    let written = CSVWriter()
    // An empty line is not a record.
    let records = fields(document).filter { $0 != [[]] }
    for record in records { written.append(record.map { .secret(SecretBytes(copying: $0)) }) }
    guard let again = try? CSVDocument(written.output) else { finding("records as CSV are no CSV") }
    check(fields(again) == records, "records as CSV read as others")
}

private func fields(_ document: CSVDocument) -> [[[UInt8]]] {
    document.records.map { record in
        record.fields.map { field in
            let bytes = Array(document.secret(field).bytes)
            check(Array(document.text(field).utf8) == bytes, "a field's text is not its bytes")
            return bytes
        }
    }
}

private func readJSON(_ input: some Collection<UInt8>) {
    // DEL is encoded with an escape, which names may not contain.
    guard !input.contains(0x7F), let document = try? JSONDocument(source(input)) else { return }
    let text = json(document.root.value, document)
    let written = text.document()
    guard let again = try? JSONDocument(source(written)) else { finding("values as JSON are no JSON") }
    check(json(again.root.value, again).document() == written, "values as JSON read as others")
}

private func json(_ value: JSONDocument.Value, _ document: JSONDocument) -> JSONText {
    switch value {
    case .null: return .null
    case .boolean(let truth): return .boolean(truth)
    case .integer(let number): return .integer(number)
    case .text(let text):
        let secret = document.secret(text)
        check(Array(document.text(text).utf8) == Array(secret.bytes), "a text is not its bytes")
        _ = document.bytes(base64: text)
        return .text(document.text(text))
    case .array(let elements): return .array(elements.map { json($0.value, document) })
    case .object(let members): return .object(members.map { ($0.name, json($0.element.value, document)) })
    }
}

private func source(_ bytes: some Collection<UInt8>) -> SecretAccumulator {
    let source = SecretAccumulator()
    source.append(bytes)
    return source
}
