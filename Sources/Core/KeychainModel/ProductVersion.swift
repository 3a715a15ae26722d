// SPDX-License-Identifier: Apache-2.0

/// The version that the service and the command both report (semver.org).
public enum ProductVersion {
    public static let current = "0.1.0"
}
