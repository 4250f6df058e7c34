import Foundation
import Pages
import Testing

struct WindDownTests {
    @Test(
        "Whole minutes, rounded up, in the last quarter of an hour only",
        arguments: [
            (901, nil), (900, "Bedtime in 15 min"), (841, "Bedtime in 15 min"), (840, "Bedtime in 14 min"),
            (61, "Bedtime in 2 min"), (60, "Bedtime in 1 min"), (0.5, "Bedtime in 1 min"), (0, nil),
            (-5, nil),
        ] as [(Double, String?)])
    func counts(_ seconds: Double, _ text: String?) {
        let near = WindDown(to: Sample.now.addingTimeInterval(seconds), at: Sample.now)
        #expect(near?.text == text)
    }

    @Test func nothingIsPlanned() { #expect(WindDown(to: nil, at: Sample.now) == nil) }
}
