// SPDX-License-Identifier: Apache-2.0

internal import DBusMessages
internal import Glibc

/// From a received call to its answer.
extension BusServer {
    func dispatch(_ received: ReceivedMessage, passesDescriptors: Bool) {
        let call = received.message
        // The bus gives each message a sender.
        guard let sender = call.sender, let path = call.path else { return }
        guard beginCall(of: sender) else {
            return refuse(call, .limitsExceeded("Too many calls are not answered yet. Wait for answers first."))
        }
        let reply = Reply<MethodResult> { [self] result in
            endCall(of: sender)
            answer(call, result, passesDescriptors: passesDescriptors)
        }
        // Peer concerns the program, so it works at every path.
        if call.interface == StandardInterface.peer.name { return serve(nil, received, from: sender, reply: reply) }
        switch target(of: path) {
        case .object(let export): serve(export, received, from: sender, reply: reply)
        case .node: serveNode(received, sender, reply)
        case .nothing: reply.fail(MethodError.unknownObject(path))
        case .source(let source):
            source.findObject(
                at: path, for: sender,
                Reply { [self] found in
                    switch found {
                    case .success(let object?):
                        serve(ObjectTree.Export(object: object, isManager: false), received, from: sender, reply: reply)
                    case .success(nil): serveNode(received, sender, reply)
                    case .failure(let error): reply.fail(error)
                    }
                })
        }
    }

    /// Serves a call of a path without an object, which may lead to objects: introspection alone concerns such paths.
    private func serveNode(_ received: ReceivedMessage, _ sender: BusName, _ reply: Reply<MethodResult>) {
        let call = received.message
        guard call.member == "Introspect",
            call.interface ?? StandardInterface.introspectable.name
                == StandardInterface.introspectable.name
        else { return reply.fail(MethodError.unknownObject(call.path ?? "/")) }
        serve(nil, received, from: sender, reply: reply)
    }

    /// Serves a call of an object; of a path without an object if `export` is nil.
    private func serve(
        _ export: ObjectTree.Export?, _ received: ReceivedMessage, from sender: BusName, reply: Reply<MethodResult>
    ) {
        let message = received.message
        let path = message.path ?? "/"
        let interfaces = export.map { type(of: $0.object).descriptions }
        let route: CallRoute
        do throws(MethodError) {
            route = try CallRoute(message, of: interfaces, isManager: export?.isManager ?? false)
        } catch {
            return reply.fail(error)
        }
        func call(_ arguments: [Value]) -> MethodCall {
            MethodCall(
                sender: sender, path: path, flags: message.flags, arguments: arguments,
                descriptors: received.descriptors)
        }
        switch (route, export?.object) {
        case (.ping, _): reply.succeed([])
        case (.machineID, _): reply.answer { [.string(try Self.machineID())] }
        case (.introspection, _):
            introspect(path, interfaces, isManager: export?.isManager ?? false, for: sender, reply)
        case (.managedObjects, _): reply.succeed([managedObjects(below: path)])
        case (.get(let property), let object?):
            object.value(of: property, Reply { value in reply.answer { [.variant(try value.get())] } })
        case (.getAll(let interfaces), let object?):
            object.values(
                interfaces: interfaces,
                Reply { values in
                    reply.answer { [.dictionary(key: .string, value: .variant, try values.get())] }
                })
        case (.set(let property, let value), let object?):
            object.set(
                property, call([value]),
                Reply { result in
                    switch result {
                    case .success: reply.succeed([])
                    case .failure(let error): reply.fail(error)
                    }
                })
        case (.method(let interface, let method, let arguments), let object?):
            let description = type(of: object).descriptions[interface].methods[method]
            object.handle(
                interface: interface, method: method, call(arguments),
                Reply { result in
                    switch result {
                    case .success(let result) where !description.returns(result.values):
                        reply.fail(
                            MethodError.failed("The method \(description.name) has other results than declared."))
                    case .success(let result): reply.succeed(result)
                    case .failure(let error): reply.fail(error)
                    }
                })
        case (.get, nil), (.getAll, nil), (.set, nil), (.method, nil):
            // A path without an object has no routes to these.
            reply.fail(MethodError.unknownObject(path))
        }
    }

    private func introspect(
        _ path: ObjectPath, _ interfaces: [InterfaceDescription]?, isManager: Bool, for sender: BusName,
        _ reply: Reply<MethodResult>
    ) {
        let all = (interfaces ?? []) + StandardInterface.all(isObject: interfaces != nil, isManager: isManager)
        let (names, source) = children(of: path)
        guard let source else { return reply.succeed([.string(Introspection.xml(all, children: names))]) }
        source.listChildren(
            of: path, for: sender,
            Reply { [self] found in
                switch found {
                case .success(let more):
                    let children = Set(names + more).sorted()
                    // Below a source, only the children show whether a path leads to objects.
                    if interfaces == nil, children.isEmpty, case .source = target(of: path) {
                        return reply.fail(MethodError.unknownObject(path))
                    }
                    reply.succeed([.string(Introspection.xml(all, children: children))])
                case .failure(let error): reply.fail(error)
                }
            })
    }

    private func managedObjects(below path: ObjectPath) -> Value {
        .dictionary(
            key: .objectPath, value: "a{sa{sv}}",
            objects(below: path).map { .init(.objectPath($0.path), $0.object.interfacesAndProperties) })
    }

    private func answer(_ call: Message, _ result: Result<MethodResult, MethodError>, passesDescriptors: Bool) {
        if call.flags.contains(.noReplyExpected) { return }
        switch result {
        case .success(let result):
            guard result.descriptors.isEmpty || passesDescriptors else {
                return refuse(call, .notSupported("The bus does not pass descriptors."))
            }
            do {
                let message = try Message.methodReturn(
                    to: call, result.values, descriptorCount: UInt32(clamping: result.descriptors.count))
                try enqueue(Outgoing(message: message, descriptors: result.descriptors, request: nil))
            } catch BusError.closed {
                // The connection has ended, and with it all calls.
            } catch BusError.limitExceeded {
                refuse(call, .limitsExceeded("The answer is too large, or answers are not read fast enough."))
            } catch {
                refuse(call, .failed("The answer cannot be encoded."))
            }
        case .failure(let error): refuse(call, error)
        }
    }

    /// Answers with an error.
    func refuse(_ call: Message, _ error: MethodError) {
        if call.flags.contains(.noReplyExpected) { return }
        let text = error.text.utf8.count <= 1024 ? error.text : String(error.text.prefix(200))
        guard let message = try? Message.error(error.name, to: call, text) else { return }
        // Fails only if the connection has ended.
        try? enqueue(Outgoing(message: message, descriptors: [], request: nil), isBounded: false)
    }

    /// Reads the identity of the machine: machine-id(5).
    private static func machineID() throws(MethodError) -> String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            // The path stays valid during the call.
            let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { continue }
            let file = Descriptor(owning: number)
            var bytes = [UInt8](repeating: 0, count: 32)
            // The kernel writes at most the array's size into its storage.
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file.number, $0.baseAddress, $0.count) }
            let text = String(decoding: bytes, as: UTF8.self)
            if count == bytes.count, text.allSatisfy(\.isHexDigit) { return text }
        }
        throw .failed("The machine has no identity in /etc/machine-id.")
    }
}
