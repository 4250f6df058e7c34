# Two commands do everything on a fresh Debian machine with Swift: make run, make test.
# Variables: ARGS (flags for the server), PREFIX (default /usr/local), BUILD_FLAGS, BINARY (what make deb packs).

SHELL := /bin/bash
.DEFAULT_GOAL := help

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PREFIX ?= /usr/local
BUILD := .build
RELEASE := .build-release
VENV := .build-venv
SQLITE_AND_ZLIB := libsqlite3-dev zlib1g-dev
# They use no socket and write no file, so they may run side by side.
PURE_SUITES := ^(Policy|Pages)Tests\.
TEST_PACKAGES := gcc libc6-dev chromium chromium-headless-shell dnsutils knot-dnsutils curl openssl iproute2 dnsmasq-base nftables conntrack libnss3-tools default-jre-headless libgl1 libxtst6 python3-venv dpkg-dev zbar-tools
DEB_PACKAGES := dpkg-dev chrpath
BENCH_PACKAGES := dnsperf nghttp2-client dnsmasq-base unbound nginx-light libnginx-mod-nchan libnginx-mod-stream wrk gcc iproute2 procps
PICTURE_PACKAGES := pngquant

.PHONY: run test bench pictures format lint assets tokens install uninstall release deb help packages \
	test-packages test-build swift-tests whole-tests clean

run: packages ## build and start; as root on ports 80 and 53, otherwise as a trial on 8080 and 5300
	swift build $(BUILD_FLAGS) --product sleep-inducer
	exec $(BUILD)/debug/sleep-inducer serve --data data $(ARGS)

# The tests' packages are fetched during the build: one waits for the network, the other for the processor.
test: packages lint ## everything that must hold
	@$(MAKE) --no-print-directory -j2 test-build test-packages
	@$(MAKE) --no-print-directory swift-tests whole-tests

test-build: packages
	swift build $(BUILD_FLAGS) --build-tests

# The other suites run one test after the other: on two cores, parallel tests starve those with open sockets.
swift-tests: test-build
	timeout 600 swift test $(BUILD_FLAGS) --skip-build --filter '$(PURE_SUITES)'
	timeout 1200 swift test $(BUILD_FLAGS) --skip-build --no-parallel --skip '$(PURE_SUITES)'

whole-tests: packages test-packages ## the built binary, from outside: dig, curl, Chromium, kill -9
	swift build $(BUILD_FLAGS) --product sleep-inducer
	$(VENV)/bin/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m "not alone" Tests/Whole
	$(VENV)/bin/python -m pytest -q -m alone Tests/Whole

bench: packages test-packages release ## figures beside dnsmasq, unbound and nginx, as a table and JSON
	@Scripts/install-packages $(BENCH_PACKAGES)
	$(VENV)/bin/python Bench/bench.py $(ARGS)

pictures: packages test-packages ## the pictures of the documents, taken anew of the real pages
	@Scripts/install-packages $(PICTURE_PACKAGES)
	swift build $(BUILD_FLAGS) --product sleep-inducer
	$(VENV)/bin/python Tests/Whole/pictures.py $(ARGS)

format: ## bring every Swift file into the house's style
	swift format format -i -r -p Sources Tests Package.swift

lint: ## the house's style, checked
	swift format lint --strict -r -p Sources Tests Package.swift

assets: tokens ## regenerate the list of files that are compiled in
	Scripts/list-assets

tokens: ## regenerate the style sheet's variables from Public/tokens.json
	python3 Scripts/make-tokens

release: packages ## one stripped file that needs only glibc and libstdc++
	Scripts/build-release $(RELEASE)

deb: $(if $(BINARY),,release) ## a Debian package of the release, for the architecture of this machine
	@Scripts/install-packages $(DEB_PACKAGES)
	Packaging/build-deb $(or $(BINARY),$(RELEASE)/sleep-inducer) $(RELEASE)

install: release ## binary, unit and data directory; DNS on 53, pages on 80 (as root)
	PREFIX=$(PREFIX) Packaging/install $(RELEASE)/sleep-inducer

uninstall: ## take away what install brought; asks before it erases the household's data
	PREFIX=$(PREFIX) Packaging/uninstall

packages:
	@Scripts/install-packages $(SQLITE_AND_ZLIB)

test-packages:
	@Scripts/install-packages $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory $(VENV)/installed

$(VENV)/installed: Tests/Whole/requirements.txt
	@python3 -m venv $(VENV) && $(VENV)/bin/pip install -q -r $< && touch $@

clean: ## remove what was built
	rm -rf $(BUILD) $(RELEASE) $(VENV)

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22
