/// The section's three tabs.
struct AntiRotTab {
    let isHome: Bool
    let isApps: Bool
    let isSchedule: Bool

    static let home = AntiRotTab(isHome: true, isApps: false, isSchedule: false)
    static let apps = AntiRotTab(isHome: false, isApps: true, isSchedule: false)
    static let schedule = AntiRotTab(isHome: false, isApps: false, isSchedule: true)
}
