import Foundation
import Testing

@testable import Pages

/// Every form that saves stored values says what it showed, so that a save from an old page undoes nothing.
@Suite struct ShownFieldsTests {
    /// Forms with fields that save nothing that they showed: each says what to do now, and means what its reader saw.
    private static let presses: Set = [
        "/session", "/my-rules/ask", "/focus/length", "/devices/enroll", "/settings/import/take", "/dates",
        "/household/at", "/household/bonus", "/household/wake-at",
    ]

    private struct Form {
        var action: String
        var isPress: Bool
        /// What a browser sends if nothing is changed, without hidden fields.
        var fields: [String]
        var hasMembers: Bool
        var shown: String?
    }

    @Test("Of all pages", arguments: PageState.all.filter { $0.context.csrf != nil })
    func everyFormSaysWhatItShows(_ state: PageState) throws {
        for form in Self.forms(in: try state.html()) where form.hasMembers {
            if form.isPress {
                #expect(Self.presses.contains(form.action), "\(form.action) saves what it shows")
                #expect(form.shown == nil)
                continue
            }
            let shown = try #require(form.shown, "\(state.name): \(form.action) does not say what it shows")
            let parts = shown.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            #expect(parts[0].hasPrefix("/"), "\(state.name): \(shown)")
            let said = parts[1].split(separator: "&").map { $0.removingPercentEncoding ?? "" }
            #expect(said.sorted() == form.fields.sorted(), "\(state.name): \(form.action)")
        }
    }

    @Test("The answer to a form keeps what its first page showed; its other forms show what they show")
    func answers() throws {
        let page = """
            <form method="post" action="/a"><input name="x" value="typed"></form>
            <form method="post" action="/b"><input type="radio" name="y" value="1" checked></form>
            """
        func shown(_ answers: PageContext.Answered?) -> [String] {
            var bytes = [UInt8](page.utf8)
            var context = PageContext(csrf: "t", now: .now, zone: .gmt, path: "/page?person=2&done=saved")
            context.answers = answers
            ShownFields.write(into: &bytes, context)
            return Self.forms(in: String(decoding: bytes, as: UTF8.self)).map { $0.shown ?? "-" }
        }
        #expect(shown(nil) == ["/page?person=2 x=typed", "/page?person=2 y=1"])
        let sent = [("x", "typed"), ("shown", "/page x=stored")]
        #expect(
            shown(PageContext.Answered(action: "/a", pairs: sent)) == ["/page x=stored", "/page y=1"])
        #expect(shown(PageContext.Answered(action: "/a", pairs: [("x", "typed")])) == ["-", "-"])
    }

    @Test("Escapes of markup and of forms are told apart")
    func escapes() throws {
        var bytes = [UInt8](
            #"<form method="post" action="/a"><input name="x" value="a&amp;b=&quot;c&quot; &amp;lt;"></form>"#
                .utf8)
        ShownFields.write(into: &bytes, PageContext(csrf: "t", now: .now, zone: .gmt, path: "/p"))
        let html = String(decoding: bytes, as: UTF8.self)
        #expect(html.contains(#"value="/p x=a%26b%3D%22c%22%20%26lt%3B""#))
    }

    // A reading of its own, by regular expressions, beside the one that is tested.

    private static func forms(in html: String) -> [Form] {
        html.matches(of: /<form ([^>]*)>(.*?)<\/form>/.dotMatchesNewlines()).compactMap { match in
            let head = String(match.1)
            guard head.contains(#"method="post""#), !head.contains("enctype=") else { return nil }
            let action = value("action", in: head)?.split(separator: "?").first.map(String.init)
            var form = Form(
                action: action ?? "", isPress: head.contains("data-press"), fields: [], hasMembers: false)
            read(String(match.2), into: &form)
            return form
        }
    }

    private static func read(_ content: String, into form: inout Form) {
        for input in content.matches(of: /<input[^>]*>/) {
            let tag = String(input.output)
            guard let name = value("name", in: tag), !tag.contains(#" form=""#), !tag.contains(" disabled")
            else { continue }
            let type = value("type", in: tag) ?? "text"
            if name == "shown" { form.shown = value("value", in: tag) }
            guard !["hidden", "password", "file"].contains(type) else { continue }
            form.hasMembers = true
            if ["checkbox", "radio"].contains(type), !tag.contains(" checked") { continue }
            form.fields.append("\(name)=\(value("value", in: tag) ?? "")")
        }
        for list in content.matches(of: /<select([^>]*)>(.*?)<\/select>/.dotMatchesNewlines()) {
            guard let name = value("name", in: String(list.1)) else { continue }
            form.hasMembers = true
            let options = String(list.2).matches(of: /<option[^>]*>/).map { String($0.output) }
            let chosen = options.first { $0.contains(" selected") } ?? options.first
            form.fields.append("\(name)=\(chosen.flatMap { value("value", in: $0) } ?? "")")
        }
        for area in content.matches(of: /<textarea([^>]*)>([^<]*)<\/textarea>/) {
            form.hasMembers = true
            form.fields.append("\(value("name", in: String(area.1)) ?? "")=\(unescaped(String(area.2)))")
        }
    }

    private static func value(_ name: String, in tag: String) -> String? {
        guard let start = " \(tag)".range(of: " \(name)=\"") else { return nil }
        return unescaped(String(" \(tag)"[start.upperBound...].prefix { $0 != "\"" }))
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
