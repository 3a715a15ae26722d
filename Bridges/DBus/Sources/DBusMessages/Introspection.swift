// SPDX-License-Identifier: Apache-2.0

/// The XML text that describes an object (D-Bus Specification, "Introspection Data Format").
public enum Introspection {
    /// Returns the description of an object.
    ///
    /// - Parameters:
    ///   - interfaces: all interfaces of the object, the standard ones included.
    ///   - children: the last elements of the paths directly below the object.
    public static func xml(_ interfaces: [InterfaceDescription], children: [String] = []) -> String {
        var writer = Writer()
        for interface in interfaces { writer.write(interface) }
        for child in children { writer.line(1, "<node name=\"\(escaped(child))\"/>") }
        return """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>
            \(writer.text)</node>

            """
    }

    private struct Writer {
        var text = ""

        mutating func line(_ depth: Int, _ line: String) {
            text += String(repeating: " ", count: depth) + line + "\n"
        }

        mutating func write(_ interface: InterfaceDescription) {
            line(1, "<interface name=\"\(interface.name)\">")
            for method in interface.methods {
                let arguments =
                    method.inputs.map { argument($0, "in") } + method.outputs.map { argument($0, "out") }
                element("method", "name=\"\(method.name)\"", arguments: arguments, annotations: method.annotations)
            }
            for signal in interface.signals {
                let arguments = signal.arguments.map { argument($0, nil) }
                element("signal", "name=\"\(signal.name)\"", arguments: arguments, annotations: signal.annotations)
            }
            for property in interface.properties {
                var annotations = property.annotations
                // "true" is the default of the annotation.
                if property.changeSignal != .value {
                    annotations["org.freedesktop.DBus.Property.EmitsChangedSignal"] = property.changeSignal.rawValue
                }
                let attributes =
                    "name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(property.access.rawValue)\""
                element("property", attributes, arguments: [], annotations: annotations)
            }
            for annotation in lines(interface.annotations) { line(2, annotation) }
            line(1, "</interface>")
        }

        private mutating func element(
            _ name: String, _ attributes: String, arguments: [String], annotations: [InterfaceName: String]
        ) {
            let content = arguments + lines(annotations)
            if content.isEmpty { return line(2, "<\(name) \(attributes)/>") }
            line(2, "<\(name) \(attributes)>")
            for part in content { line(3, part) }
            line(2, "</\(name)>")
        }

        private func argument(_ argument: Argument, _ direction: String?) -> String {
            let direction = direction.map { " direction=\"\($0)\"" } ?? ""
            return "<arg name=\"\(escaped(argument.name))\" type=\"\(argument.type)\"\(direction)/>"
        }

        private func lines(_ annotations: [InterfaceName: String]) -> [String] {
            annotations.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "<annotation name=\"\($0.key)\" value=\"\(escaped($0.value))\"/>" }
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML has no other control characters, and would read these as spaces.
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
