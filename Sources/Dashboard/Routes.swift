import HTTPTypes
import Hummingbird

extension HomeSite {
    /// Everything that is served, and 405 for every other method.
    func routes() -> Router<Visit> {
        let router = served()
        refuseOtherMethods(router)
        return router
    }

    /// Every address with its method, as `/path/{id} GET`, for holding descriptions against.
    package var operations: [String] {
        served().routes.map {
            "\($0.path.description.replacing(/:(\w+)/) { "{\($0.output.1)}" }) \($0.method.rawValue)"
        }
    }

    /// The contents page of the house: every address, by screen.
    private func served() -> Router<Visit> {
        let router = Router(context: Visit.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HostCheck(hosts: configuration.hosts))
        router.add(middleware: Entrance(site: self))
        router.add(middleware: OriginCheck())
        router.add(middleware: Gate(site: self))

        // Public: what pages are drawn with, and whether the server works
        router.get("/assets/**", use: asset)
        router.get("/manifest.webmanifest", use: manifest)
        router.get("/favicon.ico", use: wellKnownIcon("favicon.svg"))
        router.get("/apple-touch-icon.png", use: wellKnownIcon("apple-touch-icon.png"))
        router.get("/apple-touch-icon-precomposed.png", use: wellKnownIcon("apple-touch-icon.png"))
        router.get("/robots.txt", use: robots)
        router.get("/healthz", use: healthz)
        router.get("/metrics", use: metrics)
        router.get("/captive-portal", use: captivePortal)
        router.get("/api/openapi.json", use: openAPI)

        // Gate
        router.get("/", use: home)
        router.get("/setup", use: setupPage)
        router.post("/setup", use: setUp)
        router.get("/login", use: loginPage)
        router.post("/login", use: logIn)
        router.post("/logout", use: logOut)

        // Without a login for the asking device's own person
        router.get("/events", use: events)
        router.get("/kiosk", use: kiosk)
        router.get("/shield", use: shieldPreview)
        router.get("/help", use: helpPage)
        router.post("/help", use: useHelp)
        router.post("/devices/enroll", use: enrollDevice)
        router.get("/just-blocked", use: justBlockedPage)
        router.get("/my-rules", use: myRulesPage)
        router.post("/my-rules/ask", use: ask)
        router.get("/my-rules/leave", use: leavePage)
        router.post("/my-rules/leave", use: leave)
        router.post("/my-rules/stay", use: stay)
        router.get("/home-screen", use: homeScreen)
        router.get("/check", use: checkPage)
        router.get("/check/result", use: checkResult)
        router.get("/check/seen", use: checkImage)
        router.get("/check/around", use: checkAroundPage)
        router.get("/check/around/result", use: aroundResult)
        router.get("/check/try", use: tryPage)
        router.post("/check/try", use: beginTry)
        router.post("/check/try/end", use: endTry)
        router.get("/setup/device", use: setupDevice)
        router.get("/trust", use: trustPage)
        router.get("/trust/certificate.crt", use: certificateFile)
        router.get("/trust/check", use: trustCheck)
        router.get("/trust/result", use: trustResult)
        router.get("/profiles", use: profilesPage)
        router.get("/profiles/home-screen.mobileconfig", use: webClipProfile)
        router.get("/profiles/certificate.mobileconfig", use: certificateProfile)
        router.get("/profiles/dns.mobileconfig", use: dnsProfile)
        router.get("/anti-rot", use: antiRotPage)
        router.post("/anti-rot/override", use: useOverride)
        router.get("/anti-rot/apps", use: antiRotAppsPage)
        router.get("/anti-rot/schedule", use: antiRotSchedulePage)
        router.get("/health", use: healthPage)
        router.get("/limits", use: limitsPage)
        router.get("/usage", use: usagePage)
        router.get("/widget", use: widget)
        router.get("/widget/presets", use: presetsWidget)
        router.get("/focus", use: focusPage)
        router.post("/focus/length", use: setFocusLength)
        router.post("/focus/start", use: startFocus)
        router.post("/focus/pause", use: pauseFocus)
        router.post("/focus/resume", use: resumeFocus)
        router.post("/focus/stop", use: stopFocus)
        router.get("/start", use: startLink)
        router.get("/focus/history", use: focusHistoryPage)

        signedInRoutes(router.group().add(middleware: Admission()))
        apiRoutes(router.group("/api/v1").add(middleware: TokenAdmission()))
        verificationRoutes(router.group("/api/verification/ios").add(middleware: TokenAdmission()))
        webhookRoutes(router.group("/api/v1/webhooks").add(middleware: TokenAdmission()))
        return router
    }

