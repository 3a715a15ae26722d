// SPDX-License-Identifier: Apache-2.0

package import Crypto
public import FoundationEssentials
public import KeychainModel

/// The sealed parts of one version of one item, as its row stores them. Documentation/Formats/sealed-item.md.
public struct SealedItem: Hashable, Sendable {
    /// The wrapped item key: 40 bytes, after the constraints of a constrained item.
    public var wrappedKey: Data
    /// The attributes, sealed under the class's metadata key.
    public var attributes: Data
    /// The secret, or a marker that there is none, sealed under the item key.
    public var data: Data

    public init(wrappedKey: Data, attributes: Data, data: Data) {
        self.wrappedKey = wrappedKey
        self.attributes = attributes
        self.data = data
    }
}

/// The values that an item's sealed parts are bound to. The parts open only beside the same values, so parts cannot be
/// moved to another row, version, group or class, nor a row to another place in the indexes.
public struct ItemBinding: Hashable, Sendable {
    public var itemClass: ItemClass
    public var accessibility: Accessibility
    public var isSynchronizable: Bool
    public var item: ItemIdentifier
    /// The version of the item, counted from 1.
    public var rowVersion: UInt64
    /// The digest of the access group's name.
    public var accessGroup: IndexDigest
    /// The digests of the other attributes that make the item unique, in the order of the class's table; nil for an
    /// attribute that the item does not have. At most 255.
    public var uniqueness: [IndexDigest?]
    /// The constraints of the item; nil for an item without constraints.
    public var access: ItemAccess?

    public init(
        itemClass: ItemClass, accessibility: Accessibility, isSynchronizable: Bool, item: ItemIdentifier,
        rowVersion: UInt64, accessGroup: IndexDigest, uniqueness: [IndexDigest?], access: ItemAccess? = nil
    ) {
        self.itemClass = itemClass
        self.accessibility = accessibility
        self.isSynchronizable = isSynchronizable
        self.item = item
        self.rowVersion = rowVersion
        self.accessGroup = accessGroup
        self.uniqueness = uniqueness
        self.access = access
    }

    fileprivate var version: UInt8 {
        access == nil ? SealingConstants.itemVersion : SealingConstants.constrainedItemVersion
    }

    /// Returns the authenticated data of one part.
    func authenticatedData(_ part: UInt8) -> [UInt8] {
        // Built twice per lookup, so in one allocation.
        let access = access?.encoded ?? []
        let size = SealingConstants.itemLabel.utf8.count + 46 + 16 * uniqueness.count + access.count
        return [UInt8](capacity: size) { bytes in
            bytes.append(SealingConstants.itemLabel.utf8.span)
            bytes.append(version)
            bytes.append(part)
            bytes.append(itemClass.rawValue)
            bytes.append(accessibility.rawValue)
            bytes.append(isSynchronizable ? 1 : 0)
            bytes.append(bigEndian: item.value)
            bytes.append(bigEndian: rowVersion)
            bytes.append(bigEndian: accessGroup.value)
            bytes.append(UInt8(uniqueness.count))
            for digest in uniqueness { bytes.append(bigEndian: digest?.value ?? 0) }
            bytes.append(access.span)
        }
    }
}

extension KeyRing {
    /// Seals a new version of an item under a new item key.
    ///
    /// - Parameters:
    ///   - data: the secret; nil for an item without one, which differs from an empty one.
    ///   - material: the additional key material of a constrained item.
    /// - Throws: `.keyNotAvailable`, `.passwordNeeded`, `.enrolmentNeeded`, `.noKeyStorage`.
    public func seal(
        _ attributes: ItemAttributes, data: UnsafeRawBufferPointer?, to binding: ItemBinding,
        material: ItemKeyMaterial = .none
    ) throws(SealingError) -> SealedItem {
        unsafe try seal(
            attributes, data: data, to: binding, material: material, with: SealingInputs(generatedBy: random))
    }

    package func seal(
        _ attributes: ItemAttributes, data: UnsafeRawBufferPointer?, to binding: ItemBinding,
        material: ItemKeyMaterial = .none, with inputs: SealingInputs
    ) throws(SealingError) -> SealedItem {
        let metadataKey = try metadataKey(for: binding.accessibility)
        let plaintext = AttributeEncoding.encode(attributes)
        let dataBox =
            if let data = unsafe data {
                unsafe try box(
                    data, .init(SealingConstants.dataPart, inputs.dataNonce), binding: binding, key: inputs.itemKey)
            } else {
                try box(
                    [], .init(SealingConstants.absentDataPart, inputs.dataNonce), binding: binding, key: inputs.itemKey)
            }
        let wrappedKey = try wrappingKey(for: binding, material).wrap(inputs.itemKey)
        return SealedItem(
            wrappedKey: binding.access.map { Data($0.encoded) + wrappedKey } ?? wrappedKey,
            attributes: try box(
                plaintext, .init(SealingConstants.attributesPart, inputs.attributesNonce), binding: binding,
                key: metadataKey.copy()),
            data: dataBox)
    }

