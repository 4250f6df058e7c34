# Two commands do everything on a fresh Debian machine with Swift: make run, make test.
# Variables: ARGS (flags for the server), PREFIX (default /usr/local), BUILD_FLAGS, BINARY (what make deb packs), ARCH (what
# a release is for: amd64 or arm64; default: this machine's).

SHELL := /bin/bash
.DEFAULT_GOAL := help

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PREFIX ?= /usr/local
BUILD := .build
MACHINE := $(shell dpkg --print-architecture 2>/dev/null)
ARCH ?= $(MACHINE)
# A release for this machine, or one for arm64 that another machine makes.
RELEASE := .build-release$(if $(filter-out $(MACHINE),$(ARCH)),-$(ARCH))
RELEASED := $(RELEASE)/$(if $(filter-out $(MACHINE),$(ARCH)),stage/)sleep-inducer
VENV := .build-venv
COVERED := .build-coverage
SQLITE_AND_ZLIB := libsqlite3-dev zlib1g-dev
# They use no socket and write no file, so they may run side by side.
PURE_SUITES := ^(Policy|Pages)Tests\.
TEST_PACKAGES := gcc libc6-dev chromium chromium-headless-shell dnsutils knot-dnsutils curl openssl iproute2 dnsmasq-base nftables conntrack libnss3-tools default-jre-headless libgl1 libxtst6 python3-venv dpkg-dev chrpath zbar-tools etcd-server etcd-client keepalived firefox-esr wpewebkit-driver cog webkit2gtk-driver xvfb
# Other servers, to be tried beside ours. Under systemd their packages would start them and take ports 53 and 80, so there
# they are used only where somebody installed them already; without them, their tests are skipped.
FURNITURE_PACKAGES := unbound nginx-light caddy
RELEASE_PACKAGES := python3
DEB_PACKAGES := dpkg-dev chrpath
IMAGE_PACKAGES := binutils ca-certificates python3 tzdata
CROSS_PACKAGES := debootstrap git
# What a change breaks first, in a few minutes: answers, a block's begin and end, pages, the API, a kill.
CHECKED := $(addprefix Tests/Whole/test_,questions.py first_night.py bedtime.py states.py api.py live.py restart.py docs.py)
BENCH_PACKAGES := dnsperf nghttp2-client dnsmasq-base unbound nginx-light libnginx-mod-nchan libnginx-mod-stream wrk gcc iproute2 procps
PICTURE_PACKAGES := pngquant

.PHONY: run test check coverage bench pictures format lint assets tokens install uninstall release deb image dist manual help packages \
	test-packages test-build swift-tests whole-tests nightly clean

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
	Scripts/test-swift 600 $(BUILD_FLAGS) --skip-build --filter '$(PURE_SUITES)'
	Scripts/test-swift 1200 $(BUILD_FLAGS) --skip-build --no-parallel --skip '$(PURE_SUITES)'

whole-tests: packages test-packages ## the built binary, from outside: dig, curl, Chromium, kill -9
	swift build $(BUILD_FLAGS) --product sleep-inducer
	$(VENV)/bin/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m "not alone and not nightly" Tests/Whole

nightly: test ## what needs minutes of real time, or the machine for itself, after everything else
	$(VENV)/bin/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder -m "nightly and not alone" Tests/Whole
	$(VENV)/bin/python -m pytest -q -m alone Tests/Whole

check: packages lint ## what each push is held to: lint, Swift's tests, and a few of the whole program
	@$(MAKE) --no-print-directory -j2 test-build test-packages
	@$(MAKE) --no-print-directory swift-tests
	swift build $(BUILD_FLAGS) --product sleep-inducer
	$(VENV)/bin/python -m pytest -q -n 3 --dist loadfile -m "not alone" $(CHECKED)

coverage: packages ## the share of each room's lines that Swift's tests run
	swift test --enable-code-coverage --scratch-path $(COVERED) --no-parallel
	Scripts/coverage $(COVERED)

