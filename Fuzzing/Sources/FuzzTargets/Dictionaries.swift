// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainClient
import KeychainModel
import Security

/// Calls `SecItemAdd` and similar functions with arbitrary dictionaries, and decodes the answers of a service.
func fuzzDictionaries(_ input: [UInt8]) {
    var material = Material(input)
    let service = AnsweringService(secret: material.bytes(atMost: 64), refuses: material.byte() & 7 == 7)
    let first = material.dictionary(), second = material.dictionary()
    KeychainClient(service).asCurrent {
        var result: CFTypeRef?
        let calls: [() -> OSStatus] = [
            { SecItemAdd(first, &result) }, { SecItemCopyMatching(first, &result) }, { SecItemUpdate(first, second) },
            { SecItemDelete(first) },
        ]
        for call in calls {
            let status = call()
            let asked = service.takeAsked()
            check(asked, of: first)
            // The same dictionary must give the same request and the same answer.
            guard call() == status, service.takeAsked() == asked else { finding("it is not the same each time") }
        }
    }
}

private let classes: [String: ItemClass] = [
    "genp": .genericPassword, "inet": .internetPassword, "cert": .certificate, "keys": .key,
]
/// Texts that are stored and searched without a change.
private let plainTexts: [(name: String, key: AttributeKey)] = [
    ("acct", .account), ("svce", .service), ("desc", .itemDescription), ("icmt", .comment), ("srvr", .server),
    ("path", .path),
]

/// Checks that the requests have the class and the texts of the dictionary.
private func check(_ asked: [AnsweringService.Asked], of dictionary: NSDictionary) {
    let references = ["v_Ref", "v_PersistentRef", "u_ItemList", "m_ItemList"]
    guard !asked.isEmpty, !references.contains(where: { dictionary.object(forKey: $0) != nil }) else { return }
    guard let name = dictionary.object(forKey: "class") as? String else { finding("nobody said what class it is") }
    // An identity is requested as its certificate and its key.
    guard name != "idnt" else { return }
    guard let wanted = classes[name] else { finding("there is no class \(name)") }
    for question in asked {
        guard question.itemClass == wanted else { finding("\(name) became \(question.itemClass)") }
        for (text, key) in plainTexts {
            guard let value = dictionary.object(forKey: text) as? String else { continue }
            guard question.attributes[key] == .string(value) else { finding("\(text) is another one") }
        }
    }
}
