import Foundation
import Hummingbird
import Policy
import Store

extension FocusRoutes {
    /// "Shield distractions while focusing".
    func saveFocusShield(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            var reading = FormReading(fields)
            let isOn = reading.isOn("isOn", alsoAs: ["true"], offAs: ["false", "off"])
            try reading.finish()
            try desk.command { household, log, now in
                try household.setShieldsWhileFocusing(asker.person.id, to: isOn)
                log.note(.ruleChanged, asker.person.id, at: now, "Focus: shield \(isOn ? "on" : "off")")
            }
        } catch let rejected as FormRejected {
            return try refusedFocus(asker, fields, rejected)
        }
        return desk.back(to: "/focus", for: asker, done: .saved)
    }

    /// "Save Shortcut Names".
    func saveShortcutNames(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            var reading = FormReading(fields)
            let dnd = reading.optional("dnd") ?? ""
            let grayscale = reading.optional("grayscale") ?? ""
            Self.check(dnd, "dnd", &reading)
            Self.check(grayscale, "grayscale", &reading)
            try reading.finish()
            try desk.command { household, _, _ in
                try household.saveShortcutNames(
                    asker.person.id,
                    FocusShortcuts(dndShortcutName: dnd, grayscaleShortcutName: grayscale))
            }
        } catch let rejected as FormRejected {
            return try refusedFocus(asker, fields, rejected)
        }
        return desk.back(to: "/focus", for: asker, done: .saved)
    }

    /// Refuses a bad name beside its field.
    private static func check(_ name: String, _ field: String, _ reading: inout FormReading) {
        do { _ = try FocusShortcuts(dndShortcutName: name).checked() } catch {
            reading.refuse(field, error)
        }
    }
}
