// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import Glibc

/// A stream socket that can pass descriptors. Only this file of the target builds structures for the kernel.
///
/// Calls wait until a deadline, or until the interruption that was given to the initializer.
struct BusSocket {
    private let descriptor: Descriptor
    private let interruption: Wakeup?

    /// The most bytes that one call of recvmsg(2) returns: more than most messages, and less than what makes glibc's malloc
    /// merge all free blocks each time the buffer is freed (64 KiB).
    private static let receiveBytes = 16 * 1024
    /// unix(7): at most 253 descriptors (SCM_MAX_FD) come with one call.
    private static let controlBytes = ControlMessage.space(for: CodingLimits.descriptors)

    init(_ descriptor: Descriptor, interruption: Wakeup?) {
        self.descriptor = descriptor
        self.interruption = interruption
    }

    /// Throws ``BusError``: `.system`.
    init(connectingTo address: ServerAddress, interruption: Wakeup?) throws(BusError) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw .system(.last("socket")) }
        self.init(Descriptor(owning: number), interruption: interruption)
        var (name, length) = try Self.socketAddress(address)
        // The address stays valid during the call, which reads `length` bytes of it. A Unix socket connects or fails at
        // once.
        let result = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(number, $0, length) }
        }
        guard result == 0 else { throw .system(.last("connect")) }
    }

    private static func socketAddress(_ address: ServerAddress) throws(BusError) -> (sockaddr_un, socklen_t) {
        let path: [UInt8] =
            switch address {
            case .path(let path): Array(path.utf8)
            case .abstract(let name): [0] + Array(name.utf8)
            }
        // unix(7): sun_path has 108 bytes; the last one stays zero.
        guard path.count < 108 else { throw .system(SystemError(call: "connect", code: ENAMETOOLONG)) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path) }
        // The length of an abstract name counts; a path ends with a zero.
        let end = if case .path = address { path.count + 1 } else { path.count }
        return (name, socklen_t(MemoryLayout<sa_family_t>.size + end))
    }

    /// Returns the bytes and descriptors that arrive before the deadline; nil if `wakeup` or the deadline comes first.
    ///
    /// Throws `.closed`, `.interrupted`, `.system`.
    func receive(
        until deadline: ContinuousClock.Instant?, or wakeup: Wakeup? = nil
    ) throws(BusError) -> (bytes: [UInt8], descriptors: [Descriptor])? {
        while true {
            // Wait first, so that a peer that sends without a pause cannot hide an interruption.
            guard try wait(for: Int16(POLLIN), until: deadline, or: wakeup) else { return nil }
            if let received = try receiveAtOnce() { return received }
        }
    }

    /// Sends all bytes. Throws `.closed`, `.interrupted`, `.timedOut`, `.system`.
    func send(
        _ bytes: [UInt8], descriptors: [Descriptor] = [], until deadline: ContinuousClock.Instant
    ) throws(BusError) {
        var rest = bytes[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            if let count = try sendAtOnce(rest, descriptors) {
                rest = rest.dropFirst(count)
                // The descriptors went with the first byte.
                descriptors = []
            } else if try !wait(for: Int16(POLLOUT), until: deadline, or: nil) {
                throw .timedOut
            }
        }
    }

    /// Returns false if `wakeup` or the deadline comes before the socket is ready.
    func wait(
        for events: Int16, until deadline: ContinuousClock.Instant?, or wakeup: Wakeup?
    ) throws(BusError) -> Bool {
        while true {
            let ready: [Bool]
            do throws(SystemError) {
                ready = try Poll.wait(
                    for: [interruption?.descriptor, wakeup?.descriptor, descriptor.number], events: events,
                    until: deadline)
            } catch {
                throw .system(error)
            }
            if ready[0] { throw .interrupted }
            if ready[2] { return true }
            if ready[1] { return false }
            if let deadline, ContinuousClock.now >= deadline { return false }
        }
    }

    /// Returns the available bytes and descriptors; nil if there are none yet.
    func receiveAtOnce() throws(BusError) -> (bytes: [UInt8], descriptors: [Descriptor])? {
        var control = [UInt8](repeating: 0, count: Self.controlBytes)
        var controlCount = 0
        var flags: Int32 = 0
        var count = 0
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.receiveBytes) { buffer, initialized in
            // All three structures and both buffers stay valid during the call, which writes no more than their sizes.
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: UnsafeMutableRawPointer(buffer.baseAddress), iov_len: buffer.count)
                unsafe withUnsafeMutablePointer(to: &part) { part in
                    var header = unsafe msghdr()
                    unsafe header.msg_iov = part
                    unsafe header.msg_iovlen = 1
                    unsafe header.msg_control = control.baseAddress
                    unsafe header.msg_controllen = control.count
                    repeat {
                        count = unsafe recvmsg(
                            descriptor.number, &header,
                            Int32(MSG_CMSG_CLOEXEC) | Int32(MSG_DONTWAIT))
                        code = errno
                    } while count < 0 && code == EINTR
                    if count >= 0 {
                        controlCount = unsafe Int(header.msg_controllen)
                        flags = unsafe header.msg_flags
                    }
                }
            }
            initialized = max(0, count)
        }
        // Take ownership of the descriptors before any check, so that none stays open after an error.
        let descriptors = ControlMessage.descriptors(in: control[..<controlCount]).map(Descriptor.init(owning:))
        if count < 0 {
            switch code {
            case EAGAIN: return nil
            case ECONNRESET, EPIPE: throw .closed
            default: throw .system(SystemError(call: "recvmsg", code: code))
            }
        }
        guard count > 0 else { throw .closed }
        // The kernel dropped descriptors because this process had no room for them.
        guard flags & Int32(MSG_CTRUNC) == 0 else {
            throw .system(SystemError(call: "recvmsg", code: EMFILE))
        }
        return (bytes, descriptors)
    }

    /// Returns the number of bytes that were sent; nil if the socket is full.
    func sendAtOnce(_ bytes: ArraySlice<UInt8>, _ descriptors: [Descriptor]) throws(BusError) -> Int? {
        var control = ControlMessage.passing(descriptors.map(\.number))
        var count = 0
        // The buffers stay valid during the call, which writes to neither. So do the owners of the descriptors.
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
                unsafe withUnsafeMutablePointer(to: &part) { part in
                    var header = unsafe msghdr()
                    unsafe header.msg_iov = part
                    unsafe header.msg_iovlen = 1
                    unsafe header.msg_control = control.isEmpty ? nil : control.baseAddress
                    unsafe header.msg_controllen = control.count
                    repeat {
                        count = unsafe sendmsg(
                            descriptor.number, &header,
                            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                    } while count < 0 && errno == EINTR
                }
            }
        }
        let code = errno
        withExtendedLifetime(descriptors) {}
        if count >= 0 { return count }
        switch code {
        case EAGAIN: return nil
        case EPIPE, ECONNRESET: throw .closed
        default: throw .system(SystemError(call: "sendmsg", code: code))
        }
    }
}

