/// The container around this process, if there is one.
package enum Container {
    /// Whether `container` is set, as systemd's Container Interface asks for; Packaging/image/config.json sets it.
    package static var isAround: Bool { !(SystemdNotice.environment("container") ?? "").isEmpty }
}
