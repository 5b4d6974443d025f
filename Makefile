# What there is to run here; `make` alone lists it. Settings are variables: make up PORT=8081 DATA_DIR=.local-2

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

# A tree that another user owns (a container's mount, say) has no version that Go could stamp into programs.
# With nodynamic pictures in WebP, which anybody may send, are read in a sandbox and not by whatever library the system has.
# With -trimpath a second clone on the same machine finds what the first one has compiled.
export GOFLAGS := $(GOFLAGS) -buildvcs=false -tags=nodynamic -trimpath

TOOLS := .tools/bin
LOCAL := $(TOOLS)/local

GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)

# The built site, what it is built of, and its packages as installed.
SITE := web/dist/index.html
SITE_SOURCES = $(shell find web/src web/public web/scripts web/*.html web/*.json web/*.ts web/*.cjs -type f)
SITE_PACKAGES := web/node_modules/.package-lock.json

# Every package of every module of go.work.
PACKAGES = $$(go list -m -f '{{.Dir}}/...')
# Those whose tests talk to PostgreSQL, NATS, Redis or S3.
SERVED_LIST = go list -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' $(PACKAGES) | \
	sed -nE 's,^([^ ]+)\.test .*capzone\.dev/devstack/(pgtest|natstest|redistest|s3test|realservers)( .*)?$$,\1,p'
# Those of them whose own code talks to a server, and the black-box tests. The others repeat their statements and messages.
ADAPTERS := /(postgres|redis|files|natsapi|limit)$$|^capzone.dev/(platform|devstack|deploy/check|deploy/nats)|^capzone.dev/e2e(/backup)?$$

.PHONY: help up dev restart reset demo test lint audit test-go test-real verify real-servers test-compose test-k8s test-rules test-web chaos siege generate fuzz bench lighthouse build fetch launcher

help: ## list what there is to run
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: launcher $(SITE) ## start the whole site here (PORT, DATA_DIR, REPLICAS="records=3 maps=2")
	@exec $(LOCAL) up

restart: launcher ## build anew and restart the running site's services one by one (DATA_DIR, NAMES="records.1 bot")
	@$(LOCAL) restart $(NAMES)

reset: launcher ## forget the data of the stopped site (DATA_DIR)
	@$(LOCAL) reset

dev: $(SITE_PACKAGES) ## serve the site with hot reload, in front of the running stack (PORT)
	@cd web && npm run --silent dev

demo: ## fill the running site with invented players, maps and records (PORT; LIVE=1 goes on with a record every LIVE_INTERVAL)
	@go run ./e2e/cmd/demo

test: ## install what the tests need, then check and test everything
	@failed=; \
	for step in lint audit test-rules test-go test-web; do \
		printf '\n== make %s\n' $$step; \
		$(MAKE) $$step || failed="$$failed $$step"; \
	done; \
	printf '\n'; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; fi; \
	echo "Everything passed."

lint: fetch $(GOLANGCI) ## check every module: vet, .golangci.yaml, and that it needs no go.work
	@failed=; \
	go vet $(PACKAGES) || failed=1; \
	$(GOLANGCI) run --allow-parallel-runners $(PACKAGES) || failed=1; \
	for module in $$(go list -m -f '{{.Dir}}'); do \
		(cd "$$module" && GOWORK=off go list -deps ./... >/dev/null) || failed=1; \
	done; \
	[ -z "$$failed" ]

audit: fetch ## look for known weaknesses in Go modules and npm packages (GOVULNDB, AUDIT_REQUIRED=1)
	@deploy/audit/audit.sh

# Without results of earlier runs: the black-box tests depend on code that Go does not see them use.
test-go: fetch launcher ## run all Go tests against one PostgreSQL and one S3 server
	@$(LOCAL) servers go test -count=1 -timeout 20m $(PACKAGES) | sed '/\[no test files\]/d'

real-servers: fetch launcher
	@TEST_SERVERS=real $(LOCAL) servers true

test-real: real-servers ## run the tests of adapters and of the whole site with PostgreSQL 15, Redis, nats-server and MinIO, installed where absent
	@TEST_SERVERS=real $(LOCAL) servers go test -count=1 -timeout 20m $$($(SERVED_LIST) | grep -E '$(ADAPTERS)')

# Before a release: what make test, test-real and test-compose leave out, because it repeats other tests or takes long.
verify: real-servers chaos ## run the remaining tests with real servers, faults, and SBOMs on the engine of test-compose
	@TEST_SERVERS=real $(LOCAL) servers go test -count=1 -timeout 20m $$($(SERVED_LIST) | grep -vE '$(ADAPTERS)')
	@COMPOSE=1 SBOMS=1 ENGINE=$(abspath $(ENGINE)) go test -count=1 -v -timeout 60m -run Attestations ./e2e/compose

# The folder of the engine, its images and the caches of builds. docs/operations.md has its size.
ENGINE ?= $(CURDIR)/.tools/engine

test-compose: fetch ## run the site with Docker Compose on an engine of its own: confine, crash, scale, upgrade and restore it (ENGINE)
	@COMPOSE=1 ENGINE=$(abspath $(ENGINE)) go test -count=1 -v -timeout 60m ./e2e/compose

test-k8s: fetch ## apply the manifests to a Kubernetes API server, which it builds once
	@K8S=1 go test -count=1 -v -timeout 60m ./deploy/check/cluster

test-rules: ## show that alerts fire when they should, by promtool
	@deploy/observability/test.sh

chaos: fetch ## kill, stop and fill up every part of a system under load, and look whether anything was lost
	@CHAOS=1 go test -count=1 -v -timeout 15m ./e2e/chaos

siege: fetch ## attack a site with the limits of a deployment, and look whether visitors are still served
	@SIEGE=1 go test -count=1 -v -timeout 10m ./e2e/siege

test-web: launcher $(SITE) ## check and test the site, also in a browser against a stack of its own
	@cd web && npm run --silent lint && npm run --silent typecheck && npm run --silent test && npm run --silent e2e

generate: fetch $(SITE_PACKAGES) ## write generated code anew
	@go generate $(PACKAGES)
	@cd web && npm run --silent generate

FUZZTIME := 1m

# By default Go spends a minute on making each new input smaller, and tries no other one meanwhile.
fuzz: fetch ## run each fuzz target for FUZZTIME (1m), or those named in FUZZ ("FuzzParse FuzzRead")
	@grep -rl --exclude-dir='.?*' --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			[[ -z "$(FUZZ)" || " $(FUZZ) " == *" $$target "* ]] || continue; \
			echo "-- $$file: $$target for $(FUZZTIME)"; \
			(cd "$$(dirname "$$file")" && go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s .); \
		done; \
	done

bench: fetch launcher $(SITE) ## measure the goals of the design beside references; writes docs/performance.md (QUICK=1)
	@go run ./e2e/cmd/bench $(if $(QUICK),-quick)

lighthouse: $(SITE) ## measure the running site, filled by make demo, with Lighthouse (PORT); writes docs/site.md
	@cd web && npm run --silent lighthouse

build: fetch ## build every program into bin/
	@mkdir -p bin
	@go list -f '{{if eq .Name "main"}}{{.ImportPath}}{{end}}' $(PACKAGES) | xargs go build -o bin/

# Go fetches modules when it first needs them; here it may fail and try again.
fetch:
	@.ci/retry go list -deps -test $(PACKAGES) >/dev/null

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