    /// Those that clients are known to send; QUERY is the draft that succeeds a POST that only asks.
    private static let methods =
        [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options, .trace]
        + ["QUERY"].compactMap { HTTPRequest.Method($0) }

    /// An address that is there, but takes other methods: 405 with those that it takes.
    private func refuseOtherMethods(_ router: Router<Visit>) {
        for (_, routes) in Dictionary(grouping: router.routes, by: \.path.description) {
            let methods = Set(routes.map(\.method))
            let taken = methods.contains(.get) ? methods.union([.head]) : methods
            let allow = taken.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !methods.contains(method) {
                router.on(routes[0].path, method: method) { _, _ -> Response in
                    throw PageError(.methodNotAllowed, headers: [.allow: allow])
                }
            }
        }
    }

    private func signedInRoutes(_ router: RouterGroup<Visit>) {
        // Everybody
        router.get("/household", use: householdPage)
        router.post("/household/bedtime", use: bedtimeNow)
        router.post("/household/later", use: laterTonight)
        router.post("/household/skip", use: skipTonight)
        router.post("/household/undo", use: undoOneTap)

        // Session
        router.get("/session", use: sessionPage)
        router.post("/session", use: startSession)
        router.post("/session/cancel", use: cancelSession)
        router.post("/session/keep", use: keepSleeping)

        // Nightly schedule
        router.get("/schedule", use: schedulePage)
        router.post("/schedule", use: saveSchedule)
        router.post("/schedule/tonight", use: changeTonight)

        // Allowed apps
        router.get("/allowed-apps", use: allowedAppsPage)
        router.post("/allowed-apps", use: saveAllowedApps)
        router.post("/allowed-apps/set", use: allowSet)
        router.post("/allowed-apps/own", use: addOwnApp)
        router.post("/allowed-apps/own/:id/delete", use: removeOwnApp)
        router.post("/allowed-apps/reachable", use: saveReachable)

        // Anti-Rot
        router.post("/anti-rot/apps", use: saveRestrictedApps)
        router.post("/anti-rot/windows", use: addWindow)
        router.post("/anti-rot/windows/split", use: addSplitWindow)
        router.post("/anti-rot/windows/clear", use: clearWindows)
        router.post("/anti-rot/windows/:id/delete", use: removeWindow)
        router.post("/anti-rot/changes/:id/drop", use: keepAsItWas)

        // Relaying
        router.get("/relay", use: relayPage)
        router.post("/relay", use: saveRelayed)

        // Limits
        router.get("/limits/new", use: newLimitPage)
        router.get("/limits/new/:kind/:target", use: chosenLimitPage)
        router.post("/limits", use: saveLimit)
        router.post("/limits/:id/delete", use: removeLimit)
        router.post("/limits/:id/restore", use: restoreLimit)
        router.post("/limits/settings", use: saveLimitSettings)
        router.post("/limits/changes/:id/drop", use: dropLimitChange)
        router.get("/limits/requests/:id", use: requestPage)
        router.post("/limits/requests/:id", use: answerRequest)

        // What somebody asks for beside minutes
        router.get("/requests/:id", use: wishPage)
        router.post("/requests/:id", use: answerWish)

        // Focus
        router.post("/focus/shield", use: saveFocusShield)
        router.post("/focus/shortcuts", use: saveShortcutNames)
        router.get("/focus/history.csv", use: focusCSV)
        router.post("/focus/history/:id/delete", use: removeFocusSession)
        router.post("/focus/history/:id/restore", use: restoreFocusSession)
        router.post("/focus/import", use: importFocus)
        router.get("/sessions.json", use: sessionsFile)
        router.get("/timer-state.json", use: timerStateFile)

        // Verified minutes
        router.get("/verified/setup", use: verifiedSetupPage)
        router.post("/verified/credentials", use: saveVerifiedCredentials)
        router.post("/verified/forget", use: forgetVerifiedToken)
        router.post("/verified/access", use: requestScreenTime)
        router.post("/verified/time-zone", use: saveVerifiedTimeZone)
        router.get("/verified/selection", use: verifiedSelectionPage)
        router.post("/verified/selection", use: saveProductiveApps)
        router.post("/verified/sync", use: syncVerifiedSelection)
        router.get("/verified/yesterday", use: verifiedYesterdayPage)
        router.post("/verified/compute", use: computeYesterday)
        router.post("/verified/upload", use: uploadYesterday)

        // Suggestions
        router.get("/suggestions", use: suggestionsPage)
        router.post("/suggestions", use: saveSuggestions)
        router.post("/suggestions/restore", use: restoreSuggestions)
        router.post("/suggestions/undo", use: takeBackSuggestions)

        // Devices
        router.get("/setup/begin", use: setupBegin)
        router.get("/setup/router", use: setupRouter)
        router.post("/setup/router", use: saveFormerDNS)
        router.get("/devices", use: devicesPage)
        router.get("/devices/router", use: routerChangePage)
        router.post("/devices/:id", use: saveDevice)
        router.post("/devices/:id/remove", use: removeDevice)
        router.post("/devices/:id/merge", use: mergeDevice)
        router.post("/devices/:id/apart", use: tellDeviceApart)
        router.post("/devices/:id/distrust", use: forgetTrust)
        router.post("/trust/authority", use: makeAuthority)

        router.post("/just-blocked/allow", use: allowFromNextSession)

        // Settings
        router.get("/settings", use: settingsPage)
        router.post("/settings", use: saveSettings)
        router.post("/settings/passcode", use: changePasscode)
        router.post("/settings/time-zone", use: saveTimeZone)
        router.post("/settings/help", use: saveOffersHelp)
        router.post("/settings/new-devices", use: saveNewDevices)
        router.post("/settings/tokens", use: createToken)
        router.post("/settings/tokens/:id/delete", use: revokeToken)
        router.post("/settings/people", use: addPerson)
        router.post("/settings/people/:id", use: renamePerson)
        router.post("/settings/people/:id/delete", use: removePerson)
        router.get("/settings/backup", use: downloadBackup)
        router.get("/settings/reset", use: resetPage)
        router.post("/settings/reset", use: emergencyReset)

        // When things change, and goodbye
        router.post("/health/away", use: putNoticeAway)
        router.get("/goodbye", use: goodbyePage)
        router.get("/goodbye/erase", use: erasePage)
        router.post("/goodbye/erase", use: eraseEverything)

        // Webhooks
        router.get("/webhooks", use: webhooksPage)
        router.post("/webhooks", use: addWebhook)
        router.post("/webhooks/:id/test", use: testWebhook)
        router.post("/webhooks/:id/delete", use: removeWebhook)
        router.post("/webhooks/:id/restore", use: restoreWebhook)
    }

