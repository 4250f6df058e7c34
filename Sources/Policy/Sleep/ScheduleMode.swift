/// Where a session came from; stored inside it.
package enum ScheduleMode: Hashable, Codable, Sendable {
    case manual(durationMinutes: Int)
    /// 24-hour components of the night that the schedule opened.
    case recurring(startHour: Int, startMinute: Int, endHour: Int, endMinute: Int)
}
