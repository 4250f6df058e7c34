import NIOCore

/// What the shield's connections of one event loop share; everything here runs on that loop.
final class ShieldDesk {
    let facts: ShieldFacts
    let limits: DoorLimits
    let streams: ShieldStreams
    private let loop: any EventLoop
    private var allowance: PageAllowance

    init(loop: any EventLoop, facts: ShieldFacts, limits: DoorLimits, quota: StreamQuota) {
        self.loop = loop
        self.facts = facts
        self.limits = limits
        streams = ShieldStreams(loop: loop, facts: facts, quota: quota)
        allowance = PageAllowance(perSecond: limits.pagesPerSecond)
    }

    /// The page for an address; nil where it has had its share of this second.
    func page(_ context: ShieldContext) -> [UInt8]? {
        allowance.take(context.address, at: loop.now) ? facts.page(context) : nil
    }
}
