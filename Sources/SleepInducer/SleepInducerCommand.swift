import ArgumentParser
import Dispatch
import LocalNetwork
import Synchronization

/// The program's beginning. It is not asynchronous, because rights must be dropped while there is only one thread.
@main
enum SleepInducerProgram {
    static func main() {
        Privileges.takeUp()
        FreedMemory.share()
        let words = EnvironmentFlags.adding(to: Array(CommandLine.arguments.dropFirst()))
        do {
            if CommandLine.arguments.dropFirst() == [ForeignReader.word] { return try ForeignReader.run() }
            var command = try SleepInducerCommand.parseAsRoot(words)
            if let serve = command as? ServeCommand { try Rights.lower(for: serve) }
            if let command = command as? any AsyncParsableCommand {
                try run(command)
            } else {
                try command.run()
            }
        } catch {
            SleepInducerCommand.exit(withError: error)
        }
    }

    /// Runs an asynchronous command and exits from the first thread, when nothing else runs any more.
    private static func run(_ command: sending any AsyncParsableCommand) throws {
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                var command = command
                try await command.run()
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        try outcome.withLock { $0 }.get()
    }
}

/// `sleep-inducer`: bedtime for a home network, in one binary.
struct SleepInducerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep-inducer",
        abstract: "Bedtime for a home network: a DNS server that lets a household sleep.",
        discussion:
            """
            Every flag of serve also exists in the environment: --http-port is SLEEP_INDUCER_HTTP_PORT. The service of \
            the package takes them from /etc/default/sleep-inducer, and keeps the household's data in \
            /var/lib/sleep-inducer.
            """,
        version: Release.inFull,
        subcommands: [
            ServeCommand.self, ExplainCommand.self, UpcomingCommand.self, TokenCommand.self,
            PasscodeCommand.self,
            DoctorCommand.self, HealthyCommand.self, BackupCommand.self, RestoreCommand.self,
            ExportCommand.self,
            ImportCommand.self, ClusterCommand.self,
            WipeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}
