// SPDX-License-Identifier: Apache-2.0

import CCryptoki
import Testing

@testable import PKCS11

/// The attributes that programs pass.
struct TemplateTests {
    @Test func `values have exactly the size of their type`() throws {
        let template = try TestModule.template([
            CKA_CLASS: CK_ULONG(0x0102_0304_0506_0708).bytes, CKA_KEY_TYPE: [1, 2, 3, 4], CKA_TOKEN: [1], CKA_SIGN: [0],
            CKA_DERIVE: [2], CKA_VERIFY: [], CKA_WRAP: [1, 0], CKA_LABEL: [0xFF],
        ])
        #expect(try template.number(CKA_CLASS) == 0x0102_0304_0506_0708)
        #expect(template.bytes(CKA_CLASS) == [8, 7, 6, 5, 4, 3, 2, 1], "as the machine stores it")
        #expect(try template.number(CKA_VALUE_LEN) == nil)
        #expect(try template.truth(CKA_TOKEN) == true && template.truth(CKA_SIGN) == false)
        expect(CKR_ATTRIBUTE_VALUE_INVALID) { _ = try template.number(CKA_KEY_TYPE) }
        for type in [CKA_DERIVE, CKA_VERIFY, CKA_WRAP] {
            expect(CKR_ATTRIBUTE_VALUE_INVALID) { _ = try template.truth(type) }
        }
        expect(CKR_ATTRIBUTE_VALUE_INVALID) { _ = try template.text(CKA_LABEL) }
        expect(CKR_TEMPLATE_INCOMPLETE) { _ = try template.required(CKA_VALUE) }
    }

    @Test func `an attribute occurs once`() {
        expect(CKR_TEMPLATE_INCONSISTENT) { _ = try Template([.init(CKA_ID, [1]), .init(CKA_ID, [1])]) }
    }

    @Test func `the mechanisms of the table have facts, and each has a use`() throws {
        for facts in Mechanism.all {
            #expect(facts.flags & (CKF_SIGN | CKF_DECRYPT | CKF_DERIVE | CKF_GENERATE_KEY_PAIR) != 0)
            #expect(!facts.sizes.isEmpty)
        }
        #expect(Set(Mechanism.all.map(\.type)).count == Mechanism.all.count)
    }
}
