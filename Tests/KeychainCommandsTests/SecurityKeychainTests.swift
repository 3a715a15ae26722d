// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainCertificates
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

@testable import KeychainCommands

/// A user's keychain files behind the command line: real ones, in a folder of their own.
final class KeychainHouse {
    let folder: ScratchFolder
    let memory: InMemoryKeychain
    let tester = CommandLineTester()

    init() throws {
        folder = try ScratchFolder()
        memory = try InMemoryKeychain(accessGroups: ["chatelaine"], keychainFolder: folder.path("keychains"))
        tester.client = memory.administrationClient()
    }

    func security(_ words: String..., typing text: String = "") -> CommandLineTester.Outcome {
        tester.run(["security"] + words, input: Array(text.utf8))
    }

    func chatelaine(_ words: String..., typing text: String = "") -> CommandLineTester.Outcome {
        tester.run(["chatelaine"] + words, input: Array(text.utf8))
    }

    /// The path that a keychain of this name has.
    func path(_ name: String) -> String { folder.path("keychains/\(name)-db") }

    func make(_ names: String..., password: String = "sesame") {
        for name in names { #expect(security("create-keychain", "-p", password, name) == .init(status: 0)) }
    }

    func state(_ name: String) throws -> FileKeychainReport.State { try memory.client.keychain(at: name).state }

    /// The lines in which commands show these paths.
    func lines(_ paths: String...) -> [UInt8] { Array(paths.map { "    \"\($0)\"\n" }.joined().utf8) }

    var own: String { tester.place.path }

    /// The path of a file with one of the vectors of TestVectors/transfer-v1.json.
    func vector(_ about: String) throws -> String {
        struct Vector: Decodable {
            let about: String
            let file: String
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let content = try Data(contentsOf: root.appending(path: "TestVectors/transfer-v1.json"))
        let vectors = try JSONDecoder().decode([Vector].self, from: content)
        let digits = try #require(vectors.first { $0.about == about }).file.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        try Data(bytes).write(to: folder.url("file"))
        return folder.path("file")
    }
}

@Suite("security: making, locking and listing keychains")
struct SecurityKeychainTests {
    let house: KeychainHouse

    init() throws { house = try KeychainHouse() }

    private func expectFailure(
        _ outcome: CommandLineTester.Outcome, _ status: Int32, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            outcome == .init(status: status, errors: Array("security: \(message)\n".utf8)),
            sourceLocation: sourceLocation)
    }

    // MARK: Lists

    @Test func `the search list stands behind the data-protection keychain`() {
        house.make("a", "b")
        #expect(house.security("list-keychains") == .init(status: 0, output: house.lines(house.own)))
        #expect(house.security("list-keychains", "-s", "b", "a") == .init(status: 0))
        let all = house.lines(house.own, house.path("b"), house.path("a"))
        #expect(house.security("list-keychains").output == all)
        #expect(house.security("list-keychains", "-d", "user").output == all)
        #expect(house.security("list-keychains", "-d", "dynamic") == .init(status: 0))
        #expect(house.security("list-keychains", "-s") == .init(status: 0))
        #expect(house.security("list-keychains").output == house.lines(house.own))
    }

    @Test func `lists are set before there is any keychain`() {
        #expect(house.security("list-keychains", "-s", "a") == .init(status: 0))
        #expect(house.security("list-keychains").output == house.lines(house.own, house.path("a")))
        #expect(house.security("default-keychain", "-s", "a") == .init(status: 0))
        #expect(house.security("default-keychain").output == house.lines(house.path("a")))
    }

    @Test func `what was read can be written back, as scripts do`() {
        house.make("a", "b")
        #expect(house.security("list-keychains", "-s", "a", "b").status == 0)
        let read = house.security("list-keychains", "-d", "user")
        let words = read.outputText.split(whereSeparator: { " \n\"".contains($0) }).map(String.init)
        #expect(house.tester.run(["security", "list-keychains", "-d", "user", "-s"] + words, input: []).status == 0)
        #expect(house.security("list-keychains", "-d", "user") == read)
        #expect(house.security("default-keychain", "-s", house.own).status == 0)
        #expect(house.security("default-keychain").output == house.lines(house.own))
    }

    @Test func `lists that are not the user's cannot be set`() {
        house.make("a")
        expectFailure(
            house.security("list-keychains", "-d", "dynamic", "-s", "a"), 1,
            "SecKeychainSetDomainSearchList: OSStatus -25319")
        expectFailure(
            house.security("list-keychains", "-d", "system", "-s", "a"), 1,
            "SecKeychainSetDomainSearchList: OSStatus -61")
        expectFailure(
            house.security("default-keychain", "-d", "system", "-s", "a"), 1,
            "SecKeychainSetDomainDefault: OSStatus -61")
    }

    @Test func `the default keychain is chosen, shown and taken back`() {
        house.make("a")
        #expect(house.security("default-keychain").output == house.lines(house.own))
        #expect(house.security("default-keychain", "-s", "a") == .init(status: 0))
        #expect(house.security("default-keychain") == .init(status: 0, output: house.lines(house.path("a"))))
        #expect(house.security("default-keychain", "-s") == .init(status: 0))
        #expect(house.security("default-keychain").output == house.lines(house.own))
        expectFailure(
            house.security("default-keychain", "-d", "common"), 1,
            "SecKeychainCopyDomainDefault: The default keychain could not be found.")
        #expect(house.security("default-keychain", "-s", "a", "b").status == 2)
        #expect(house.security("default-keychain", "a").status == 2)
    }

    @Test func `the login keychain is the data-protection keychain, and cannot be made another`() throws {
        #expect(house.security("login-keychain").output == house.lines(house.own))
        #expect(house.security("login-keychain", "-s", "a").status == 1)
        expectFailure(
            house.security("create-keychain", "-p", "x", "login.keychain"), 48,
            "SecKeychainCreate login.keychain: OSStatus -25296")
        // Elsewhere it is a name like any other; and so is a file that a program made.
        let elsewhere = house.folder.path("login.keychain")
        #expect(house.security("create-keychain", "-p", "x", elsewhere).status == 0)
        #expect(try house.state(elsewhere) == .unlocked)
        _ = try house.memory.client.createKeychain(at: "login.keychain", password: SecretBytes(copying: []))
        #expect(house.security("login-keychain").output == house.lines(house.path("login.keychain")))
    }

    // MARK: Making and deleting

    @Test func `a password that is not given is asked for twice, three times at most`() throws {
        house.tester.answers = ["a", "b", "sesame", "sesame"]
        let questions = "password for new keychain: \nretype password for new keychain: \n"
        let outcome = house.security("create-keychain", "k")
        #expect(outcome.errorText == questions + "passwords don't match\n" + questions)
        #expect(outcome.status == 0)
        #expect(house.security("unlock-keychain", "-p", "sesame", "k").status == 0)
        house.tester.answers = ["1", "2", "3", "4", "5", "6"]
        #expect(house.security("create-keychain", "other").status == 1)
        #expect(try house.state("other") == .missing)
    }

    @Test func `without a name that is asked for, and several are made one after the other`() throws {
        let outcome = house.security("create-keychain", "-p", "x", typing: "typed\n")
        #expect(outcome == .init(status: 0, output: Array("keychain to create: ".utf8)))
        #expect(try house.state("typed") == .unlocked)
        let several = house.security("create-keychain", "-p", "x", "a", "typed", "b")
        expectFailure(several, 48, "SecKeychainCreate typed: OSStatus -25296")
        #expect(try house.state("a") == .unlocked)
        #expect(try house.state("b") == .missing)
        #expect(house.security("create-keychain", "-p", "x", "").status == 2)
    }

    @Test func `with -P and -u a person is asked by the service`() throws {
        expectFailure(
            house.security("create-keychain", "-P", "k"), 36, "SecKeychainCreate k: User interaction is not allowed.")
        house.make("k")
        #expect(house.security("lock-keychain", "k").status == 0)
        expectFailure(house.security("unlock-keychain", "-u", "k"), 51, "SecKeychainUnlock k: OSStatus -25293")
    }

    @Test func `a keychain is deleted and taken off the lists`() throws {
        house.make("a", "b")
        _ = house.security("list-keychains", "-s", "a", "b")
        _ = house.security("default-keychain", "-s", "a")
        #expect(house.security("delete-keychain", "a") == .init(status: 0))
        #expect(try house.state("a") == .missing)
        #expect(house.security("list-keychains").output == house.lines(house.own, house.path("b")))
        #expect(house.security("default-keychain").output == house.lines(house.own))
        expectFailure(
            house.security("delete-keychain", "a"), 50, "SecKeychainDelete: The specified keychain could not be found.")
        expectFailure(house.security("delete-keychain"), 49, "SecKeychainDelete: OSStatus -25295")
        #expect(house.security("delete-keychain", "login.keychain").status == 252)
    }

    // MARK: Locking

    @Test func `a keychain is locked and unlocked, and a wrong password exits with 51`() throws {
        house.make("k")
        #expect(house.security("lock-keychain", "k") == .init(status: 0))
        #expect(try house.state("k") == .locked)
        #expect(house.security("lock-keychain", "k") == .init(status: 0))
        expectFailure(
            house.security("unlock-keychain", "-p", "wrong", "k"), 51, "SecKeychainUnlock k: OSStatus -25293")
        #expect(try house.state("k") == .locked)
        house.tester.answers = ["sesame"]
        #expect(
            house.security("unlock-keychain", "k")
                == .init(status: 0, errors: Array("password to unlock k: \n".utf8)))
        #expect(try house.state("k") == .unlocked)
        expectFailure(
            house.security("unlock-keychain", "-p", "x", "none"), 50,
            "SecKeychainUnlock none: The specified keychain could not be found.")
        #expect(house.security("lock-keychain", "").status == 2)
        #expect(house.security("lock-keychain", "a", "b").status == 2)
    }

