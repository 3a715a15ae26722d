// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB
public import KeychainSealing
public import SecretMemory

// What items with constraints need besides their class key.
extension ItemStore {
    /// What goes into the keys of constrained items. With a password it takes as long as stretching that.
    ///
    /// - Parameters:
    ///   - password: the items' own.
    ///   - enrolment: as ``enrolmentSecret(for:)`` gives it.
    /// - Throws: `.inputOutput` when there is no memory of the right kind.
    public func material(password: SecretBytes?, enrolment: EnrolmentSecret?) throws(StoreError) -> ItemKeyMaterial {
        guard let password else { return ItemKeyMaterial(enrolment: enrolment) }
        do throws(SealingError) {
            let material = ItemKeyMaterial(
                password: try keyStorage.store(copying: password.bytes), enrolment: enrolment)
            // Now, rather than while a transaction waits for it.
            try keyRing.prepare(material)
            return material
        } catch {
            throw StoreError(error)
        }
    }

    /// The secret that items for the current set of fingers are sealed with.
    ///
    /// Another enrolment than the one that is known destroys the secret of that one for good, and with it every item that was
    /// sealed for it, also when the former fingers come back.
    ///
    /// - Parameter digest: 32 bytes that name the fingers that are enrolled now; nil where none is.
    /// - Returns: nil where none is enrolled.
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
            try writer.queue.inTransaction(.immediate) { db in
                let stored = try Data.fetchOne(db, sql: "SELECT bytes FROM enrolment")
                // One that does not open is none: what was sealed with its secret is lost already.
                let known = stored.flatMap { try? key.open($0) }
                if let known, known.digest == digest {
                    secret = known.secret
                    return .rollback
                }
                guard stored != nil || digest != nil else { return .rollback }
                try db.execute(sql: "DELETE FROM enrolment")
                guard let digest else { return .commit }
                let (new, sealed) = try key.newSecret(for: digest)
                try db.execute(sql: "INSERT INTO enrolment (id, bytes) VALUES (1, ?)", arguments: [sealed])
                secret = new
                return .commit
            }
            return secret
        }
    }
}
