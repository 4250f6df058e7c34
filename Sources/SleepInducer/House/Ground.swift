import Assets
import Enforcement
import LocalNetwork
import Logging
import NIOCore
import NIOPosix
import Pages
import Policy
import Sockets
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
    let store: HouseholdStore
    let borrowedTime: BorrowedTime
    let steadyClock: SteadyClock
    let assets: AssetLibrary
    let catalog: Catalog
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
        neighbours = NeighbourWatch(machine.neighbours)
        let assets = AssetLibrary(directory: options.assets)
        self.assets = assets
        // Loaded at the same time, because they do not need each other and a start waits for both.
        async let catalog = ShippedCatalog.load(from: assets)
        let store = try HouseholdStore(
            directory: options.place.directory, now: MachineClock.instant(),
            timeZone: options.timeZone ?? MachineClock.zoneName, log: logger)
        self.store = store
        let borrowed = BorrowedTime(isSynchronised: machine.isClockSynchronised)
        borrowedTime = borrowed
        steadyClock = SteadyClock(
            start: machine.boot.flatMap(store.start), notBefore: store.lastInstant,
            reading: { borrowed.reading }, isSynchronised: { borrowed.isSynchronised },
            isHeld: { store.household.people.contains { $0.session?.strictness == .strict } })
        self.catalog = try await catalog
        renderer = PageRenderer(assets: assets)
        suggestions = SuggestedTasksFile(
            directory: options.place.directory, shipped: ShippedSuggestions.load(from: assets), log: logger)
    }
}
