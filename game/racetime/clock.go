package racetime

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// ErrNotAClockTime is returned by [Parse].
var ErrNotAClockTime = errors.New("not a time such as 00:41.27")

var clock = regexp.MustCompile(`^(\d{1,2}):(\d{1,2})(?:\.(\d{1,3}))?$`)

// Parse reads a clock time and returns it in milliseconds, snapped to a frame.
// A clock time is m:ss or mm:ss, with tenths, hundredths or thousandths after a
// point where there are any; minutes and seconds have one digit or two, and the
// seconds stay below 60. Anything else, an unfinished input mask included, is
// [ErrNotAClockTime].
func Parse(text string) (int, error) {
	parts := clock.FindStringSubmatch(text)
	if parts == nil {
		return 0, ErrNotAClockTime
	}
	// The expression has made sure that these are short rows of digits.
	minutes, _ := strconv.Atoi(parts[1])
	seconds, _ := strconv.Atoi(parts[2])
	thousandths, _ := strconv.Atoi((parts[3] + "000")[:3])
	if seconds >= 60 {
		return 0, ErrNotAClockTime
	}
	return Snap((minutes*60+seconds)*msPerSecond + thousandths), nil
}

// Format shows a time as mm:ss.cc, rounded to hundredths, half a hundredth up;
// a negative time is its positive spelling after a minus. Times of 100 minutes
// and more show as many digits as they need. What Format writes of a snapped time
// below 100 minutes, [Parse] reads as the same time.
func Format(ms int) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	hundredths := (ms + 5) / 10
	return fmt.Sprintf("%s%02d:%02d.%02d", sign, hundredths/6000, hundredths/100%60, hundredths%100)
}
