// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// Every label, size and nonce rule of the sealed formats. Documentation/Formats has the same as byte tables. Nothing
/// here may change: a new format gets a new version and new constants beside these.
enum SealingConstants {
    // MARK: Sizes

    /// All keys have 256 bits: AES-256, and HMAC-SHA256 with a key as long as its output.
    static let keySize = 32
    /// AES key wrap (RFC 3394) adds one 64-bit block, which is its integrity check.
    static let wrappedKeySize = keySize + 8
    /// One salt per keybag, as long as SHA-256's output (RFC 5869, section 3.1 recommends that length).
    static let saltSize = 32
    /// A random UUID that identifies the keybag.
    static let keybagIdentifierSize = 16
    /// AES-GCM's native nonce length, the only one for which the nonce is used directly (NIST SP 800-38D, 8.2).
    static let nonceSize = 12
    /// AES-GCM's full tag. Shorter ones weaken authentication more than in proportion (SP 800-38D, appendix C).
    static let tagSize = 16
    /// Index digests keep 16 of HMAC-SHA256's 32 bytes. They answer "equal or not" inside one store: two of n different
    /// values collide with probability n²/2¹²⁹, below 2⁻⁸⁰ for sixteen million values, and an attacker without the
    /// index key cannot search for a collision. A match proves only the row's place: a returned item is opened with the
    /// digests as authenticated data. Half the length halves the number of index pages.
    static let digestSize = 16
    /// SHA-256 over a device key file detects damage. It does not protect against an attacker, because a program that
    /// can write the file can also write the digest.
    static let checksumSize = 32

    /// The full HMAC-SHA256: the codes of rows are combined, and it must be infeasible to find two sets of rows with
    /// one sum.
    static let codeSize = 32

    // MARK: Nonces

    // Data: the item key is random for every version of an item and encrypts exactly one message, so its nonce could
    // have any value; it is random like the other, so that one rule applies.
    //
    // Attributes: one metadata key per class encrypts the attributes of all items of that class with random 96-bit
    // nonces. SP 800-38D (8.3) allows 2³² such messages per key for a collision probability under 2⁻³². One write per
    // millisecond would reach that in 49 days; the keychain of one user writes a few thousand times in total.
    //
    // Contents: one key encrypts the sum of the rows, again at every change of a row, also with random nonces.
    //
    // Grants: one key encrypts a few hundred bytes for each "Always Allow", with random nonces.
    //
    // Largest message: 2³⁶ - 32 bytes (5.2.1.1); messages here have at most 16 MiB.

    /// A random identifier of a backup; a tag of 16 bytes of HKDF identifies the key that only its device derives.
    static let backupIdentifierSize = 16
    static let backupTagSize = 16

    // Backups: one random key per backup encrypts its records, numbered from 0; the number is the nonce, so no nonce
    // repeats. The key of items that may not leave the device is derived for each backup, with the same numbers.

    /// A link of the audit log's chain keeps 16 of HMAC-SHA256's 32 bytes, the least that RFC 2104 (section 5) allows:
    /// a forger without the key has one chance in 2¹²⁸ at each line, and a line stays short.
    static let auditLinkSize = 16

    /// SHA-256 over the reader's list of enrolled fingers.
    static let enrolmentDigestSize = 32

    /// An item's own password is combined with the class key, and a program may give it at each read: so its cost is
    /// the lowest for a passcode, some 60 ms.
    static let applicationPasswordCost = ScryptCost.minimum
    /// The highest cost that a row may require, because an attacker may have written the row to keep the service busy.
    static let applicationPasswordWorkLimit = 16 * ScryptCost.minimum.work

    // MARK: Versions and magics

