// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire

// Private keys that are used where they are stored.
extension KeychainClient {
    /// Uses a stored private key.
    ///
    /// - Parameter copy: is given the signature, what was decrypted, or the secret that was agreed on; the bytes are wiped
    ///   as soon as it returns.
    /// - Throws: `.refused` with `errSecItemNotFound` where there is no such key, `errSecParam` for what is no private key
    ///   (`unusableKey`) and for an algorithm or an input that the key does not take (`unusableKeyInput`),
    ///   `errSecKeyUsageIncorrect` where its attributes do not allow it, `errSecDataTooLarge` for an input over
    ///   ``WireLimits/keyInputBytes``; the other codes of reading an item's data; `.unavailable`.
    public func use<Result>(
        _ work: KeyWork<some Collection<UInt8>>, copy: (ArraySlice<UInt8>) -> Result
    ) throws(ClientError) -> Result {
        guard work.isWithinLimits else { throw .refused(Refusal(.dataTooLarge, .none)) }
        guard work.key.itemClass == .key else { throw .refused(Refusal(.parameter, .unusableKey)) }
        return try answer(to: .key(.use(work))) { frame throws(WireError) in
            try KeyResult(frame, secret: copy).bytes
        }
    }

    /// Makes a new private key in the service and stores it there.
    ///
    /// - Parameter attributes: of the class `keys`, with the number of the key's type and its size in bits.
    /// - Returns: the new item with its attributes, and the public half in its external representation as data.
    /// - Throws: `.refused` with the codes of ``add(_:secret:returning:copy:)``, `errSecParam` and
    ///   `errSecKeySizeNotAllowed` for a key that there is not; `.unavailable`.
    public func generateKey(_ attributes: ItemAttributes) throws(ClientError) -> ReturnedItem<[UInt8]> {
        let request = Request<[UInt8]>.key(.generate(attributes))
        let items = try exchange(request, isRepeatable: false) { Array($0) }
        guard items.count == 1 else { throw .protocolViolation(.malformed) }
        return items[0]
    }
}
