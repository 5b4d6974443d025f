# What there is to run here; `make` alone lists it. Settings are variables: make up PORT=8081 DATA_DIR=.local-2

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

# A tree that another user owns (a container's mount, say) has no version that Go could stamp into programs.
# With nodynamic, WebP pictures, which anybody may upload, are decoded in a sandbox and not by a library of the system.
# With nomsgpack Gin leaves out a codec that nothing uses, and whose compilation takes a minute of a processor.
# With -trimpath a second clone on the same machine finds what the first one has compiled.
export GOFLAGS := $(GOFLAGS) -buildvcs=false -tags=nodynamic,nomsgpack -trimpath

TOOLS := .tools/bin
LOCAL := $(TOOLS)/local

GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)

# It prints a line for each package when that is done, and failures again at the end.
GOTESTSUM_VERSION := v1.13.0
GOTESTSUM := $(TOOLS)/gotestsum-$(GOTESTSUM_VERSION)

# The built site, what it is built of, and its packages as installed.
SITE := web/dist/index.html
SITE_SOURCES = $(shell find web/src web/public web/scripts web/*.html web/*.json web/*.ts web/*.cjs -type f)
SITE_PACKAGES := web/node_modules/.package-lock.json

# Every package of every module of go.work.
MODULES := go list -m -f '{{.Dir}}/...'
PACKAGES = $$($(MODULES))
# Those whose tests talk to PostgreSQL, NATS, Redis or S3.
SERVED_LIST = go list -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' $(PACKAGES) | \
	sed -nE 's,^([^ ]+)\.test .*capzone\.dev/devstack/(pgtest|natstest|redistest|s3test|testservers)( .*)?$$,\1,p'
# Those of them whose own code talks to a server, and the black-box tests. The others repeat their statements and messages.
ADAPTERS := /(postgres|redis|files|natsapi|limit)$$|^capzone.dev/(platform|devstack|deploy/check|deploy/nats)|^capzone.dev/e2e(/backup)?$$

.PHONY: help up dev restart reset demo test check lint generated audit test-go test-modules test-programs test-real verify real-servers test-compose test-k8s test-rules test-web test-units test-browser test-pictures browsers chaos siege generate fuzz bench lighthouse build fetch modules launcher

help: ## list what there is to run
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: launcher modules $(SITE) ## start the whole site here (PORT, DATA_DIR, REPLICAS="records=3 maps=2")
	@exec $(LOCAL) up

restart: launcher ## build again and restart the running site's services one by one (DATA_DIR, NAMES="records.1 bot")
	@$(LOCAL) restart $(NAMES)

reset: launcher ## delete the data of the stopped site (DATA_DIR)
	@$(LOCAL) reset

dev: $(SITE_PACKAGES) ## serve the site with hot reload, in front of the running stack (PORT)
	@cd web && npm run --silent dev

demo: ## fill the running site with invented players, maps and records (PORT; LIVE=1 goes on with a record every LIVE_INTERVAL)
	@go run ./e2e/cmd/demo

# run-each TARGETS makes the targets one after the other, and fails at the end where one failed.
define run-each
	@failed=; \
	for step in $(1); do \
		printf '\n== make %s\n' $$step; \
		$(MAKE) $$step || failed="$$failed $$step"; \
	done; \
	printf '\n'; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; fi; \
	echo "Everything passed."
endef

test: ## run the tests of Go and of the site
	$(call run-each,test-go test-web)

check: ## what a change must pass: lint, generated code, known vulnerabilities, alert rules, all tests
	$(call run-each,lint generated audit test-rules test)

lint: fetch $(GOLANGCI) $(SITE_PACKAGES) ## check the code of Go (.golangci.yaml, no module needs go.work) and of the site
	@failed=; \
	$(GOLANGCI) run --allow-parallel-runners $(PACKAGES) || failed=1; \
	for module in $$(go list -m -f '{{.Dir}}'); do \
		(cd "$$module" && GOWORK=off go list -deps ./... >/dev/null) || failed=1; \
	done; \
	(cd web && npm run --silent lint && npm run --silent typecheck) || failed=1; \
	[ -z "$$failed" ]

generated: ## show that generated code is what its sources generate; what is stale is written anew
	@before=$$(git diff); \
	$(MAKE) generate; \
	[ "$$before" = "$$(git diff)" ] || { echo "generated code was stale: git diff shows what is new"; exit 1; }

audit: fetch ## look for known vulnerabilities in Go modules and npm packages (GOVULNDB, AUDIT_REQUIRED=1)
	@deploy/audit/audit.sh

# go-test PACKAGES SETTINGS FLAGS tests with the servers that tests share, and names the packages that took longest. make
# lint vets.
define go-test
	@status=0; \
	$(2) $(LOCAL) servers $(GOTESTSUM) --format pkgname-and-test-fails --format-hide-empty-pkg --hide-summary skipped \
		--jsonfile-timing-events .tools/test-go.json -- $(3) -vet=off -timeout 10m $(1) || status=$$?; \
	echo; echo "The ten slowest packages, in seconds:"; \
	sed -nE '/"Test":/d; s/.*"Action":"(pass|fail)","Package":"capzone.dev\/([^"]*)","Elapsed":([0-9.]+).*/\3 \2/p' \
		.tools/test-go.json | sort -rn | head -10; \
	exit $$status
endef

test-go: ## run all Go tests
	$(call run-each,test-modules test-programs)

# The modules whose tests run programs of other modules, which Go does not see.
OF_PROGRAMS := /(deploy/[a-z]+|devstack|e2e)/\.\.\.$$

test-modules: fetch launcher $(GOTESTSUM) ## run the Go tests of the services, the gateway, the bot and their packages; Go omits what has not changed
	$(call go-test,$$($(MODULES) | grep -vE '$(OF_PROGRAMS)'))

# These tests mostly wait for programs.
test-programs: fetch launcher $(GOTESTSUM) ## run the Go tests of the whole site, of its deployment and of what runs it here
	$(call go-test,$$($(MODULES) | grep -E '$(OF_PROGRAMS)'),,-count=1 -parallel 6)

real-servers: fetch launcher $(GOTESTSUM)
	@TEST_SERVERS=real $(LOCAL) servers true

test-real: real-servers ## run the tests of adapters and of the whole site with PostgreSQL 15, Redis, nats-server and MinIO, installed where absent
	$(call go-test,$$($(SERVED_LIST) | grep -E '$(ADAPTERS)'),TEST_SERVERS=real,-count=1)

# Before a release: what make test, test-real and test-compose leave out, because it repeats other tests or takes long.
verify: real-servers chaos ## run the remaining tests with real servers, faults, and SBOMs on the engine of test-compose
	$(call go-test,$$($(SERVED_LIST) | grep -vE '$(ADAPTERS)'),TEST_SERVERS=real,-count=1)
	@COMPOSE=1 SBOMS=1 ENGINE=$(abspath $(ENGINE)) go test -count=1 -v -timeout 60m -run Attestations ./e2e/compose

# The folder of the engine, its images and the caches of builds. docs/operations.md has its size.
ENGINE ?= $(CURDIR)/.tools/engine

test-compose: fetch ## run the site with Docker Compose on an engine of its own: confine, crash, scale, upgrade and restore it (ENGINE)
	@COMPOSE=1 ENGINE=$(abspath $(ENGINE)) go test -count=1 -v -timeout 60m ./e2e/compose

# The folder of the programs of the Kubernetes node.
NODE ?= $(CURDIR)/.tools/node

test-k8s: fetch ## run the site on a Kubernetes node of its own: scale, roll out, kill, confine and restore it (NODE, ENGINE)
	@K8S=1 NODE=$(abspath $(NODE)) ENGINE=$(abspath $(ENGINE)) go test -count=1 -v -timeout 90m ./e2e/kubernetes

test-rules: ## show that alerts fire when they should, by promtool
	@deploy/observability/test.sh

chaos: fetch ## kill, stop and fill up every part of a system under load, and check that nothing was lost
	@CHAOS=1 go test -count=1 -v -timeout 15m ./e2e/chaos

siege: fetch ## attack a site with the limits of a deployment, and check that visitors are still served
	@SIEGE=1 go test -count=1 -v -timeout 10m ./e2e/siege

test-web: ## test the site
	$(call run-each,test-units test-browser test-pictures)

test-units: $(SITE_PACKAGES) ## run the unit tests of the site
	@cd web && npm run --silent test

test-browser: launcher $(SITE) browsers ## test the site in browsers, against a stack of its own
	@cd web && npm run --silent e2e

test-pictures: $(SITE) browsers ## compare pictures of the site's pages with the committed ones
	@cd web && npm run --silent pictures

browsers: ## install Chromium and Firefox for the tests, where absent
	@web/scripts/browsers.sh

generate: fetch $(SITE_PACKAGES) ## write generated code anew
	@go generate $(PACKAGES)
	@cd web && npm run --silent generate

FUZZTIME := 1m

# By default Go spends a minute on making each new input smaller, and tries no other one meanwhile.
fuzz: fetch ## run each fuzz target for FUZZTIME (1m), or those named in FUZZ ("FuzzParseCursor FuzzParseImport")
	@grep -rl --exclude-dir='.?*' --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			[[ -z "$(FUZZ)" || " $(FUZZ) " == *" $$target "* ]] || continue; \
			echo "-- $$file: $$target for $(FUZZTIME)"; \
			(cd "$$(dirname "$$file")" && go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s .); \
		done; \
	done

bench: fetch launcher ## measure the goals of the design beside references; writes docs/performance.md (QUICK=1)
	@go run ./e2e/cmd/bench $(if $(QUICK),-quick)

lighthouse: $(SITE) ## measure the running site, filled by make demo, with Lighthouse (PORT); writes docs/site.md
	@cd web && npm run --silent lighthouse

build: fetch ## build every program into bin/
	@mkdir -p bin
	@go list -f '{{if eq .Name "main"}}{{.ImportPath}}{{end}}' $(PACKAGES) | xargs go build -o bin/

# Go fetches modules when it first needs them; here it may fail and try again.
fetch:
	@.ci/retry go list -deps -test $(PACKAGES) >/dev/null

# The modules of all programs, without those of tests.
modules:
	@.ci/retry go list -deps $(PACKAGES) >/dev/null

launcher:
	@mkdir -p $(TOOLS)
	@.ci/retry go build -o $(LOCAL) ./deploy/local

$(SITE): $(SITE_PACKAGES) $(SITE_SOURCES)
	@echo "building the site"
	@cd web && npm run --silent build

$(SITE_PACKAGES): web/package-lock.json
	@cd web && ../.ci/retry npm ci --no-audit --no-fund --loglevel error
	@touch $@

$(GOLANGCI):
	@mkdir -p $(TOOLS)
	@echo "building golangci-lint $(GOLANGCI_VERSION) (once, takes a few minutes)"
	@GOBIN="$(CURDIR)/$(TOOLS)" .ci/retry go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv $(TOOLS)/golangci-lint $@

$(GOTESTSUM):
	@mkdir -p $(TOOLS)
	@GOBIN="$(CURDIR)/$(TOOLS)" GOFLAGS= .ci/retry go install gotest.tools/gotestsum@$(GOTESTSUM_VERSION)
	@mv $(TOOLS)/gotestsum $@
