module capzone.dev/services/auth

go 1.26.0

require capzone.dev/platform v0.0.0

replace capzone.dev/platform => ../../platform