    @Test func `without a name the default keychain is meant`() throws {
        house.make("k")
        _ = house.security("default-keychain", "-s", "k")
        #expect(house.security("lock-keychain") == .init(status: 0))
        #expect(try house.state("k") == .locked)
        house.tester.answers = ["wrong"]
        #expect(
            house.security("unlock-keychain").errorText
                == "password to unlock default: \nsecurity: SecKeychainUnlock <NULL>: OSStatus -25293\n")
        #expect(house.security("unlock-keychain", "-p", "sesame").status == 0)
        #expect(try house.state("k") == .unlocked)
        _ = house.security("show-keychain-info")
        #expect(
            house.security("show-keychain-info")
                == .init(status: 0, errors: Array("Keychain \"<NULL>\" lock-on-sleep timeout=300s\n".utf8)))
    }

    @Test func `-a locks all keychains, the data-protection keychain too if it can be`() async throws {
        house.make("a", "b")
        #expect(house.security("lock-keychain", "-a") == .init(status: 0))
        #expect(try house.state("a") == .locked)
        #expect(try house.state("b") == .locked)
        let note = "security: note: no passcode is set, so the keychain is always open; "
        #expect(
            house.security("lock-keychain", "login.keychain")
                == .init(status: 0, errors: Array("\(note)nothing was locked\n".utf8)))
        #expect(
            house.security("unlock-keychain", "-p", "x", "login.keychain")
                == .init(status: 0, errors: Array("\(note)no password was checked\n".utf8)))
        try await house.memory.setPasscode(SecretData(utf8: "1234"))
        #expect(house.security("lock-keychain", "login.keychain") == .init(status: 0))
        #expect(try house.memory.client.lockState() == .locked)
        #expect(house.security("unlock-keychain", "-p", "0000", "login.keychain").status == 51)
        #expect(house.security("unlock-keychain", "-p", "1234", "login.keychain").status == 0)
        #expect(house.security("lock-keychain", "-a").status == 0)
        #expect(try house.memory.client.lockState() == .locked)
    }

    // MARK: Settings and passwords

    @Test(arguments: [
        ([], "no-timeout"), (["-l"], "lock-on-sleep no-timeout"), (["-u"], "no-timeout"),
        (["-t", "60"], "timeout=60s"), (["-lut", "3600"], "lock-on-sleep timeout=3600s"),
        (["-t", "2147483647"], "no-timeout"),
    ])
    func `settings take the place of all there were`(options: [String], shown: String) {
        house.make("k")
        let fresh = Array("Keychain \"k\" lock-on-sleep timeout=300s\n".utf8)
        #expect(house.security("show-keychain-info", "k") == .init(status: 0, errors: fresh))
        let outcome = house.tester.run(["security", "set-keychain-settings"] + options + ["k"], input: [])
        #expect(outcome == .init(status: 0))
        #expect(
            house.security("show-keychain-info", "k")
                == .init(status: 0, errors: Array("Keychain \"k\" \(shown)\n".utf8)))
    }

    @Test func `settings that cannot be are refused`() {
        house.make("k")
        #expect(house.security("set-keychain-settings", "-t", "soon", "k").status == 2)
        #expect(house.security("set-keychain-settings", "-t", "99999999", "k").status == 206)
        #expect(house.security("set-keychain-settings", "-t", "1", "login.keychain").status == 252)
        _ = house.security("lock-keychain", "k")
        expectFailure(
            house.security("set-keychain-settings", "k"), 36,
            "SecKeychainSetSettings k: User interaction is not allowed.")
        expectFailure(
            house.security("show-keychain-info", "none"), 50,
            "SecKeychainCopySettings none: The specified keychain could not be found.")
        #expect(house.security("show-keychain-info", "-s", "k").status == 1)
    }

    @Test func `a password is changed, locked or not, and a wrong old one exits with 51`() throws {
        house.make("k")
        expectFailure(
            house.security("set-keychain-password", "-o", "wrong", "-p", "new", "k"), 51,
            "SecKeychainChangePassword: OSStatus -25293")
        _ = house.security("lock-keychain", "k")
        #expect(house.security("set-keychain-password", "-o", "sesame", "-p", "new", "k") == .init(status: 0))
        #expect(house.security("unlock-keychain", "-p", "sesame", "k").status == 51)
        house.tester.answers = ["new", "newer", "newest"]
        let questions = "Old Password: \nNew Password: \nRetype New Password: \n"
        #expect(
            house.security("set-keychain-password", "k")
                == .init(status: 1, errors: Array((questions + "try again\n").utf8)))
        house.tester.answers = ["new", "newer", "newer"]
        #expect(house.security("set-keychain-password", "k") == .init(status: 0, errors: Array(questions.utf8)))
        #expect(house.security("unlock-keychain", "-p", "newer", "k").status == 0)
        #expect(house.security("set-keychain-password", "-o", "x", "-p", "y", "none").status == 50)
        #expect(house.security("set-keychain-password", "login.keychain").status == 252)
    }

    @Test func `a file that is no keychain exits with 49 and stays`() throws {
        let path = try house.folder.write("no keychain at all", "broken.keychain")
        for command in ["delete-keychain", "lock-keychain", "show-keychain-info"] {
            #expect(house.security(command, path).status == 49)
        }
        #expect(house.security("unlock-keychain", "-p", "x", path).status == 49)
        #expect(house.security("create-keychain", "-p", "x", path).status == 48)
        #expect(try house.folder.bytes("broken.keychain") == Array("no keychain at all".utf8))
    }
}

