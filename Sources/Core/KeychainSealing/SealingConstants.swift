// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// Every label, size and nonce rule of the sealed formats. Documentation/Formats says the same in byte
/// tables. Nothing here may change: a new format gets a new version and new constants beside these.
enum SealingConstants {
    // MARK: Sizes

    /// All our keys are 256 bits: AES-256, and HMAC-SHA256 keyed with as many bits as it puts out.
    static let keySize = 32
    /// AES key wrap (RFC 3394) adds one 64-bit block, which is its integrity check.
    static let wrappedKeySize = keySize + 8
    /// One salt per keybag, as long as SHA-256's output (RFC 5869, section 3.1 recommends that length).
    static let saltSize = 32
    /// A random UUID names the keybag.
    static let keybagIdentifierSize = 16
    /// AES-GCM's native nonce length, the only one for which the nonce is used as it is (NIST SP 800-38D, 8.2).
    static let nonceSize = 12
    /// AES-GCM's full tag. Shorter ones weaken authentication more than in proportion (SP 800-38D, appendix C).
    static let tagSize = 16
    /// Index digests keep 16 of HMAC-SHA256's 32 bytes. They answer "equal or not" inside one store: two of n different
    /// values collide with probability n²/2¹²⁹, below 2⁻⁸⁰ for sixteen million values, and nobody without the index key
    /// can look for a collision. A match is never proof of anything beyond the row's place: what is returned is opened
    /// with the digests as authenticated data. Half the length keeps the index pages half as many.
    static let digestSize = 16
    /// SHA-256 over a device key file finds damage. It is no protection against anybody: who can write the file can
    /// write the digest too.
    static let checksumSize = 32

    /// HMAC-SHA256 whole: the codes of rows are combined, and two sets of rows with one sum must not be found.
    static let codeSize = 32

    // MARK: Nonces

    // Data: the item key is random for every version of an item and encrypts exactly one message, so its nonce could
    // be anything; it is random like the other, to have one rule.
    //
    // Attributes: one metadata key per class encrypts the attributes of all items of that class with random 96-bit
    // nonces. SP 800-38D (8.3) allows 2³² such messages per key for a collision probability under 2⁻³². One write per
    // millisecond would take 49 days of nothing else; a keychain of a person writes a few thousand times in its life.
    //
    // Contents: one key encrypts the sum of the rows, anew with every change of a row, under random nonces as well.
    //
    // Grants: one key encrypts a few hundred bytes each time that a person says "Always Allow", under random nonces.
    //
    // Largest message: 2³⁶ - 32 bytes (5.2.1.1); ours are at most 16 MiB.

    /// A random identifier names a backup, and the key that only its device derives is told by 16 bytes of HKDF.
    static let backupIdentifierSize = 16
    static let backupTagSize = 16

    // Backups: one random key per backup encrypts its records, numbered from 0; the number is the nonce, so none comes
    // twice. The key of items that may not leave the device is derived for each backup, with the same numbers.

    /// A link of the audit log's chain keeps 16 of HMAC-SHA256's 32 bytes, the least that RFC 2104 (section 5) allows: a
    /// forger without the key has one chance in 2¹²⁸ at each line, and a line stays short.
    static let auditLinkSize = 16

    /// SHA-256 over what a reader says of the enrolled fingers.
    static let enrolmentDigestSize = 32

    /// An item's own password lies under the class key as well, and a program may give it at each read: as much work as is the
    /// least for a passcode, some 60 ms.
    static let applicationPasswordCost = ScryptCost.minimum
    /// No more is done for a row that says so: somebody may have written it to keep the service busy.
    static let applicationPasswordWorkLimit = 16 * ScryptCost.minimum.work

    // MARK: Versions and magics

