// Package racetime computes with finish times: it rounds them to the game's frames, parses and
// formats clock times, and computes medals.
//
// A finish time is an int of milliseconds everywhere. The game has 30 frames a second, so a time
// that is parsed from text is rounded ("snapped") to the nearest frame. Times of any precision are
// comparable then.
package racetime

// FramesPerSecond is the rate of the game's physics.
const FramesPerSecond = 30

const msPerSecond = 1000

// Frame returns the number of the frame nearest to a time in milliseconds. Half a frame counts up.
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
