// SPDX-License-Identifier: Apache-2.0

import Glibc
import SecretMemory
import Synchronization
import Testing

struct SecretMemoryTests {
    @Test func `a secret lends the bytes it was filled with`() {
        let secret = SecretBytes(copying: [1, 2, 3] as [UInt8])
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(secret.withSpan { span in span.indices.map { span[$0] } } == [1, 2, 3])
        #expect(Array(secret.bytes) == [1, 2, 3])
        #expect(secret.bytes.dropFirst().map { $0 } == [2, 3])
    }

    @Test func `lent bytes become a secret of their own`() {
        let original: [UInt8] = [1, 2, 3, 4]
        let secret = SecretBytes(copying: original.span)
        let part = secret.withSpan { SecretBytes(copying: $0.extracting(1..<3)) }
        #expect(Array(part.bytes) == [2, 3])
        #expect(SecretBytes(copying: [UInt8]().span).count == 0)
    }

    @Test func `a secret as a collection shows nothing of itself`() {
        let bytes = SecretBytes(copying: "hunter2".utf8).bytes
        #expect("\(bytes)" == "SecretBytes(7 bytes, redacted)")
        #expect(String(reflecting: bytes) == "SecretBytes(7 bytes, redacted)")
        #expect(Mirror(reflecting: bytes).children.isEmpty)
    }

    @Test func `collected bytes are one secret, however they came`() {
        let collected = SecretAccumulator()
        for size in 0..<100 { collected.append((0..<size).map { UInt8($0) }) }
        let secret = collected.secret(droppingLast: 2)
        #expect(Array(secret.bytes) == (0..<100).flatMap { (0..<$0).map { UInt8($0) } }.dropLast(2))
    }

    @Test func `memory to be filled starts as zeros`() {
        let arena = SecretArena(source: .lockedAnonymous)
        for count in [1, 16, 17, 100, 4096, 4097, 70000] {
            SecretBytes(count: count, in: arena) { $0.copyBytes(from: [UInt8](repeating: 0xFF, count: count)) }
                .withUnsafeBytes { #expect($0.allSatisfy { $0 == 0xFF } && $0.count == count) }
            let second = SecretBytes(count: count, in: arena) { buffer in
                let allZero = buffer.allSatisfy { $0 == 0 }
                #expect(allZero, "\(count) bytes")
            }
            #expect(second.count == count)
        }
    }

    @Test func `an empty secret is possible`() {
        #expect(SecretBytes(copying: []).withUnsafeBytes { $0.count } == 0)
    }

    @Test(arguments: [8, 32, 4096, 10000])
    func `a secret is wiped when its last reference goes`(count: Int) {
        let source = RecordingSource()
        let arena = SecretArena(source: source.pageSource)
        var secret: SecretBytes? = SecretBytes(copying: [UInt8](repeating: 0xA5, count: count), in: arena)
        #expect(source.count(of: 0xA5) == count)
        let other = secret
        secret = nil
        #expect(source.count(of: 0xA5) == count, "another reference keeps it")
        do { _ = consume other }
        #expect(source.count(of: 0xA5) == 0)
    }

    @Test func `a secret whose filling fails is wiped, and the failure is passed on`() {
        struct Failure: Error {}
        let source = RecordingSource()
        let arena = SecretArena(source: source.pageSource)
        #expect(throws: Failure.self) {
            _ = try SecretBytes(count: 16, in: arena) { buffer throws(Failure) in
                buffer.copyBytes(from: [UInt8](repeating: 0xA5, count: 16))
                throw Failure()
            }
        }
        #expect(source.count(of: 0xA5) == 0)
    }

    @Test func `moving an array into a secret empties the array`() {
        var bytes: [UInt8] = [9, 8, 7]
        let secret = SecretBytes(moving: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret.withUnsafeBytes { Array($0) } == [9, 8, 7])
    }