    /// First eight bytes of a backup: "CHTLBKP" and the version.
    static let backupMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x42, 0x4B, 0x50, 0x01]
    /// The same version, in the authenticated data of records.
    static let backupVersion: UInt8 = 1

    /// First eight bytes of the audit log's checkpoint: "CHTLAUD" and the version.
    static let auditCheckpointMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x41, 0x55, 0x44, 0x01]

    /// First eight bytes of a device key file: "CHTLDEV" and the version.
    static let deviceKeyMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x44, 0x45, 0x56, 0x01]
    /// First eight bytes of a keybag: "CHTLKBG" and the version.
    static let keybagMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x4B, 0x42, 0x47, 0x01]
    /// First byte of each sealed box of an item.
    static let itemVersion: UInt8 = 1
    /// First byte of each sealed box of an item with constraints, and of the constraints before its wrapped key.
    static let constrainedItemVersion: UInt8 = 2
    /// First byte of a sealed enrolment.
    static let enrolmentVersion: UInt8 = 1
    /// First byte of a proof.
    static let proofVersion: UInt8 = 1
    /// First byte of the sealed sum of a keychain's rows.
    static let contentsVersion: UInt8 = 1
    /// First byte of a sealed grant.
    static let grantVersion: UInt8 = 1

    // MARK: Labels of derived keys
    //
    // HKDF's info: the label, one byte that selects one of several keys, and the keybag's identifier. Different labels
    // give independent keys from the same material; the identifier binds each to its keybag. No label is a prefix of
    // another.

    /// The key that wraps the keybag key, one per protector. Its info ends with the protector's entry up to the wrapped key.
    static let protectorLabel = "chatelaine keybag protector v1"
    /// The keys that wrap the class keys, one per data-protection class.
    static let classLabel = "chatelaine keybag class v1"
    /// The key that wraps the index key.
    static let indexLabel = "chatelaine keybag index v1"

    /// The key of the codes of rows. These two have the keybag's identifier as HKDF's salt and the label alone as info.
    static let contentsCodeLabel = "chatelaine contents code v1"
    /// The key that seals the sum of the codes; also the first bytes of the seal's authenticated data.
    static let contentsSealLabel = "chatelaine contents seal v1"
    /// The key that wraps the key of a constrained item. Its info continues with the item's constraints, its identifier
    /// and its version; there is no salt, because a class key is random.
    static let itemAccessLabel = "chatelaine item access v2"
    /// The first bytes of scrypt's salt for items' own passwords; the keybag's salt follows.
    static let applicationPasswordLabel = "chatelaine application password v1"
    /// The key of the known enrolment, derived like the key of grants; also the first bytes of its authenticated data.
    static let enrolmentLabel = "chatelaine enrolment v1"
    /// The key of remembered grants, derived like those two; also the first bytes of a sealed grant's authenticated
    /// data.
    static let grantLabel = "chatelaine grant v1"
    /// The key that wraps a backup's key. Its info ends with the header up to the wrapped key.
    static let backupKeyLabel = "chatelaine backup key v1"
    /// The key of a backup's items that may not leave the device; the info ends with the backup's identifier.
    static let backupDeviceLabel = "chatelaine backup device v1"
    /// The tag by which a device recognises its own backups; the info ends with the backup's identifier.
    static let backupTagLabel = "chatelaine backup tag v1"

    /// The key of the audit log's chain, and the key of its checkpoint. Their info is the label alone, without salt: a
    /// log belongs to a device key, regardless of changes to the keybag.
    static let auditChainLabel = "chatelaine audit chain v1"
    static let auditCheckpointLabel = "chatelaine audit checkpoint v1"

    // MARK: Authenticated data

    /// First bytes of the data that a proof's code covers.
    static let proofLabel = "chatelaine proof v1"

    /// First bytes of the authenticated data of a backup's records.
    static let backupRecordLabel = "chatelaine backup record"
    static let backupDeviceItemLabel = "chatelaine backup device item"

    /// First bytes of the authenticated data of an item's boxes, besides their content; they separate these from any
    /// other data that might be encrypted under these keys.
    static let itemLabel = "chatelaine item"
    /// Parts of an item. "No data" is a separate part, so that an empty secret and no secret cannot be exchanged.
    static let attributesPart: UInt8 = 1
    static let dataPart: UInt8 = 2
    static let absentDataPart: UInt8 = 3

    // MARK: Type tags of index digests

    /// Strings and data have the same tag: a search with data finds an item stored with the same bytes as text.
    static let bytesTag: UInt8 = 1
    static let numberTag: UInt8 = 2
    static let dateTag: UInt8 = 3
    static let accessControlTag: UInt8 = 4

    // MARK: Limits

    /// The largest sealed attributes: the values that the model allows, and 9 bytes of framing for each entry.
    static let encodedAttributesLimit = ItemLimits.storedAttributeBytes + ItemLimits.entries * 16
    /// The largest record of a backup: the largest item, framing, and two tags.
    static let backupRecordLimit = ItemLimits.secretBytes + encodedAttributesLimit + 256
}
