/// The content of one page: stored properties only, because templates read them by reflection.
package protocol Page: Sendable {
    /// Its file in `Templates/`, without the ending.
    static var template: String { get }
    /// The document's title, before " · Sleep Inducer".
    var title: String { get }
}
