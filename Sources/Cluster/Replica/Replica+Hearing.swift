import Foundation
import Logging
import Store
import Synchronization

extension Replica {
    /// Reads all that holds now, and hears from then on. On `hearing`.
    func link() {
        guard state.withLock({ !$0.isLinked && $0.timer != nil }) else { return }
        do {
            let reading = try takeAll()
            let link = state.withLock { state in
                state.link += 1
                state.endpoint = client.endpoint
                return state.link
            }
            let watch = try client.watch(
                place.all, from: reading.revision + 1, on: hearing,
                heard: { [weak self] in self?.hear($0, link: link) },
                ended: { [weak self] in self?.end($0, link: link) })
            let places = try client.places()
            let instant = now()
            let isMeant = state.withLock { state in
                guard state.link == link, state.timer != nil else { return false }
                (state.places, state.since) = (places, instant)
                (state.watch, state.isLinked, state.fault, state.lag) = (watch, true, nil, 0)
                state.newest = 0
                state.minutes.newest = nil
                return true
            }
            guard isMeant else { return watch.cancel() }
            store.noteCutOff(nil)
            log.notice("In touch with the other machines", metadata: ["change": "\(store.head?.number ?? 0)"])
        } catch let fault as EtcdFault {
            cutOff(.etcd(fault))
        } catch let fault as ClusterFault {
            cutOff(fault)
        } catch {
            log.error("What the other machines say cannot be kept", metadata: ["error": "\(error)"])
            cutOff(.other("\(error)"))
        }
    }

    /// Takes the whole state once, without hearing what comes.
    ///
    /// - Parameter base: the least that it must be; nil: nothing is known of it.
    func readOnce(since base: Head?) throws { _ = try takeAll(since: base) }

    /// Takes the whole state, and returns it.
    private func takeAll(since base: Head? = nil) throws -> EtcdReading {
        // Before it is read: meanwhile this node can agree on more.
        let known = store.head ?? .none
        let reading = try client.all(under: place.now)
        guard let found = reading.values[place.head] else { throw ClusterFault.noHousehold }
        takeKeys(reading.values)
        guard let head = vault.head(found.bytes, of: place) else { throw ClusterFault.foreignKey }
        guard try takeRoll(reading.values) else { throw ClusterFault.takenOut }
        guard head.number >= known.number else { throw ClusterFault.olderStore }
        var news = news(of: head, at: found.revision, isWhole: true)
        news.base = base
        takeTexts(reading.values, into: &news)
        guard head.proof != nil || news.puts.count + news.unreadable.count >= head.count else {
            throw ClusterFault.incomplete
        }
        let stories = try client.all(under: place.stories, from: place.story(known.number + 1))
        takeStories(stories.values, into: &news)
        do { try store.hear(news) } catch is ForeignNews { throw ClusterFault.foreignRecords }
        noteStrangers(in: reading)
        takeFiles(reading.values)
        state.withLock { $0.invitations = [:] }
        takeInvitations(reading.values)
        try offerFiles(missingIn: reading)
        return reading
    }

    private func news(of head: HeadValue, at revision: Int64, isWhole: Bool) -> SharedNews {
        SharedNews(
            head: Head(revision: revision, number: head.number, chain: head.proof?.chain), isWhole: isWhole,
            puts: [:], proof: head.proof)
    }

    /// What one revision changed. On `hearing`.
    private func hear(_ news: EtcdNews, link: Int) {
        guard state.withLock({ $0.link == link }) else { return }
        takeKeys(news.puts)
        noteRoll(news)
        takeFiles(news.puts)
        takeInvitations(news.puts, without: news.deletions)
        takeUse(news)
        takeMinutes(news)
        if news.deletions.contains(place.head) { return cutOff(.noHousehold) }
        guard let found = news.puts[place.head] else { return noteStrangers(in: news) }
        guard let value = vault.head(found.bytes, of: place) else { return cutOff(.foreignKey) }
        let known = store.head ?? .none
        // It was this node's own.
        guard found.revision > known.revision else { return }
        // Changes are heard one by one: what lies between is read anew.
        guard value.number - known.number <= 1 else { return linkAnew() }
        guard value.number >= known.number else { return cutOff(.olderStore) }
        if value.number == known.number { noteStrangers(in: news) }
        hear(news, value, at: found.revision)
    }

    private func hear(_ news: EtcdNews, _ value: HeadValue, at revision: Int64) {
        var heard = self.news(of: value, at: revision, isWhole: false)
        heard.removals = Set(news.deletions.compactMap(place.textName))
        takeTexts(news.puts, into: &heard)
        takeStories(news.puts, into: &heard)
        do {
            try store.hear(heard)
            let delay = value.made.map { max(0, now().timeIntervalSince1970 - $0) }
            state.withLock { $0.roll.delay = delay ?? $0.roll.delay }
        } catch is ForeignNews {
            // Perhaps this node's own copy is damaged; otherwise the whole state does not fit either.
            linkAnew()
        } catch {
            log.error("A change of another machine cannot be kept", metadata: ["error": "\(error)"])
            cutOff(.other("\(error)"))
        }
    }

    private func end(_ fault: EtcdFault, link: Int) {
        guard state.withLock({ $0.link == link }) else { return }
        if fault != .compacted { client.turn() }
        linkAnew()
    }

    /// On `hearing`.
    func linkAnew() {
        let watch = state.withLock { state in
            defer { (state.watch, state.isLinked) = (nil, false) }
            state.link += 1
            return state.watch
        }
        watch?.cancel()
        link()
    }

    private func takeTexts(_ values: [String: EtcdReading.Value], into news: inout SharedNews) {
        for (key, value) in values {
            guard let name = place.textName(of: key) else { continue }
            if let text = vault.text(value.bytes, at: key) {
                news.puts[name] = text
            } else {
                news.unreadable.insert(name)
                log.error(
                    "A record in etcd is none of this household's, and counts for nothing",
                    metadata: ["name": "\(name)"])
            }
        }
    }

    private func takeStories(_ values: [String: EtcdReading.Value], into news: inout SharedNews) {
        for (key, value) in values {
            guard let digits = place.rest(of: key, after: place.stories), let number = Int64(digits),
                number <= news.head.number
            else { continue }
            let story: StoryValue? = vault.value(value.bytes, at: key, isProven: true)
            news.stories[number] = story?.story
            news.steps[number] = story?.texts
        }
    }
}
