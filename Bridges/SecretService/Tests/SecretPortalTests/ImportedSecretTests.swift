// SPDX-License-Identifier: Apache-2.0

import SecretPortal
import Testing

/// Which imported items are secrets of applications.
struct ImportedSecretTests {
    @Test(arguments: [
        ("flatpak:org.example.Mail", "org.example.Mail"), ("snap:mail", "snap.mail"), ("flatpak:", nil), ("snap:", nil),
        ("installed:/usr/bin/mail", nil), ("", nil),
    ])
    func `an application in a sandbox has the ID that the portal gives it`(name: String, id: String?) {
        #expect(ImportedSecret.applicationID(name) == id)
    }

    @Test func `an item with the ID of the application and no further attribute is its secret`() {
        let generic = "org.freedesktop.Secret.Generic"
        func isSecret(_ attributes: [String: String]) -> Bool { ImportedSecret.has(attributes, of: "org.example.Mail") }
        #expect(isSecret(["app_id": "org.example.Mail"]))
        #expect(isSecret(["app_id": "org.example.Mail", "xdg:schema": generic]))
        #expect(!isSecret(["app_id": "org.example.Music"]))
        #expect(!isSecret(["app_id": "org.example.mail"]))
        #expect(!isSecret(["app_id": "org.example.Mail", "xdg:schema": "org.example.Other"]))
        #expect(!isSecret(["app_id": "org.example.Mail", "user": "ann"]))
        #expect(!isSecret(["xdg:schema": generic]))
        #expect(!isSecret([:]))
    }
}
