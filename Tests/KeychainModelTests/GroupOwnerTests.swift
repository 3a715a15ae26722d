// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

struct GroupOwnerTests {
    @Test(
        arguments: [
            ("chatelaine", .command), ("chatelaine.private", .command),
            ("chatelaine.x", .signed(group: "chatelaine.x")),
            ("installed:/usr/bin/mail", .installed(path: "/usr/bin/mail")), ("unsigned:0a", .unsigned(digest: "0a")),
            ("flatpak:org.example.Mail", .application(name: "flatpak:org.example.Mail")),
            ("snap:mail", .application(name: "snap:mail")), ("flatpak", .signed(group: "flatpak")),
            ("development:/home/ann/Mail", .development(path: "/home/ann/Mail")),
            ("TEAM.org.example.mail", .signed(group: "TEAM.org.example.mail")),
        ] as [(String, GroupOwner)])
    func `the name of a group states its owner`(group: String, owner: GroupOwner) {
        #expect(GroupOwner(ofGroup: group) == owner)
    }

    @Test func `the group of each kind of program names that program`() {
        let programs: [ProgramIdentity] = [
            .command, .installed(path: "/p"), .signed(team: "T", identifier: "i"),
            .unsigned(digest: [UInt8](repeating: 0xAB, count: 32)), .application(name: "snap:mail"),
        ]
        let digest = String(repeating: "ab", count: 32)
        #expect(
            programs.compactMap(\.implicitGroup).map { GroupOwner(ofGroup: $0) }
                == [
                    .command, .installed(path: "/p"), .signed(group: "T.i"), .unsigned(digest: digest),
                    .application(name: "snap:mail"),
                ])
        #expect(GroupOwner.shortened(digest: digest) == "abababababab…")
        #expect(GroupOwner.shortened(digest: "abababababab") == "abababababab")
    }
}
