package import Policy

extension HouseholdStore {
    /// Takes what the network calls devices, in one transaction, and only where that is news.
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
