package import Foundation

extension Household {
    /// Adds a set of windows. It blocks nothing before it has apps and windows. With those of a set that was removed, it is
    /// as it was.
    package mutating func addWindowSet(_ id: PersonID, _ set: WindowSet) throws(Refusal) {
        let index = try index(of: id)
        var set = set
        set.name = try people[index].antiRot.freeName(set.name, for: set.id)
        guard let number = set.id, people[index].antiRot[set: number] == nil else { throw .unknownWindowSet }
        guard people[index].antiRot.otherSets.count < WindowSet.maximumCount else { throw .tooManyWindowSets }
        people[index].antiRot[set: number] = set
    }

    package mutating func renameWindowSet(_ id: PersonID, set: UUID, to name: String) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].antiRot[set: set] != nil else { throw .unknownWindowSet }
        let name = try people[index].antiRot.freeName(name, for: set)
        people[index].antiRot[set: set]?.name = name
    }

    /// Removes a set: what only it named is open from then on, so this may wait.
    @discardableResult
    package mutating func removeWindowSet(
        _ id: PersonID, set: UUID, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard people[index].antiRot[set: set] != nil else { throw .unknownWindowSet }
        return people[index].make(.removeWindowSet(set), id: change, at: now)
    }

    /// Makes the sets besides the first these: the others are removed. What loosens may wait, each change by itself.
    package mutating func saveWindowSets(
        _ id: PersonID, _ sets: [WindowSet], confirmed: Bool, catalog: Catalog, newID: () -> UUID,
        at now: Date
    ) throws(Refusal) {
        var changed = self
        let index = try changed.index(of: id)
        for set in people[index].antiRot.otherSets {
            guard let number = set.id, !sets.contains(where: { $0.id == number }) else { continue }
            try changed.removeWindowSet(id, set: number, change: newID(), at: now)
        }
        // Two sets may change their names with each other.
        for number in sets.compactMap(\.id) { changed.people[index].antiRot[set: number]?.name = "" }
        for set in sets {
            guard let number = set.id else { throw .unknownWindowSet }
            changed.people[index].pending.removeAll { $0.change == .removeWindowSet(number) }
            if changed.people[index].antiRot[set: number] == nil {
                try changed.addWindowSet(id, WindowSet(id: number, name: set.name))
            }
            try changed.renameWindowSet(id, set: number, to: set.name)
            try changed.saveRestricted(
                id, set.chosen, of: number, catalog: catalog, change: newID(), at: now)
            guard let windows = set.windows else { continue }
            try changed.saveWindows(
                id, windows, of: number, confirmed: confirmed, change: newID(), at: now)
        }
        self = changed
    }
}

extension AntiRot {
    /// A name for a set that nobody takes for another set's.
    fileprivate func freeName(_ typed: String, for set: UUID?) throws(Refusal) -> String {
        let name = try CleanName.checked(typed)
        let same = otherSets.first { $0.id != set && CleanName.looksLike($0.name, name) }
        if let same { throw .windowSetNameTaken(same.name) }
        return name
    }
}
