import Testing
@Test func placeholderPages() {}
