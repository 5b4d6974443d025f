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

// Parse parses a clock time and returns it in milliseconds, snapped to a frame. A clock time is
// m:ss or mm:ss, optionally with tenths, hundredths or thousandths after a point; minutes and
// seconds have one or two digits, and seconds are below 60. It returns [ErrNotAClockTime] for
// anything else.
func Parse(text string) (int, error) {
	parts := clock.FindStringSubmatch(text)
	if parts == nil {
		return 0, ErrNotAClockTime
	}
	// The expression matches one to three digits.
	minutes, _ := strconv.Atoi(parts[1])
	seconds, _ := strconv.Atoi(parts[2])
	thousandths, _ := strconv.Atoi((parts[3] + "000")[:3])
	if seconds >= 60 {
		return 0, ErrNotAClockTime
	}
	return Snap((minutes*60+seconds)*msPerSecond + thousandths), nil
}

// Format formats a time as mm:ss.cc, rounded half up to hundredths, with a minus if it is negative.
// Minutes have more digits from 100 minutes on. [Parse] returns the same time for a formatted
// snapped time below 100 minutes.
func Format(ms int) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	hundredths := (ms + 5) / 10
	return fmt.Sprintf("%s%02d:%02d.%02d", sign, hundredths/6000, hundredths/100%60, hundredths%100)
}
