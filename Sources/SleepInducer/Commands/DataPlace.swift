import ArgumentParser
import Foundation
import Glibc
import Store

/// Where the household's data is kept.
struct DataPlace: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The folder with the household's data. Default: ./data in a source tree, else /var/lib/sleep-inducer.",
            valueName: "dir"))
    var given: String?

    var directory: String {
        if let given { return given }
        return FileManager.default.fileExists(atPath: "Package.swift") ? "data" : "/var/lib/sleep-inducer"
    }

    private var file: String { "\(directory)/\(HouseholdStore.fileName)" }

    /// Whether a household is stored there.
    var hasDatabase: Bool { access(file, F_OK) == 0 }

    /// Opens the household to read it, also while a server runs.
    func householdToRead() throws -> HouseholdStore {
        try requireHousehold()
        return try HouseholdStore.readOnly(directory: directory, at: MachineClock.instant(), log: .quiet)
    }

    func requireHousehold() throws {
        if access(directory, F_OK) == 0, access(directory, X_OK) != 0 {
            throw Complaint("This user cannot read \(directory). Use sudo.")
        }
        guard hasDatabase else {
            throw Complaint("There is no household in \(directory). Use --data DIR.")
        }
    }
}
