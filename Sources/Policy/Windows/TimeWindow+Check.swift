extension TimeWindow {
    /// Checks a window before it is stored: different times, weekdays, and a clean or empty label.
    package func checked() throws(Refusal) -> TimeWindow {
        guard start != end else { throw .windowSameTimes }
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
        for window in windows { checked = try Self.checked(checked, adding: window) }
        return checked
    }

    /// Windows that are checked, with one more.
    static func checked(_ windows: [TimeWindow], adding window: TimeWindow) throws(Refusal) -> [TimeWindow] {
        let window = try window.checked()
        if let other = windows.first(where: { $0.id == window.id || $0.overlaps(window) }) {
            throw .windowsOverlap(other)
        }
        guard windows.count < maximumCount else { throw .tooManyWindows }
        return inOrder(windows + [window])
    }
}
