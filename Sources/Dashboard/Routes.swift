import Hummingbird

/// The contents page: every feature and its addresses, by screen. `Routes+Layers.swift` has those of the
/// layers beside sleep, `Routes+House.swift` those about the server itself, `Routes+API.swift` those for programs.
struct Routes {
    let desk: Desk
    let surroundings: Surroundings
    let checks: CheckBook
    let passcodes: PasscodeDesk
    let arrivals: Arrivals
    let statics: StaticFiles
    let counters = RequestCounters()
    let presses = OneTapPresses()
    let merges = Merges()
    let invitations = PhoneInvitations()
    let site = WholeSite()
    /// Open to everybody; each feature checks who may read what.
    let open: Router<Visit>
    /// Only for requests with a login.
    let signedIn: RouterGroup<Visit>

    var network: NetworkFacts { surroundings.network }

    init(_ desk: Desk, _ surroundings: Surroundings, checks: CheckBook) {
        self.desk = desk
        self.surroundings = surroundings
        self.checks = checks
        passcodes = PasscodeDesk(desk: desk, network: surroundings.network)
        arrivals = Arrivals(store: desk.store, network: surroundings.network)
        statics = StaticFiles(surroundings.assets)
        open = Router(context: Visit.self, options: .autoGenerateHeadEndpoints)
        let entrance = Entrance(
            desk: desk, arrivals: arrivals, counters: counters, applied: surroundings.applied)
        let merging = Merging(desk: desk, site: site)
        // Each route keeps its middlewares: one made of all takes a fifth of the memory.
        open.addMiddleware {
            ProxyCheck(
                proxies: desk.configuration.proxies, ownNames: desk.configuration.ownNames,
                admits: surroundings.network.admits)
            HostCheck(ownNames: desk.configuration.ownNames)
            entrance
            OriginCheck()
            Gate(desk: desk)
            merging
        }
        signedIn = open.group().add(middleware: LoginGate(desk: desk))
        addPages()
        addHouse()
        addAPI()
    }

    private func addPages() {
        addGate()
        addPlaces()
        addNight()
        addShield()
        addHousehold()
        addAntiRot()
        addLimits()
        addFocus()
        addVerified()
    }

    /// The gate, set-up and the login.
    private func addGate() {
        let home = HomeRoutes(
            desk: desk, session: SessionRoutes(desk: desk), condition: surroundings.condition)
        open.get("/", use: home.home)

        let login = LoginRoutes(desk: desk, passcodes: passcodes)
        open.get("/login", use: login.loginPage)
        open.post("/login", use: login.logIn)
        open.post("/logout", use: login.logOut)
        signedIn.get("/kept", use: KeptFormRoutes(desk: desk).keptForm)

        let setup = SetupRoutes(desk: desk, passcodes: passcodes, arrivals: arrivals, login: login)
        open.get("/setup", use: setup.setupPage)
        open.post("/setup", use: setup.setUp)

        let setupEnd = SetupEndRoutes(desk: desk, network: network, invitations: invitations)
        open.get("/setup/device", use: setupEnd.setupDevice)
        signedIn.get("/setup/router", use: setupEnd.setupRouter)
        signedIn.post("/setup/router", use: setupEnd.saveFormerDNS)

        let steps = SetupStepRoutes(desk: desk)
        signedIn.get("/setup/begin", use: steps.begin)
        signedIn.get("/setup/people", use: steps.people)
        signedIn.post("/setup/people", use: steps.savePeople)
        signedIn.get("/setup/bedtime", use: steps.bedtime)
        signedIn.post("/setup/bedtime", use: steps.saveBedtime)
        signedIn.get("/setup/try", use: steps.look)
        signedIn.post("/setup/next", use: steps.next)
        signedIn.post("/setup/later", use: steps.later)
        signedIn.post("/setup/end", use: steps.end)
    }

    /// The places of the bar that only link to other pages.
    private func addPlaces() {
        let places = PlacesRoutes(desk: desk, condition: surroundings.condition)
        signedIn.get("/apps", use: places.appsPage)
        signedIn.get("/more", use: places.morePage)
    }

    /// Nights: the session, the schedule, and the ways out.
    private func addNight() {
        let session = SessionRoutes(desk: desk)
        signedIn.get("/session", use: session.sessionPage)
        signedIn.post("/session", use: session.startSession)
        signedIn.post("/session/cancel", use: session.cancelSession)
        signedIn.post("/session/keep", use: session.keepSleeping)

        let reset = ResetRoutes(desk: desk)
        signedIn.get("/settings/reset", use: reset.resetPage)
        signedIn.post("/settings/reset", use: reset.emergencyReset)

        let schedule = ScheduleRoutes(desk: desk)
        signedIn.get("/schedule", use: schedule.schedulePage)
        signedIn.post("/schedule", use: schedule.saveSchedule)
        signedIn.post("/schedule/tonight", use: schedule.changeTonight)

        let kiosk = KioskRoutes(desk: desk, household: HouseholdRoutes(desk: desk, presses: presses))
        open.get("/kiosk", use: kiosk.kiosk)
        // If a display showed why a press was refused, it asks for that address again.
        open.get("/kiosk/goodnight", use: kiosk.display)
        open.get("/kiosk/undo", use: kiosk.display)
        open.post("/kiosk/goodnight", use: kiosk.goodnight)
        open.post("/kiosk/undo", use: kiosk.undo)

        let help = HelpRoutes(desk: desk)
        open.get("/help", use: help.helpPage)
        open.post("/help", use: help.useHelp)
    }

