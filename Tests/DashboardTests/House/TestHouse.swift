import Assets
import Dashboard
import Directory
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import Pages
import Policy
import Store

/// A whole site over a store in memory, with a clock that the test moves.
struct TestHouse: Sendable {
    /// Friday, 20:00 in Berlin.
    static let evening = Date(timeIntervalSince1970: 1_795_201_200)
    static let passcode = "correct horse"
    /// Hashed only once, because it takes a tenth of a second.
    static let passcodeHash = try! PasscodeHash(passcode).text
    static let phone = "192.168.1.20"
    static let stranger = "192.168.1.99"
    /// An adult and a child, with the adult's laptop.
    static let parentAndChild = [
        Person(id: PersonID(rawValue: 1), name: "Me"),
        Person(id: PersonID(rawValue: 2), name: "Ada", role: .child),
    ]
    static let laptop = Device(
        id: DeviceID(rawValue: 1), name: "Laptop", person: PersonID(rawValue: 1), addresses: [phone],
        firstSeen: evening - 86_400, lastSeen: evening - 5)

    let clock: ManualClock
    let store: HouseholdStore
    let site: HomeSite

    /// A household that is set up, with one enrolled phone that asks, unless the test says otherwise.
    init(
        isSetUp: Bool = true, people: [Person]? = nil, devices: [Device]? = nil,
        zone: String = "Europe/Berlin",
        viewers: Viewers.Limits = Viewers.Limits(), loop: (any EventLoop)? = nil, isReady: Bool = true,
        refused: [String] = [], machines: HouseMachines? = nil, machineActs: MachineActs = .none,
        hardwareAddresses: [String: String] = [:], network: NetworkFacts = NetworkFacts(),
        trust: TrustFacts = TrustFacts(),
        suggestionsIn folder: String? = nil,
        courier: Courier = .none, ownAddresses: [String] = [],
        uptime: (@Sendable () -> Double)? = nil,
        justBlocked: @escaping @Sendable (DeviceID, PersonID) -> [JustBlocked.Name] = { _, _ in [] },
        look: @escaping @Sendable () async -> Void = {},
        keptIn directory: String? = nil,
        erase: @escaping @Sendable () throws -> Void = {},
        restore: @escaping @Sendable (KeptBackup) -> Void = { _ in }
    ) throws {
        let neighbours = Neighbours(
            Dictionary(
                uniqueKeysWithValues: hardwareAddresses.map { (IPAddress($0.key)!, MACAddress($0.value)!) }))
        let clock = ManualClock(Self.evening)
        self.clock = clock
        let phone = Device(
            id: DeviceID(rawValue: 1), name: "Phone", kind: .phone, person: PersonID(rawValue: 1),
            addresses: [Self.phone], firstSeen: Self.evening - 86_400, lastSeen: Self.evening - 5)
        store = try Self.store(
            Household(
                timeZone: zone, people: people ?? [Person(id: PersonID(rawValue: 1), name: "Me")],
                devices: devices ?? [phone]), in: directory)
        if isSetUp { try store.setPasscodeHash(Self.passcodeHash) }
        var network = network
        if !hardwareAddresses.isEmpty { network.neighbours = { neighbours } }
        if !ownAddresses.isEmpty { network.own = { Set(ownAddresses) } }
        site = HomeSite(
            store: store, clock: clock.wall, catalog: Self.catalog,
            renderer: Self.renderer,
            configuration: .init(
                ownNames: OwnNames(name: "sleep.home.arpa", hostName: "pi"),
                address: "http://sleep.home.arpa",
                version: "1", viewers: viewers, loop: loop),
            surroundings: .init(
                assets: Self.assets,
                condition: SaidCondition(isReady: isReady, refused: refused, machines: machines),
                network: network, trust: trust,
                suggestions: SuggestedTasksFile(directory: folder, shipped: .lastResort), courier: courier,
                justBlocked: justBlocked, uptime: uptime ?? { clock.wall.now().timeIntervalSince1970 },
                look: look, machineActs: machineActs, erase: erase, restore: restore))
    }

    private static func store(_ household: Household, in directory: String?) throws -> HouseholdStore {
        guard let directory else { return try .inMemory(household) }
        let store = try HouseholdStore(directory: directory, now: evening, log: .silent)
        try store.change { $0 = household }
        return store
    }

    /// Parsed only once for all tests.
    static let assets = AssetLibrary()
    static let renderer = PageRenderer(assets: assets)

    static let catalog = Catalog(
        categories: [
            Category(id: "social", name: "Social"), Category(id: "messengers", name: "Messengers"),
            Category(id: "alarms", name: "Alarms"),
        ],
        apps: [
            App(
                id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"],
                pages: ["tiktok.com"]),
            App(id: "whatsapp", name: "WhatsApp", category: "messengers", suffixes: ["whatsapp.net"]),
        ],
        alwaysReachable: [
            AlwaysReachable(id: "time", name: "Time", reason: "Clocks.", suffixes: ["ntp.org"]),
            AlwaysReachable(
                id: "google", name: "Android's check", reason: "Stays on the Wi-Fi.",
                hosts: ["www.google.com"],
                isOptional: true),
        ])

    /// What a new person allows, of this catalog.
    static let starting = AppSelection(categories: ["alarms"])

    /// Runs a test against the site, without a network.
    func visit(_ test: @escaping @Sendable (Guest) async throws -> Void) async throws {
        let app = Application(responder: Addressed(base: site.responder()), logger: .silent)
        try await app.test(.router) { client in
            try await test(Guest(client: client, house: self))
        }
    }

    /// Runs a test as a program with a token.
    func program(
        named name: String = "test", _ test: @escaping @Sendable (Guest) async throws -> Void
    ) async throws {
        let token = try store.createToken(name: name, at: clock.now)
        try await visit { guest in
            try await test(guest.with(.authorization, "Bearer \(token)"))
        }
    }

    var me: Person { store.household.people[0] }
    var session: SleepSession? { me.session }

    /// Starts a session directly, without a page.
    func start(_ strictness: StrictnessMode = .flexible, minutes: Int = 60) throws {
        try store.change { household in
            try household.startSession(
                household.people[0].id, durationMinutes: minutes, strictness: strictness, id: UUID(),
                at: clock.now)
        }
    }
}

/// The condition that a test chooses.
private struct SaidCondition: ServerCondition {
    let isReady: Bool
    let refused: [String]
    let machines: HouseMachines?
    let relayFault: String? = nil
    let metrics = ""
}

extension Logger {
    static var silent: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

/// Lets a request choose its device and its Host, because these tests have no socket.
private struct Addressed<Base: HTTPResponder<Visit>>: HTTPResponder {
    typealias Context = Visit
    let base: Base

    func respond(to request: Request, context: Visit) async throws -> Response {
        var visit = context
        visit.address = request.headers[.testAddress] ?? TestHouse.phone
        visit.isSecure = request.headers[.testSecure] != nil
        var head = request.head
        if let host = request.headers[.testHost] { head.authority = host.isEmpty ? nil : host }
        return try await base.respond(to: Request(head: head, body: request.body), context: visit)
    }
}

extension HTTPField.Name {
    static let testAddress = HTTPField.Name("X-Test-Address")!
    static let testHost = HTTPField.Name("X-Test-Host")!
    static let testSecure = HTTPField.Name("X-Test-Secure")!
}
