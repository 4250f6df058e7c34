import ArgumentParser
import Foundation

/// Where the household's data is kept.
struct DataPlace: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "Where the household is kept. Default: ./data in a source tree, else /var/lib/sleep-inducer.",
            valueName: "dir"))
    var given: String?

    var directory: String {
        if let given { return given }
        return FileManager.default.fileExists(atPath: "Package.swift") ? "data" : "/var/lib/sleep-inducer"
    }
}