    /// Opens the attributes of an item.
    ///
    /// - Throws: `.damaged`, `.unsupportedVersion`, `.keyNotAvailable`.
    public func openAttributes(_ box: Data, of binding: ItemBinding) throws(SealingError) -> ItemAttributes {
        guard try part(of: box, binding) == SealingConstants.attributesPart,
            box.count <= SealingConstants.encodedAttributesLimit + boxOverhead
        else { throw .damaged }
        let metadataKey = try metadataKey(for: binding.accessibility).copy()
        let plaintext = try open(box, SealingConstants.attributesPart, binding: binding, key: metadataKey)
        return try AttributeEncoding.decode(plaintext, binding.itemClass)
    }

    /// Opens the secret of an item; returns nil if it has none. The caller wipes it.
    ///
    /// - Parameters:
    ///   - wrappedKey: without the preceding constraints, as in ``ItemKeyColumn``.
    ///   - material: the additional key material of a constrained item.
    /// - Throws: `.damaged`, `.unsupportedVersion`, `.keyNotAvailable`, `.passwordNeeded`, `.wrongPassword`,
    ///   `.enrolmentNeeded`, `.enrolmentChanged`, `.noKeyStorage`.
    public func openData(
        _ box: Data, wrappedKey: Data, of binding: ItemBinding, material: ItemKeyMaterial = .none
    ) throws(SealingError) -> Data? {
        let part = try part(of: box, binding)
        guard part == SealingConstants.dataPart || part == SealingConstants.absentDataPart else { throw .damaged }
        let itemKey = try itemKey(wrappedKey, of: binding, material)
        let plaintext = try open(box, part, binding: binding, key: itemKey)
        guard part == SealingConstants.absentDataPart else { return plaintext }
        guard plaintext.isEmpty else { throw .damaged }
        return nil
    }
}

/// The random values of one sealing: new ones for each, except in test vectors.
package struct SealingInputs {
    let itemKey: SymmetricKey
    let attributesNonce: AES.GCM.Nonce
    let dataNonce: AES.GCM.Nonce

    package init(itemKey: SymmetricKey, attributesNonce: AES.GCM.Nonce, dataNonce: AES.GCM.Nonce) {
        self.itemKey = itemKey
        self.attributesNonce = attributesNonce
        self.dataNonce = dataNonce
    }

    /// Takes all of them from the generator at once, because each system call costs as much as encrypting the
    /// attributes.
    fileprivate init(generatedBy random: RandomBytes) {
        let (keySize, nonceSize) = (SealingConstants.keySize, SealingConstants.nonceSize)
        var bytes = Data(count: keySize + 2 * nonceSize)
        defer { bytes.wipe() }
        // Filled and copied inside the closures only.
        unsafe bytes.withUnsafeMutableBytes { unsafe random.fill($0) }
        itemKey = unsafe bytes.withUnsafeBytes {
            unsafe SymmetricKey(data: UnsafeRawBufferPointer(rebasing: $0[..<keySize]))
        }
        // Only nonces of less than twelve bytes are refused.
        attributesNonce = try! AES.GCM.Nonce(data: bytes[keySize..<keySize + nonceSize])
        dataNonce = try! AES.GCM.Nonce(data: bytes[(keySize + nonceSize)...])
    }
}

// MARK: - Boxes
//
// One box: version (u8), part (u8), nonce (12), ciphertext, tag (16).

private let boxOverhead = 2 + SealingConstants.nonceSize + SealingConstants.tagSize

private struct BoxKind {
    let part: UInt8
    let nonce: AES.GCM.Nonce

    init(_ part: UInt8, _ nonce: AES.GCM.Nonce) {
        self.part = part
        self.nonce = nonce
    }
}

private func box(
    _ plaintext: some DataProtocol, _ kind: BoxKind, binding: ItemBinding, key: SymmetricKey
) throws(SealingError) -> Data {
    let combined: Data?
    do {
        let additional = binding.authenticatedData(kind.part)
        combined = try AES.GCM.seal(plaintext, using: key, nonce: kind.nonce, authenticating: additional).combined
    } catch {
        // Only a plaintext beyond GCM's limit, which the model's limits exclude.
        throw .damaged
    }
    // Nonce, ciphertext and tag in one piece; nil only for nonces of another size.
    guard let combined else { throw .damaged }
    return Data(
        [UInt8](capacity: 2 + combined.count) { box in
            box.append(binding.version)
            box.append(kind.part)
            box.append(combined.span)
        })
}

/// Checks the first bytes of a box.
private func part(of box: Data, _ binding: ItemBinding) throws(SealingError) -> UInt8 {
    guard let version = box.first else { throw .damaged }
    guard version == binding.version else { throw .unsupportedVersion }
    guard box.count >= boxOverhead else { throw .damaged }
    return box[box.startIndex + 1]
}

private func open(
    _ box: Data, _ part: UInt8, binding: ItemBinding, key: SymmetricKey
) throws(SealingError) -> Data {
    do {
        return try AES.GCM.open(
            AES.GCM.SealedBox(combined: box.dropFirst(2)), using: key,
            authenticating: binding.authenticatedData(part))
    } catch {
        throw .damaged
    }
}
