// SPDX-License-Identifier: Apache-2.0
struct SocketTransport: KeychainTransport {
    static func environment() -> SocketTransport { SocketTransport() }
    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) { throw .unavailable("") }
    func watch() throws(ClientError) -> any ChangeStream { throw .unavailable("") }
}
import KeychainWire
