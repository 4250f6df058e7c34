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
            let isMeant = state.withLock { state in
                guard state.link == link, state.timer != nil else { return false }
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
    func readOnce() throws { _ = try takeAll() }

    /// Takes the whole state, and returns it.
    private func takeAll() throws -> EtcdReading {
        // Before it is read: meanwhile this node can agree on more.
        let known = store.head ?? .none
        let reading = try client.all(under: place.now)
        guard let found = reading.values[place.head] else { throw ClusterFault.noHousehold }
        takeKeys(reading.values)
        guard let head: HeadValue = vault.value(found.bytes, at: place.head) else {
            throw ClusterFault.foreignKey
        }
        guard try takeRoll(reading.values) else { throw ClusterFault.takenOut }
        guard head.number >= known.number else { throw ClusterFault.olderStore }
        var news = SharedNews(
            head: Head(revision: found.revision, number: head.number), isWhole: true, puts: [:])
        takeTexts(reading.values, into: &news)
        guard news.puts.count + news.unreadable.count >= head.count else { throw ClusterFault.incomplete }
        let stories = try client.all(under: place.stories, from: place.story(known.number + 1))
        takeStories(stories.values, into: &news)
        try store.hear(news)
        takeFiles(reading.values)
        try offerFiles(missingIn: reading)
        return reading
    }

    /// What one revision changed. On `hearing`.
    private func hear(_ news: EtcdNews, link: Int) {
        guard state.withLock({ $0.link == link }) else { return }
        takeKeys(news.puts)
        noteRoll(news)
        takeFiles(news.puts)
        takeUse(news)
        takeMinutes(news)
        guard let found = news.puts[place.head] else { return }
        guard let value: HeadValue = vault.value(found.bytes, at: place.head) else {
            return cutOff(.foreignKey)
        }
        let known = store.head ?? .none
        // It was this node's own, or nothing that comes next.
        guard found.revision > known.revision else { return }
        guard value.number - known.number <= 1 else { return linkAnew() }
        var heard = SharedNews(
            head: Head(revision: found.revision, number: value.number), isWhole: false, puts: [:],
            removals: Set(news.deletions.compactMap(place.textName)))
        takeTexts(news.puts, into: &heard)
        takeStories(news.puts, into: &heard)
        do {
            try store.hear(heard)
            let delay = value.made.map { max(0, now().timeIntervalSince1970 - $0) }
            state.withLock { $0.roll.delay = delay ?? $0.roll.delay }
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
            let story: StoryValue? = vault.value(value.bytes, at: key)
            news.stories[number] = story?.story
        }
    }
}