bench: packages test-packages release ## figures beside dnsmasq, unbound and nginx, as a table and JSON
	@Scripts/install-packages $(BENCH_PACKAGES)
	$(VENV)/bin/python Bench/bench.py $(ARGS)

pictures: packages test-packages ## the pictures of the documents, taken anew of the real pages
	@Scripts/install-packages $(PICTURE_PACKAGES)
	swift build $(BUILD_FLAGS) --product sleep-inducer
	$(VENV)/bin/python Tests/Whole/pictures.py $(ARGS)

format: ## bring every Swift file into the house's style
	swift format format -i -r -p Sources Tests Package.swift

lint: ## the house's style; and where a release for arm64 was made, that its older compiler takes the sources
	swift format lint --strict -r -p Sources Tests Package.swift
	$(if $(wildcard .build-release-arm64/stage/sleep-inducer),Scripts/run-for-arm64 .build-lint \
		swift build --product sleep-inducer --scratch-path .build-lint)

assets: tokens ## regenerate the list of files that are compiled in
	Scripts/list-assets

tokens: ## regenerate the style sheet's variables from Public/tokens.json
	python3 Scripts/make-tokens

release: packages ## one stripped file that needs only glibc and libstdc++; ARCH=arm64 makes it for arm64
	@Scripts/install-packages $(RELEASE_PACKAGES) $(if $(filter-out $(MACHINE),$(ARCH)),$(CROSS_PACKAGES))
	SLEEP_INDUCER_COMMIT=$$(Scripts/commit | cut -d' ' -f1) \
		Scripts/build-$(if $(filter-out $(MACHINE),$(ARCH)),$(ARCH),release) $(RELEASE)
	@$(if $(filter-out $(MACHINE),$(ARCH)),,Scripts/built-with > $(RELEASE)/built-with)

deb: $(if $(BINARY),,release) ## a Debian package of the release; ARCH=arm64 makes it for arm64
	@Scripts/install-packages $(DEB_PACKAGES)
	Packaging/build-deb $(or $(BINARY),$(RELEASED)) $(RELEASE)

dist: ## everything that a release publishes, for amd64 and arm64, in dist/
	@$(MAKE) --no-print-directory deb image ARCH=amd64
	@$(MAKE) --no-print-directory deb image ARCH=arm64
	Packaging/make-dist dist

manual: packages ## regenerate the man page and the completions from the command line
	swift build $(BUILD_FLAGS) --product sleep-inducer
	swift build $(BUILD_FLAGS) --product generate-manual
	Packaging/make-manual $(BUILD)/debug Packaging/manual

image: $(if $(BINARY),,release) ## an image for Docker and podman of the release; ARCH=arm64 makes it for arm64
	@Scripts/install-packages $(IMAGE_PACKAGES)
	Packaging/build-image $(or $(BINARY),$(RELEASED)) $(RELEASE)

install: release ## binary, unit and data directory; DNS on 53, pages on 80 (as root)
	PREFIX=$(PREFIX) Packaging/install $(RELEASE)/sleep-inducer

uninstall: ## take away what install brought; asks before it erases the household's data
	PREFIX=$(PREFIX) Packaging/uninstall

packages:
	@Scripts/install-packages $(SQLITE_AND_ZLIB)

test-packages:
	@Scripts/install-packages $(TEST_PACKAGES)
	@[ -d /run/systemd/system ] || Scripts/install-packages $(FURNITURE_PACKAGES)
	@$(MAKE) --no-print-directory $(VENV)/installed

$(VENV)/installed: Tests/Whole/requirements.txt
	@python3 -m venv $(VENV) && $(VENV)/bin/pip install -q -r $< && touch $@

clean: ## remove what was built
	rm -rf $(BUILD) .build-release .build-release-arm64 .build-lint $(COVERED) $(VENV) dist

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22
