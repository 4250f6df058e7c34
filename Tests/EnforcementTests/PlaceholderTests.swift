import Testing
@Test func placeholderEnforcement() {}
