// SPDX-License-Identifier: Apache-2.0

import Crypto
public import FoundationEssentials
public import KeychainModel

/// Texts of items that the service keeps in memory between requests, sealed under the metadata key of the items' class:
/// they can be opened exactly while the attributes of these items can be. No file has them.
public struct SealedTexts: Sendable {
    fileprivate let accessibility: Accessibility
    /// Nonce, ciphertext and tag.
    let box: Data
}

extension KeyRing {
    /// Seals texts of items of one data-protection class.
    ///
    /// - Throws: `.keyNotAvailable`.
    public func sealTexts(_ texts: [UInt8], of accessibility: Accessibility) throws(SealingError) -> SealedTexts {
        let key = try metadataKey(for: accessibility).copy()
        let box: Data?
        do {
            box = try AES.GCM.seal(texts, using: key, nonce: random.nonce(), authenticating: textsLabel).combined
        } catch {
            // Only a plaintext beyond GCM's limit.
            throw .damaged
        }
        // Nil only for nonces of another size.
        guard let box else { throw .damaged }
        return SealedTexts(accessibility: accessibility, box: box)
    }

    /// Opens sealed texts. The caller wipes them.
    ///
    /// - Throws: `.keyNotAvailable`; `.damaged` if the class has another key by now.
    public func openTexts(_ texts: SealedTexts) throws(SealingError) -> Data {
        let key = try metadataKey(for: texts.accessibility).copy()
        do {
            return try AES.GCM.open(
                AES.GCM.SealedBox(combined: texts.box), using: key, authenticating: textsLabel)
        } catch {
            throw .damaged
        }
    }

    /// Differs from the beginning of the authenticated data of every other box under these keys.
    private var textsLabel: [UInt8] { Array("chatelaine texts in memory".utf8) }
}
