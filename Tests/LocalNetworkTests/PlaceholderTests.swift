import Testing
@Test func placeholderNet() {}
