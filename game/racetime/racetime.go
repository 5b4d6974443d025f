// Package racetime holds the arithmetic of finish times: whole milliseconds that
// fall on the game's frames, their spelling on a clock, and the medals they earn.
//
// A finish time is an int of milliseconds everywhere. The game counts frames, 30
// a second, so a time read from text is snapped to the nearest frame, which makes
// times comparable whatever precision they were written with.
package racetime

// FramesPerSecond is how often the game's physics step.
const FramesPerSecond = 30

const msPerSecond = 1000

// Frame returns the number of the frame nearest to a time in milliseconds. Half
// a frame counts up.
func Frame(ms int) int {
	return floorDiv(2*ms*FramesPerSecond+msPerSecond, 2*msPerSecond)
}

// OfFrame returns when a frame begins, in milliseconds, rounded.
func OfFrame(frame int) int {
	return floorDiv(2*frame*msPerSecond+FramesPerSecond, 2*FramesPerSecond)
}

// Snap moves a time to the nearest frame: 41 270 ms becomes 41 267.
func Snap(ms int) int { return OfFrame(Frame(ms)) }

// floorDiv divides and rounds down, below zero as well.
func floorDiv(a, b int) int {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}
