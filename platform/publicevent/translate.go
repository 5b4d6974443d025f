package publicevent

import (
	"errors"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// Translate returns the public event of a fact on a subject, nil for a fact that is not public. Its errors are of facts
// that cannot be read.
func Translate(subject string, envelope event.Envelope) (*Event, error) {
	public, ok := translations[subject]
	if !ok {
		return nil, nil //nolint:nilnil // there is none
	}
	e, err := public(envelope)
	if err != nil || e.Kind == "" {
		return nil, err
	}
	ids := slices.Concat(e.Maps, e.Players, e.Receivers)
	if i := slices.IndexFunc(ids, func(id string) bool { return !event.IsID(id) }); i >= 0 || len(ids) == 0 {
		return nil, errNoID
	}
	return &e, nil
}

var errNoID = errors.New("an id is missing or malformed")

// translations are the facts that are public, by subject. All others are not sent.
var translations = map[string]func(event.Envelope) (Event, error){
	event.RecordSubmittedSubject:    newTranslation(recordSubmitted),
	event.RecordRemovedSubject:      newTranslation(recordRemoved),
	event.RecordRestoredSubject:     newTranslation(recordRestored),
	event.RecordsHiddenSubject:      newTranslation(recordsHidden),
	event.RecordsShownSubject:       newTranslation(recordsShown),
	event.MapCreatedSubject:         ofMap(KindMap, func(f event.MapCreated) string { return f.MapID }),
	event.MapUpdatedSubject:         ofMap(KindMapUpdated, func(f event.MapUpdated) string { return f.MapID }),
	event.MapReassignedSubject:      ofMap(KindMapUpdated, func(f event.MapReassigned) string { return f.MapID }),
	event.MapRemovedSubject:         ofMap(KindMapRemoved, func(f event.MapRemoved) string { return f.MapID }),
	event.MapRestoredSubject:        ofMap(KindMapRestored, func(f event.MapRestored) string { return f.MapID }),
	event.MapEditedSubject:          ofMap(KindMapUpdated, func(f event.MapEdited) string { return f.MapID }),
	event.MapUnrankedSubject:        ofMap(KindMapUpdated, func(f event.MapUnranked) string { return f.MapID }),
	event.MapRankedSubject:          ofMap(KindMapUpdated, func(f event.MapRanked) string { return f.MapID }),
	event.PlayerRegisteredSubject:   newTranslation(playerRegistered),
	event.PlayerMergedSubject:       newTranslation(playerMerged),
	event.PlayerDeletedSubject:      newTranslation(playerDeleted),
	event.RankingChangedSubject:     newTranslation(rankingChanged),
	event.NotificationsAddedSubject: newTranslation(notificationsAdded),
}

// newTranslation returns public for an envelope. The time of the envelope is that of the fact's publication.
func newTranslation[F event.Fact](public func(f F, published time.Time) Event) func(event.Envelope) (Event, error) {
	return func(envelope event.Envelope) (Event, error) {
		fact, err := event.Decode[F](envelope)
		if err != nil {
			return Event{}, err
		}
		return public(fact, envelope.At), nil
	}
}

// recordSubmitted returns no event for a record that is not public.
func recordSubmitted(f event.RecordSubmitted, published time.Time) Event {
	if f.Inactive {
		return Event{}
	}
	data := RecordEvent{
		RecordID: f.RecordID, MapID: f.MapID, PlayerID: f.PlayerID, FinishTime: f.FinishTime,
		FinishTimeStamp: TimeText(f.FinishTimeStamp), PersonalBest: f.PersonalBest, WorldRecord: f.WorldRecord,
		Mode: orNull(f.Mode), Medal: orNull(f.Medal), Rank: orNull(f.Rank), Overtook: []OvertakenPlayer{},
		At: timeText(f.At, published),
	}
	players := []string{f.PlayerID}
	for _, moved := range f.Overtook {
		data.Overtook = append(data.Overtook, OvertakenPlayer{PlayerID: moved.PlayerID, From: moved.From, To: moved.To})
		players = append(players, moved.PlayerID)
	}
	if broken := f.PreviousWorldRecord; broken != nil {
		data.PreviousWorldRecord = &BrokenWorldRecord{
			RecordID: broken.RecordID, PlayerID: broken.PlayerID, FinishTime: broken.FinishTime,
		}
		players = append(players, broken.PlayerID)
	}
	types := TypeRecord
	if f.WorldRecord {
		types |= TypeWorldRecord
	}
	return Event{Kind: KindRecord, Types: types, Data: data, Maps: []string{f.MapID}, Players: players, Mode: f.Mode}
}

func recordRemoved(f event.RecordRemoved, published time.Time) Event {
	return recordChanged(KindRecordRemoved, f, published)
}

func recordRestored(f event.RecordRestored, published time.Time) Event {
	return recordChanged(KindRecordRestored, event.RecordRemoved(f), published)
}

func recordChanged(k Kind, f event.RecordRemoved, published time.Time) Event {
	return Event{
		Kind: k, Types: TypeRecord | TypeWorldRecord,
		Data: RecordChangeEvent{
			RecordID: f.RecordID, MapID: f.MapID, PlayerID: f.PlayerID, FinishTime: f.FinishTime,
			FinishTimeStamp: TimeText(f.FinishTimeStamp), CreatedAt: TimeText(f.CreatedAt), At: timeText(f.At, published),
		},
		Maps: []string{f.MapID}, Players: []string{f.PlayerID},
	}
}

func recordsHidden(f event.RecordsHidden, published time.Time) Event {
	return ofPlayer(KindRecordsHidden, TypeRecord|TypeWorldRecord, f.PlayerID, timeText(f.At, published))
}

func recordsShown(f event.RecordsShown, published time.Time) Event {
	return ofPlayer(KindRecordsShown, TypeRecord|TypeWorldRecord, f.PlayerID, timeText(f.At, published))
}

func playerRegistered(f event.PlayerRegistered, published time.Time) Event {
	return ofPlayer(KindPlayerRegistered, TypePlayer, f.PlayerID, TimeText(published))
}

func ofPlayer(k Kind, types Types, playerID, at string) Event {
	return Event{Kind: k, Types: types, Data: PlayerEvent{PlayerID: playerID, At: at}, Players: []string{playerID}}
}

func playerMerged(f event.PlayerMerged, published time.Time) Event {
	return Event{
		Kind: KindPlayerMerged, Types: TypePlayer,
		Data:    PlayerMergedEvent{PlayerID: f.PlayerID, IntoID: f.IntoID, At: TimeText(published)},
		Players: []string{f.PlayerID, f.IntoID},
	}
}

func playerDeleted(f event.PlayerDeleted, published time.Time) Event {
	return Event{
		Kind: KindPlayerDeleted, Types: TypePlayer,
		Data:    PlayerDeletedEvent{PlayerID: f.PlayerID, Name: f.Name, At: TimeText(published)},
		Players: []string{f.PlayerID},
	}
}

// ofMap returns the translation of a fact of a map.
func ofMap[F event.Fact](k Kind, mapOf func(F) string) func(event.Envelope) (Event, error) {
	return newTranslation(func(f F, published time.Time) Event {
		id := mapOf(f)
		data := MapEvent{MapID: id, At: TimeText(published)}
		return Event{Kind: k, Types: TypeMap, Data: data, Maps: []string{id}}
	})
}

func rankingChanged(f event.RankingChanged, published time.Time) Event {
	data := PointsEvent{Players: []RankedPlayer{}, At: timeText(f.At, published)}
	var players []string
	for _, p := range f.Players {
		row := RankedPlayer{PlayerID: p.PlayerID, Points: float64(p.After) / 10, Change: float64(p.After-p.Before) / 10}
		if p.Rank > 0 {
			row.Rank = &p.Rank
		}
		data.Players = append(data.Players, row)
		players = append(players, p.PlayerID)
	}
	return Event{Kind: KindPoints, Types: TypePoints, Data: data, Players: players}
}

func notificationsAdded(f event.NotificationsAdded, published time.Time) Event {
	receivers := slices.Clone(f.PlayerIDs)
	slices.SortFunc(receivers, strings.Compare)
	data := InboxEvent{Kind: f.Kind, At: timeText(f.At, published)}
	return Event{Kind: KindInbox, Data: data, Receivers: receivers}
}

// timeText returns the time of a fact, or of its publication where the fact has none.
func timeText(at, published time.Time) string {
	if at.IsZero() {
		at = published
	}
	return TimeText(at)
}

// TimeText returns a time as the API writes it.
func TimeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// orNull returns nil for a zero value.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
