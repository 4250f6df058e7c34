import ArgumentParser
import Cluster
import Foundation
import Glibc
import LocalNetwork
import Store

extension ClusterCommand {
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Make this machine one of the household's.",
            discussion:
                "The server is stopped and started. It returns when this machine is in touch with the others."
        )

        @OptionGroup var place: DataPlace
        @OptionGroup var machine: MachineOption
        @OptionGroup var home: HomeAddressOption
        @Flag(help: "Let this machine vote in the household's own etcd: for three machines or more.")
        var vote = false
        @Flag(help: "Erase a household that is on this machine, without asking. A backup is kept.")
        var wipe = false
        @Argument(help: "The last line of cluster start or cluster invite.")
        var code: String

        func run() throws {
            let code = try InvitationCode(code)
            if try ClusterFile.read(directory: place.directory) != nil {
                throw Complaint("This machine belongs to several already. Run cluster leave first.")
            }
            let ballot = try vote ? Ballot(place, home) : nil
            let invitation = try Invitation(code)
            try Nodes.test(invitation)
            let isInTheWay = try place.hasDatabase && place.householdToRead().isSetUp
            if isInTheWay { try mayErase() }
            let server = OwnServer(place)
            let file = try server.stopped {
                if isInTheWay { try erase() }
                let store = try HouseholdStore(
                    directory: place.directory, now: MachineClock.instant(), log: .quiet)
                let file = try Nodes.join(invitation, store, as: machine.identity(place))
                store.settleFiles()
                return file
            }
            print("This machine is \(file.nodeName) now and has the household.")
            try server.waitUntilInTouch(file)
            try ballot?.cast()
            sayWhereTheRouterLeads(file)
        }

        private var backup: String {
            let names = ["before-joining"] + (2...999).map { "before-joining-\($0)" }
            return names.lazy.map { "\(place.directory)/\($0).sqlite" }.first { access($0, F_OK) != 0 }
                ?? "\(place.directory)/before-joining.sqlite"
        }

        private func mayErase() throws {
            if wipe { return }
            let about = "This machine has a household of its own in \(place.directory)."
            guard isatty(STDIN_FILENO) == 1 else {
                throw Complaint("\(about) To erase it and keep a backup, join with --wipe.")
            }
            let question = "\(about) Erase it? A backup is kept at \(backup). Type yes: "
            FileHandle.standardOutput.write(Data(question.utf8))
            guard readLine() == "yes" else { throw Complaint("Nothing was erased.") }
        }

        private func erase() throws {
            let kept = backup
            do {
                let store = try HouseholdStore(
                    directory: place.directory, now: MachineClock.instant(), log: .quiet)
                try store.backup(to: kept)
            }
            try HouseholdStore.wipe(directory: place.directory)
            print("This machine's own household was erased. Its backup: \(kept)")
        }

        private func sayWhereTheRouterLeads(_ file: ClusterFile) {
            let others = file.etcd.endpoints.compactMap { URL(string: $0)?.host() }
            guard file.etcd.isOwn == true, let own = home.address ?? OwnEtcd.homeAddress() else { return }
            let all = others.filter { $0 != own } + [own]
            let option = all.filter { !$0.contains(":") }.joined(separator: ",")
            print(
                "Let the router's DHCP name \(all.joined(separator: " and ")) as DNS servers. With dnsmasq:")
            print("dhcp-option=6,\(option)")
        }
    }

    struct Vote: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vote", abstract: "Let this machine vote in the household's own etcd.",
            discussion: "For three machines or more: of three that vote, one may be away, and changes go on.")

        @OptionGroup var place: DataPlace
        @OptionGroup var home: HomeAddressOption

        func run() throws {
            _ = try place.cluster()
            try Ballot(place, home).cast()
        }
    }
}

/// This machine's wish to vote in the household's own etcd.
private struct Ballot {
    private let place: DataPlace
    private let address: String

    /// - Throws: what prevents it, before anything is done.
    init(_ place: DataPlace, _ home: HomeAddressOption) throws {
        self.place = place
        let etcd = OwnEtcd(directory: place.directory)
        guard !etcd.isHere else { throw Complaint("This machine is one of etcd's members already.") }
        address = try home.found(for: etcd)
    }

    func cast() throws {
        let etcd = OwnEtcd(directory: place.directory)
        switch try etcd.join(place.cluster(), at: address, now: MachineClock.instant()) {
        case .votes(let count):
            print("\(count) machines vote now, so \((count - 1) / 2) may be away, and changes go on.")
        case .waits:
            print(
                "This machine has a copy of etcd, and votes as soon as one more machine joins with --vote: an even number "
                    + "of votes is no safer.")
        }
    }
}

/// Where other machines reach this one's etcd.
struct HomeAddressOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "This machine's address for its etcd. Default: the one on the router's side.", valueName: "ip"))
    var address: String?

    /// The address at which `etcd` may begin; installs Debian's etcd-server if there is none.
    func found(for etcd: OwnEtcd) throws -> String {
        let known = (LocalAddresses.current() ?? []).filter(\.isUseful).map(\.address)
        if let address, !known.contains(address) {
            throw Complaint(
                "\(address) is no address of this machine. It has \(known.joined(separator: ", ")).")
        }
        guard let found = address ?? OwnEtcd.homeAddress() else {
            throw Complaint(
                "This machine has no address in a home network (192.168.…, 10.…, 172.16.…), at which others could reach it. "
                    + "Connect it, or name its address with --address.")
        }
        try EtcdPackage.install()
        if let obstacle = etcd.obstacle(at: found) { throw Complaint(obstacle) }
        return found
    }
}
