// SPDX-License-Identifier: Apache-2.0

/// The items in which gnome-keyring keeps the secrets of applications: in the collection `login`, without a label, and
/// with the ID that the portal gives the application as the attribute `app_id`.
public enum ImportedSecret {
    /// Returns the ID that the portal gives a sandboxed application; nil for other names.
    ///
    /// - Parameter name: the name by which the keychain service knows the application: `flatpak:ID` or `snap:NAME`.
    public static func applicationID(_ name: String) -> String? {
        for (kind, prefix) in [("flatpak:", ""), ("snap:", "snap.")] where name.hasPrefix(kind) {
            let rest = name.dropFirst(kind.count)
            return rest.isEmpty ? nil : prefix + rest
        }
        return nil
    }

    /// Returns whether these are the attributes of an application's secret. gnome-keyring may show the schema of items
    /// that have none.
    public static func has(_ attributes: [String: String], of application: String) -> Bool {
        attributes.allSatisfy { name, value in
            name == "app_id" || (name == "xdg:schema" && value == "org.freedesktop.Secret.Generic")
        } && attributes["app_id"]?.utf8.elementsEqual(application.utf8) == true
    }
}
