package import Foundation
package import Policy

/// What every page needs besides its own content.
package struct PageContext: Sendable {
    /// One sentence at the top of a page: what just happened, or what is wrong.
    package struct Notice: Sendable {
        package enum Kind: String, Sendable { case done, warning, refused }
        package var kind: Kind
        package var text: String
        /// Where "Undo" is sent, for 8 seconds; nil if there is none.
        package var undo: String?
        /// A page that may help.
        package var way: Link?

        package struct Link: Sendable {
            /// The person's query is added by the template.
            let path: String
            let name: String

            package init(_ path: String, _ name: String) {
                self.path = path
                self.name = name
            }
        }

        package init(_ kind: Kind, _ text: String, undo: String? = nil, way: Link? = nil) {
            self.kind = kind
            self.text = text
            self.undo = undo
            self.way = way
        }
    }

    /// The login's token for every form; nil if not signed in.
    package var csrf: String?
    /// The person whose rules the page shows; nil before set-up.
    package var person: Person?
    /// All people, for the switcher, which appears with two or more.
    package var people: [Person]
    package var now: Date
    /// The household's zone, in which all times are written.
    package var zone: TimeZone
    /// How scripts write times; pages have theirs from `ClockFace`.
    package var clock: ClockStyle
    /// The page's own path and query, for the switcher and the way back after login.
    package var path: String
    /// Whether pages link to Help.
    package var offersHelp: Bool
    package var notices: [Notice]
    /// Where `Public/` is served: `/assets/`, on a blocked Host `/.sleep-inducer/assets/`.
    package var assetPrefix: String
    /// The person's coming bedtime, if no session runs: every open page counts down its last minutes.
    package var bedtime: Date?
    /// Everybody's questions that wait for an answer, oldest first; empty if not signed in.
    package var questions: [QuestionRow]
    /// The page to which an answer to a question leads back: its own path, or its place's after a refused form.
    package var returnTo: String
    /// Whether the reader came here from set-up, and goes back there.
    package var isFromSetup: Bool
    /// Whether the page answers a form or an error, so that its address cannot be asked for it again.
    package var isAnswer: Bool
    /// The path of the events: `/events`, on a blocked Host `/.sleep-inducer/events`.
    package var eventsPath: String
    /// The form that the page answers; nil for a page that was opened.
    package var answers: Answered?

    package init(
        csrf: String? = nil, person: Person? = nil, people: [Person] = [], now: Date, zone: TimeZone,
        clock: ClockStyle = ClockFace.style, path: String = "/", offersHelp: Bool = true,
        notices: [Notice] = [],
        assetPrefix: String = "/assets/", eventsPath: String = "/events", bedtime: Date? = nil,
        questions: [QuestionRow] = [], returnTo: String? = nil, isFromSetup: Bool = false,
        isAnswer: Bool = false, answers: Answered? = nil
    ) {
        self.csrf = csrf
        self.person = person
        self.people = people
        self.now = now
        self.zone = zone
        self.clock = clock
        self.path = path
        self.offersHelp = offersHelp
        self.notices = notices
        self.assetPrefix = assetPrefix
        self.isAnswer = isAnswer
        self.eventsPath = eventsPath
        self.bedtime = bedtime
        self.questions = questions
        self.returnTo = returnTo ?? path
        self.isFromSetup = isFromSetup
        self.answers = answers
    }
}
