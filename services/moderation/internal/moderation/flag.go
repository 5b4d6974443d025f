package moderation

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// FlagKind is what an automatic flag was made of, as the API names it.
type FlagKind string

// The kinds of flags.
const (
	LargeLead      FlagKind = "large_lead"
	NewAccount     FlagKind = "new_account"
	SameMoment     FlagKind = "same_moment"
	ImpossiblePace FlagKind = "impossible_pace"
	// CopiedFinish is a finish like another's, and RelabelledReplay one in a file with the same map data, which is how a
	// copied replay with another name looks.
	CopiedFinish     FlagKind = "copied_finish"
	RelabelledReplay FlagKind = "relabelled_replay"
	// OldVersion is a replay of an older version of the game or its mod than the one with which its map was submitted,
	// although it was finished after that one.
	OldVersion FlagKind = "old_version"
)

// FlagKinds lists the kinds of flags.
var FlagKinds = []FlagKind{
	LargeLead, NewAccount, SameMoment, ImpossiblePace, CopiedFinish, RelabelledReplay, OldVersion,
}

// Flag is what is remarkable about a record.
type Flag struct {
	ID   string
	Kind FlagKind
	// Silent is true where the kind was silent when the flag was made. It opens no case then.
	Silent  bool
	Numbers map[string]any
	At      time.Time
}

const (
	// leadPercent and leadFinishers are what makes a LargeLead.
	leadPercent, leadFinishers = 15, 5
	// newAccountAge, newAccountRank and newAccountFinishers are what makes a NewAccount.
	newAccountAge, newAccountRank, newAccountFinishers = 24 * time.Hour, 3, 20
	// sameMoment is the time between two finishes that are one moment. Time stamps have whole seconds in some replays.
	sameMoment = time.Second
)

// FindFlags returns the flags of a submitted record, without their ids.
func FindFlags(fact event.RecordSubmitted, r event.InspectedRecord) []Flag {
	var flags []Flag
	add := func(kind FlagKind, numbers map[string]any) {
		flags = append(flags, Flag{Kind: kind, Numbers: numbers, At: fact.At})
	}
	if previous := fact.PreviousWorldRecord; previous != nil && r.Finishers >= leadFinishers {
		percent := 100 * float64(previous.FinishTime-fact.FinishTime) / float64(previous.FinishTime)
		if percent > leadPercent {
			add(LargeLead, map[string]any{
				"finishTime": fact.FinishTime, "previous": previous.FinishTime, "percent": math.Round(10*percent) / 10,
				"finishers": r.Finishers,
			})
		}
	}
	age := fact.At.Sub(r.PlayerSince)
	if r.IsFirst && age < newAccountAge && fact.Rank >= 1 && fact.Rank <= newAccountRank &&
		r.Finishers >= newAccountFinishers {
		add(NewAccount, map[string]any{
			"accountHours": math.Round(10*age.Hours()) / 10, "rank": fact.Rank, "finishers": r.Finishers,
		})
	}
	for _, other := range r.Adjacent {
		apart := r.FinishTimeStamp.Sub(other.FinishTimeStamp)
		later := r.FinishTime
		if apart < 0 {
			apart, later = -apart, other.FinishTime
		}
		switch {
		case apart <= sameMoment && other.MapID != r.MapID:
			add(SameMoment, map[string]any{
				"otherRecordId": other.RecordID, "otherMapId": other.MapID, "milliseconds": apart.Milliseconds(),
			})
		case apart+sameMoment < time.Duration(later)*time.Millisecond:
			add(ImpossiblePace, map[string]any{
				"finishTime": later, "passed": apart.Milliseconds(), "otherRecordId": other.RecordID,
			})
		}
	}
	if c := r.Copied; c != nil {
		kind := CopiedFinish
		if r.CopiedMapData {
			kind = RelabelledReplay
		}
		add(kind, map[string]any{
			"otherRecordId": c.RecordID, "otherPlayerId": c.PlayerID, "differenceMs": r.FinishTime - c.FinishTime,
			"momentsApartMs": r.FinishTimeStamp.Sub(c.FinishTimeStamp).Abs().Milliseconds(),
		})
	}
	if m := r.MapReplay; m != nil && !r.Undated && !r.FinishTimeStamp.Before(m.FinishTimeStamp) {
		if isOlder(r.Replay.Mod, m.Mod) || isOlder(r.Replay.Game, m.Game) {
			add(OldVersion, map[string]any{
				"modVersion": r.Replay.Mod, "gameVersion": r.Replay.Game, "mapModVersion": m.Mod, "mapGameVersion": m.Game,
				"laterMs": r.FinishTimeStamp.Sub(m.FinishTimeStamp).Milliseconds(),
			})
		}
	}
	return flags
}

