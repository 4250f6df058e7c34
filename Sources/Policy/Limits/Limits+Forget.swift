extension Limits {
    /// Removes everything about a target that no longer exists.
    mutating func forget(_ target: LimitTarget) {
        list.removeAll { $0.target == target }
        for index in list.indices { list[index].leavesOut.remove(target.id) }
        probations.removeAll { $0.target == target }
        reached.removeAll { $0.target == target }
        extraTime.removeAll { $0.target == target }
        requests.removeAll { $0.target == target }
    }
}

extension PendingChange {
    /// The same change without an app that no longer exists; nil if nothing is left of it.
    func without(app id: String) -> PendingChange? {
        guard change.subject != .limit(.app(id)) else { return nil }
        guard case .restricted(var selection, let set) = change else { return self }
        selection.apps.remove(id)
        return PendingChange(id: self.id, due: due, change: .restricted(selection, in: set))
    }
}
