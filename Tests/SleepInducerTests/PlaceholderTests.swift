import Testing
@Test func placeholderSleepInducer() {}
