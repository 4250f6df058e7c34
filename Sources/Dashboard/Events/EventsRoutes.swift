import Directory
import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// `/events` and `/state`: the state, live and once.
struct EventsRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts

    /// Server-sent events: `state` at once and at every change, `tick` at each whole second of a countdown.
    func events(_ request: Request, _ visit: Visit) throws -> Response {
        let audience = try audience(request, visit)
        let (holder, channel) = (network.holder(of: visit), visit.channel)
        guard let place = desk.feed.viewers.enter(audience, from: holder) else {
            throw PageError(.serviceUnavailable, "Too many pages are open.", headers: [.retryAfter: "30"])
        }
        let headers: HTTPFields = [
            .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
            .init("X-Accel-Buffering")!: "no",
        ]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { _ in
                // Reads the store, which can be newer than the latest snapshot, so that the state is never older than
                // the page.
                await desk.feed.viewers.serve(channel, isEncrypted: visit.isEncrypted, place) {
                    let now = desk.clock.now()
                    defer { desk.feed.wake() }
                    return StateText(desk, at: now).frame(of: audience)
                }
                // The channel is closed, so nothing more may be written to it.
                throw CancellationError()
            })
    }

    /// `state` once, for a page that lost its stream and must know whether the server is there.
    func stateOnce(_ request: Request, _ visit: Visit) throws -> Response {
        guard let state = StateText(desk, at: desk.clock.now()).state(of: try audience(request, visit)) else {
            throw PageError(.notFound)
        }
        return .json(state)
    }

    private func audience(_ request: Request, _ visit: Visit) throws -> Audience {
        let asker = try desk.asker(request, visit)
        return Audience(
            person: asker.person.id, isSignedIn: visit.credential != nil, seesUsage: asker.seesUsage)
    }
}

extension StateText {
    /// The state as of now, newer than the last snapshot.
    init(_ desk: Desk, at now: Date) {
        self.init(desk.present(at: now), at: now, lastFocus: desk.store.latestFocusSession)
    }
}
