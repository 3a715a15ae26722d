// SPDX-License-Identifier: Apache-2.0

public import KeychainModel
internal import KeychainWire

// The remembered grants of the user. Only for the administration tool.
extension KeychainClient {
    /// Returns all remembered grants, in ascending order of their numbers.
    ///
    /// - Throws: `.refused` with `errSecMissingEntitlement` and the reason `administrationOnly`; connection errors.
    public func grants() throws(ClientError) -> [ListedGrant] {
        var grants: [ListedGrant] = []
        var last: UInt64? = 0
        while let number = last {
            let page = try answer(to: Request<[UInt8]>.grants(.list(after: number))) { frame throws(WireError) in
                try GrantPage(frame)
            }
            // If the numbers of a service did not increase, this loop would not end.
            guard page.next ?? .max > number else { throw .protocolViolation(.malformed) }
            grants += page.grants
            last = page.next
        }
        return grants
    }

    /// Returns the approvals ("Allow") that clients of bridges hold until their processes end, the oldest first.
    ///
    /// - Throws: as ``grants()``.
    public func clientApprovals() throws(ClientError) -> [ListedApproval] {
        try answer(to: Request<[UInt8]>.grants(.listApprovals)) { frame throws(WireError) in
            try ApprovalList(frame)
        }.approvals
    }

    /// Revokes grants, and with them the approvals that clients of bridges hold: after that, the programs require a new
    /// approval.
    ///
    /// - Returns: the number of grants and approvals that were revoked.
    /// - Throws: `.refused` with `errSecItemNotFound` and the reason `noSuchGrant` if the grant does not exist, unless
    ///   all grants are selected; as ``grants()``; and when the keychain's database cannot be written.
    public func revokeGrants(_ selection: GrantSelection) throws(ClientError) -> Int {
        let request = Request<[UInt8]>.grants(.revoke(selection))
        return try Int(
            answer(to: request, isRepeatable: false) { frame throws(WireError) in try RevokedGrants(frame) }.count)
    }
}