    /// Discipline Dungeon's own addresses.
    private func verificationRoutes(_ router: RouterGroup<Visit>) {
        router.post("/upload", use: apiUploadMinutes)
        router.patch("/connection", use: apiSaveConnection)
    }

    private func webhookRoutes(_ router: RouterGroup<Visit>) {
        router.get(use: apiWebhooks)
        router.post(use: apiAddWebhook)
        router.delete("/:id", use: apiRemoveWebhook)
    }

    private func apiRoutes(_ router: RouterGroup<Visit>) {
        router.get("/state", use: apiState)
        router.post("/session", use: apiStartSession)
        router.post("/session/cancel", use: apiCancel)
        router.delete("/session/cancel", use: apiKeepSleeping)
        router.post("/reset", use: apiReset)
        router.get("/schedule", use: apiSchedule)
        router.put("/schedule", use: apiSaveSchedule)
        router.get("/selections/:use", use: apiSelection)
        router.put("/selections/:use", use: apiSaveSelection)
        router.get("/windows", use: apiWindows)
        router.put("/windows", use: apiSaveWindows)
        router.post("/override", use: apiStartOverride)
        router.get("/limits", use: apiLimits)
        router.put("/limits", use: apiSaveLimits)
        router.post("/probations", use: apiStartProbation)
        router.get("/focus", use: apiFocus)
        router.post("/focus", use: apiStartFocus)
        router.post("/focus/pause", use: apiPauseFocus)
        router.post("/focus/resume", use: apiResumeFocus)
        router.post("/focus/stop", use: apiStopFocus)
        router.get("/focus/sessions", use: apiFocusSessions)
        router.get("/usage", use: apiUsage)
        router.get("/catalog", use: apiCatalog)
        router.get("/devices", use: apiDevices)
        router.patch("/devices", use: apiChangeDevice)
        router.patch("/devices/:id", use: apiChangeDevice)
        router.get("/people", use: apiPeople)
        router.post("/people", use: apiAddPerson)
        router.patch("/people", use: apiChangePerson)
        router.patch("/people/:id", use: apiChangePerson)
        router.delete("/people", use: apiRemovePerson)
        router.delete("/people/:id", use: apiRemovePerson)
        router.post("/people/:id/bedtime", use: apiBedtime)
        router.post("/people/:id/later", use: apiLater)
        router.post("/people/:id/skip", use: apiSkip)
        router.post("/people/:id/undo", use: apiUndo)
        router.get("/export", use: apiExport)
    }
}
