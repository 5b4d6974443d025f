module capzone.dev/services/records

go 1.26.0

replace capzone.dev/platform => ../../platform

replace capzone.dev/game => ../../game

require (
	capzone.dev/game v0.0.0
	capzone.dev/platform v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0
	github.com/jackc/pgx/v5 v5.12.0
)
