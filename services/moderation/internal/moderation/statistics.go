package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
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

// StatisticsQueries counts what moderators did.
type StatisticsQueries interface {
	// FlagPrecisions returns what became of the last flags of each kind.
	FlagPrecisions(ctx context.Context) ([]FlagPrecision, error)
	// Summary returns what the moderators did since a time.
	Summary(ctx context.Context, since time.Time) (Summary, error)
	// HasFlaggedCase reports whether a case about a record with a flag is open.
	HasFlaggedCase(ctx context.Context, recordID string) (bool, error)
}

// Statistics shows moderators how flags did, and everybody how much was done.
type Statistics struct {
	Store   StatisticsQueries
	Players Players
	Now     func() time.Time
}

// FlagPrecisions returns how often each kind of flag was confirmed. It returns the errors of AuditLog.
func (s *Statistics) FlagPrecisions(ctx context.Context, by access.Actor) ([]FlagPrecision, error) {
	if _, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadDesk, s.Players.Get); err != nil {
		return nil, err
	}
	return s.Store.FlagPrecisions(ctx)
}

// Summary returns what the moderators did in the last SummaryDays.
func (s *Statistics) Summary(ctx context.Context) (Summary, error) {
	return s.Store.Summary(ctx, s.Now().AddDate(0, 0, -SummaryDays))
}

// HasFlaggedCase reports whether a case about a record with a flag is open. A text that is no id is no record.
func (s *Statistics) HasFlaggedCase(ctx context.Context, recordID string) (bool, error) {
	if !event.IsID(recordID) {
		return false, nil
	}
	return s.Store.HasFlaggedCase(ctx, recordID)
}
