extension TimeWindow {
    /// Checks a window before it is stored: times in order on one day, weekdays, and a clean or empty label
    ///.
    package func checked() throws(Refusal) -> TimeWindow {
        guard start != end else { throw .windowSameTimes }
        guard start < end else { throw .windowCrossesMidnight(start, end) }
        guard !days.isEmpty else { throw .noWeekdays }
        var checked = self
        checked.label = try CleanName.checkedLabel(label)
        return checked
    }

    /// Checks a whole schedule and sorts it by start: at most `maximumCount` windows, none open at the same time
    /// and none with the same id.
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
