import Assets
import Foundation
import Policy
import Testing

@testable import Pages

@Suite struct TileTests {
    @Test(arguments: [
        ("Instagram", "In"), ("Google Maps", "GM"), ("X", "X"), ("9GAG", "9G"), ("WhatsApp", "Wh"),
        ("7 Minute Workout", "7M"), ("émile", "Ém"), ("🌙", ""), ("", ""), ("<b>", "B"),
        ("Video and television", "VT"),
    ])
    func monograms(_ name: String, _ letters: String) { #expect(Tile.monogram(name) == letters) }

    @Test(arguments: [("Mia", "M"), ("Anna Lena", "AL"), ("Jo von Ab", "JV"), ("🧸", "")])
    func initials(_ name: String, _ letters: String) { #expect(Tile.initials(name) == letters) }

    @Test("Every kind of device has a glyph of its own")
    func glyphs() {
        #expect(Set(Device.Kind.allCases.map(\.glyph)).count == Device.Kind.allCases.count)
    }

    @Test("Every category of the catalog has a colour, and so has every person")
    func everyCategoryHasAColour() throws {
        let css = try #require(AssetLibrary().asset(at: "Public/controls.css")).text
        let classes = Set(css.matches(of: /\.tile-([a-z0-9-]+)/).map { String($0.1) })
        let shelves = AssetLibrary().paths(under: "Catalog").filter {
            $0.split(separator: "/").count == 2 && $0.hasSuffix(".json") && !$0.contains("always-reachable")
        }
        let categories = shelves.map { $0.dropFirst("Catalog/".count).dropLast(".json".count) }
        #expect(categories.count > 30)
        for category in categories { #expect(classes.contains(String(category)), "\(category)") }
        #expect(classes.contains(Category.own.id))
        for number in 0..<8 { #expect(classes.contains("person-\(number)")) }
    }

    /// WCAG 2.2, 1.4.3. The ground is the tile's own, so a light page and a dark one have the same contrast.
    @Test("Letters stand out from their tile by at least 4.5:1, in every colour")
    func contrast() throws {
        let css = try #require(AssetLibrary().asset(at: "Public/controls.css")).text
        let rule = try #require(css.firstMatch(of: /\.tile \{[^}]*\}/)?.0)
        func colour(_ property: Regex<(Substring, Substring, Substring)>) throws -> (Double, Double) {
            let match = try #require(rule.firstMatch(of: property))
            return (Double(match.1)! / 100, Double(match.2)! / 100)
        }
        let ground = try colour(/background: hsl\(var\(--hue\), (\d+)%, (\d+)%\)/)
        let ink = try colour(/; color: hsl\(var\(--hue\), (\d+)%, (\d+)%\)/)
        for hue in 0..<360 {
            let (a, b) = (Self.luminance(hue, ground.0, ground.1), Self.luminance(hue, ink.0, ink.1))
            #expect((b + 0.05) / (a + 0.05) >= 4.5, "hue \(hue)")
        }
    }

    private static func luminance(_ hue: Int, _ saturation: Double, _ lightness: Double) -> Double {
        func channel(_ n: Double) -> Double {
            let k = (n + Double(hue) / 30).truncatingRemainder(dividingBy: 12)
            let value = lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4)
    }
}