    /// First eight bytes of a backup: "CHTLBKP" and the version.
    static let backupMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x42, 0x4B, 0x50, 0x01]
    /// The same version, in what records authenticate.
    static let backupVersion: UInt8 = 1

    /// First eight bytes of the audit log's checkpoint: "CHTLAUD" and the version.
    static let auditCheckpointMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x41, 0x55, 0x44, 0x01]

    /// First eight bytes of a device key file: "CHTLDEV" and the version.
    static let deviceKeyMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x44, 0x45, 0x56, 0x01]
    /// First eight bytes of a keybag: "CHTLKBG" and the version.
    static let keybagMagic: [UInt8] = [0x43, 0x48, 0x54, 0x4C, 0x4B, 0x42, 0x47, 0x01]
    /// First byte of each sealed box of an item.
    static let itemVersion: UInt8 = 1
    /// The same of an item with constraints, and the first byte of what stands before its wrapped key.
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
    // HKDF's info: the label, one byte that says for which of several keys, and the keybag's identifier. Different
    // labels give independent keys from the same material; the identifier ties each to its keybag. No label is the
    // beginning of another.

    /// The key that wraps the keybag key, one per protector. Its info ends with the protector's entry up to the wrapped key.
    static let protectorLabel = "chatelaine keybag protector v1"
    /// The keys that wrap the class keys, one per data-protection class.
    static let classLabel = "chatelaine keybag class v1"
    /// The key that wraps the index key.
    static let indexLabel = "chatelaine keybag index v1"

    /// The key of the codes of rows. These two have the keybag's identifier as HKDF's salt and the label alone as info.
    static let contentsCodeLabel = "chatelaine contents code v1"
    /// The key that seals the sum of the codes; also the first bytes of what the seal authenticates.
    static let contentsSealLabel = "chatelaine contents seal v1"
    /// The key that wraps the key of a constrained item. Its info goes on with what the item is constrained to, the item's
    /// identifier and its version; there is no salt, since a class key is random.
    static let itemAccessLabel = "chatelaine item access v2"
    /// The beginning of scrypt's salt for items' own passwords; the keybag's salt follows.
    static let applicationPasswordLabel = "chatelaine application password v1"
    /// The key of the enrolment that is known, derived as the key of grants; also the first bytes of what it authenticates.
    static let enrolmentLabel = "chatelaine enrolment v1"
    /// The key of remembered grants, derived as those two; also the first bytes of what a sealed grant authenticates.
    static let grantLabel = "chatelaine grant v1"
    /// The key that wraps a backup's key. Its info ends with the header up to the wrapped key.
    static let backupKeyLabel = "chatelaine backup key v1"
    /// The key of a backup's items that may not leave the device; the info ends with the backup's identifier.
    static let backupDeviceLabel = "chatelaine backup device v1"
    /// What tells the device that made a backup; the info ends with the backup's identifier.
    static let backupTagLabel = "chatelaine backup tag v1"

    /// The key of the audit log's chain, and the one of its checkpoint. Their info is the label alone, without salt: a log
    /// belongs to a device key, whatever becomes of the keybag.
    static let auditChainLabel = "chatelaine audit chain v1"
    static let auditCheckpointLabel = "chatelaine audit checkpoint v1"

    // MARK: Authenticated data

    /// First bytes of what a proof's code covers.
    static let proofLabel = "chatelaine proof v1"

    /// First bytes of what a backup's records authenticate.
    static let backupRecordLabel = "chatelaine backup record"
    static let backupDeviceItemLabel = "chatelaine backup device item"

    /// First bytes of what an item's boxes authenticate besides their content; keeps them apart from anything else
    /// that might ever be encrypted under these keys.
    static let itemLabel = "chatelaine item"
    /// Parts of an item. "No data" is a part of its own, so that an empty secret and none cannot be exchanged.
    static let attributesPart: UInt8 = 1
    static let dataPart: UInt8 = 2
    static let absentDataPart: UInt8 = 3

    // MARK: Type tags of index digests

    /// Strings and data alike: a search with data finds an item stored with the same bytes as text.
    static let bytesTag: UInt8 = 1
    static let numberTag: UInt8 = 2
    static let dateTag: UInt8 = 3
    static let accessControlTag: UInt8 = 4

    // MARK: Limits

    /// What sealed attributes may hold: the values that the model allows, and 9 bytes of framing for each entry.
    static let encodedAttributesLimit = ItemLimits.storedAttributeBytes + ItemLimits.entries * 16
    /// The largest record of a backup: the largest item, framing, and two tags.
    static let backupRecordLimit = ItemLimits.secretBytes + encodedAttributesLimit + 256
}
