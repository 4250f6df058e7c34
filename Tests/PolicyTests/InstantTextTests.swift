import Foundation
import Policy
import Testing

@Suite struct InstantTextTests {
    @Test(
        "SI-085: instants carry milliseconds if there are any",
        arguments: [
            (1_790_000_000, "2026-09-21T14:13:20Z"), (1_790_000_000.25, "2026-09-21T14:13:20.250Z"),
            (1_790_000_000.0625, "2026-09-21T14:13:20.062Z"),
            (1_789_999_999.9995, "2026-09-21T14:13:19.999Z"),
        ])
    func milliseconds(_ seconds: TimeInterval, _ text: String) {
        #expect(Date(timeIntervalSince1970: seconds).instantText == text)
    }
}
