package import Foundation

extension Household {
    /// How far ahead a household is tried, in seconds. Everything that begins by itself lasts longer, so it cannot begin
    /// and end unseen.
    package static let foresight: TimeInterval = 30

    /// Whether nothing changes by itself until `later`: the household, everybody's verdict and the jobs would be the same.
    /// No list of due instants can forget one, because the rules themselves are asked.
    ///
    /// - Parameters:
    ///   - later: at most `foresight` away.
    ///   - usage: the use up to `later`.
    ///   - verdicts: as they are now.
    ///   - jobs: as they are now.
    package func isQuiet(
        until later: Date, usage: UsageTotals, verdicts: [PersonID: Verdict], jobs: [MonitoredJob]
    ) -> Bool {
        var settled = self
        _ = settled.settle(at: later, usage: usage, newID: UUID.init)
        return settled == self && evaluate(at: later, usage: usage) == verdicts
            && self.jobs(at: later) == jobs
    }
}
