package import DNS
import Synchronization

/// What `/metrics` tells beside the site's own figures, in Prometheus' text format.
package final class Gauges: Sendable {
    private struct Readings {
        var dns = Metrics()
        var filterSeconds = 0.0
    }

    private let readings = Mutex(Readings())

    package init() {}

    /// Counts since the start, of all event loops together.
    package func note(_ dns: Metrics) { readings.withLock { $0.dns = dns } }

    package func note(filterSeconds: Double) { readings.withLock { $0.filterSeconds = filterSeconds } }

    package var text: String {
        let readings = readings.withLock { $0 }
        let dns = readings.dns
        let counters = [
            ("queries", "Questions that were taken up.", dns.queries),
            ("blocked", "Answers that a rule decided.", dns.blocked),
            ("forwarded", "Questions that went to an upstream.", dns.forwarded),
            ("cache_hits", "Answers from the cache.", dns.cacheHits),
            ("stale", "Answers from the cache past their time, because no upstream answered.", dns.stale),
            ("failures", "Questions that no upstream answered.", dns.failures),
            (
                "refused", "Questions that were refused: not from this network, or of a kind not served.",
                dns.refused
            ),
        ]
        var lines = counters.flatMap { name, help, count in
            Self.metric("sleep_inducer_dns_\(name)_total", help, "counter", "\(count)")
        }
        lines += Self.metric(
            "sleep_inducer_filter_seconds", "How long the last evaluation and compiled filter took.", "gauge",
            "\(readings.filterSeconds)")
        return lines.joined(separator: "\n")
    }

    private static func metric(_ name: String, _ help: String, _ type: String, _ value: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(type)", "\(name) \(value)"]
    }
}
