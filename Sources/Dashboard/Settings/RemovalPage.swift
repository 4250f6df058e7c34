import Pages

/// The second step of removing a person: POST `/settings/people/{id}/delete` with `confirm=remove`.
package struct RemovalPage: Page {
    package static let template = "removal"

    package let title = "Remove a person"
    package let id: Int64
    package let name: String
    /// `07:00`, when their running session would have ended; nil if none runs.
    package let endsAt: String?
    /// The names of their devices, which will then belong to no person; nil if they have none.
    package let devices: String?
    /// The names of the family's devices that have their times; nil if there are none.
    package let followers: String?
    package let error: String?

    package init(
        id: Int64, name: String, endsAt: String? = nil, devices: String? = nil, followers: String? = nil,
        error: String? = nil
    ) {
        self.id = id
        self.name = name
        self.endsAt = endsAt
        self.devices = devices
        self.followers = followers
        self.error = error
    }
}
