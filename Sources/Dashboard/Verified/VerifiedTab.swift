/// The page's place among the section's three tabs, in order.
struct VerifiedTab {
    let isSetup: Bool
    let isSelection: Bool
    let isYesterday: Bool

    static let setup = VerifiedTab(isSetup: true, isSelection: false, isYesterday: false)
    static let selection = VerifiedTab(isSetup: false, isSelection: true, isYesterday: false)
    static let yesterday = VerifiedTab(isSetup: false, isSelection: false, isYesterday: true)
}