@Suite("security: items of keychain files")
struct SecurityKeychainItemTests {
    let house: KeychainHouse

    init() throws {
        house = try KeychainHouse()
        house.make("k")
    }

    private func add(_ more: String...) -> CommandLineTester.Outcome {
        house.tester.run(["security", "add-generic-password", "-a", "a", "-s", "s"] + more, input: [])
    }

    private func find(_ more: String...) -> CommandLineTester.Outcome {
        house.tester.run(["security", "find-generic-password", "-a", "a", "-s", "s"] + more, input: [])
    }

    @Test func `a second addition exits with 45, and with -U it changes the item`() {
        #expect(add("-w", "p", "k") == .init(status: 0))
        #expect(
            add("-w", "q", "k").errorText == """
                security: SecKeychainItemCreateFromContent (k): The specified item already exists in the keychain.

                """)
        #expect(add("-w", "q", "k").status == 45)
        #expect(find("-w", "k") == .init(status: 0, output: Array("p\n".utf8)))
        #expect(add("-U", "-X", "00ff", "k") == .init(status: 0))
        #expect(find("-w", "k").outputText == "00ff\n")
        #expect(find("-g", "k").errorText == "password: 0x00FF \n")
        // The data-protection keychain has none of it.
        #expect(find().status == 44)
    }

    @Test func `a listing names the keychain's file`() throws {
        #expect(add("-w", "p", "k").status == 0)
        let listing = find("k").outputText
        #expect(listing.hasPrefix("keychain: \"\(house.path("k"))\"\nversion: 512\nclass: \"genp\"\nattributes:\n"))
        let internet = house.security(
            "add-internet-password", "-a", "a", "-s", "example.org", "-r", "htps", "-P", "443", "-w", "p", "k")
        #expect(internet == .init(status: 0))
        let dump = house.security("dump-keychain", "k")
        #expect(dump.status == 0)
        #expect(dump.outputText.components(separatedBy: "keychain: ").count == 3)
        #expect(house.security("dump-keychain", "-d", "k").outputText.contains("data:\n\"p\"\n"))
        let deleted = house.security("delete-internet-password", "-s", "example.org", "k")
        #expect(deleted.status == 0)
        #expect(deleted.outputText.hasPrefix("keychain: \"\(house.path("k"))\"\n"))
        #expect(deleted.errorText == "password has been deleted.\n")
        #expect(house.security("delete-internet-password", "-s", "example.org", "k").status == 44)
    }

    @Test func `the search list is searched in order, behind the data-protection keychain`() {
        house.make("l")
        #expect(add("-w", "in k", "k").status == 0)
        #expect(add("-w", "in l", "l").status == 0)
        #expect(find("-w").status == 44)
        #expect(find("-w", "l", "k").outputText == "in l\n")
        _ = house.security("list-keychains", "-s", "k", "l")
        #expect(find("-w").outputText == "in k\n")
        _ = house.security("list-keychains", "-s", "l", "k")
        #expect(find("-w").outputText == "in l\n")
        #expect(add("-w", "own").status == 0)
        #expect(find("-w").outputText == "own\n")
        #expect(house.security("dump-keychain").outputText.components(separatedBy: "keychain: ").count == 4)
        #expect(house.security("delete-generic-password", "-s", "s").status == 0)
        #expect(find("-w").outputText == "in l\n")
    }

    @Test func `keychains that are missing or broken are passed over, unless all are`() throws {
        #expect(add("-w", "p", "k").status == 0)
        let broken = try house.folder.write("no keychain at all", "broken.keychain")
        #expect(find("-w", "none", broken, "k") == .init(status: 0, output: Array("p\n".utf8)))
        _ = house.security("list-keychains", "-s", "none", broken, "k")
        #expect(find("-w").outputText == "p\n")
        #expect(find("none").status == 50)
        #expect(find(broken).status == 49)
        #expect(house.security("find-generic-password", "-s", "x", "none", "k").status == 44)
    }

    @Test func `an item added without a keychain goes to the default keychain`() {
        _ = house.security("default-keychain", "-s", "k")
        #expect(add("-w", "p") == .init(status: 0))
        #expect(find("-w", "k").outputText == "p\n")
        #expect(add("-w", "p").errorText.contains("(<default>)"))
        #expect(find("-w", "login.keychain").status == 44)
    }

    @Test func `a locked keychain shows attributes and gives no password`() {
        #expect(add("-w", "p", "k").status == 0)
        _ = house.security("lock-keychain", "k")
        #expect(find("k").status == 0)
        #expect(find("-w", "k") == .init(status: 51))
        #expect(find("-g", "k") == .init(status: 51))
        _ = house.security("unlock-keychain", "-p", "sesame", "k")
        #expect(find("-w", "k").outputText == "p\n")
    }

    // MARK: Certificates and keys

    @Test func `an identity is imported into a keychain file, found, exported and deleted there`() throws {
        house.tester.secondsSince1970 = 1_795_000_000
        let file = try house.vector("PKCS #12 as OpenSSL 3 writes it")
        let imported = house.security("import", file, "-k", "k", "-P", "correct horse")
        #expect(imported == .init(status: 0, output: Array("1 identity imported.\n2 certificates imported.\n".utf8)))
        #expect(house.security("find-identity", "-v", "k").outputText.hasSuffix("1 valid identities found\n"))
        #expect(house.security("find-identity", "-v").outputText.hasSuffix("0 valid identities found\n"))
        #expect(
            house.security("find-certificate", "-a", "k").outputText.components(separatedBy: "keychain: ").count == 4)
        let key = house.security("find-key", "-t", "private", "k")
        #expect(key.outputText.hasPrefix("keychain: \"\(house.path("k"))\"\n"))
        _ = house.security("list-keychains", "-s", "k")
        #expect(house.security("find-identity", "-v").outputText.hasSuffix("1 valid identities found\n"))
        let exported = house.security("export", "-k", "k", "-t", "certs", "-p")
        #expect(exported.status == 0)
        #expect(exported.outputText.components(separatedBy: "BEGIN CERTIFICATE").count == 4)
        #expect(house.security("export", "-k", "none", "-t", "certs").status == 1)
    }

    @Test func `certificates are added to a keychain file once`() throws {
        let file = try house.folder.write(SampleIdentity.leaf.pem, "leaf.pem")
        #expect(house.security("add-certificates", "-k", "k", file) == .init(status: 0))
        #expect(
            house.security("add-certificates", "-k", "k", file)
                == .init(status: 1, errors: Array("\(file): already in k\n".utf8)))
        #expect(house.security("find-certificate", "-c", "Ann", "-p", "k").outputText == SampleIdentity.leaf.pem)
        #expect(house.security("delete-certificate", "-c", "Ann Example", "k") == .init(status: 0))
        #expect(house.security("find-certificate", "-c", "Ann", "k").status == 44)
    }
}

