import Foundation
import Policy

/// The value of a `Date` header: `Fri, 20 Nov 2026 19:00:00 GMT` (RFC 9110, 5.6.7).
func httpDate(_ instant: Date) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let date = CivilZone.utc.date(of: instant)
    let second = CivilZone.utc.secondOfDay(of: instant)
    let fields = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
    return
        "\(date.weekday.short), \(day) \(months[date.month - 1]) \(date.year) \(fields.joined(separator: ":")) GMT"
}
