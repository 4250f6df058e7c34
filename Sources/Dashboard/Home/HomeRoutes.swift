import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/`: the gate, a child's own page, the running session or the dashboard.
struct HomeRoutes: Sendable {
    let desk: Desk
    let session: SessionRoutes
    let condition: any ServerCondition

    func home(_ request: Request, _ visit: Visit) throws -> Response {
        guard desk.isSetUp else { return try desk.page(WelcomePage(error: gateError), request, visit) }
        let asker = try desk.asker(request, visit)
        if asker.isChildAtHome { return try MyRulesRoutes(desk: desk).myHome(asker) }
        guard visit.login != nil else { throw PageError.loginNeeded(request) }
        if asker.isSessionRunning { return try session.activeSession(asker) }
        let present = desk.present(at: asker.now)
        let verdict = present.verdicts[asker.person.id]
        let edge = try desk.edge(of: asker, bedtime: verdict?.nextStart)
        // The morning already says it.
        let night = edge?.morning == nil ? try lastNight(asker, request) : nil
        let states = asker.person.limitStates(at: asker.now, in: asker.household.zone, usage: present.usage)
        let shown = HomePage(
            schedule: asker.person.schedule, nextStart: verdict?.nextStart, tonight: asker.person.tonight,
            except: asker.person.dateExceptions, devices: asker.devicesInUse, isEnrolled: asker.isEnrolled,
            toBed: asker.person.offersGoodnight(at: asker.now, in: asker.household.zone)
                ? asker.household.bedtimeGroups(at: asker.now).first.map { ToBed($0, in: asker.household) }
                : nil,
            antiRot: asker.person.antiRot.isConfigured
                ? AppsWords.antiRot(asker.person, at: asker.now, ClockFace(zone: asker.zone)) : nil,
            limits: states.isEmpty
                ? nil : AppsWords.limits(states, showsUse: asker.seesUsage, present.catalog),
            left: LeftWords.lately(in: asker.household, ClockFace(zone: asker.zone), asker.now),
            lastNight: night, edge: edge, setupStep: asker.household.setupStep, board: board(asker),
            now: asker.now, zone: asker.zone)
        var response = try desk.page(shown, for: asker)
        if let night {
            MorningCookie.set(night, of: asker.person.id, isSecure: visit.isSecure, on: &response)
        }
        return response
    }

    /// The owner's notices, without the disk's, which every page shows already.
    private func board(_ asker: Asker) -> NoticeBoard {
        guard asker.isSignedIn else { return NoticeBoard() }
        return desk.store.diskNotice == nil ? desk.store.notices : desk.store.notices.without(.disk)
    }

    /// Last night, if this browser was not told yet. Only those who may see the person's minutes may see it.
    private func lastNight(_ asker: Asker, _ request: Request) throws -> LastNight? {
        guard asker.seesUsage, LastNight.isTold(at: asker.now, in: asker.household.zone) else { return nil }
        let past = try desk.store.pastSessions(of: asker.person.id, limit: 10)
        let helps = asker.household.helpPresses(of: asker.person, at: asker.now)
        let night = LastNight(
            past, of: asker.person, helps: helps, at: asker.now, ClockFace(zone: asker.zone))
        return night.flatMap { MorningCookie.wasTold($0, of: asker.person.id, in: request) ? nil : $0 }
    }

    /// What failed at the start, so that it can be mended before set-up.
    private var gateError: String? {
        let refused = condition.refused
        return refused.isEmpty ? nil : refused.joined(separator: " · ")
    }
}

extension Asker {
    var devicesInUse: DevicesInUse { DevicesInUse(of: person.id, in: household, at: now) }
}
