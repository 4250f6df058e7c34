import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy

/// Where the pages of a set of windows are: the first set's below `/anti-rot`, others' below `/anti-rot/sets/{set}`.
struct SetPlace: Sendable {
    /// Nil for the first set, as an address has it.
    let id: String?
    /// Nil for the first set.
    let name: String?
    /// `/anti-rot`, without a slash behind it.
    let base: String

    init(_ set: WindowSet) {
        id = set.id?.uuidString
        name = set.id == nil ? nil : set.name
        base = "/anti-rot" + (set.id.map { "/sets/\($0.uuidString)" } ?? "")
    }
}

extension WindowSet {
    /// As lists name it.
    var title: String { id == nil ? "First set" : name }

    /// `Instagram, TikTok and everything in Games`; empty for none.
    func names(in catalog: Catalog) -> String {
        let apps = chosen.apps.map { LimitTarget.app($0).name(in: catalog) }.sorted()
        let categories = chosen.categories.map {
            "everything in \(LimitTarget.category($0).name(in: catalog))"
        }
        return (apps + categories.sorted()).inSentence
    }

    /// For the log: `Anti-Rot`, or `Anti-Rot, Games`.
    var logged: String { id == nil ? "Anti-Rot" : "Anti-Rot, \(name)" }
}

extension AppSelection {
    /// `1 app selected`, `2 apps and 1 category selected`, `3 categories selected`.
    var countWords: String {
        let apps = "\(apps.count) \(apps.count == 1 ? "app" : "apps")"
        guard !categories.isEmpty else { return "\(apps) selected" }
        let whole = "\(categories.count) \(categories.count == 1 ? "category" : "categories")"
        return "\(self.apps.isEmpty ? "" : "\(apps) and ")\(whole) selected"
    }
}

extension Visit {
    /// The set that an address is about: the first, unless it names another.
    func windowSet(of person: Person) throws -> WindowSet {
        guard let text = parameters.get("set") else { return person.antiRot.first }
        guard let id = UUID(uuidString: String(text)), let set = person.antiRot[set: id] else {
            throw PageError(.notFound, "This set is no longer here.")
        }
        return set
    }
}
