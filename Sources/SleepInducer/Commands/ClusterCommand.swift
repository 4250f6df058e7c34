import ArgumentParser
import Cluster
import Foundation
import LocalNetwork
import QR
import Store

/// `sleep-inducer cluster …`: one household on several machines, over etcd.
struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Let several machines be one household, over etcd.",
        discussion: "Docs/two-machines.md says how a home does it.",
        // Names are written out: made of the types, they cost every start a millisecond.
        subcommands: [Start.self, Invite.self, Join.self, Leave.self, Remove.self, Status.self])

    /// Starts a cluster with the household of a stopped server.
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Put this machine's household into etcd. Stop the server first.")

        @OptionGroup var place: DataPlace
        @OptionGroup var machine: MachineOption
        @Option(help: ArgumentHelp("etcd's addresses, with commas.", valueName: "url,…"))
        var etcd: String
        @Option(help: ArgumentHelp("The authority of etcd's certificates, PEM.", valueName: "file"))
        var etcdCa: String?
        @Option(help: ArgumentHelp("This household's certificate for etcd, PEM.", valueName: "file"))
        var etcdCert: String?
        @Option(help: ArgumentHelp("The certificate's key, PEM.", valueName: "file"))
        var etcdKey: String?
        @Option(help: ArgumentHelp("etcd's user.", valueName: "name"))
        var etcdUser: String?
        @Option(help: ArgumentHelp("A file with the user's password in its first line.", valueName: "file"))
        var etcdPasswordFile: String?

        private var endpoints: [String] {
            etcd.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }

        func validate() throws {
            guard !endpoints.isEmpty else { throw ValidationError("--etcd takes at least one address.") }
            if let objection = endpoints.lazy.compactMap(EtcdAccess.objection).first {
                throw ValidationError(objection)
            }
            guard (etcdCert == nil) == (etcdKey == nil) else {
                throw ValidationError("--etcd-cert and --etcd-key belong together.")
            }
            guard (etcdUser == nil) == (etcdPasswordFile == nil) else {
                throw ValidationError("--etcd-user and --etcd-password-file belong together.")
            }
        }

        func run() throws {
            try place.requireHousehold()
            guard try ClusterFile.read(directory: place.directory) == nil else {
                throw Complaint(
                    "This machine's household is on several machines already. See cluster status.")
            }
            var access = EtcdAccess(endpoints: endpoints)
            access.authority = try etcdCa.map(Self.text)
            access.certificate = try etcdCert.map(Self.text)
            access.key = try etcdKey.map(Self.text)
            access.user = etcdUser
            access.password = try etcdPasswordFile.map(Self.text)?.split(separator: "\n").first.map(
                String.init)
            let store = try HouseholdStore(
                directory: place.directory, now: MachineClock.instant(), log: .quiet)
            let file = try Nodes.begin(store, with: access, as: machine.identity(place))
            store.settleFiles()
            if access.user == nil, access.certificate == nil {
                print(
                    "Any device on the network can write into this etcd. Give it a password: see Docs/two-machines.md."
                )
            }
            print(
                "The household is in etcd, and this machine is \(file.nodeName). Start the server, then invite others:"
            )
            print("sleep-inducer cluster invite")
        }

        private static func text(_ path: String) throws -> String {
            do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
                throw Complaint("\(path) cannot be read.")
            }
        }
    }

    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Print a code for one new machine. It holds for ten minutes.")

        @OptionGroup var place: DataPlace

        func run() throws {
            let code = try Nodes.invite(place.cluster(), knowing: place.householdToRead().storedHead).code
            // On a terminal only: a script gets no picture.
            if isatty(STDOUT_FILENO) == 1, let picture = try? QRCode(code) {
                for line in picture.terminalLines(colours: true) { print(line) }
            }
            print("On the new machine, with its server stopped: sudo sleep-inducer cluster join CODE")
            print(code)
        }
    }

    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Make this machine one of the household's. Stop its server first.")

        @OptionGroup var place: DataPlace
        @OptionGroup var machine: MachineOption
        @Argument(help: "The last line of cluster invite.")
        var code: String

        func run() throws {
            let invitation = try Invitation(code: code)
            if try ClusterFile.read(directory: place.directory) != nil {
                throw Complaint("This machine belongs to several already. Run cluster leave first.")
            }
            if place.hasDatabase, try place.householdToRead().isSetUp {
                throw Complaint(
                    "There is a household in \(place.directory). Keep it with sleep-inducer backup, erase it with "
                        + "sleep-inducer wipe, and join again.")
            }
            let store = try HouseholdStore(
                directory: place.directory, now: MachineClock.instant(), log: .quiet)
            let file = try Nodes.join(invitation, store, as: machine.identity(place))
            store.settleFiles()
            print("This machine is \(file.nodeName) now and has the household. Start its server.")
        }
    }

    struct Leave: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Make the household this machine's own again. Stop its server first.",
            discussion: "The other machines go on together. What this machine knows stays here.")

        @OptionGroup var place: DataPlace
        @Flag(help: "Do not ask etcd: it is gone, or does not know this machine any more.")
        var alone = false

        func run() throws {
            let file = try place.cluster()
            let store = try HouseholdStore(
                directory: place.directory, now: MachineClock.instant(), log: .quiet)
            try Nodes.leave(file, store, directory: place.directory, isAlone: alone)
            store.settleFiles()
            print("This machine serves by itself from now on.")
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take another machine out of the household. The household gets a new key.",
            discussion: "That machine still knows etcd's password or certificate: change them too.")

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
            print("etcd \(status.etcd), \(status.etcdBytes / 1024) KiB; \(status.change) changes")
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
