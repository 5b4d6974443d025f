//go:build !race

package picture

import (
	"image"
	"runtime"
	"testing"
)

// The race detector has pools drop now and then what they were given, such as the
// buffer that a scaler keeps, and can say nothing of memory.
//
// Other tests of the package wait until this one is done.
func TestALargeImageIsScaledInLittleMemory(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 4096, 4096))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	scale(img, 1600, 1600)
	runtime.ReadMemStats(&after)
	// 25 MiB on the way, 10 of the result, and the strips.
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}
