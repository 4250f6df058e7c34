import ArgumentParser
import Cluster
import Foundation
import LocalNetwork
import Policy
import Store

/// `sleep-inducer cluster …`: one household on several machines, over etcd.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Let several machines be one household, over etcd.",
        discussion: "Docs/two-machines.md says how a home does it.",
        // Names are written out: made of the types, they cost every start a millisecond.
        subcommands: [
            Start.self, Invite.self, Join.self, Vote.self, Leave.self, Remove.self, Lead.self, Status.self,
        ])

    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Print a code for one new machine. It holds for ten minutes.",
            discussion: "The server must run: the new machine asks it.")

        @OptionGroup var place: DataPlace

        func run() throws {
            try Self.show(place)
        }

        /// The code is the last line. In a terminal, a phone can scan the command.
        static func show(_ place: DataPlace) throws {
            _ = try place.cluster()
            let code = try ControlClient(directory: place.directory).said(.invite)
            let command = "sudo sleep-inducer cluster join"
            for line in Announcement.picture(of: "\(command) \(code)", on: .standardOutput) { print(line) }
            print("On the new machine, within ten minutes: \(command) CODE")
            print(code)
        }
    }

    struct Leave: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Make the household this machine's own again.",
            discussion: """
                The other machines go on together. What this machine knows stays here. The server is stopped and started. \
                An etcd that cluster start, cluster join or cluster vote began on this machine is erased.
                """)

        @OptionGroup var place: DataPlace
        @Flag(help: "Do not ask etcd: it is gone, or does not know this machine any more.")
        var alone = false

        func run() throws {
            let file = try place.cluster()
            let server = OwnServer(place)
            try server.stopped {
                let store = try HouseholdStore(
                    directory: place.directory, now: MachineClock.instant(), log: .quiet)
                try Nodes.leave(file, store, directory: place.directory, isAlone: alone)
                store.settleFiles()
            }
            print("This machine serves by itself from now on.")
            server.sayWhatToStart()
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take another machine out of the household. The household gets a new key.",
            discussion: """
                In the household's own etcd, its vote ends and the passwords are changed. With an etcd that you run, change \
                the password and the certificate first: that machine still knows them.
                """)

        @OptionGroup var place: DataPlace
        @Argument(help: "The machine's name, as cluster status shows it.")
        var name: String

        func run() throws {
            try Nodes.takeOut(
                name, place.cluster(), directory: place.directory,
                knowing: place.householdToRead().storedHead)
            print("\(name) is taken out, and the household has a new key.")
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Print the household's machines.")

        @OptionGroup var place: DataPlace
        @Flag(help: "Print it as JSON.")
        var json = false

        func run() throws {
            let file = try place.cluster()
            let status = try Nodes.status(file, knowing: place.householdToRead().storedHead)
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                return print(String(decoding: try encoder.encode(status), as: UTF8.self))
            }
            let votes = status.votes.map { "; \($0) \($0 == 1 ? "machine decides" : "machines vote")" } ?? ""
            print("etcd \(status.etcd), \(status.etcdBytes / 1024) KiB; \(status.change) changes\(votes)")
            if let fault = status.fault { print(fault) }
            for member in status.members {
                let notes = [
                    member.isThisOne ? "this machine" : nil, member.isHere ? "here" : "silent",
                    member.behind > 0 ? "\(member.behind) changes behind" : nil,
                ]
                print("\(member.name)\t\(member.version)\t\(notes.compactMap { $0 }.joined(separator: ", "))")
            }
        }
    }
}

/// This machine's name among the household's machines.
struct MachineOption: ParsableArguments {
    @Option(help: ArgumentHelp("What to call this machine. Default: its host name.", valueName: "name"))
    var name: String?

    func validate() throws {
        guard name.map({ (1...60).contains($0.count) && !$0.contains { $0.isWhitespace } }) ?? true else {
            throw ValidationError("--name takes 1 to 60 characters without spaces.")
        }
    }

    func identity(_ place: DataPlace) -> NodeIdentity {
        NodeIdentity(
            name: name ?? MachineName.current() ?? "machine", version: Release.version,
            directory: place.directory,
            log: .quiet, now: MachineClock.instant)
    }
}

extension DataPlace {
    /// - Parameter advice: what to do if the household is on several machines.
    func requireAlone(_ advice: String) throws {
        guard try ClusterFile.read(directory: directory) == nil else {
            throw Complaint("This household is on several machines. \(advice)")
        }
    }

    /// The cluster to which this machine belongs.
    func cluster() throws -> ClusterFile {
        guard let file = try ClusterFile.read(directory: directory) else {
            throw Complaint(
                "The household in \(directory) is on this machine alone. See sleep-inducer cluster start --help."
            )
        }
        return file
    }
}
