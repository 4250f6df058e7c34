import ArgumentParser

extension ClusterCommand {
    /// `sleep-inducer cluster lead`: for a person who knows that the machine with etcd is gone.
    struct Lead: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lead",
            abstract: "Let this machine lead, if the machine with etcd is broken or away for long.",
            discussion:
                "The server must run. The other machine joins by itself when it is back. The page Machines does the same."
        )

        @OptionGroup var place: DataPlace

        func run() throws {
            _ = try place.cluster()
            switch try ControlClient(directory: place.directory).ask(.lead) {
            case .done(let text): print(text)
            case .refused(let reason): throw Complaint(reason)
            case nil: throw Complaint("Start the server first: sudo systemctl start sleep-inducer")
            case .file, .health:
                throw Complaint("The server's answer does not fit. Does it run another version?")
            }
        }
    }
}
