import Assets
import Foundation
import Pages
import Testing

/// What templates can say about the values of a page.
struct RenderingTests {
    struct Inner {
        let name: String
        let note: String?
        let isOpen: Bool
    }

    enum Mood: String { case calm }

    struct Sample: Page {
        static let template = "sample"
        let title = "Sample"
        var number = 7
        var share = 2.5
        var large: Int64 = 1 << 40
        var note: String? = "outer"
        var absent: Inner?
        var inner: Inner? = Inner(name: "<one>", note: nil, isOpen: true)
        var rows = [
            Inner(name: "a", note: "x", isOpen: true), Inner(name: "b", note: nil, isOpen: false),
        ]
        var texts = ["p", "q"]
        var gaps: [Int?] = [1, nil, 3]
        var none: [Inner] = []
        var errors = ["start": "late"]
        var mood = Mood.calm
        var markup = "<svg/>"
        var icon = "star"
        var isNot = false
    }

    /// Renders a template that includes `row`, `star` and `frame`.
    private func html(_ template: String, _ page: Sample = Sample()) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rendering-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let templates = [
            "sample": template, "row": "[{{name}}]", "star": "*",
            "frame": "<{{$head}}none{{/head}}|{{$body}}{{/body}}>", "again": "{{>again}}",
        ]
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Templates"), withIntermediateDirectories: true)
        for (name, text) in templates {
            try Data(text.utf8).write(to: folder.appending(path: "Templates/\(name).mustache"))
        }
        let renderer = PageRenderer(assets: AssetLibrary(directory: folder.path()))
        return try renderer.render(
            page, in: .init(now: Date(timeIntervalSince1970: 0), zone: .gmt, path: "/\"x"))
    }

    @Test(arguments: [
        // Values, escaped, and our own markup.
        ("{{number}} {{share}} {{large}} {{mood}}", "7 2.5 1099511627776 calm"),
        ("{{inner.name}} {{absent.name}}{{unknown}}|", "&lt;one&gt; |"),
        ("{{{markup}}}{{markup}}", "<svg/>&lt;svg/&gt;"),
        ("{{errors.start}}{{#errors.end}}no{{/errors.end}}", "late"),
        // Sections and their opposites.
        ("{{#isNot}}no{{/isNot}}{{^isNot}}yes{{/isNot}}", "yes"), ("{{#note}}{{.}}{{/note}}", "outer"),
        ("{{#absent}}no{{/absent}}{{^absent}}none{{/absent}}", "none"),
        ("{{#inner}}{{name}}{{#isOpen}}!{{/isOpen}}{{/inner}}", "&lt;one&gt;!"),
        ("{{#rows}}{{>row}}{{/rows}}{{^rows}}none{{/rows}}", "[a][b]"),
        ("{{#texts}}{{.}},{{/texts}}", "p,q,"),
        ("{{#gaps}}{{.}},{{/gaps}}", "1,3,"), ("{{#none}}no{{/none}}{{^none}}none{{/none}}", "none"),
        // A name that the innermost value lacks is found around it, unless a dot forbids that. One that it has without a
        // value is not.
        ("{{#rows}}{{number}},{{/rows}}", "7,7,"), ("{{#rows}}{{.number}},{{/rows}}", ",,"),
        ("{{#rows}}{{note}},{{/rows}}", "x,,"), ("{{#errors}}{{end}}{{note}}{{/errors}}", "outer"),
        // Templates in templates.
        ("{{>*icon}}", "*"), ("{{<frame}}{{$body}}{{number}}{{/body}}{{/frame}}", "<none|7>"),
    ])
    func aTemplateSays(template: String, expected: String) throws {
        #expect(try html(template) == expected)
    }

    /// What pages do without is an error, not an empty place.
    @Test(arguments: ["{{>missing}}", "{{>again}}", "{{uppercased(note)}}", "{{#note}}"])
    func aFaultyTemplateIsAnError(template: String) {
        #expect(throws: (any Error).self) { try html(template) }
    }
}
