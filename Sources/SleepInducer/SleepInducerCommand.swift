import ArgumentParser

/// `sleep-inducer`: bedtime for a home network, in one binary.
@main
struct SleepInducerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep-inducer",
        abstract: "Bedtime for a home network: a DNS server that lets a household sleep.",
        discussion: "Every flag of serve also exists in the environment: --http-port is SLEEP_INDUCER_HTTP_PORT.",
        version: Release.version,
        subcommands: [
            ServeCommand.self, ExplainCommand.self, UpcomingCommand.self, TokenCommand.self, PasscodeCommand.self,
            DoctorCommand.self, BackupCommand.self, RestoreCommand.self, ExportCommand.self, WipeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        do {
            let words = EnvironmentFlags.adding(to: Array(CommandLine.arguments.dropFirst()))
            var command = try parseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}

/// What this build calls itself.
enum Release {
    static let version = "0.1.0"
}
