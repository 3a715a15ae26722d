// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct `Constants` {
    @Test func `have the values of the table`() throws {
        let rows = try ConstantsTable().strings
        for row in rows {
            let constant = ConstantsByName.strings[row.name] as String?
            #expect(constant == row.value, "\(row.name): run Tools/generate-constants")
        }
        #expect(rows.count == ConstantsByName.strings.count)
    }

    @Test func `of status have the codes of the table`() throws {
        let rows = try ConstantsTable().codes
        for row in rows {
            #expect(ConstantsByName.codes[row.name] == OSStatus(row.value), "\(row.name): run Tools/generate-constants")
        }
        #expect(rows.count == ConstantsByName.codes.count)
    }

    @Test func `are as many as in Apple's headers, each once`() throws {
        let table = try ConstantsTable()
        #expect(table.strings.count == 382)
        #expect(table.codes.count == 381)
        #expect(Set(table.rows.map(\.name)).count == table.rows.count)
        #expect(Set(table.codes.map(\.value)).count == table.codes.count)
    }
}
