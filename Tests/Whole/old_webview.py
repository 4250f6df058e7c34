"""A browser window of 2018 (Chromium 69, in Qt WebEngine 5.12), driven line by line: JSON in, JSON out."""

import json
import sys

from PyQt5.QtCore import QEventLoop, QTimer, QUrl
from PyQt5.QtWebEngineWidgets import QWebEnginePage, QWebEngineView
from PyQt5.QtWidgets import QApplication


class Page(QWebEnginePage):
    noise = []

    def javaScriptConsoleMessage(self, level, message, line, source):
        self.noise.append(f"{source}:{line} {message}")


class Window:
    def __init__(self, width, height):
        self.view = QWebEngineView()
        self.page = Page(self.view)
        self.view.setPage(self.page)
        self.view.resize(width, height)
        self.view.show()

    def until(self, begin, patience=20_000):
        """Runs Qt until `begin` calls the function that it gets; returns the argument of that call."""
        loop, answers = QEventLoop(), []

        def end(answer=None):
            answers.append(answer)
            loop.quit()

        QTimer.singleShot(patience, loop.quit)
        begin(end)
        if not answers:
            loop.exec_()
        return answers[0] if answers else None

    def open(self, url):
        def begin(end):
            self.page.loadFinished.connect(end)
            self.view.load(QUrl(url))

        return self.until(begin)

    def evaluate(self, script):
        return self.until(lambda end: self.page.runJavaScript(script, end))

    def wait(self, milliseconds):
        self.until(lambda end: QTimer.singleShot(milliseconds, end))

    def shot(self, path):
        return self.view.grab().save(path)

    def noise(self):
        found, self.page.noise[:] = list(self.page.noise), []
        return found


application = QApplication([sys.argv[0], "--no-sandbox"])
window = Window(int(sys.argv[1]), int(sys.argv[2]))
for line in sys.stdin:
    name, *arguments = json.loads(line)
    print(json.dumps(getattr(window, name)(*arguments)), flush=True)
