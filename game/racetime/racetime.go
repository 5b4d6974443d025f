// Package racetime computes with finish times: it rounds them to the game's frames, parses and
// formats clock times, and computes medals.
//
// A finish time is an int of milliseconds everywhere. The game has 30 frames a second, so a time
// that is parsed from text is rounded ("snapped") to the nearest frame. Times of any precision are
// comparable then.
package racetime

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

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

// ErrNotAClockTime is returned by [Parse].
var ErrNotAClockTime = errors.New("not a time such as 00:41.27")

var clock = regexp.MustCompile(`^(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]?\d)(?:\.(\d{1,3}))?$`)

// Parse parses a clock time and returns it in milliseconds, snapped to a frame. A clock time is
// minutes and seconds, or hours, two digits of minutes and seconds, optionally with tenths,
// hundredths or thousandths after a point. Minutes without hours have up to three digits, hours and
// seconds one or two; seconds, and minutes after hours, are below 60. It returns [ErrNotAClockTime]
// for anything else.
func Parse(text string) (int, error) {
	parts := clock.FindStringSubmatch(text)
	if parts == nil {
		return 0, ErrNotAClockTime
	}
	// The expression matches one to three digits, or none of the parts that are not there, which are 0.
	hours, _ := strconv.Atoi(parts[1])
	minutes, _ := strconv.Atoi(parts[2] + parts[3])
	seconds, _ := strconv.Atoi(parts[4])
	thousandths, _ := strconv.Atoi((parts[5] + "000")[:3])
	return Snap(((hours*60+minutes)*60+seconds)*msPerSecond + thousandths), nil
}

// Format formats a time as mm:ss.cc, rounded half up to hundredths, with a minus if it is negative.
// Minutes have more digits from 100 minutes on. [Parse] returns the same time for a formatted
// snapped time below 1,000 minutes.
func Format(ms int) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	hundredths := (ms + 5) / 10
	return fmt.Sprintf("%s%02d:%02d.%02d", sign, hundredths/6000, hundredths/100%60, hundredths%100)
}

// Medal is the medal of a finish time on a map, as the API names it.
type Medal string

// The medals, best first.
const (
	Author  Medal = "author"
	Gold    Medal = "gold"
	Silver  Medal = "silver"
	Bronze  Medal = "bronze"
	NoMedal Medal = ""
)

// Title returns the medal for people, as in "Gold medal", and "" for none.
func (m Medal) Title() string {
	if m == NoMedal {
		return ""
	}
	return strings.ToUpper(string(m[:1])) + string(m[1:]) + " medal"
}

// Medals are the slowest finish times, in milliseconds, with each medal of a map. The zero value is a
// map without medals.
type Medals struct{ Author, Gold, Silver, Bronze int }

// DefaultMedals returns medal times for an author time: gold is 1.06 times as long, silver 1.2 and
// bronze 1.5, each rounded up to a whole millisecond. It computes with integers, because 1.06 has
// no exact float: in floating point, the gold time of 50 ms would be 54 instead of 53.
func DefaultMedals(author int) Medals {
	return Medals{
		Author: author,
		Gold:   ceilDiv(author*106, 100),
		Silver: ceilDiv(author*6, 5),
		Bronze: ceilDiv(author*3, 2),
	}
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// Snapped returns the medals with each time moved to its nearest frame.
func (m Medals) Snapped() Medals {
	return Medals{Author: Snap(m.Author), Gold: Snap(m.Gold), Silver: Snap(m.Silver), Bronze: Snap(m.Bronze)}
}

// Of returns the best medal of a finish time.
func (m Medals) Of(ms int) Medal {
	switch {
	case m == Medals{}:
		return NoMedal
	case ms <= m.Author:
		return Author
	case ms <= m.Gold:
		return Gold
	case ms <= m.Silver:
		return Silver
	case ms <= m.Bronze:
		return Bronze
	default:
		return NoMedal
	}
}

// Next returns the medal that is the next better one of a finish time, and its slowest time. It
// returns NoMedal for a time with the author medal, and on a map without medals.
func (m Medals) Next(ms int) (Medal, int) {
	switch m.Of(ms) {
	case Author:
		return NoMedal, 0
	case Gold:
		return Author, m.Author
	case Silver:
		return Gold, m.Gold
	case Bronze:
		return Silver, m.Silver
	default:
		if m == (Medals{}) {
			return NoMedal, 0
		}
		return Bronze, m.Bronze
	}
}
