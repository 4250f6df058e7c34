import Directory
import Foundation
import NIOCore
import NIOHTTP1
import Policy

/// The open streams of shield pages on one event loop: no task per viewer, and one buffer for all viewers of a state.
///
/// Everything here runs on that loop.
final class ShieldStreams {
    final class Stream {
        fileprivate let channel: any Channel
        fileprivate let key: Key
        fileprivate let holder: Holder
        /// A change could not be sent because the reader was slow; it gets the newest state when it can take it.
        fileprivate var isBehind = false

        fileprivate init(channel: any Channel, key: Key, holder: Holder) {
            self.channel = channel
            self.key = key
            self.holder = holder
        }
    }

    fileprivate struct Key: Hashable {
        var address: String
        var name: String
    }

    private struct Group {
        var state: ShieldState
        var streams: [Stream]
    }

    private let loop: any EventLoop
    private let facts: ShieldFacts
    private let places: SharedAllowance<Holder>
    private var groups: [Key: Group] = [:]
    private var revision = 0
    /// One for every instant to which a page counts down.
    private var pulses: [Date: Scheduled<Void>] = [:]
    private var heartbeat: RepeatedTask?

    init(loop: any EventLoop, facts: ShieldFacts, places: SharedAllowance<Holder>) {
        self.loop = loop
        self.facts = facts
        self.places = places
    }

    /// Nil if there are too many streams, in all or for this holder.
    func join(_ channel: any Channel, address: String, holder: Holder, name: String) -> Stream? {
        guard places.take(holder) else { return nil }
        let stream = Stream(channel: channel, key: Key(address: address, name: name), holder: holder)
        let state = ShieldState(name: name, verdict: facts.verdict(address, name))
        if groups[stream.key] == nil { groups[stream.key] = Group(state: state, streams: []) }
        groups[stream.key]!.streams.append(stream)
        update(stream.key, to: state)
        startHeartbeat()
        return stream
    }

    func leave(_ stream: Stream) {
        guard var group = groups[stream.key], let index = group.streams.firstIndex(where: { $0 === stream })
        else {
            return
        }
        places.giveBack(stream.holder)
        group.streams.remove(at: index)
        groups[stream.key] = group.streams.isEmpty ? nil : group
        if groups.isEmpty {
            heartbeat?.cancel()
            heartbeat = nil
            for pulse in pulses.values { pulse.cancel() }
            pulses = [:]
        }
    }

    /// The first event of a stream.
    func greet(_ stream: Stream) {
        guard let group = groups[stream.key] else { return }
        send(ByteBuffer(string: "retry: 3000\n"), to: stream)
        send(stateEvent(group.state), to: stream)
    }

    /// Sends a slow reader what it missed: only the newest state.
    func catchUp(_ stream: Stream) {
        guard stream.isBehind, let group = groups[stream.key] else { return }
        stream.isBehind = false
        send(stateEvent(group.state), to: stream)
    }

    /// Asks again for every name that is being viewed, and sends what changed.
    func changed(revision: Int) {
        self.revision = revision
        for key in groups.keys { askAgain(key) }
    }

    private func askAgain(_ key: Key) {
        update(key, to: ShieldState(name: key.name, verdict: facts.verdict(key.address, key.name)))
    }

    private func update(_ key: Key, to state: ShieldState) {
        guard let group = groups[key] else { return }
        if group.state != state {
            groups[key]!.state = state
            let event = stateEvent(state)
            for stream in group.streams { send(event, to: stream) }
        }
        if let until = state.until, pulses[until] == nil { schedulePulse(until) }
    }

    /// Closes every stream's connection.
    func end() {
        for stream in groups.values.flatMap(\.streams) { stream.channel.close(promise: nil) }
    }

    // MARK: - Time

    /// Fires just after the next whole second before `until`, at most a second ahead, so that a clock step is noticed.
    private func schedulePulse(_ until: Date) {
        let left = until.timeIntervalSince(facts.now())
        let fraction = left - left.rounded(.down)
        let delay = left <= 0 ? 1 : min(1, fraction + 0.002)
        let bound = NIOLoopBound(self, eventLoop: loop)
        pulses[until] = loop.scheduleTask(in: .nanoseconds(Int64(delay * 1e9))) { bound.value.pulse(until) }
    }

    private func pulse(_ until: Date) {
        pulses[until] = nil
        let counting = groups.filter { $0.value.state.until == until }
        guard !counting.isEmpty else { return }
        let now = facts.now()
        let remaining = wholeSeconds(from: now, to: until)
        if remaining > 0 {
            let event = Self.event("tick", ShieldState.tick(now: now, remaining: remaining))
            for group in counting.values {
                for stream in group.streams where stream.channel.isWritable { send(event, to: stream) }
            }
        } else {
            for key in counting.keys { askAgain(key) }
        }
        let isStillCounted = groups.values.contains { $0.state.until == until }
        if isStillCounted && pulses[until] == nil { schedulePulse(until) }
    }

    private func startHeartbeat() {
        guard heartbeat == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        heartbeat = loop.scheduleRepeatedTask(initialDelay: .seconds(2), delay: .seconds(2)) { _ in
            // The comment keeps the connection open. Pages cannot see it, so an event shows that the server is there.
            let comment = ByteBuffer(string: ":\nevent: ping\ndata: {}\n\n")
            for group in bound.value.groups.values {
                for stream in group.streams where stream.channel.isWritable {
                    bound.value.send(comment, to: stream)
                }
            }
        }
    }

    // MARK: - Bytes

    private func stateEvent(_ state: ShieldState) -> ByteBuffer {
        Self.event("state", state.json(now: facts.now()), id: revision)
    }

    private static func event(_ name: String, _ data: [UInt8], id: Int? = nil) -> ByteBuffer {
        var buffer = ByteBuffer()
        if let id { buffer.writeString("id: \(id)\n") }
        buffer.writeString("event: \(name)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
        return buffer
    }

    private func send(_ bytes: ByteBuffer, to stream: Stream) {
        guard stream.channel.isWritable else {
            stream.isBehind = true
            return
        }
        let part = HTTPServerResponsePart.body(.byteBuffer(bytes))
        stream.channel.pipeline.syncOperations.writeAndFlush(NIOAny(part), promise: nil)
    }
}
