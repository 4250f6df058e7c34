import Foundation
import Pages
import Policy
import Testing

/// The words of a morning, and the steps of a dusk.
@Suite struct MorningTextTests {
    @Test(
        "How long it was quiet, and which night in a row it was",
        arguments: [
            (1, "7 h 45 min of quiet."), (2, "7 h 45 min of quiet, the second night in a row."),
            (6, "7 h 45 min of quiet, the sixth night in a row."),
            (12, "7 h 45 min of quiet, the twelfth night in a row."),
            (13, "7 h 45 min of quiet, the 13th night in a row."),
            (21, "7 h 45 min of quiet, the 21st night in a row."),
        ])
    func words(_ nights: Int, _ text: String) throws {
        let look = try #require(MorningLook(PageState.morning(nights: nights), at: Sample.now))
        #expect("\(look.greeting) \(look.text)" == "Good morning. \(text)")
        #expect(MorningLook(PageState.morning(nights: nights), at: Sample.at(hours: 2)) == nil)
    }

    @Test(
        "Six steps over the last half hour",
        arguments: [
            (86_400, 0), (1_801, 0), (1_800, 1), (1_501, 1), (1_500, 2), (901, 3), (301, 5), (300, 6),
            (0.5, 6),
            (0, nil), (-5, nil),
        ] as [(Double, Int?)])
    func steps(_ seconds: Double, _ step: Int?) {
        #expect(Dusk(to: Sample.now.addingTimeInterval(seconds), at: Sample.now)?.step == step)
        #expect(Dusk(to: nil, at: Sample.now) == nil)
    }

    @Test("In the morning nothing is dusky, and far from both nothing is said")
    func oneOfTwo() throws {
        let soon = Sample.at(hours: 0.2)
        let edge = try #require(NightEdge(morning: PageState.morning(), bedtime: soon, at: Sample.now))
        #expect(edge.morning != nil && edge.dusk == nil)
        #expect(NightEdge(morning: nil, bedtime: nil, at: Sample.now) == nil)
        #expect(NightEdge(morning: nil, bedtime: soon, at: Sample.now)?.dusk?.step == 4)
    }
}
