import Testing
@Test func placeholderShield() {}
