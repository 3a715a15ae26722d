// SPDX-License-Identifier: Apache-2.0

internal import DBus
internal import DBusMessages
internal import SecretService

/// gnome-keyring's interface for programs without a display: a collection is created, unlocked or changed with its
/// password, which the client encrypts with a session.
extension ServiceObject {
    static let masterPassword = Interface<ServiceObject>(
        "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
        methods: [
            Method(
                "CreateWithMasterPassword", in: [Argument("attributes", "a{sv}"), Argument("master", "(oayays)")],
                out: [Argument("collection", "o")], later: { $0.createWithPassword($1, $2) }),
            Method(
                "UnlockWithMasterPassword", in: [Argument("collection", "o"), Argument("master", "(oayays)")],
                later: { $0.unlockWithPassword($1, $2) }),
            Method(
                "ChangeWithMasterPassword",
                in: [
                    Argument("collection", "o"), Argument("original", "(oayays)"), Argument("master", "(oayays)"),
                ], later: { $0.changePassword($1, $2) }),
        ])

    private func createWithPassword(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            guard let label = try Arguments.label(call.arguments[0], of: CollectionObject.interface), !label.isEmpty
            else {
                throw MethodError.invalidArguments(
                    "A collection needs a label: \(CollectionObject.interface).Label.")
            }
            let password = try Arguments.secret(call.arguments[1], of: client).value
            let id = try storage.createCollection(label: label, password: password, .none)
            provider.announce("CollectionCreated", id, client)
            return [.objectPath(ObjectName.collection(id).path)]
        }
    }

    private func unlockWithPassword(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let password = try Arguments.secret(call.arguments[1], of: client).value
            let id = try storage.collection(at: call.arguments[0].objectPath ?? ObjectName.none)
            try storage.unlock(id, password: password)
            provider.announceLock(.collection(id), isLocked: false, client)
            return []
        }
    }

    private func changePassword(_ call: MethodCall, _ reply: Reply<MethodResult>) {
        client.perform(reply) { storage in
            let old = try Arguments.secret(call.arguments[1], of: client).value
            let new = try Arguments.secret(call.arguments[2], of: client).value
            let id = try storage.collection(at: call.arguments[0].objectPath ?? ObjectName.none)
            try storage.changePassword(of: id, from: old, to: new)
            return []
        }
    }
}
