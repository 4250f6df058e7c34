package import Foundation
package import Logging
import Policy
package import Store
import Synchronization

/// This node's part in a household on several machines: it proposes this node's changes to etcd, hears those of the
/// others, and says that this node is there. Nothing that is answered here waits for it.
package final class Replica: Agreement {
    struct State {
        /// Whether the others' changes are heard, all of them up to now.
        var isLinked = false
        /// Why not; nil: it was not tried yet.
        var fault: ClusterFault?
        var watch: EtcdWatch?
        /// The link's number; what an earlier one still says does not count.
        var link = 0
        /// The endpoint that the watch hears.
        var endpoint = ""
        /// The revision of etcd's head at the last look.
        var newest: Int64 = 0
        /// How often in a row that was not heard until the next look.
        var lag = 0
        var roll = Roll()
        /// What went wrong with the last look; nil: nothing.
        var complaint: String?
        /// Called with what other nodes tell of use.
        var heardUse: (@Sendable (Data) -> Void)?
        var minutes = Minutes()
        /// Ends the looks of each second; nil: it is not started, or stopped.
        var timer: (@Sendable () -> Void)?
        /// Files that were made here, and that etcd does not have yet.
        var untoldFiles: Set<String> = []
        /// When somebody without the household's key was seen to change records in etcd; nil: never.
        var strangers: HouseMachines.Strangers?
        /// Whether etcd may hold texts on which the nodes did not agree.
        var isToMend = false
        /// Since when the others are heard, or not.
        var since: Date?
        /// Looks until the others are asked again whether one of them leads; nil: they were not asked yet.
        var untilAsked: Int?
        /// Whether they are being asked.
        var isAsking = false
        /// Why etcd took no change; nil: it took the last one.
        var refusal: EtcdFault?
        /// Looks until room is made again in an etcd that is full.
        var untilRoom = 0
        /// Where etcd runs; nil: nobody was asked yet.
        var places: EtcdPlaces?
        /// Sealed for new machines, by their ids, for as long as etcd has them.
        var invitations: [String: Data] = [:]
    }

    let store: HouseholdStore
    /// Another one, where another machine leads.
    let connection: Mutex<EtcdClient>
    var client: EtcdClient { connection.withLock { $0 } }
    let patience: EtcdClient.Patience
    let place: EtcdKeys
    let vault: Vault
    package let node: Int
    let directory: String
    let version: String
    let file: Mutex<ClusterFile>
    package let now: @Sendable () -> Date
    let clock: NodeClock
    /// Where this machine's pages are now; nil: nowhere that another one reaches.
    let address: @Sendable () -> String?
    let log: Logger
    let state = Mutex(State())
    let filesChanged: @Sendable () -> Void
    /// Where the others are heard, in order.
    let hearing = DispatchQueue(label: "cluster.hearing")
    /// Where it asks the others who leads.
    let asking = DispatchQueue(label: "cluster.asking")
    /// Where this node asks whether all is well.
    let pulse = DispatchQueue(label: "cluster.pulse")

    /// - Parameters:
    ///   - directory: the household's data.
    ///   - version: this build's.
    ///   - now: what this node believes the time to be.
    ///   - clock: what its machine's clock shows, for the others; nil: the same.
    ///   - address: where this machine's pages are now.
    ///   - filesChanged: called when another node brought a file, for example the household's authority.
    package init(
        _ file: ClusterFile, directory: String, store: HouseholdStore, version: String, log: Logger,
        patience: EtcdClient.Patience = .short, now: @escaping @Sendable () -> Date,
        clock: NodeClock? = nil, address: @escaping @Sendable () -> String? = { nil },
        filesChanged: @escaping @Sendable () -> Void = {}
    ) throws(ClusterFault) {
        do { connection = Mutex(try EtcdClient(file.etcd, patience: patience)) } catch { throw .etcd(error) }
        self.file = Mutex(file)
        self.patience = patience
        self.directory = directory
        self.store = store
        self.version = version
        self.log = log
        self.now = now
        self.clock = clock ?? NodeClock(instant: now)
        self.address = address
        self.filesChanged = filesChanged
        node = file.node
        place = EtcdKeys(of: file.household)
        vault = Vault(file.keys)
        state.withLock { $0.roll = Roll(of: file) }
    }

    /// Goes on with what is known, and looks for the others in the background.
    package func start() throws {
        try store.share(by: self, as: node)
        store.noteCutOff("it has not reached them yet")
        let timer = DispatchSource.makeTimerSource(queue: pulse)
        timer.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(50))
        timer.setEventHandler { [weak self] in self?.look() }
        let held = Timer(source: timer)
        state.withLock { $0.timer = { held.source.cancel() } }
        timer.resume()
    }

    /// The others see at once that this node is gone.
    package func stop() {
        let (timer, watch) = state.withLock { state in
            defer { (state.timer, state.watch, state.isLinked) = (nil, nil, false) }
            state.link += 1
            return (state.timer, state.watch)
        }
        timer?()
        watch?.cancel()
        pulse.sync { signOff() }
        hearing.sync {}
        client.close()
    }

    /// For a replica that was never started.
    func close() { client.close() }

    package func propose(_ proposal: Proposal) throws -> Head {
        try state.withLock { state in
            guard !state.isLinked else { return }
            if let fault = state.fault { throw StoreError.cutOff(reason: fault.inAPage) }
            if state.timer == nil { throw StoreError.cutOff(reason: "its server stops") }
            // It is being linked, for the first time or anew.
            throw NotInTouchYet(reason: "it reads first what they changed")
        }
        let proof = isProven(after: proposal.head) ? proposal.proof : nil
        let transaction = try transaction(for: proposal, proof)
        let (number, story) = (proposal.head.number + 1, place.story(proposal.head.number + 1))
        do {
            if let revision = try commit(transaction) {
                return Head(revision: revision, number: number, chain: proof?.chain)
            }
            // Where an answer was lost, the same transaction finds its own trace.
            let found = try client.value(of: story).values[story]
            if let value: StoryValue = vault.value(found?.bytes, at: story), value.id == proposal.id {
                return Head(revision: found?.revision ?? 0, number: number, chain: proof?.chain)
            }
        } catch {
            if error == .tooMuch {
                throw StoreError.refused(reason: "it changes more at once than etcd takes")
            }
            if error.isWorthAnotherEndpoint { cutOff(.etcd(error)) }
            throw StoreError.cutOff(reason: "\(error)")
        }
        throw HeadMoved()
    }

    private func transaction(for proposal: Proposal, _ proof: Proof?) throws -> EtcdTransaction {
        let number = proposal.head.number + 1
        let story = place.story(number)
        var transaction = EtcdTransaction(comparing: [place.head: proposal.head.revision])
        for (name, text) in proposal.puts {
            transaction.puts[place.text(name)] = vault.seal(text, at: place.text(name))
        }
        transaction.deletions = Set(proposal.removals.map(place.text))
        transaction.puts[place.head] = try vault.seal(
            HeadValue(
                number: number, node: node, count: proposal.count, made: now().timeIntervalSince1970,
                proof: proof),
            of: place)
        transaction.puts[story] = try vault.seal(
            StoryValue(id: proposal.id, node: node, story: proposal.story, texts: proof?.texts), at: story)
        return transaction
    }

    /// Carries out a transaction, and notes whether etcd takes changes.
    func commit(_ transaction: EtcdTransaction) throws(EtcdFault) -> Int64? {
        do throws(EtcdFault) {
            let revision = try client.commit(transaction)
            state.withLock { $0.refusal = nil }
            return revision
        } catch {
            note(error)
            throw error
        }
    }

    func note(_ fault: EtcdFault) {
        if fault == .full || fault == .ownIsFull { state.withLock { $0.refusal = fault } }
    }

    /// Until the next look.
    func cutOff(_ fault: ClusterFault) {
        let instant = now()
        let (watch, isNews) = state.withLock { state in
            defer { (state.watch, state.isLinked, state.fault) = (nil, false, fault) }
            state.link += 1
            if state.isLinked || state.since == nil { state.since = instant }
            return (state.watch, state.isLinked || state.fault != fault)
        }
        watch?.cancel()
        store.noteCutOff(fault.inAPage)
        if isNews { log.warning("Cut off from the other machines", metadata: ["reason": "\(fault)"]) }
    }
}

/// A source may be cancelled from any thread.
private struct Timer: @unchecked Sendable { let source: any DispatchSourceTimer }
