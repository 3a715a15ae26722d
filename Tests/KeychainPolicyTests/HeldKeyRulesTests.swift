// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Keys that the service uses and never gives out.
struct HeldKeyRulesTests {
    private func key(_ entries: [AttributeKey: AttributeValue]) throws -> ItemAttributes {
        try ItemAttributes(.key, for: .add, entries.map { .init($0.key, $0.value) })
    }

    private let yes = AttributeValue.number(1)
    private let no = AttributeValue.number(0)

    @Test func `a key is held when it is not extractable or sensitive, and when it says neither yes nor no`() throws {
        #expect(try !key([:]).isHeldKey)
        #expect(try !key([.isExtractable: yes, .isSensitive: no]).isHeldKey)
        #expect(try key([.isExtractable: no]).isHeldKey)
        #expect(try key([.isSensitive: yes]).isHeldKey)
        #expect(try key([.isExtractable: .string("yes")]).isHeldKey)
        #expect(try key([.isExtractable: .number(2)]).isHeldKey)
        #expect(try key([.isSensitive: .string("no")]).isHeldKey)
        #expect(!ItemAttributes(empty: .genericPassword).isHeldKey)
    }

    @Test func `what may leave encrypted is refused otherwise than what may not leave`() throws {
        #expect(try key([.isSensitive: yes]).heldKeyRefusal == Refusal(.keyIsSensitive, .heldKey))
        #expect(try key([.isExtractable: no]).heldKeyRefusal == Refusal(.dataNotAvailable, .heldKey))
        #expect(
            try key([.isExtractable: no, .isSensitive: yes]).heldKeyRefusal == Refusal(.dataNotAvailable, .heldKey))
    }

    @Test func `a private key that is added was elsewhere before, whatever is said`() throws {
        let given = try key([.keyClass: yes, .isExtractable: no, .wasNeverExtractable: yes, .wasAlwaysSensitive: yes])
        let stored = try ProtectionRules.apply(to: given, isNew: true)
        #expect(stored[.wasNeverExtractable] == no)
        #expect(stored[.wasAlwaysSensitive] == no)
        let extractable = try ProtectionRules.apply(to: key([.keyClass: yes, .wasNeverExtractable: yes]), isNew: true)
        #expect(extractable[.wasNeverExtractable] == no)
        #expect(extractable[.wasAlwaysSensitive] == nil)
    }

    @Test func `other keys than private ones cannot be held`() throws {
        for keyClass in [no, .number(2), nil] {
            for protection in [AttributeKey.isExtractable: no, .isSensitive: yes] {
                var given = try key([protection.key: protection.value])
                given[.keyClass] = keyClass
                #expect(throws: Refusal(.unimplemented, .notSupportedYet)) {
                    try ProtectionRules.apply(to: given, isNew: true)
                }
            }
        }
    }

    @Test(arguments: [AttributeKey.isExtractable, .isSensitive], [true, false])
    func `a protection is yes or no`(attribute: AttributeKey, isNew: Bool) throws {
        for value in [AttributeValue.number(2), .number(-1), .string("true")] {
            let given = try key([.keyClass: yes, attribute: value])
            #expect(throws: Refusal(.parameter, .none)) { try ProtectionRules.apply(to: given, isNew: isNew) }
        }
    }

    private func change(
        _ old: [AttributeKey: AttributeValue], _ changes: [AttributeKey: AttributeValue], replacesData: Bool = false
    ) throws -> Refusal? {
        let old = try key(old)
        do throws(Refusal) {
            try HeldKeyRules.checkChange(
                of: old, to: old.merging(try! key(changes)), replacesData: replacesData)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a held key stays held and unchanged`() throws {
        let held: [AttributeKey: AttributeValue] = [.keyClass: yes, .type: .number(73), .isExtractable: no]
        #expect(try change(held, [.isExtractable: yes]) == Refusal(.parameter, .heldKey))
        #expect(try change(held, [.isExtractable: no, .isSensitive: yes]) == nil)
        #expect(try change(held, [.keyClass: no]) == Refusal(.parameter, .heldKey))
        #expect(try change(held, [.type: .number(42)]) == Refusal(.parameter, .heldKey))
        #expect(try change(held, [.wasNeverExtractable: yes]) == Refusal(.parameter, .heldKey))
        #expect(try change(held, [:], replacesData: true) == Refusal(.dataNotModifiable, .heldKey))
        #expect(try change(held, [.label: .string("L"), .canSign: no]) == nil)
        let sensitive: [AttributeKey: AttributeValue] = [.keyClass: yes, .isSensitive: yes, .isExtractable: yes]
        #expect(try change(sensitive, [.isSensitive: no]) == Refusal(.parameter, .heldKey))
        #expect(try change(sensitive, [.isExtractable: no, .isSensitive: no]) == Refusal(.parameter, .heldKey))
        #expect(try change(sensitive, [.isExtractable: no]) == nil)
    }

    @Test func `a key gets no token, loses none, and is not added to one`() throws {
        let token = AttributeValue.string(ItemAttributes.secureElementToken)
        let inToken: [AttributeKey: AttributeValue] = [.keyClass: yes, .isExtractable: no, .tokenID: token]
        #expect(try change([.keyClass: yes], [.tokenID: token]) == Refusal(.parameter, .tokenKey))
        for other in ["", "com.example.card"] {
            #expect(try change(inToken, [.tokenID: .string(other)]) == Refusal(.parameter, .tokenKey))
        }
        #expect(try change(inToken, [.label: .string("L")]) == nil)
        #expect(try change(inToken, [.isExtractable: yes]) == Refusal(.parameter, .heldKey))
        #expect(throws: Refusal(.parameter, .tokenKey)) { try HeldKeyRules.checkAddition(key(inToken)) }
        #expect(throws: Never.self) { try HeldKeyRules.checkAddition(key([.keyClass: yes, .tokenID: .string("")])) }
    }

    @Test func `a private key can be held from now on, and another key cannot`() throws {
        #expect(try change([.keyClass: yes], [.isExtractable: no]) == nil)
        #expect(try change([.keyClass: yes], [.isExtractable: no], replacesData: true) == nil)
        #expect(try change([.keyClass: no], [.isExtractable: no]) == Refusal(.unimplemented, .notSupportedYet))
        #expect(try change([:], [.isSensitive: yes]) == Refusal(.unimplemented, .notSupportedYet))
        #expect(try change([.keyClass: no], [.label: .string("L")], replacesData: true) == nil)
    }

    @Test(arguments: KeyUse.allCases) func `a key is used as its attributes allow`(use: KeyUse) throws {
        func admit(_ entries: [AttributeKey: AttributeValue]) -> Refusal? {
            do throws(Refusal) {
                try HeldKeyRules.admit(use, of: try! key(entries))
                return nil
            } catch {
                return error
            }
        }
        #expect(admit([.keyClass: yes]) == nil)
        #expect(admit([.keyClass: yes, use.permission: yes]) == nil)
        for value in [no, .number(2), .string("yes")] {
            #expect(admit([.keyClass: yes, use.permission: value]) == Refusal(.keyUsageIncorrect, .keyUseNotAllowed))
        }
        for keyClass in [no, .number(2)] {
            #expect(admit([.keyClass: keyClass, use.permission: yes]) == Refusal(.parameter, .unusableKey))
        }
        #expect(admit([:]) == Refusal(.parameter, .unusableKey))
        #expect(throws: Refusal(.parameter, .unusableKey)) {
            try HeldKeyRules.admit(use, of: ItemAttributes(empty: .genericPassword))
        }
    }

    @Test func `each use has an attribute of its own`() {
        #expect(KeyUse.allCases.map(\.permission) == [.canSign, .canDecrypt, .canDerive])
        #expect(KeyUse.allCases.map(\.rawValue) == [1, 2, 3])
    }
}
