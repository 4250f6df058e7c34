import ArgumentParser

/// `sleep-inducer healthy`: what a container's HEALTHCHECK runs, because its image has neither a shell nor curl.
struct HealthyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthy",
        abstract: "Say whether the server runs and has all its ports. The exit code is 0 if so.")

    @OptionGroup var place: DataPlace

    func run() throws {
        switch try ControlClient(directory: place.directory).ask(.healthy) {
        case .done(let text): print(text)
        case .refused(let reason): throw Complaint(reason)
        case .health, .file: throw Complaint("The server's answer does not fit. Does it run another version?")
        case nil: throw Complaint("No server answers for the data in \(place.directory).")
        }
    }
}
