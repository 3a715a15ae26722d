// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import KeychainSealing
public import SecretMemory
import SQLiteStatements

// The key material that items with constraints need in addition to their class key.
extension ItemStore {
    /// Returns the material for the keys of constrained items. With a password, it takes as long as stretching the
    /// password.
    ///
    /// - Parameters:
    ///   - password: the items' own password.
    ///   - enrolment: the result of ``enrolmentSecret(for:)``.
    /// - Throws: `.inputOutput` if no memory of the required kind is available.
    public func material(password: SecretBytes?, enrolment: EnrolmentSecret?) throws(StoreError) -> ItemKeyMaterial {
        guard let password else { return ItemKeyMaterial(enrolment: enrolment) }
        do throws(SealingError) {
            let material = ItemKeyMaterial(
                password: try keyStorage.store(copying: password.bytes), enrolment: enrolment)
            // Now, so that no transaction waits for it.
            try keyRing.prepare(material)
            return material
        } catch {
            throw StoreError(error)
        }
    }

    /// Returns the secret that seals items for the current set of fingers.
    ///
    /// A changed enrolment permanently destroys the secret of the known enrolment, and with it every item that was
    /// sealed for it, even if the former fingers are enrolled again.
    ///
    /// - Parameter digest: 32 bytes that identify the currently enrolled fingers; nil if none is enrolled.
    /// - Returns: nil if no finger is enrolled.
    /// - Throws: `.damaged(.database)`, `.diskFull`, `.readOnly`, `.inputOutput`, `.closed`.
    public func enrolmentSecret(for digest: [UInt8]?) throws(StoreError) -> EnrolmentSecret? {
        let key: EnrolmentKey
        do throws(SealingError) {
            key = try EnrolmentKey(deviceKey: deviceKey, keybagIdentifier: keybag.identifier, in: keyStorage)
        } catch {
            throw StoreError(error)
        }
        return try StoreError.translating {
            var secret: EnrolmentSecret?
            try writer.inTransaction { db in
                // The conversion saves the bytes if only the type of the column is damaged.
                let stored = try db.value(of: "SELECT CAST(bytes AS BLOB) FROM enrolment")?.bytes
                // A secret that does not open counts as absent: the items that it sealed are lost already.
                let known = stored.flatMap { try? key.open($0) }
                if let known, known.digest == digest {
                    secret = known.secret
                    return .rollback
                }
                guard stored != nil || digest != nil else { return .rollback }
                try db.execute("DELETE FROM enrolment")
                guard let digest else { return .commit }
                let (new, sealed) = try key.newSecret(for: digest)
                try db.execute("INSERT INTO enrolment (id, bytes) VALUES (1, ?)", [.bytes(sealed)])
                secret = new
                return .commit
            }
            return secret
        }
    }
}