// isOlder reports whether a version is below another one. Missing numbers are 0, and an unknown version is neither
// older nor newer.
func isOlder(version, than string) bool {
	return version != "" && than != "" && slices.Compare(numbersOf(version), numbersOf(than)) < 0
}

// numbersOf returns the numbers of a version without zeros at its end. What is no number is 0; the records service
// sends none.
func numbersOf(version string) (numbers []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		numbers = append(numbers, n)
	}
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}

const (
	// PrecisionWindow is how many closed flags of a kind count.
	PrecisionWindow = 50
	// minPrecision is the number of closed flags below which a kind is not silent, and silentPercent the share below which
	// it is.
	minPrecision, silentPercent = 10, 20
)

// FlagPrecision counts the last closed flags of a kind. Those were confirmed that a decision other than a dismissal
// followed.
type FlagPrecision struct {
	Kind              FlagKind
	Closed, Confirmed int
}

// IsSilent reports whether flags of the kind open no cases.
func (p FlagPrecision) IsSilent() bool {
	return p.Closed >= minPrecision && 100*p.Confirmed < silentPercent*p.Closed
}

// Flagging is what is stored of a record with flags.
type Flagging struct {
	// CaseID is the id of a case that may have to be opened.
	CaseID  string
	Subject Subject
	Flags   []Flag
}

// MarkSilent returns the flags with whether their kinds are silent, and how many are not.
func (f Flagging) MarkSilent(precisions []FlagPrecision) (flags []Flag, loud int) {
	silent := map[FlagKind]bool{}
	for _, p := range precisions {
		silent[p.Kind] = p.IsSilent()
	}
	for _, flag := range f.Flags {
		if flag.Silent = silent[flag.Kind]; !flag.Silent {
			loud++
		}
		flags = append(flags, flag)
	}
	return flags, loud
}

// FlagStore stores flags.
type FlagStore interface {
	// AddFlags adds flags of a record to its case. Flags that are not silent open one where there is none.
	AddFlags(ctx context.Context, f Flagging) error
}

// Flagger finds what is remarkable about submitted records. It never changes anything else.
type Flagger struct {
	Records Records
	NewID   func() string
}

// RecordSubmitted returns the flags of a submitted record, or nil where there are none. It is used before the
// transaction, because it asks the records service. A record that is unknown or was removed since has no flags.
func (f *Flagger) RecordSubmitted(ctx context.Context, fact event.RecordSubmitted) (*Flagging, error) {
	record, err := f.Records.Inspect(ctx, event.InspectRecord{RecordID: fact.RecordID, ForFlags: true})
	if problem.IsNotFound(err) || err == nil && record.Removed {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	flags := FindFlags(fact, record)
	if len(flags) == 0 {
		return nil, nil
	}
	for i := range flags {
		flags[i].ID = f.NewID()
	}
	return &Flagging{
		CaseID: f.NewID(),
		Subject: Subject{
			Kind: OfRecord, ID: fact.RecordID, PlayerID: record.PlayerID, MapID: record.MapID, FinishTime: record.FinishTime,
		},
		Flags: flags,
	}, nil
}
