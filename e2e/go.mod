module capzone.dev/e2e

go 1.26.0

require (
	capzone.dev/game v0.0.0
	capzone.dev/platform v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/schollz/progressbar/v3 v3.19.1
	golang.org/x/sync v0.24.0
)

require (
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.44.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	capzone.dev/game => ../game
	capzone.dev/platform => ../platform
)
