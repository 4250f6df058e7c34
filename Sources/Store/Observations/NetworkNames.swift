package import Policy

extension HouseholdStore {
    /// Stores what the network calls devices, in one transaction, unless nothing changed.
    package func learnNetworkNames(_ names: [DeviceID: String]) throws {
        func learnt(_ household: Household) -> Household {
            var household = household
            for (device, name) in names { household.learnNetworkName(device, name) }
            return household
        }
        guard learnt(household) != household else { return }
        try change(keeping: .evenInMemory) { $0 = learnt($0) }
    }
}
