import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    /// Pages as a reader who is used to 12 hours meets them.
    static let twelveHours = ClockFace.$style.withValue(.twelveHours) {
        [
            PageState(
                name: "home-12-hours",
                page: HomePage(
                    schedule: Sample.schedule, nextStart: Sample.at(hours: 26.0 / 60),
                    devices: DevicesInUse(enrolled: 3, recent: 3, hasAsked: true), isEnrolled: true,
                    now: Sample.now, zone: Sample.zone), context: context()),
            PageState(
                name: "schedule-12-hours",
                page: SchedulePage(values: .init(Sample.schedule), isSessionRunning: false),
                context: context(path: "/schedule")),
            PageState(
                name: "shield-12-hours",
                page: ShieldPage(
                    name: "tiktok.com",
                    verdict: NameVerdict(
                        block: Block(
                            layer: .sleep, scope: .everythingBut(AppSelection()), since: Sample.at(hours: -1),
                            until: Sample.at(hours: 8.7)), app: nil, person: Sample.me, limit: nil),
                    now: Sample.now, zone: Sample.zone, origin: "http://sleep.home.arpa"),
                context: context(signedIn: false)),
            PageState(
                name: "kiosk-12-hours",
                page: KioskPage(
                    session: Sample.session(.strict), nextStart: nil, brightness: nil, now: Sample.now,
                    zone: Sample.zone
                ) { brightness, _ in "?brightness=\(brightness)" }, context: context(signedIn: false)),
        ]
    }
}
