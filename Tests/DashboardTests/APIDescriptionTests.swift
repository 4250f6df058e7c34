import Assets
import Foundation
import Policy
import Store
import Testing

@testable import Dashboard

/// `Public/openapi.json` is written by hand: its closed lists and bounds are those of the rules. `test_api_description`
/// asks the server.
@Suite struct APIDescriptionTests {
    /// The value at a path of names and indices below the schemas.
    private func value(_ path: String) throws -> Any? {
        let file = try #require(AssetLibrary().asset(at: "Public/openapi.json"))
        let document = try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any]
        let components = document?["components"] as? [String: Any]
        return path.split(separator: ".").reduce(components?["schemas"]) { value, name in
            if let list = value as? [Any], let index = Int(name) { return list[index] }
            return (value as? [String: Any])?[String(name)]
        }
    }

    private static let lists: [(String, [String])] = [
        ("NewWebhook.properties.events.items", WebhookEvent.Kind.allCases.map(\.rawValue)),
        ("NewWebhook.properties.form", Webhook.Form.allCases.map(\.rawValue)),
        ("Log.properties.entries.items.properties.kind", ChangeRow.kinds.map(\.rawValue).sorted()),
        (
            "Log.properties.entries.items.properties.subject.oneOf.0",
            RuleSubject.allCases.map(\.rawValue)
        ),
        (
            "Log.properties.entries.items.properties.by.oneOf.0.properties.kind",
            Hand.Kind.allCases.map(\.rawValue) + ["wait"]
        ),
        ("DeviceKind", Device.Kind.allCases.map(\.rawValue)),
        ("Session.properties.strictness", StrictnessMode.allCases.map(\.rawValue)),
        ("Days.items", Weekday.allCases.map(\.rawValue)),
    ]

    @Test(arguments: lists) func hasTheChoicesOfTheRules(_ path: String, _ choices: [String]) throws {
        #expect(try value(path + ".enum") as? [String] == choices, "\(path)")
    }

    @Test(arguments: [
        ("Name.maxLength", CleanName.maximum),
        ("NewWebhook.properties.url.maxLength", WebhookAddress.maximum),
        ("WantedSchedule.properties.exceptions.maxItems", RecurringSchedule.maximumExceptions),
        ("WantedWindows.properties.windows.maxItems", TimeWindow.maximumCount),
        ("WantedWindows.properties.windows.items.properties.label.maxLength", TimeWindow.maximumLabel),
        ("WantedLimits.properties.resetHour.maximum", Limits.resetHours.upperBound),
        ("NewFocus.properties.minutes.maximum", Preset.range.upperBound),
        ("Texts.maxItems", JSONBody.listLength.upperBound),
        ("Texts.items.maxLength", JSONBody.textLength.upperBound),
        ("Selection.properties.domains.maxItems", Household.maximumDomains),
    ]) func hasTheBoundsOfTheRules(_ path: String, _ bound: Int) throws {
        #expect(try value(path) as? Int == bound, "\(path)")
    }
}
