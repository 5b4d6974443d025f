//go:build !race

package imaging

import (
	"image"
	"runtime"
	"testing"
)

// The race detector makes pools drop what they hold, such as the buffer of a scaler, so that
// memory cannot be measured with it. The test is not parallel, so that it measures itself alone.
func TestFit_memory(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 4096, 4096))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fit(img, 1600)
	runtime.ReadMemStats(&after)
	// 16 MiB halved, 13 scaled horizontally, 10 of the result, and the strips.
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}
