// SPDX-License-Identifier: Apache-2.0

import KeychainHelperWire

@testable import KeychainCommands

/// A simulated session bus with a provider of the Secret Service, whose answers a test sets.
final class RecordedDesktop: DesktopSession, ProviderLink {
    struct Collection {
        var label: String
        var isLocked = false
        var isTemporary = false
        var items: [(item: ListedProvidedItem, secret: ProvidedSecret?)] = []
    }

    var hasBus = false
    var hasHelper = true
    var collections: [Collection] = []
    /// The number of the process that owns the name; nil for none.
    var owner: UInt32?
    var canStart = false
    /// The number of the process of chatelaine-secrets.
    var ownProvider: UInt32 = 42
    /// Whether the provider gives the name to another program.
    var givesNameUp = true
    /// Whether the user enters the right password for a locked collection.
    var unlocks = true
    private(set) var requests: [ProviderRequest] = []
    private(set) var started: [[String]] = []

    func connect() throws(CommandFailure) -> DesktopConnection {
        guard hasBus else { return .noBus }
        return hasHelper ? .open(self) : .noHelper
    }

    func answer(to request: ProviderRequest) throws(CommandFailure) -> ProviderReply {
        // As the helper would: nothing is lost on the way.
        guard let received = try? ProviderRequest(request.frame) else { throw CommandFailure("unreadable") }
        requests.append(received)
        guard let reply = try? ProviderReply(try reply(to: received).frame) else { throw CommandFailure("unreadable") }
        if case .refusal(let refusal) = reply { throw CommandFailure(refusal.reason, exitCode: .unavailable) }
        return reply
    }

    private func reply(to request: ProviderRequest) throws -> ProviderReply {
        switch request {
        case .connect, .owner, .reload: return .owner(ProviderOwner(process: owner, canStart: canStart))
        case .collections:
            if owner == nil { owner = 4711 }
            return .collections(
                collections.map {
                    ProvidedCollection(
                        label: $0.label, isLocked: $0.isLocked, isTemporary: $0.isTemporary,
                        itemCount: UInt32($0.items.count))
                })
        case .items(let collection, let first):
            let items = collections[Int(collection)].items.map(\.item)
            // Two to a reply, so that there are several.
            return .items(Array(items.dropFirst(Int(first)).prefix(2)))
        case .unlock(let collection):
            if unlocks { collections[Int(collection)].isLocked = false }
            return .unlocked(unlocks)
        case .secret(let collection, let item):
            guard let secret = collections[Int(collection)].items[Int(item)].secret else {
                return .refusal(HelperRefusal(reason: "the provider did not answer in time"))
            }
            return .secret(secret)
        }
    }

    func start(
        _ program: String, _ arguments: [String], until isMet: () throws(CommandFailure) -> Bool
    ) throws(CommandFailure) -> Bool {
        started.append([program] + arguments)
        if arguments == ["--end"] {
            owner = nil
        } else if givesNameUp {
            owner = ownProvider
        }
        return try isMet()
    }
}
