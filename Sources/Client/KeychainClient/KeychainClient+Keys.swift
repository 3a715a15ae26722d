// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
public import KeychainWire

// Operations with private keys, which are performed where the keys are stored.
extension KeychainClient {
    /// Uses a stored private key.
    ///
    /// - Parameter copy: receives the signature, the decrypted data, or the agreed secret; the bytes are wiped as soon
    ///   as it returns.
    /// - Throws: `.refused` with `errSecItemNotFound` if the key does not exist, `errSecParam` for an item that is not
    ///   a private key (`unusableKey`) and for an algorithm or an input that the key does not support
    ///   (`unusableKeyInput`), `errSecKeyUsageIncorrect` if the attributes of the key do not allow the operation,
    ///   `errSecDataTooLarge` for an input over ``WireLimits/keyInputBytes``; the other codes of reading an item's
    ///   data; `.unavailable`.
    public func use<Result>(
        _ work: KeyWork<some Collection<UInt8>>, copy: (ArraySlice<UInt8>) -> Result
    ) throws(ClientError) -> Result {
        guard work.isWithinLimits else { throw .refused(Refusal(.dataTooLarge, .none)) }
        if case .stored(let reference) = work.key, reference.itemClass != .key {
            throw .refused(Refusal(.parameter, .unusableKey))
        }
        return try answer(to: .key(.use(work))) { frame throws(WireError) in
            try KeyResult(frame, secret: copy).bytes
        }
    }

    /// Generates a new private key in the service and stores it there.
    ///
    /// - Parameter attributes: attributes of the class `keys`, with the number of the key's type and its size in bits.
    /// - Returns: the new item with its attributes, and the public half in its external representation as data.
    /// - Throws: `.refused` with the codes of ``add(_:secret:returning:copy:)``, `errSecParam` and
    ///   `errSecKeySizeNotAllowed` for an unsupported key; `.unavailable`.
    public func generateKey(_ attributes: ItemAttributes) throws(ClientError) -> ReturnedItem<[UInt8]> {
        let request = Request<[UInt8]>.key(.generate(attributes))
        let items = try exchange(request, isRepeatable: false) { Array($0) }
        guard items.count == 1 else { throw .protocolViolation(.malformed) }
        return items[0]
    }

    /// Generates a new private key in a token that is not stored: it exists as long as its sealed bytes do. Only the
    /// keychain that made it can use it, and only for a program with its access group.
    ///
    /// - Parameter attributes: as of ``generateKey(_:)``, with a token.
    /// - Returns: the key with its attributes, and the public half as data; and the sealed bytes for ``use(_:copy:)``.
    /// - Throws: as ``generateKey(_:)``; `.refused` with `errSecDataTooLarge` for large attributes.
    public func generateUnstoredKey(
        _ attributes: ItemAttributes
    ) throws(ClientError) -> (key: ReturnedItem<[UInt8]>, sealed: [UInt8]) {
        var attributes = attributes
        attributes[.isPermanent] = .number(0)
        let made = try generateKey(attributes)
        guard let bytes = made.secret, bytes.count > Self.tokenKeyBytes else { throw .protocolViolation(.malformed) }
        let key = ReturnedItem(
            reference: made.reference, attributes: made.attributes, secret: Array(bytes.prefix(Self.tokenKeyBytes)))
        return (key, Array(bytes.dropFirst(Self.tokenKeyBytes)))
    }

    /// The public half of a key in a token: a point 04 | X | Y on P-256.
    private static let tokenKeyBytes = 65
}
