import Testing
@Test func placeholderStore() {}
