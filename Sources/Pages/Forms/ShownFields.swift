/// What a form showed when it was drawn: its hidden field `shown`, so that the server can tell what its reader changed
/// from what somebody else changed meanwhile.
///
/// The text is the address that draws the form again, a space, and the fields as a browser sends them
/// (`application/x-www-form-urlencoded`): `/schedule?person=2 start=22%3A00&end=07%3A00`.
package struct ShownFields: Sendable {
    package static let field = "shown"

    /// The path and query of the page that has the form.
    package let page: String
    package let pairs: [(name: String, value: String)]

    package init(page: String, pairs: [(name: String, value: String)]) {
        self.page = page
        self.pairs = pairs
    }

    package var text: String {
        page + " " + pairs.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
    }

    /// Everything but letters, digits, `-`, `.` and `_` as `%XX`.
    private static func escaped(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                output.append(byte)
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}

extension ShownFields {
    /// Gives every form of a page that has members the field with what it shows.
    ///
    /// On the answer to a form, that form keeps what its first page showed, because its fields show what was typed.
    static func write(into page: inout [UInt8], _ context: PageContext) {
        // Without a login, nobody changes what is stored, and most of these pages are shields.
        guard context.csrf != nil else { return }
        for form in PageForm.all(in: page).reversed() where form.hasMembers && !form.isPress {
            guard !form.fields.contains(where: { $0.name == field }),
                let text = text(of: form, context)
            else { continue }
            let tag =
                #"<input type="hidden" name="shown" value=""#.utf8 + HTMLText.escaped(text)
                + #"" autocomplete="off">"#.utf8
            page.insert(contentsOf: tag, at: form.opening.range.upperBound)
        }
    }

    private static func text(of form: PageForm, _ context: PageContext) -> String? {
        let shown = { (page: String) in ShownFields(page: form.shownAt ?? page, pairs: form.shown).text }
        guard let sent = context.answers else { return shown(withoutNotice(context.path)) }
        guard let first = sent.pairs.first(where: { $0.name == field })?.value else { return nil }
        if form.action == sent.action, form.isForm(of: sent.pairs) { return first }
        return shown(String(first.prefix { $0 != " " }))
    }

    /// A page's address without what was just done.
    private static func withoutNotice(_ path: String) -> String {
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().joined().split(separator: "&").filter { !$0.hasPrefix("done=") }
        return (parts.first ?? "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

extension PageContext {
    /// A form that was sent; the page is the answer to it.
    package struct Answered: Sendable {
        /// The path that it was sent to.
        package let action: String
        package let pairs: [(name: String, value: String)]

        package init(action: String, pairs: [(name: String, value: String)]) {
            self.action = action
            self.pairs = pairs
        }
    }
}
