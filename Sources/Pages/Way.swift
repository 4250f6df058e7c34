/// A row that leads to another page: the page's name, what it holds or its state, and an icon.
package struct Way: Sendable {
    /// The person's query is added by the template.
    let path: String
    let name: String
    let text: String?
    /// A template in `Templates/`.
    let icon: String

    package init(_ path: String, _ name: String, _ text: String?, icon: String) {
        self.path = path
        self.name = name
        self.text = text
        self.icon = "icons/\(icon)"
    }
}
