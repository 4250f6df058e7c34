import ArgumentParser
import Cluster
import Dashboard
import Foundation
import Glibc
import Policy
import Store

/// Carries out a change: through the running server if there is one, else on the database itself.
func carryOut(_ request: ControlRequest, in place: DataPlace) async throws -> String {
    let reply: ControlReply
    if let answer = try ControlClient(directory: place.directory).ask(request) {
        reply = answer
    } else {
        try place.requireHousehold()
        // A change that the other machines do not know would be undone by the next start.
        if case .backup = request {
        } else {
            try place.requireAlone("Start the server first: it tells the others.")
        }
        let store = try HouseholdStore(directory: place.directory, now: MachineClock.instant(), log: .quiet)
        reply = await ControlDesk(store: store, directory: place.directory).answer(request)
    }
    switch reply {
    case .done(let text), .file(let text): return text
    case .refused(let reason): throw Complaint(reason)
    case .health: throw Complaint("The server's answer does not fit. Does it run another version?")
    }
}

/// `sleep-inducer token`: a new bearer token, shown once.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a new bearer token for the API, once.")

    @OptionGroup var place: DataPlace
    @Option(help: "The name of the program that uses it, for the list on the settings page.")
    var name = "command line"

    func validate() throws {
        guard (1...60).contains(name.count), !name.allSatisfy(\.isWhitespace) else {
            throw ValidationError("--name takes 1 to 60 characters.")
        }
    }

    func run() async throws { print(try await carryOut(.token(name: name), in: place)) }
}

/// `sleep-inducer passcode`: for people who forgot it and can use the machine itself.
struct PasscodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode", abstract: "Set a new passcode. Every browser must log in again.",
        discussion: "Asks for it on a terminal. Without a terminal it reads the first line of standard input."
    )

    @OptionGroup var place: DataPlace

    func run() async throws {
        let passcode: String
        if isatty(STDIN_FILENO) == 1 {
            passcode = Self.asked("New passcode: ")
            guard passcode == Self.asked("Again: ") else { throw Complaint("The two passcodes differ.") }
        } else {
            passcode = readLine() ?? ""
        }
        print(try await carryOut(.passcode(passcode), in: place))
    }

    private static func asked(_ prompt: String) -> String {
        guard let typed = getpass(prompt) else { return "" }
        return String(cString: typed)
    }
}

/// `sleep-inducer backup FILE`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write everything into one file for restore.")

    @OptionGroup var place: DataPlace
    @Argument var file: String

    func run() async throws {
        let made = try await carryOut(.backup, in: place)
        defer { try? FileManager.default.removeItem(atPath: made) }
        do {
            // Whole or not at all: an older backup of this name stays until the new one is complete.
            let new = "\(file).new"
            try? FileManager.default.removeItem(atPath: new)
            try FileManager.default.copyItem(atPath: made, toPath: new)
            guard rename(new, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw Complaint("Cannot write \(file).")
        }
        print("Backed up to \(file).")
    }
}

/// `sleep-inducer restore FILE`: with the server stopped.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the data with a backup. Stop the server first.",
        discussion: """
            Daily backups are in DIR/backups. An upgrade that changes the database first keeps a copy of it in \
            DIR/sleep-inducer.sqlite.before-NNN (the last one). To go back to the old version: stop the server, \
            install that version, and restore this file with it. The newer data is kept beside it.
            """)

    @OptionGroup var place: DataPlace
    @Argument var file: String

    func run() throws {
        try place.requireAlone(
            "Run cluster leave on all of them, restore on one, and begin again with cluster start.")
        let kept = try HouseholdStore.restore(from: file, into: place.directory, at: MachineClock.instant())
        print(
            "Restored. Log in again in every browser, and make new tokens for programs: sleep-inducer token."
                + (kept.map { " The old data is kept in \($0)." } ?? ""))
    }
}

/// `sleep-inducer export`: everything as JSON, without secrets.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print everything as JSON, without secrets.")

    @OptionGroup var place: DataPlace

    func run() throws {
        let data = try place.householdToRead().export(at: MachineClock.instant())
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}

/// `sleep-inducer wipe`: erases the household from this machine.
struct WipeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe", abstract: "Erase everything that this machine knows about the household.")

    @OptionGroup var place: DataPlace
    @Flag(help: "Do not ask first.")
    var yes = false

    func run() throws {
        if !yes {
            let question =
                "This erases all people, rules, devices, logs and backups in \(place.directory). Type yes: "
            FileHandle.standardOutput.write(Data(question.utf8))
            guard readLine() == "yes" else { throw Complaint("Nothing was erased.") }
        }
        try OwnEtcd(directory: place.directory).remove()
        try HouseholdStore.wipe(directory: place.directory)
        print("Erased. Now set the old DNS server again on all devices that still use this machine.")
    }
}
