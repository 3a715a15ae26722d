// SPDX-License-Identifier: Apache-2.0

public import DBusMessages

extension BusServer {
    /// Returns a pidfd of the process that opened a connection.
    ///
    /// A bus without pidfds names a number, which the kernel may give to another process. So the connection must still
    /// have this number after it was opened.
    ///
    /// - Parameters:
    ///   - name: the unique name of the connection.
    ///   - open: opens a process number as a pidfd; nil if there is no such process.
    /// - Returns: nil if the process has ended, or if the bus does not name it.
    /// - Throws: every ``BusError``; `.refused` if the connection has ended.
    public func process(
        of name: BusName, open: (UInt32) -> Descriptor?
    ) async throws(BusError) -> Descriptor? {
        let credentials = try await perform(.credentials(of: name))
        if let process = credentials.process { return process }
        guard let number = credentials.processID, let process = open(number),
            try await perform(.processID(of: name)) == number
        else { return nil }
        return process
    }
}
