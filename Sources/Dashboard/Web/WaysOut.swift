extension HomeSite {
    /// What can be asked for however many others are there: the front door keeps places for it.
    package static let waysOut: Set = ["/help", "/settings/reset", "/api/v1/reset"]
}
