import Testing

@testable import QR

/// The same modules in every picture.
struct PicturesTests {
    @Test(arguments: Version.all) func svgHasAllModules(version: Version) throws {
        let code = try QRCode(version.longestAddress)
        let svg = code.svg(label: "Address of the set-up page")
        let path = try #require(svg.firstMatch(of: /<path fill="currentColor" d="([^"]*)"\/>/))
        var drawn = Square(size: code.size, of: false)
        for run in path.1.matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let (column, row, length) = (Int(run.1)!, Int(run.2)!, Int(run.3)!)
            #expect(run.4 == run.1)
            for column in column..<column + length { drawn[column, row] = true }
        }
        #expect(QRCode(modules: drawn) == code)
        #expect(path.1.replacing(/M\d+ \d+h\d+v1H\d+z/, with: "").isEmpty)
    }

    @Test func svgStandsAlone() throws {
        let svg = try QRCode("Good night").svg(label: "Good night")
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"qr-code\" role=\"img\" "))
        #expect(svg.hasSuffix("</svg>"))
        #expect(svg.contains("aria-label=\"Good night\""))
        #expect(svg.contains("viewBox=\"-4 -4 29 29\" color=\"#000\""))
        #expect(svg.contains("<rect x=\"-4\" y=\"-4\" width=\"29\" height=\"29\" fill=\"#fff\"/>"))
        #expect(svg.split(separator: "<path").count == 2)
        #expect(!svg.contains("style") && !svg.contains("\n"))
    }

    @Test func labelCannotLeaveItsAttribute() throws {
        let svg = try QRCode("x").svg(label: "\"><script>&\"\u{301}")
        #expect(svg.contains("aria-label=\"&quot;&gt;&lt;script&gt;&amp;&quot;\u{301}\" "))
    }

    @Test(arguments: Version.all) func terminalHasAllModules(version: Version) throws {
        let code = try QRCode(version.longestAddress)
        let lines = code.terminalLines(colours: false)
        #expect(lines.count == (code.size + 9) / 2)
        for (index, line) in lines.enumerated() {
            #expect(line.count == code.size + 8)
            for (offset, character) in line.enumerated() {
                let (column, row) = (offset - 4, 2 * index - 4)
                let light = try #require(
                    ["█": (true, true), "▀": (true, false), "▄": (false, true), " ": (false, false)][
                        character])
                #expect(light == (!code[column, row], !code[column, row + 1]), "column \(column), row \(row)")
            }
        }
    }

    @Test func terminalColoursSurroundEachLine() throws {
        let code = try QRCode("Good night")
        let coloured = code.terminalLines(colours: true)
        let plain = code.terminalLines(colours: false)
        #expect(coloured == plain.map { "\u{1B}[38;5;231;48;5;16m\($0)\u{1B}[0m" })
    }
}
