// SPDX-License-Identifier: Apache-2.0

/// The way in which the owner of a keychain without a passcode authorizes a weaker protection, in the system service.
/// The raw value is the line that `chatelaine status` shows among the service's protections.
public enum OwnerAuthorityState: String, CaseIterable, Hashable, Sendable {
    case present = "owner's authorization (polkit): on"
    /// The command may weaken the protection without authorization, and every program of the user can run the command.
    case absent = "owner's authorization (polkit): none, because polkit is not installed"
    /// Every request for a weaker protection is refused.
    case absentAndRequired =
        "owner's authorization (polkit): required by the machine's policy, and polkit is not installed"
    /// Every request for a weaker protection is refused.
    case unanswered = "owner's authorization (polkit): no answer"
}
