import Testing
@Test func placeholderDashboard() {}
