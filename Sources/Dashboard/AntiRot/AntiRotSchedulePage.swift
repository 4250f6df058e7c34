package import Foundation
package import Pages
package import Policy

/// The allowed windows: POST `/anti-rot/windows` with `label`, `start`, `end`, `days`;
/// POST `/anti-rot/windows/{id}` with the same, for another label, other times or days (GET `edit` opens the form);
/// POST `/anti-rot/windows/{id}/delete`; POST `/anti-rot/windows/clear`; POST `/anti-rot/changes/{id}/drop`.
/// For another set than the first below `/anti-rot/sets/{set}`.
package struct AntiRotSchedulePage: Page {
    package static let template = "anti-rot-schedule"

    /// The form's values: a suggestion, or refused input.
    package struct Values: Sendable {
        package var label: String
        package var start: String
        package var end: String
        package var days: Set<String>

        package init(label: String, start: String, end: String, days: Set<String>) {
            self.label = label
            self.start = start
            self.end = end
            self.days = days
        }

        package init(_ window: TimeWindow) {
            self.init(
                label: window.label, start: window.start.description, end: window.end.description,
                days: Set(window.days.map(\.rawValue)))
        }

        /// The next free hour, every day; without times if no hour is free.
        init(beside windows: [TimeWindow], after now: TimeOfDay) {
            let free = TimeWindow.proposal(beside: windows, after: now)
            self.init(
                label: "", start: free?.start.description ?? "", end: free?.end.description ?? "",
                days: Set(Weekday.allCases.map(\.rawValue)))
        }
    }

    struct Row {
        let id: String
        let name: String
        /// Nil if the name has the times already.
        let times: String?
        let days: String
    }

    /// Hidden fields of a button that sends a window.
    struct Ready {
        let name: String
        /// Where it is sent.
        let path: String
        /// `Lunch was deleted.`
        let text: String
        let label: String
        let start: String
        let end: String
        let days: [String]

        init(_ values: Values, name: String, to path: String = "", text: String = "") {
            self.name = name
            self.path = path
            self.text = text
            label = values.label
            start = values.start
            end = values.end
            days = Weekday.allCases.map(\.rawValue).filter(values.days.contains)
        }
    }

    package let title = "Allowed Windows"
    let tab = AntiRotTab.schedule
    let place: SetPlace
    let rows: [Row]
    let bars: [DayBar]
    package let hasWindows: Bool
    /// Never configured: nothing is blocked.
    package let isNew: Bool
    /// Saved without windows: blocked all day.
    package let isEmpty: Bool
    package let label: String
    package let start: String
    package let startType: String
    package let end: String
    package let endType: String
    package let days: [Choice]
    package let isOpen: Bool
    /// `Add Window`, `Change Window`: above the form.
    let formTitle: String
    /// `Add Window`, `Save`: on its button.
    let formButton: String
    /// Where the form is sent.
    let formPath: String
    /// Whether the form changes a window.
    package let isEditing: Bool
    let undo: Ready?
    let waiting: [WaitingChange]
    /// By field name.
    package let errors: [String: String]
    /// The person's exceptions by date; nil without any.
    let dates: DateList?

    /// `values` are refused input, which opens the form. `editing` is the window that the form changes. `removed` was
    /// just deleted, and `changed` is what a window was before its last change; both can be restored.
    package init(
        person: Person, set: WindowSet? = nil, values: Values? = nil, errors: [String: String] = [:],
        editing: TimeWindow? = nil, removed: TimeWindow? = nil, changed: TimeWindow? = nil,
        dates: DateList? = nil, now: Date, zone: TimeZone
    ) {
        self.dates = dates
        let set = set ?? person.antiRot.first
        let base = SetPlace(set).base
        place = SetPlace(set)
        let windows = set.windows ?? []
        isOpen = values != nil || editing != nil
        isEditing = editing != nil
        formTitle = isEditing ? "Change Window" : "Add Window"
        formButton = isEditing ? "Save" : "Add Window"
        formPath = "\(base)/windows" + (editing.map { "/\($0.id.uuidString)" } ?? "")
        let values =
            values ?? editing.map(Values.init)
            ?? Values(
                beside: person.plannedWindows(of: set.id) ?? [],
                after: (CivilZone(zone.identifier) ?? .utc).time(of: now))
        rows = windows.map {
            Row(
                id: $0.id.uuidString, name: $0.name, times: $0.label.isEmpty ? nil : $0.timesText,
                days: $0.days.words)
        }
        bars = set.windows == nil ? [] : DayBar.week(of: set)
        hasWindows = !windows.isEmpty
        isNew = set.windows == nil
        isEmpty = set.windows?.isEmpty ?? false
        label = values.label
        start = values.start
        startType = SchedulePage.fieldType(values.start)
        end = values.end
        endType = SchedulePage.fieldType(values.end)
        days = Choice.weekdays(values.days)
        undo =
            removed.map {
                Ready(Values($0), name: $0.words, to: "\(base)/windows", text: "was deleted.")
            }
            ?? changed.map {
                Ready(
                    Values($0), name: $0.words, to: "\(base)/windows/\($0.id.uuidString)",
                    text: "was changed.")
            }
        waiting = WaitingChange.all(
            of: person, set: set, clock: ClockFace(zone: zone), now: now, windows: true)
        self.errors = errors
    }
}
