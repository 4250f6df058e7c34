import ArgumentParser
import Assets
import DNS
import Directory
import Foundation
import LocalNetwork
import Policy
import Store

/// `sleep-inducer explain tiktok.com`: the answer to a name, the layer that decides it, and until when.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Say whether names are allowed for a device, and why.")

    @OptionGroup var place: DataPlace
    @Option(
        help: ArgumentHelp("The device that asks. Default: the first person's rules.", valueName: "ip|name"))
    var device: String?
    @Option(help: ArgumentHelp("Answer for this instant instead of now.", valueName: "iso8601"))
    var at: Instant?
    @Flag(help: "One JSON object per name.")
    var json = false
    @Argument(help: "Domain names.")
    var names: [String]

    func run() throws {
        let assets = AssetLibrary()
        let store = try place.householdToRead()
        var household = store.household
        let now = at?.date ?? MachineClock.instant()
        _ = household.settle(at: now, newID: UUID.init)
        let snapshot = Snapshot(
            revision: 0, instant: now, household: household,
            catalog: try ShippedCatalog.load(from: assets).adding(household.ownApps),
            verdicts: household.evaluate(at: now))
        let isServed = servedNames()
        for name in names {
            if isServed(name.lowercased()) {
                let open = NameVerdict(block: nil, person: snapshot.household.members.first?.id)
                print(json ? try line(name, open) : "\(name): allowed, a name of this server or of the home")
                continue
            }
            guard let domain = DomainName(name) else { throw Complaint("\(name) is not a domain name.") }
            let verdict = try verdict(on: domain.text, in: snapshot)
            print(json ? try line(name, verdict) : sentence(name, verdict, in: snapshot))
        }
    }

    /// The names that are decided before every rule, for a server with its default name.
    private func servedNames() -> @Sendable (String) -> Bool {
        let machine = Machine.current
        let searchDomains = machine.resolution().searchDomains
        return DNS.Resolver.Network(
            upstreams: [],
            ownNames: OwnNames(
                name: ServeCommand.ownName, hostName: machine.hostName(), searchDomains: searchDomains),
            searchDomains: searchDomains
        ).standsBeforeRules()
    }

    private func verdict(on name: String, in snapshot: Snapshot) throws -> NameVerdict {
        guard let device else {
            guard let first = snapshot.household.members.first else { throw Complaint("There is no person.") }
            return snapshot.verdict(of: name, person: first.id)
        }
        let devices = snapshot.household.devices
        let known = devices.first { $0.addresses.contains(device) || $0.name == device }
        guard known != nil || IPAddress(device) != nil else {
            throw Complaint("No device is called \(device).")
        }
        // A device from an import may never have asked; its rules apply all the same.
        if let known, known.addresses.isEmpty, known.isSomebodys {
            return snapshot.verdict(of: name, device: known)
        }
        return snapshot.verdict(of: name, deviceAt: known?.addresses.first ?? device)
    }

    private func line(_ name: String, _ verdict: NameVerdict) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Explanation(name, verdict)), as: UTF8.self)
    }

    private func sentence(_ name: String, _ verdict: NameVerdict, in snapshot: Snapshot) -> String {
        let app = verdict.app.map { " (\($0.name))" } ?? ""
        guard let block = verdict.block else {
            return "\(name)\(app): allowed"
                + (verdict.person == nil ? ", because the device is not enrolled" : "")
        }
        let zone = snapshot.household.zone
        let until = block.until.map { " until \(zone.date(of: $0)) \(zone.time(of: $0))" }
        let reason = block.isWaysOut ? "as a way around the rules" : "by \(block.layer.rawValue)"
        return "\(name)\(app): blocked \(reason)\(until ?? "")"
    }
}

/// The contract's object, with nulls for absent values.
private struct Explanation: Encodable {
    let name: String
    let verdict: String
    let layer: String?
    let until: String?
    let app: String?

    init(_ name: String, _ verdict: NameVerdict) {
        self.name = name
        self.verdict = verdict.block == nil ? "allowed" : "blocked"
        layer = verdict.block?.layer.rawValue
        until = verdict.block?.until?.formatted(.iso8601)
        app = verdict.app?.id
    }

    enum CodingKeys: CodingKey { case name, verdict, layer, until, app }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(layer, forKey: .layer)
        try container.encode(until, forKey: .until)
        try container.encode(app, forKey: .app)
    }
}
