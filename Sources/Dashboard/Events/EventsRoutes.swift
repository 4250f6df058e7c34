import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store
import Synchronization

extension HomeSite {
    /// Server-sent events: `state` at once and at every change, `tick` once a second while anything counts.
    func events(_ request: Request, _ visit: Visit) throws -> Response {
        let audience = try audience(request, visit)
        let (holder, channel) = (surroundings.holder(visit.peer), visit.channel)
        guard feed.viewers.enter(audience, from: holder) else {
            throw PageError(.serviceUnavailable, "Too many pages are open.", headers: [.retryAfter: "30"])
        }
        // Gives the place back also when the body is never asked for (HEAD, a client that has already gone).
        let place = Place(feed.viewers, audience, holder)
        let headers: HTTPFields = [
            .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
            .init("X-Accel-Buffering")!: "no",
        ]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { _ in
                // As stored, which can be newer than the latest snapshot: never older than the page around it.
                await feed.viewers.serve(channel, audience) {
                    let now = clock.now()
                    defer { feed.wake() }
                    return stateText(at: now).frame(of: audience)
                }
                place.leave()
                // The connection is closed; nothing more can be written to it.
                throw CancellationError()
            })
    }

    /// The same `state` once, for a page whose stream is cut off and that has to know whether the server is there.
    func stateOnce(_ request: Request, _ visit: Visit) throws -> Response {
        guard let state = stateText(at: clock.now()).state(of: try audience(request, visit)) else {
            throw PageError(.notFound)
        }
        return Self.json(state)
    }

    private func audience(_ request: Request, _ visit: Visit) throws -> Audience {
        let asker = try asker(request, visit)
        return Audience(
            person: asker.person.id, isSignedIn: visit.credential != nil, seesUsage: asker.seesUsage)
    }
}

extension HomeSite {
    /// What holds as of now, for whoever asks before the next snapshot.
    func stateText(at now: Date) -> StateText {
        StateText(present(at: now), at: now, lastFocus: store.latestFocusSession)
    }
}

/// One of the places that `Viewers` counts, given back once.
private final class Place: Sendable {
    private let viewers: Viewers
    private let audience: Audience
    private let holder: Holder
    private let isTaken = Mutex(true)

    init(_ viewers: Viewers, _ audience: Audience, _ holder: Holder) {
        self.viewers = viewers
        self.audience = audience
        self.holder = holder
    }

    deinit { leave() }

    func leave() {
        let wasTaken = isTaken.withLock { taken in
            defer { taken = false }
            return taken
        }
        if wasTaken { viewers.leave(audience, from: holder) }
    }
}
