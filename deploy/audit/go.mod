module capzone.dev/deploy/audit

go 1.26.0

replace capzone.dev/platform => ../../platform

require (
	capzone.dev/platform v0.0.0
	github.com/google/go-cmp v0.7.0
	golang.org/x/vuln v1.8.0
)

require (
	capzone.dev/devstack v0.0.0
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/telemetry v0.0.0-20260908163034-4bcc4b2ee518 // indirect
	golang.org/x/tools v0.50.0 // indirect
)

replace capzone.dev/devstack => ../../devstack
