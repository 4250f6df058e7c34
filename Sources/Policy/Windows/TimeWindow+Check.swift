extension TimeWindow {
    /// A window as it can be stored: times in order on one day (AR-094), weekdays, a clean label that may be empty
    ///
    package func checked() throws(Refusal) -> TimeWindow {
        guard start != end else { throw .windowSameTimes }
        guard start < end else { throw .windowCrossesMidnight(start, end) }
        guard !days.isEmpty else { throw .noWeekdays }
        var checked = self
        checked.label = try CleanName.checkedLabel(label)
        return checked
    }

    /// A whole schedule as it can be stored, in order of start: at most `maximumCount` windows, no two of which are open
    /// at the same time (AR-093) or have one id.
    static func checked(_ windows: [TimeWindow]) throws(Refusal) -> [TimeWindow] {
        guard windows.count <= maximumCount else { throw .tooManyWindows }
        var checked: [TimeWindow] = []
        for window in windows {
            let window = try window.checked()
            if let other = checked.first(where: { $0.id == window.id || $0.overlaps(window) }) {
                throw .windowsOverlap(other)
            }
            checked.append(window)
        }
        return inOrder(checked)
    }
}