    /// Allowed apps, and the pages around the shield.
    private func addShield() {
        let allowedApps = AllowedAppsRoutes(desk: desk)
        signedIn.get("/allowed-apps", use: allowedApps.allowedAppsPage)
        signedIn.post("/allowed-apps", use: allowedApps.saveAllowedApps)
        signedIn.post("/allowed-apps/undo", use: allowedApps.undoAllowedApps)
        signedIn.post("/allowed-apps/set", use: allowedApps.allowSet)
        signedIn.post("/allowed-apps/own", use: allowedApps.addOwnApp)
        signedIn.post("/allowed-apps/own/:id/delete", use: allowedApps.removeOwnApp)
        signedIn.post("/allowed-apps/reachable", use: allowedApps.saveReachable)

        let shieldPreview = ShieldPreview(desk: desk, suggestions: surroundings.suggestions)
        open.get("/shield", use: shieldPreview.shieldPreview)

        let suggestions = SuggestionsRoutes(desk: desk, file: surroundings.suggestions)
        signedIn.get("/suggestions", use: suggestions.suggestionsPage)
        signedIn.post("/suggestions", use: suggestions.saveSuggestions)
        signedIn.post("/suggestions/restore", use: suggestions.restoreSuggestions)
        signedIn.post("/suggestions/undo", use: suggestions.takeBackSuggestions)

        let justBlocked = JustBlockedRoutes(desk: desk, justBlocked: surroundings.justBlocked)
        open.get("/just-blocked", use: justBlocked.justBlockedPage)
        signedIn.post("/just-blocked/allow", use: justBlocked.allowFromNextSession)

        let relay = RelayRoutes(desk: desk, condition: surroundings.condition)
        signedIn.get("/relay", use: relay.relayPage)
        signedIn.post("/relay", use: relay.saveRelayed)
    }

    /// The household view, and what each person may read, ask for and leave.
    private func addHousehold() {
        let household = HouseholdRoutes(desk: desk, presses: presses)
        signedIn.get("/household", use: household.householdPage)
        signedIn.post("/household/bedtime", use: household.bedtimeNow)
        signedIn.post("/household/everybody", use: household.everybodyToBed)
        signedIn.post("/household/children", use: household.childrenToBed)
        signedIn.post("/household/later", use: household.laterTonight)
        signedIn.post("/household/skip", use: household.skipTonight)
        signedIn.post("/household/at", use: household.bedtimeAt)
        signedIn.post("/household/wake-at", use: household.wakeAt)
        signedIn.post("/household/bonus", use: household.giveBonus)
        signedIn.post("/household/wake", use: household.wake)
        signedIn.post("/household/pause", use: household.wakeForAWhile)
        signedIn.post("/household/keep", use: household.keepAsleep)
        signedIn.post("/household/undo", use: household.undoOneTap)

        let dates = DatesRoutes(desk: desk)
        signedIn.get("/dates", use: dates.datesPage)
        signedIn.post("/dates", use: dates.addException)
        signedIn.post("/dates/:id/delete", use: dates.removeException)

        let myRules = MyRulesRoutes(desk: desk)
        open.get("/my-rules", use: myRules.myRulesPage)
        open.post("/my-rules/ask", use: myRules.ask)

        let leave = LeaveRoutes(desk: desk)
        open.get("/my-rules/leave", use: leave.leavePage)
        open.post("/my-rules/leave", use: leave.leave)
        open.post("/my-rules/stay", use: leave.stay)

        let questions = QuestionRoutes(desk: desk)
        signedIn.get("/requests", use: questions.questionsPage)
        signedIn.get("/requests/bar", use: questions.bar)
        for path: RouterPath in ["/requests/:id", "/limits/requests/:id"] {
            signedIn.get(path, use: questions.questionPage)
            signedIn.post(path, use: questions.answerQuestion)
        }
        signedIn.post("/requests/:id/undo", use: questions.undoAnswer)
        let links = AnswerLinkRoutes(desk: desk, passcodes: passcodes)
        open.get("/answer/:token", use: links.linkPage)
        open.get("/answer/:token/:choice", use: links.linkPage)
        open.post("/answer/:token/:choice", use: links.answerByLink)
    }
}
