// SPDX-License-Identifier: Apache-2.0

internal import KeychainClient
internal import KeychainModel
internal import KeychainWire
internal import SecretMemory

/// `security dump-keychain`: the listings of all items of this user's programs. Data precedes access, as on macOS.
enum DumpKeychain {
    static let usage = """
        [-a] [-d] [-i] [-o file] [keychain...]
            -a  Show the access object of each item
            -d  Show the passwords, certificates and keys too
            -i  As -a, and ask for changes to each item of a keychain file
            -r  Show the encrypted data of each item (refused, because it never leaves the service)
            -o  Write to a file that only its owner can read; replaces an existing file
        """

    private struct Wishes {
        var showsAccess = false
        var showsData = false
        var changesAccess = false
        var path: String?
    }

    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        var options = ShortOptions(flags: "hadir", withValue: "o", invocation.words)
        var wishes = Wishes()
        while let option = options.next() {
            switch option {
            case .flag("a"): wishes.showsAccess = true
            case .flag("d"): wishes.showsData = true
            case .flag("i"): wishes.changesAccess = true
            case .flag("r"):
                invocation.complain("dump-keychain: the encrypted data of items never leaves the service")
                return .failure
            case .value("o", let file): wishes.path = file
            case .flag, .value, .missingValue, .unknown: return .usage
            }
        }
        let items: [(ListedItem, ToolKeychain)]
        let ownGroups: Set<String>
        do throws(ClientError) {
            items = try invocation.all(in: options.operands) { keychain throws(ClientError) in
                let client = keychain.client
                let items =
                    try client.listPasswords() + client.listItems(ItemQuery(.certificate))
                    + client.listItems(ItemQuery(.key))
                return items.map { ($0, keychain) }
            }
            ownGroups = wishes.showsData ? Set(try invocation.context.client.status().accessGroups) : []
        } catch {
            _ = invocation.fail("SecKeychainSearchCopyNext", error)
            return .failure
        }
        var dump = SecretAccumulator()
        var isComplete = true
        for (item, keychain) in items {
            dump.append(ItemListing(item: item, keychainPath: keychain.path).text)
            if wishes.showsData {
                let mayRead = keychain.isFile || ownGroups.contains(item.group)
                isComplete = append(item, of: keychain, mayRead: mayRead, to: dump, invocation) && isComplete
            }
            if wishes.changesAccess {
                // The listing is shown before a question about it.
                let show = { (text: String) -> Bool in
                    dump.append(text.utf8)
                    guard wishes.path == nil else { return true }
                    defer { dump = SecretAccumulator() }
                    return invocation.print(dump.bytes)
                }
                switch AccessEditing(item, keychain.client, invocation).run(show) {
                case nil: return .failure
                case let isChanged?: isComplete = isChanged && isComplete
                }
            } else if wishes.showsAccess {
                dump.append(AccessListing(of: item).text.utf8)
            }
        }
        guard write(dump, to: wishes.path, invocation) else { return .failure }
        return isComplete ? .success : .failure
    }

    /// Appends the data of an item, or reports why it cannot be read.
    private static func append(
        _ item: ListedItem, of keychain: ToolKeychain, mayRead: Bool, to dump: SecretAccumulator,
        _ invocation: SecurityInvocation
    ) -> Bool {
        let function = "SecKeychainItemCopyAttributesAndData"
        // The answer is known, and a request for each item of every program would fill the audit log.
        guard mayRead else {
            _ = invocation.fail(function, StatusCode.interactionNotAllowed.rawValue)
            return false
        }
        do {
            let secret = try keychain.client.secret(of: item)
            var text = printedBuffer(secret.bytes)
            defer { wipe(&text) }
            dump.append("data:\n".utf8)
            dump.append(text)
            dump.append("\n".utf8)
            return true
        } catch {
            _ = invocation.fail(function, error)
            return false
        }
    }

    private static func write(_ dump: SecretAccumulator, to path: String?, _ invocation: SecurityInvocation) -> Bool {
        guard let path else { return invocation.print(dump.bytes) }
        do {
            try invocation.context.files.writePrivate(dump.bytes, to: path, replacing: true)
            return true
        } catch {
            invocation.complain("\(path): \(error.reason)")
            return false
        }
    }
}
