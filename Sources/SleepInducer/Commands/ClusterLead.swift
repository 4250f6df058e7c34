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
            print(try ControlClient(directory: place.directory).said(.lead))
        }
    }
}
