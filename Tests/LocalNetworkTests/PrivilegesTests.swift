import Glibc
import LocalNetwork
import Testing

@Suite struct PrivilegesTests {
    @Test func rootMayBindLowPorts() {
        if Privileges.isRoot { #expect(Privileges.canBind(port: 53)) }
        #expect(Privileges.canBind(port: 65_535))
    }

    /// The test process has several threads, so nothing is dropped here.
    @Test func refusesOnceThreadsRun() {
        #expect(throws: Privileges.Failure.otherThreads) { try Privileges.drop(to: "nobody") }
        #expect(Privileges.Failure.unknownUser("x").description.contains("no user x"))
    }

    @Test func openFilesReachTheWantedNumber() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(OpenFileLimit.raise(to: 4096) >= min(4096, limit.rlim_max))
    }

    @Test func machineHasAName() throws {
        #expect(try #require(MachineName.current()).isEmpty == false)
    }
}
