import ArgumentParser
import Cluster
import Foundation
import Store

extension ClusterCommand {
    /// Lets this machine's household be on several machines, in etcd.
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Put this machine's household into etcd, and print a code for another machine.",
            discussion: """
                Without --etcd, the household gets an etcd of its own on this machine, of Debian's package etcd-server. The \
                server is stopped and started.
                """)

        @OptionGroup var place: DataPlace
        @OptionGroup var machine: MachineOption
        @OptionGroup var home: HomeAddressOption
        @Option(
            help: ArgumentHelp("The addresses of an etcd that you run, with commas.", valueName: "url,…"))
        var etcd: String?
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
            (etcd ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }

        func validate() throws {
            guard etcd != nil else {
                guard etcdCa == nil, etcdCert == nil, etcdKey == nil, etcdUser == nil, etcdPasswordFile == nil
                else { throw ValidationError("These options belong to --etcd.") }
                return
            }
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
            let given = try etcd == nil ? nil : readAccess()
            let own = OwnEtcd(directory: place.directory)
            // What an erased household left would hold the ports.
            if given == nil { try own.remove() }
            let address = try given == nil ? home.found(for: own) : nil
            let server = OwnServer(place)
            let file = try server.stopped {
                let store = try HouseholdStore(
                    directory: place.directory, now: MachineClock.instant(), log: .quiet)
                do {
                    let access =
                        try given ?? own.begin(at: address ?? "", as: 0, now: MachineClock.instant())
                    let file = try Nodes.begin(store, with: access, as: machine.identity(place))
                    store.settleFiles()
                    return file
                } catch {
                    if given == nil { try? own.remove() }
                    throw error
                }
            }
            if file.etcd.user == nil, file.etcd.certificate == nil {
                print(
                    "Any device on the network can write into this etcd. Give it a password: see Docs/two-machines.md."
                )
            }
            print("The household is in etcd, and this machine is \(file.nodeName).")
            try server.waitUntilInTouch(file)
            // A new machine asks the server.
            guard server.hasUnit else {
                return print("Then sleep-inducer cluster invite prints a code for another machine.")
            }
            try Invite.show(place)
        }

        private func readAccess() throws -> EtcdAccess {
            var access = EtcdAccess(endpoints: endpoints)
            access.authority = try etcdCa.map(Self.text)
            access.certificate = try etcdCert.map(Self.text)
            access.key = try etcdKey.map(Self.text)
            access.user = etcdUser
            access.password = try etcdPasswordFile.map(Self.text)?.split(separator: "\n").first.map(
                String.init)
            return access
        }

        private static func text(_ path: String) throws -> String {
            do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
                throw Complaint("\(path) cannot be read.")
            }
        }
    }
}