    @Test func `wiping overwrites a buffer in place`() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0xA5)
        wipe(buffer)
        #expect(buffer.allSatisfy { $0 == 0 })
        wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    @Test func `no description shows the bytes`() {
        let secret = SecretBytes(copying: Array("hunter2".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
            #expect(text.contains("redacted"))
            #expect(!text.contains("hunter2") && !text.contains("104"), "\(text)")
        }
    }

    @Test func `many small secrets share pages, and keep apart`() {
        let arena = SecretArena(source: .lockedAnonymous)
        let secrets = (0..<1000).map { SecretBytes(copying: [UInt8](repeating: UInt8($0 % 251), count: 32), in: arena) }
        #expect(arena.mappedByteCount == 65536)
        for (index, secret) in secrets.enumerated() {
            #expect(secret.withUnsafeBytes { $0.allSatisfy { $0 == UInt8(index % 251) } })
        }
    }

    @Test func `an arena gives memory back when its secrets are gone`() {
        let arena = SecretArena(source: .lockedAnonymous)
        var secrets = (0..<2000).map { index in
            SecretBytes(copying: [UInt8](repeating: 1, count: [16, 500, 4000, 9000][index % 4]), in: arena)
        }
        #expect(secrets.count == 2000 && arena.mappedByteCount > 1_000_000)
        secrets = []
        #expect(arena.mappedByteCount == 65536, "one empty slab is kept")
        secrets = [SecretBytes(copying: [1], in: arena)]
        #expect(arena.mappedByteCount == 65536 && secrets.count == 1)
    }

    @Test func `when a page source has no more, ordinary locked pages stand in`() {
        let arena = SecretArena(source: PageSource(map: { _ in nil }, unmap: { _, _ in }))
        #expect(SecretBytes(copying: [5], in: arena).withUnsafeBytes { Array($0) } == [5])
    }

    @Test func `a page source installed later serves new slabs only`() {
        let source = RecordingSource()
        let arena = SecretArena(source: .lockedAnonymous)
        let early = SecretBytes(copying: [1], in: arena)
        arena.takePages(from: source.pageSource)
        let late = SecretBytes(copying: [UInt8](repeating: 0xA5, count: 5000), in: arena)
        #expect(source.count(of: 0xA5) == 5000)
        withExtendedLifetime((early, late)) {}
    }

    @Test func `secrets are made and dropped by many threads at once`() async {
        let arena = SecretArena(source: .lockedAnonymous)
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var kept: [SecretBytes] = []
                    for round in 0..<500 {
                        let count = (round * 37 + worker * 11) % 5000
                        kept.append(SecretBytes(copying: [UInt8](repeating: UInt8(worker), count: count), in: arena))
                        if kept.count > 20 { kept.removeFirst(10) }
                    }
                    return kept.allSatisfy { $0.withUnsafeBytes { $0.allSatisfy { $0 == UInt8(worker) } } }
                }
            }
            for await intact in group { #expect(intact) }
        }
        #expect(arena.mappedByteCount <= 2 * 65536)
    }

    @Test func `the pages are left out of core dumps and wiped in a forked child`() throws {
        let address = try #require(PageSource.lockedAnonymous.map(65536))
        defer { PageSource.lockedAnonymous.unmap(address, 65536) }
        let flags = try #require(kernelFlags(ofMappingAt: address))
        #expect(flags.contains("dd"), "VmFlags \(flags): dd is MADV_DONTDUMP")
        #expect(flags.contains("wf"), "VmFlags \(flags): wf is MADV_WIPEONFORK")
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(8), &limit) == 0)  // RLIMIT_MEMLOCK
        // The thread sanitizer locks nothing in place of mlock(2).
        if dlsym(nil, "__tsan_acquire") == nil, limit.rlim_cur >= 1 << 20 || getuid() == 0 {
            #expect(flags.contains("lo"), "VmFlags \(flags): lo is locked")
        }
    }

    /// The two-letter flags of /proc/self/smaps (proc_pid_smaps(5)).
    private func kernelFlags(ofMappingAt address: UInt) -> [Substring]? {
        guard let file = fopen("/proc/self/smaps", "r") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var inside = false
        while getline(&line, &capacity, file) > 0 {
            let text = String(cString: line!)
            if let range = text.split(separator: " ").first?.split(separator: "-"), range.count == 2,
                let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16)
            {
                inside = (start..<end).contains(address)
            } else if inside, text.hasPrefix("VmFlags:") {
                return text.split { $0 == " " || $0 == "\n" }.dropFirst().map { $0 }
            }
        }
        return nil
    }
}

/// A page source that never unmaps, so that a test can look at memory after the arena gave it back.
private final class RecordingSource: Sendable {
    private let mapped = Mutex<[(UInt, Int)]>([])

    var pageSource: PageSource {
        PageSource(
            map: { byteCount in
                let address = PageSource.lockedAnonymous.map(byteCount)
                if let address { self.mapped.withLock { $0.append((address, byteCount)) } }
                return address
            },
            unmap: { _, _ in })
    }

    func count(of byte: UInt8) -> Int {
        mapped.withLock { mappings in
            mappings.reduce(0) { sum, mapping in
                let pages = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: mapping.0), count: mapping.1)
                return sum + pages.count { $0 == byte }
            }
        }
    }

    deinit {
        for (address, byteCount) in mapped.withLock({ $0 }) { PageSource.lockedAnonymous.unmap(address, byteCount) }
    }
}
