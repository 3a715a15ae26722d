// SPDX-License-Identifier: Apache-2.0

extension UserKeychain {
    /// The same keychain, each of whose calls fails with `.timedOut` unless it is complete within a time, which includes
    /// the time that the user takes to answer a prompt.
    ///
    /// ```swift
    /// let secret = try await keychain.timingOut(after: .seconds(5)).secret(for: mail)
    /// ```
    ///
    /// A call that times out is interrupted, and its prompt is withdrawn. If it was to change something, the service may
    /// have made the change: read the item to find out. Each call uses a connection of its own, so calls without a time
    /// limit are faster. The limit does not apply to sequences of changes and events, and to
    /// ``AuthenticationContext/evaluate(_:in:)-(AuthenticationContext.Policy,_)``.
    public func timingOut(after limit: Duration) -> UserKeychain { with(timeLimit: limit) }
}

extension KeychainError.Code {
    /// `errSecRequestLost`: the call was not complete within the time of ``UserKeychain/timingOut(after:)``.
    public static let timedOut = KeychainError.Code(rawValue: -67846)
}

extension KeychainError {
    init(timeoutOf attempt: String) {
        self.init(
            code: .timedOut, attempt: attempt,
            explanation: Explanation(
                reason: "the keychain service did not answer within the time limit of the program", hint: nil),
            authenticationFailure: nil)
    }
}
