module capzone.dev/services/auth

go 1.26.0

require (
	capzone.dev/platform v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0
)

replace capzone.dev/platform => ../../platform
