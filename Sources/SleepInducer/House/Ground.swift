import Assets
import Enforcement
import LocalNetwork
import Logging
import NIOCore
import NIOPosix
import Pages
import Policy
import Store

/// What every room needs: the command line, the machine, the store with its clock, and the compiled-in data.
struct Ground: Sendable {
    let options: ServeCommand
    let machine: Machine
    let ports: Ports
    let shares: FileShares
    /// Where it listens first.
    let firstListening: Listening
    let neighbours: NeighbourWatch
    let network: KnownNetwork
    let store: HouseholdStore
    let borrowedTime: BorrowedTime
    let steadyClock: SteadyClock
    let assets: AssetLibrary
    let catalog: Catalog
    /// The meaning of the tags by which DNS counts the catalog's names.
    let tags: TagBook
    let renderer: PageRenderer
    let suggestions: SuggestedTasksFile
    let condition = Condition()
    let logger: Logger
    let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

    var clock: WallClock { steadyClock.wall }
    /// The directory of the household's data.
    var directory: String { options.place.directory }
    /// The addresses at which this machine can be asked now.
    var listening: Listening { Listening(machine.addresses(), options) }

    /// The address that people are told; nil without a network: then only loopback is left, which no other device
    /// reaches.
    var reachable: String? {
        let shown = listening.shown
        let isLoopback = shown.hasPrefix("127.") || shown == "::1"
        return isLoopback && options.address == nil ? nil : shown
    }

    /// Opens the store; nothing listens yet.
    init(_ options: ServeCommand, machine: Machine, logger: Logger) async throws {
        self.options = options
        self.machine = machine
        self.logger = logger
        // A container is no place for a trial: nothing forwards its other ports, and it reports what it lacks.
        ports = Ports(options, mayOpenLowPorts: machine.mayOpenLowPorts || Container.isAround)
        let listening = Listening(machine.addresses(), options)
        firstListening = listening
        shares = FileShares(
            limit: machine.openFiles, loops: group.makeIterator().reduce(0) { count, _ in count + 1 },
            addresses: listening.addresses.count, viewers: options.viewers)
        try shares.check()
        condition.relayFault = RelayDoors.fault(ports, listening)
        network = KnownNetwork(options, machine)
        neighbours = NeighbourWatch(machine.neighbours, execute: HouseThread.shared.execute)
        let assets = AssetLibrary(directory: options.assets)
        self.assets = assets
        let tags = TagBook()
        self.tags = tags
        // Loaded at the same time, because they do not need each other and a start waits for all.
        async let catalog = Self.catalog(from: assets, tags)
        async let shippedSuggestions = ShippedSuggestions.load(from: assets)
        let store = try HouseholdStore(
            directory: options.place.directory, now: MachineClock.instant(),
            timeZone: options.timeZone ?? MachineClock.zoneName, log: logger)
        self.store = store
        let borrowed = BorrowedTime(isSynchronised: machine.isClockSynchronised)
        borrowedTime = borrowed
        steadyClock = SteadyClock(
            start: machine.boot.flatMap(store.start), notBefore: store.latestInstant,
            reading: { borrowed.reading }, isSynchronised: { borrowed.isSynchronised },
            isHeld: { store.household.holdsTime })
        self.catalog = try await catalog
        renderer = PageRenderer(assets: assets)
        suggestions = SuggestedTasksFile(
            directory: options.place.directory, shipped: await shippedSuggestions, log: logger)
    }

    private static func catalog(from assets: AssetLibrary, _ tags: TagBook) throws -> Catalog {
        let catalog = try ShippedCatalog.load(from: assets)
        tags.prepare(catalog)
        return catalog
    }
}
