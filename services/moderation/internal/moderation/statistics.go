package moderation

import (
	"context"

	"capzone.dev/platform/access"
)

// Summary is what the moderators did in the last SummaryDays.
type Summary struct {
	OpenCases, Reports, ClosedCases, Undone  int
	Decisions                                map[DecisionKind]int
	AppealsOpen, AppealsGranted, AppealsKept int
	// MedianMinutes is the median time from the first report to the decision, and negative without one.
	MedianMinutes int
}

// SummaryDays is how many days a summary counts.
const SummaryDays = 30

// FlagPrecisions returns how often each kind of flag was confirmed.
func (l *Log) FlagPrecisions(ctx context.Context, by access.Actor) ([]FlagPrecision, error) {
	if _, err := authorize(ctx, by, access.ReadDesk, l.Players); err != nil {
		return nil, err
	}
	return l.Store.FlagPrecisions(ctx)
}

// Summary returns what the moderators did in the last SummaryDays.
func (l *Log) Summary(ctx context.Context) (Summary, error) {
	return l.Store.Summary(ctx, l.Now().AddDate(0, 0, -SummaryDays))
}

// IsLookedAt reports whether a case about a record with a flag is open. A text that is no id is no record.
func (l *Log) IsLookedAt(ctx context.Context, recordID string) (bool, error) {
	return l.Store.IsLookedAt(ctx, recordID)
}
