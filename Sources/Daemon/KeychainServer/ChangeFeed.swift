// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

/// Reports events in one keychain to the watchers of this keychain, and to the watchers of all keychains of the user.
public final class ChangeFeed: Sendable {
    /// The watchers of this keychain.
    let watchers = Watchers<WatchedEvent>(frame: \.frame)
    /// The watchers of all keychains of the user.
    let notices: Watchers<KeychainNotice>
    /// The path of the file; nil for the data-protection keychain.
    private let path: String?

    public convenience init() { self.init(Watchers(), of: nil) }

    init(_ notices: Watchers<KeychainNotice>, of path: String?) {
        self.notices = notices
        self.path = path
    }

    /// Reports changes of items.
    ///
    /// - Parameters:
    ///   - processID: the process that made the changes.
    ///   - ofAccessAlone: only the access objects of the items were changed.
    func publish(
        _ changes: [ItemChange], accessGroups: [String], by processID: Int32, ofAccessAlone: Bool = false
    ) {
        notices.publish(ofItemsIn: path == nil ? accessGroups : nil) {
            changes.map { change in
                KeychainNotice(
                    KeychainNotice.Kind(change.kind, ofAccessAlone: ofAccessAlone), in: path, change.item, by: processID
                )
            }
        }
        watchers.publish(ofItemsIn: accessGroups) { changes.map { .item($0) } }
    }

    /// Reports a lock state to all watchers.
    ///
    /// - Parameters:
    ///   - kind: the cause; nil if it is not known whether the state differs from the last one.
    ///   - processID: the process that requested it; 0 for the service.
    func publish(_ state: LockState, after kind: KeychainNotice.Kind?, by processID: Int32) {
        watchers.publish { [.lockState(state)] }
        if let kind { publish(kind, by: processID) }
    }

    /// Reports an event that concerns no item to all watchers.
    func publish(_ kind: KeychainNotice.Kind, by processID: Int32) {
        notices.publish { [KeychainNotice(kind, in: path, by: processID)] }
    }
}

extension KeychainNotice.Kind {
    fileprivate init(_ kind: ItemChange.Kind, ofAccessAlone: Bool) {
        self =
            switch kind {
            case .added: .added
            case .updated: ofAccessAlone ? .accessChanged : .modified
            case .deleted: .deleted
            }
    }
}