/// The encoding of descriptors after cmsg(3), whose macros Swift cannot import: a length as a word, a level and a type
/// of 32 bits each, then the content, padded to a multiple of a word.
private enum ControlMessage {
    private static let word = MemoryLayout<Int>.size
    private static let headBytes = word + 8

    static func space(for count: Int) -> Int { headBytes + (4 * count + word - 1) / word * word }

    static func passing(_ numbers: [Int32]) -> [UInt8] {
        if numbers.isEmpty { return [] }
        var bytes: [UInt8] = []
        append(UInt(headBytes + 4 * numbers.count), to: &bytes)
        append(UInt32(SOL_SOCKET), to: &bytes)
        append(UInt32(SCM_RIGHTS), to: &bytes)
        for number in numbers { append(UInt32(bitPattern: number), to: &bytes) }
        bytes += [UInt8](repeating: 0, count: space(for: numbers.count) - bytes.count)
        return bytes
    }

    /// Returns the descriptors that the kernel has passed.
    static func descriptors(in control: ArraySlice<UInt8>) -> [Int32] {
        var numbers: [Int32] = []
        var rest = control
        while rest.count >= headBytes {
            let length = Int(clamping: read(UInt.self, rest))
            guard length >= headBytes, length <= rest.count else { break }
            if read(UInt32.self, rest.dropFirst(word)) == UInt32(SOL_SOCKET),
                read(UInt32.self, rest.dropFirst(word + 4)) == UInt32(SCM_RIGHTS)
            {
                var content = rest.dropFirst(headBytes).prefix(length - headBytes)
                while content.count >= 4 {
                    numbers.append(Int32(bitPattern: read(UInt32.self, content)))
                    content = content.dropFirst(4)
                }
            }
            rest = rest.dropFirst((length + word - 1) / word * word)
        }
        return numbers
    }

    /// Appends the number in the machine's byte order, as the kernel requires.
    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for index in 0..<number.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: number.littleEndian >> (8 * index)))
        }
    }

    private static func read<Number: FixedWidthInteger>(_ type: Number.Type, _ bytes: ArraySlice<UInt8>) -> Number {
        Number(
            littleEndian: bytes.prefix(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) })
    }
}
