// SPDX-License-Identifier: Apache-2.0

/// How the owner of a keychain without a passcode authorizes what loosens its protection, in the system service. The raw value is the
/// line that `chatelaine status` shows among the service's protections.
public enum OwnerAuthorityState: String, CaseIterable, Hashable, Sendable {
    case present = "owner's authorization (polkit): on"
    /// The command alone may do it, which each program of the user can run.
    case absent = "owner's authorization (polkit): none, because polkit is not installed"
    /// All of it is refused.
    case absentAndRequired =
        "owner's authorization (polkit): required by the machine's policy, and polkit is not installed"
    /// All of it is refused.
    case unanswered = "owner's authorization (polkit): no answer"
}
