import Foundation
import Pages
package import Policy

/// The second step before a schedule without windows is saved: POST to `action` with `confirm=empty`.
package struct AntiRotEmptyPage: Page {
    package static let template = "anti-rot-empty"

    package let title = "Your apps will be blocked all day"
    package let action: String
    /// `Delete Lunch`, or `Save without windows`.
    package let button: String

    let place: SetPlace

    package init(deleting window: TimeWindow? = nil, of set: WindowSet = AntiRot().first) {
        place = SetPlace(set)
        action = "\(place.base)/windows/\(window.map { "\($0.id.uuidString)/delete" } ?? "clear")"
        button = window.map { "Delete \($0.name)" } ?? "Save without windows"
    }
}
