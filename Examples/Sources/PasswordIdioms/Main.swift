// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Stores, finds, changes and deletes passwords in all the ways that programs for Apple's systems do, and looks at what
/// comes back. Prints a line for each; ends with status 1 at the first that does not work.
///
/// Everything lies in services whose names begin with `com.example.PasswordIdioms`, and is deleted again.
@main
struct Main {
    static func main() async {
        let idioms: [(sentence: String, run: () async throws -> Void)] = [
            ("a [String: Any] with keys cast to String", Dictionaries.textKeys),
            ("a [CFString: Any]", Dictionaries.coreFoundationKeys),
            ("a [String: AnyHashable] and a [NSString: AnyObject]", Dictionaries.otherElements),
            ("an NSDictionary from a literal", Dictionaries.fixedObject),
            ("an NSMutableDictionary, grown entry by entry", Dictionaries.changingObject),
            ("an NSMutableDictionary of objects and keys", Dictionaries.objectsAndKeys),
            ("merged dictionaries", Dictionaries.merged),
            ("a result as Data, NSData and CFData", Results.data),
            ("a result as a dictionary", Results.dictionary),
            ("a result as an array", Results.array),
            ("a result told by its type", Results.types),
            ("a result through a pointer", Results.pointer),
            ("dates and numbers in a result", Results.datesAndNumbers),
            ("a persistent reference", Results.persistentReference),
            ("a result used as a query", Results.resultAsQuery),
            ("no result at all", Results.none),
            ("an internet password", InternetPasswords.storeAndFind),
            ("a search that overlooks case", InternetPasswords.overlookCase),
            ("enumerations of classes, protocols and accessibility", Wrapping.enumerations),
            ("errors made of a status", Wrapping.errors),
            ("an access control object and its error", Wrapping.accessControl),
            ("functions kept in variables", Wrapping.functionsAsValues),
            ("a property wrapper and a static store", Wrapping.propertyWrapper),
            ("a subclass of a wrapper", Wrapping.subclass),
            ("many threads at once", Threads.concurrently),
            ("operation and dispatch queues", Threads.queues),
            ("an actor", Threads.actor),
            ("a group of tasks and a stream", Threads.tasks),
            ("the main actor", Threads.mainActor),
        ]
        for idiom in idioms {
            do {
                try await idiom.run()
                print("ok: \(idiom.sentence)")
            } catch {
                FileHandle.standardError.write(Data("error: \(idiom.sentence): \(error)\n".utf8))
                exit(1)
            }
        }
        print("\(idioms.count) ways of keeping a password work")
    }
}

/// Something is not as it should be.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

func expect(_ condition: Bool, file: StaticString = #fileID, line: UInt = #line) throws {
    if !condition { throw Unexpected(description: "unexpected result at \(file):\(line)") }
}

/// Ends the idiom unless the call returned what it should.
func expect(
    _ status: OSStatus, _ expected: OSStatus = errSecSuccess, file: StaticString = #fileID, line: UInt = #line
) throws {
    if status == expected { return }
    let message = SecCopyErrorMessageString(status, nil) as String? ?? "status \(status)"
    throw Unexpected(description: "\(message) (\(status), expected \(expected)) at \(file):\(line)")
}

/// The value, if there is one; otherwise the idiom ends.
func some<Value>(_ value: Value?, file: StaticString = #fileID, line: UInt = #line) throws -> Value {
    guard let value = value else { throw Unexpected(description: "nothing at \(file):\(line)") }
    return value
}

/// Returns the name of a service that no other example uses, without items.
func emptyService(_ name: String) -> String {
    let service = "com.example.PasswordIdioms." + name
    // A statement on its own: the status of a deletion is often of no interest.
    SecItemDelete(
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ] as CFDictionary)
    return service
}
