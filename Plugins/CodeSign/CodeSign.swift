// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package codesign`: builds the executable products of a package and signs them by `chatelaine codesign`.
///
/// The installed `chatelaine` signs, not one built with the package, because the team key belongs to the program that
/// made it, and the keychain would deny it to another program.
@main
struct CodeSign: CommandPlugin {
    private static let usage = """
        USAGE: swift package codesign --sign TEAM [--product NAME]... [--configuration debug|release]
                                      [--identifier-prefix PREFIX] [--chatelaine PATH]

        Builds the executable products of this package, or those named, and signs them.

          --sign TEAM                 the identifier or the label of a team key (chatelaine team-key list)
          --product NAME              only this product; may be given several times
          --configuration NAME        debug or release; debug by default
          --identifier-prefix PREFIX  the signing identifier is PREFIX.PRODUCT instead of PRODUCT
          --chatelaine PATH           the command to sign with; found in PATH by default

        Entitlements are taken from NAME.entitlements, beside the folder of the executable's target or in it.
        """

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        guard extractor.extractFlag(named: "help") == 0 else { return print(Self.usage) }
        let teams = extractor.extractOption(named: "sign")
        let names = extractor.extractOption(named: "product")
        let configurations = extractor.extractOption(named: "configuration")
        let prefixes = extractor.extractOption(named: "identifier-prefix")
        let commands = extractor.extractOption(named: "chatelaine")
        guard extractor.remainingArguments.isEmpty else {
            throw Failure("unknown: \(extractor.remainingArguments.joined(separator: " "))\n\(Self.usage)")
        }
        guard let team = teams.last else { throw Failure("--sign TEAM is missing\n\(Self.usage)") }
        let configuration: PackageManager.BuildConfiguration
        switch configurations.last ?? "debug" {
        case "debug": configuration = .debug
        case "release": configuration = .release
        default: throw Failure("--configuration is debug or release")
        }
        let command = try commands.last ?? Self.find("chatelaine")

        let products = context.package.products(ofType: ExecutableProduct.self)
        if let unknown = names.first(where: { name in !products.contains { $0.name == name } }) {
            throw Failure("this package has no executable product \(unknown)")
        }
        let chosen = products.filter { names.isEmpty || names.contains($0.name) }
        guard !chosen.isEmpty else { throw Failure("this package has no executable product") }
        for product in chosen {
            let program = try build(product, configuration)
            var words = ["codesign", "--sign", team]
            words += ["--identifier", (prefixes.last.map { $0 + "." } ?? "") + product.name]
            if let list = Self.entitlements(of: product) { words += ["--entitlements", list.path] }
            try Self.run(command, words + [program.path])
        }
    }

    private func build(
        _ product: ExecutableProduct, _ configuration: PackageManager.BuildConfiguration
    ) throws -> URL {
        let result = try packageManager.build(.product(product.name), parameters: .init(configuration: configuration))
        guard result.succeeded else { throw Failure("\(product.name) could not be built:\n\(result.logText)") }
        let programs = result.builtArtifacts.filter { $0.kind == .executable }.map(\.url)
        guard let program = programs.first(where: { $0.lastPathComponent == product.name }) else {
            throw Failure("\(product.name) was built, but there is no program of that name")
        }
        return program
    }

    private static func entitlements(of product: ExecutableProduct) -> URL? {
        guard let target = product.mainTarget as? any SourceModuleTarget else { return nil }
        let name = "\(product.name).entitlements"
        let folder = target.directoryURL
        return [folder.deletingLastPathComponent(), folder].map { $0.appending(path: name) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func find(_ name: String) throws -> String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Failure("there is no \(name) in PATH; --chatelaine PATH names it")
    }

    private static func run(_ command: String, _ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: command)
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        // The program has reported its error itself.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Failure("\(words.last ?? "") was not signed")
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
