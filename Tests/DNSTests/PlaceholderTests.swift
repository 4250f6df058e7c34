import Testing
@Test func placeholderDNS() {}
