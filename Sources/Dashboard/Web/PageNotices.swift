import Pages
import Store

extension HomeSite {
    /// While the disk refuses changes, every page of somebody who may change something says so.
    func diskNotices(_ asker: Asker) -> [PageContext.Notice] {
        guard asker.isSignedIn, let notice = store.diskNotice else { return [] }
        return [PageContext.Notice(.warning, notice)]
    }
}
