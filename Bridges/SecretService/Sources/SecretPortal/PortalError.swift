// SPDX-License-Identifier: Apache-2.0

/// The reason why an application gets no secret.
public enum PortalError: Error, Hashable, Sendable {
    /// The user denied the request.
    case dismissed
    /// The request cannot be answered: a sentence for the log, without a secret.
    case failed(String)
}
