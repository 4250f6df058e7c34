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
        router.get("/state", use: stateOnce)
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
        router.get("/log", use: apiLog)
        router.get("/export", use: apiExport)
    }
}
