// SPDX-License-Identifier: Apache-2.0

public import DBus
internal import DBusMessages
public import SecretService

/// The reason why another provider cannot be read. Contains neither secrets nor attributes.
public enum ProviderError: Error, Hashable, Sendable {
    /// The bus, or a call: the provider ended, did not answer in time, or answered with an error.
    case bus(BusError)
    /// The provider agreed on a session or sent a secret in a way that cannot be decrypted.
    case session(SessionError)
    /// The answer does not follow the specification.
    case malformed
}

extension ProviderError: CustomStringConvertible {
    /// A sentence without a full stop.
    public var description: String {
        switch self {
        case .bus(.refused("org.freedesktop.Secret.Error.IsLocked", _)): "it is locked"
        case .bus(.refused("org.freedesktop.Secret.Error.NoSuchObject", _)): "it does not exist any more"
        // The text of an error is the provider's own and may contain anything.
        case .bus(.refused(let name, _)): "the provider answered with the error \(name)"
        case .bus(.closed): "the bus or the provider has ended"
        case .bus(.timedOut): "the provider did not answer in time"
        case .bus(.interrupted): "the request was cancelled"
        case .bus(let error): "\(error)"
        case .session: "the provider sent a secret that cannot be decrypted"
        case .malformed: "the provider sent an invalid answer"
        }
    }
}
