// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire

// What people allowed programs for good. Only for the administration tool.
extension KeychainClient {
    /// All remembered grants, in ascending order of their numbers.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` and the reason `administrationOnly`; connection errors.
    public func grants() throws(ClientError) -> [ListedGrant] {
        var grants: [ListedGrant] = []
        var last: UInt64? = 0
        while let number = last {
            let page = try answer(to: Request<[UInt8]>.grants(.list(after: number))) { frame throws(WireError) in
                try GrantPage(frame)
            }
            // A service that goes back would be asked for ever.
            guard page.next ?? .max > number else { throw .protocolViolation(.malformed) }
            grants += page.grants
            last = page.next
        }
        return grants
    }

    /// Takes grants back: from then on the program has to be allowed again.
    ///
    /// - Returns: how many there were.
    /// - Throws: `.refused` with `errSecItemNotFound` and the reason `noSuchGrant` where there is none, unless all are
    ///   meant; as ``grants()``; and when the keychain's database cannot be written.
    public func revokeGrants(_ selection: GrantSelection) throws(ClientError) -> Int {
        let request = Request<[UInt8]>.grants(.revoke(selection))
        return try Int(
            answer(to: request, isRepeatable: false) { frame throws(WireError) in try RevokedGrants(frame) }.count)
    }
}
