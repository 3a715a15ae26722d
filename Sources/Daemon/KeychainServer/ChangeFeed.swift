// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainPolicy
internal import KeychainWire

/// Tells of what happens in one keychain: those who watch it, and those who watch all keychains of the user.
public final class ChangeFeed: Sendable {
    /// Those who watch this one.
    let watchers = Watchers<WatchedEvent>(frame: \.frame)
    /// Those who watch all keychains of the user.
    let notices: Watchers<KeychainNotice>
    /// The path of the file; nil for the data-protection keychain.
    private let path: String?

    public convenience init() { self.init(Watchers(), of: nil) }

    init(_ notices: Watchers<KeychainNotice>, of path: String?) {
        self.notices = notices
        self.path = path
    }

    /// - Parameters:
    ///   - processID: of who made the changes.
    ///   - ofAccessAlone: nothing of the items was changed but who may use them.
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

    /// Tells everybody.
    ///
    /// - Parameters:
    ///   - kind: what it comes of; nil: it is not known to be another state than before.
    ///   - processID: of who wanted it so; 0 for the service.
    func publish(_ state: LockState, after kind: KeychainNotice.Kind?, by processID: Int32) {
        watchers.publish { [.lockState(state)] }
        if let kind { publish(kind, by: processID) }
    }

    /// Tells everybody of something that concerns no item.
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
