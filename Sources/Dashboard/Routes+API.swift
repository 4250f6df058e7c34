import Hummingbird

// The programs' addresses; all but the API's description pass `TokenAdmission`.

extension Routes {
    func addAPI() {
        let description = APIDescription(statics: statics)
        open.get("/api/openapi.json", use: description.file)

        let api = open.group("/api/v1").add(middleware: TokenAdmission())
        addRulesAPI(api)
        addHouseholdAPI(api)
        let verification = VerificationAPI(desk: desk)
        let uploads = open.group("/api/verification/ios").add(middleware: TokenAdmission())
        uploads.post("/upload", use: verification.uploadMinutes)
        uploads.patch("/connection", use: verification.saveConnection)
    }

    /// A person's rules and use.
    private func addRulesAPI(_ api: RouterGroup<Visit>) {
        let session = SessionAPI(desk: desk)
        api.get("/state", use: session.state)
        api.post("/session", use: session.startSession)
        api.post("/session/cancel", use: session.cancel)
        api.post("/session/pause", use: session.pause)
        api.delete("/session/cancel", use: session.keepSleeping)
        api.post("/reset", use: session.reset)

        let rules = RulesAPI(desk: desk)
        api.get("/schedule", use: rules.schedule)
        api.put("/schedule", use: rules.saveSchedule)
        api.get("/selections/:use", use: rules.selection)
        api.put("/selections/:use", use: rules.saveSelection)
        api.get("/catalog", use: rules.catalog)

        let windows = WindowsAPI(desk: desk)
        api.get("/windows", use: windows.windows)
        api.put("/windows", use: windows.saveWindows)
        api.get("/window-sets", use: windows.windowSets)
        api.put("/window-sets", use: windows.saveWindowSets)
        api.post("/override", use: windows.startOverride)

        let limits = LimitsAPI(desk: desk, limits: LimitsRoutes(desk: desk))
        api.get("/limits", use: limits.limits)
        api.put("/limits", use: limits.saveLimits)
        api.post("/probations", use: limits.startProbation)

        let focus = FocusAPI(desk: desk)
        api.get("/focus", use: focus.focus)
        api.post("/focus", use: focus.startFocus)
        api.post("/focus/pause", use: focus.pauseFocus)
        api.post("/focus/resume", use: focus.resumeFocus)
        api.post("/focus/stop", use: focus.stopFocus)
        api.get("/focus/sessions", use: focus.focusSessions)

        let usage = UsageAPI(desk: desk)
        api.get("/usage", use: usage.usage)
    }

    /// People, devices, the log and webhooks.
    private func addHouseholdAPI(_ api: RouterGroup<Visit>) {
        let household = HouseholdAPI(desk: desk, device: devices)
        api.get("/devices", use: household.devices)
        api.patch("/devices", use: household.changeDevice)
        api.patch("/devices/:id", use: household.changeDevice)
        api.get("/people", use: household.people)
        api.post("/people", use: household.addPerson)
        api.patch("/people", use: household.changePerson)
        api.patch("/people/:id", use: household.changePerson)
        api.delete("/people", use: household.removePerson)
        api.delete("/people/:id", use: household.removePerson)
        api.get("/export", use: household.export)

        let dates = DatesAPI(desk: desk)
        api.get("/dates", use: dates.exceptions)
        api.post("/dates", use: dates.addException)
        api.delete("/dates/:id", use: dates.removeException)

        let oneTap = OneTapAPI(
            desk: desk, household: HouseholdRoutes(desk: desk, presses: presses))
        api.post("/people/:id/bedtime", use: oneTap.bedtime)
        api.post("/people/bedtime", use: oneTap.toBed)
        api.post("/people/undo", use: oneTap.undoEverybody)
        api.post("/people/:id/later", use: oneTap.later)
        api.post("/people/:id/skip", use: oneTap.skip)
        api.post("/people/:id/at", use: oneTap.bedtimeAt)
        api.post("/people/:id/wake-at", use: oneTap.wakeAt)
        api.post("/people/:id/bonus", use: oneTap.giveBonus)
        api.post("/people/:id/undo", use: oneTap.undo)

        let machines = MachinesAPI(condition: surroundings.condition)
        api.get("/machines", use: machines.machines)

        let log = LogAPI(desk: desk)
        api.get("/log", use: log.log)

        let webhooks = WebhooksAPI(
            desk: desk, webhooks: WebhooksRoutes(desk: desk, network: network))
        api.get("/webhooks", use: webhooks.webhooks)
        api.post("/webhooks", use: webhooks.addWebhook)
        api.delete("/webhooks/:id", use: webhooks.removeWebhook)
    }
}