@Suite("security: who may use items of keychain files")
struct SecurityAccessTests {
    let house: KeychainHouse

    init() throws {
        house = try KeychainHouse()
        house.make("k")
    }

    private func add(_ more: String...) -> CommandLineTester.Outcome {
        house.tester.run(["security", "add-generic-password", "-a", "a", "-s", "s", "-w", "p"] + more, input: [])
    }

    private var other: KeychainClient {
        get throws { try house.memory.client(accessGroups: ["other"]).inKeychain("k") }
    }

    private func read(_ client: KeychainClient) throws -> StatusCode? {
        do throws(ClientError) {
            _ = try client.copyMatching(ItemQuery(.genericPassword), limit: .one, returning: .data) { _ in }
            return nil
        } catch {
            return error.status
        }
    }

    @Test func `an item is for the program that made it, and dump-keychain -a says so`() throws {
        #expect(add("k").status == 0)
        #expect(try read(other) == .authenticationFailed)
        let listing = house.security("dump-keychain", "-a", "k").outputText
        #expect(
            listing.contains(
                "\n    entry 1:\n        authorizations (6): decrypt derive export_clear export_wrapped mac sign\n"))
        #expect(listing.contains("        don't-require-password\n        description: s\n        applications (1):\n"))
        #expect(listing.contains("        authorizations (1): change_acl\n"))
        let internet = house.security(
            "add-certificates", "-k", "k", try house.folder.write(SampleIdentity.leaf.pem, "c"))
        #expect(internet.status == 0)
        #expect(house.security("dump-keychain", "-a", "k").outputText.contains("no access control for this item\n"))
    }

    @Test func `with -T and an empty path no program may read it without a prompt`() throws {
        #expect(add("-T", "", "k").status == 0)
        #expect(house.security("find-generic-password", "-s", "s", "-w", "k") == .init(status: 51))
        #expect(house.security("dump-keychain", "-a", "k").outputText.contains("        applications (0):\n"))
    }

    @Test func `with -A any program is in the list`() throws {
        #expect(add("-A", "k").status == 0)
        let listing = house.security("dump-keychain", "-a", "k").outputText
        #expect(listing.contains("authorizations (7): decrypt derive encrypt export_clear export_wrapped mac sign\n"))
        #expect(listing.contains("        applications: <null>\n"))
        #expect(house.security("find-generic-password", "-s", "s", "-w", "k").outputText == "p\n")
    }

    @Test func `an application group is trusted by its name`() {
        #expect(add("-T", "group://TEAM.org.example", "k").status == 0)
        #expect(
            house.security("dump-keychain", "-a", "k").outputText.contains(
                "            0: group://TEAM.org.example (OK)\n                requirement: group \"TEAM.org.example\"\n"
            ))
    }
}
