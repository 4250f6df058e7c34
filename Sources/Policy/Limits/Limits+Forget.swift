extension Limits {
    /// Takes away everything that speaks of a target that is not there any more.
    mutating func forget(_ target: LimitTarget) {
        list.removeAll { $0.target == target }
        probations.removeAll { $0.target == target }
        reached.removeAll { $0.target == target }
        extraTime.removeAll { $0.target == target }
        requests.removeAll { $0.target == target }
    }
}

extension PendingChange {
    /// The same without an app that is not there any more; nil: nothing is left of it.
    func without(app id: String) -> PendingChange? {
        guard change.subject != .limit(.app(id)) else { return nil }
        guard case .restricted(var selection) = change else { return self }
        selection.apps.remove(id)
        return PendingChange(id: self.id, due: due, change: .restricted(selection))
    }
}
