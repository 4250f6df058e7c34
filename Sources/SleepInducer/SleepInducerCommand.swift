import ArgumentParser
import Dispatch

/// The program's beginning. It is not asynchronous, because rights are dropped while there is one thread only.
@main
enum SleepInducerProgram {
    static func main() {
        let words = EnvironmentFlags.adding(to: Array(CommandLine.arguments.dropFirst()))
        do {
            if let serve = try SleepInducerCommand.parseAsRoot(words) as? ServeCommand {
                try Rights.lower(for: serve)
            }
        } catch {
            SleepInducerCommand.exit(withError: error)
        }
        Task {
            do {
                var command = try SleepInducerCommand.parseAsRoot(words)
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                SleepInducerCommand.exit()
            } catch {
                SleepInducerCommand.exit(withError: error)
            }
        }
        dispatchMain()
    }
}

/// `sleep-inducer`: bedtime for a home network, in one binary.
struct SleepInducerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep-inducer",
        abstract: "Bedtime for a home network: a DNS server that lets a household sleep.",
        discussion:
            "Every flag of serve also exists in the environment: --http-port is SLEEP_INDUCER_HTTP_PORT.",
        version: Release.version,
        subcommands: [
            ServeCommand.self, ExplainCommand.self, UpcomingCommand.self, TokenCommand.self,
            PasscodeCommand.self,
            DoctorCommand.self, BackupCommand.self, RestoreCommand.self, ExportCommand.self, WipeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}

/// What this build calls itself.
enum Release {
    static let version = "0.1.0"
}
