import NIOCore

/// The first handler of every connection: closes it when bytes stop moving.
///
/// It counts bytes and knows no protocol. It detects silence in both directions, a request that trickles in without an
/// answer, and an answer that the client does not take. Each connection has one timer, which is moved only when it
/// fires.
final class PatienceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let visit: AcceptedConnection
    private let limits: DoorLimits
    private var timer: Scheduled<Void>?
    private var lastActive = NIODeadline.uptimeNanoseconds(0)
    private var unansweredSince: NIODeadline?
    private var written = 0
    private var takenAtLastLook = 0
    private var stalledSince: NIODeadline?

    init(visit: AcceptedConnection, limits: DoorLimits) {
        self.visit = visit
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        lastActive = now
        schedule(context, at: now + limits.idleTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        lastActive = now
        visit.touch(now)
        if unansweredSince == nil {
            unansweredSince = now
            schedule(context, at: now + limits.requestTime)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let now = context.eventLoop.now
        written += unwrapOutboundIn(data).readableBytes
        unansweredSince = nil
        lastActive = now
        visit.touch(now)
        if stalledSince == nil {
            stalledSince = now
            schedule(context, at: now + limits.stallTime)
        }
        context.write(data, promise: promise)
    }

    /// Moves the timer only forward: a timer that fires in vain costs less than cancelling one each time.
    private func schedule(_ context: ChannelHandlerContext, at deadline: NIODeadline) {
        if let due, due <= deadline { return }
        timer?.cancel()
        due = deadline
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            handler.due = nil
            handler.look(context)
        }
    }

    private var due: NIODeadline?

    private func look(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        noteProgress(context, now)
        var deadlines = [lastActive + limits.idleTime]
        if let unansweredSince { deadlines.append(unansweredSince + limits.requestTime) }
        if let stalledSince { deadlines.append(stalledSince + limits.stallTime) }
        let next = deadlines.min()!
        if next <= now {
            context.close(promise: nil)
        } else {
            schedule(context, at: next)
        }
    }

    /// The client has taken what was written, minus what still waits in the channel.
    private func noteProgress(_ context: ChannelHandlerContext, _ now: NIODeadline) {
        let options = context.channel.syncOptions
        let waiting = (try? options?.getOption(.bufferedWritableBytes)) ?? 0
        let taken = written - waiting
        if waiting == 0 {
            stalledSince = nil
        } else if taken > takenAtLastLook {
            stalledSince = now
        }
        takenAtLastLook = taken
    }
}
