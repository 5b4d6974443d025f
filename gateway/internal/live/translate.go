package live

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
)

// The outcomes of facts in the metrics.
const (
	outcomePublic     = "public"
	outcomePrivate    = "private"
	outcomeUnreadable = "unreadable"
)

// translate returns the public events of facts, and counts the facts unless counter is nil. It leaves out a fact that
// cannot be read.
func (h *Hub) translate(messages []eventbus.StoredMsg, counter *prometheus.CounterVec) []*liveEvent {
	var events []*liveEvent
	for _, msg := range messages {
		e, err := translate(msg)
		outcome := outcomePublic
		switch {
		case err != nil:
			outcome = outcomeUnreadable
			h.log.Warn("fact cannot be read", "subject", msg.Subject, "sequence", msg.Sequence, "error", err)
		case e == nil:
			outcome = outcomePrivate
		default:
			events = append(events, e)
		}
		if counter != nil {
			counter.WithLabelValues(outcome).Inc()
		}
	}
	return events
}

// translate returns the public event of a fact, nil for a fact that is not public.
func translate(msg eventbus.StoredMsg) (*liveEvent, error) {
	public, ok := translations[msg.Subject]
	if !ok {
		return nil, nil //nolint:nilnil // there is none
	}
	var envelope event.Envelope
	if err := json.Unmarshal(msg.Data, &envelope); err != nil {
		return nil, err
	}
	content, err := public(envelope)
	if err != nil {
		return nil, err
	}
	ids := slices.Concat(content.maps, content.players, content.receivers)
	if i := slices.IndexFunc(ids, func(id string) bool { return !event.IsID(id) }); i >= 0 || len(ids) == 0 {
		return nil, errNoID
	}
	return encode(msg.Sequence, content)
}

var errNoID = errors.New("an id is missing or malformed")

// content is the public content of a fact.
type content struct {
	kind  kind
	types eventTypes
	data  any
	// maps and players are the ids that data names.
	maps, players []string
	mode          string
	// receivers are the only players for whom the event is. Empty where it is for everybody.
	receivers []string
}

// translations are the facts that are public, by subject. All others are not sent.
var translations = map[string]func(event.Envelope) (content, error){
	event.RecordSubmittedSubject:    newTranslation(recordSubmitted),
	event.RecordRemovedSubject:      newTranslation(recordRemoved),
	event.RecordRestoredSubject:     newTranslation(recordRestored),
	event.RecordsHiddenSubject:      newTranslation(recordsHidden),
	event.RecordsShownSubject:       newTranslation(recordsShown),
	event.MapCreatedSubject:         newTranslation(mapCreated),
	event.MapUpdatedSubject:         newTranslation(mapUpdated),
	event.MapReassignedSubject:      newTranslation(mapReassigned),
	event.MapRemovedSubject:         newTranslation(mapRemoved),
	event.MapRestoredSubject:        newTranslation(mapRestored),
	event.MapEditedSubject:          newTranslation(mapEdited),
	event.MapUnrankedSubject:        newTranslation(mapUnranked),
	event.MapRankedSubject:          newTranslation(mapRanked),
	event.PlayerRegisteredSubject:   newTranslation(playerRegistered),
	event.PlayerMergedSubject:       newTranslation(playerMerged),
	event.NotificationsAddedSubject: newTranslation(notificationsAdded),
}

// newTranslation returns public for an envelope. The time of the envelope is that of the fact's publication.
func newTranslation[F event.Fact](public func(f F, published time.Time) content) func(event.Envelope) (content, error) {
	return func(envelope event.Envelope) (content, error) {
		fact, err := event.Decode[F](envelope)
		if err != nil {
			return content{}, err
		}
		return public(fact, envelope.At), nil
	}
}

func recordSubmitted(f event.RecordSubmitted, published time.Time) content {
	data := recordData{
		RecordID: f.RecordID, MapID: f.MapID, PlayerID: f.PlayerID, FinishTime: f.FinishTime,
		FinishTimeStamp: knownTime(f.FinishTimeStamp), PersonalBest: f.PersonalBest, WorldRecord: f.WorldRecord,
		Mode: httpserve.OrNull(f.Mode),
		Rank: httpserve.OrNull(f.Rank), Overtook: []overtakenPlayer{}, At: timeText(f.At, published),
	}
	players := []string{f.PlayerID}
	for _, moved := range f.Overtook {
		data.Overtook = append(data.Overtook, overtakenPlayer{moved.PlayerID, moved.From, moved.To})
		players = append(players, moved.PlayerID)
	}
	if broken := f.PreviousWorldRecord; broken != nil {
		data.PreviousWorldRecord = &brokenWorldRecord{broken.RecordID, broken.PlayerID, broken.FinishTime}
		players = append(players, broken.PlayerID)
	}
	types := typeRecord
	if f.WorldRecord {
		types |= typeWorldRecord
	}
	return content{kind: kindRecord, types: types, data: data, maps: []string{f.MapID}, players: players, mode: f.Mode}
}

func recordRemoved(f event.RecordRemoved, published time.Time) content {
	return recordChanged(kindRecordRemoved, f, published)
}

func recordRestored(f event.RecordRestored, published time.Time) content {
	return recordChanged(kindRecordRestored, event.RecordRemoved(f), published)
}

func recordChanged(k kind, f event.RecordRemoved, published time.Time) content {
	return content{
		kind: k, types: typeRecord | typeWorldRecord,
		data: recordChangeData{
			f.RecordID, f.MapID, f.PlayerID, f.FinishTime, knownTime(f.FinishTimeStamp), knownTime(f.CreatedAt),
			timeText(f.At, published),
		},
		maps: []string{f.MapID}, players: []string{f.PlayerID},
	}
}

func recordsHidden(f event.RecordsHidden, published time.Time) content {
	return ofPlayer(kindRecordsHidden, typeRecord|typeWorldRecord, f.PlayerID, timeText(f.At, published))
}

func recordsShown(f event.RecordsShown, published time.Time) content {
	return ofPlayer(kindRecordsShown, typeRecord|typeWorldRecord, f.PlayerID, timeText(f.At, published))
}

func playerRegistered(f event.PlayerRegistered, published time.Time) content {
	return ofPlayer(kindPlayerRegistered, typePlayer, f.PlayerID, httpserve.TimeText(published))
}

func ofPlayer(k kind, types eventTypes, playerID, at string) content {
	return content{kind: k, types: types, data: playerData{playerID, at}, players: []string{playerID}}
}

func playerMerged(f event.PlayerMerged, published time.Time) content {
	return content{
		kind: kindPlayerMerged, types: typePlayer,
		data:    mergeData{f.PlayerID, f.IntoID, httpserve.TimeText(published)},
		players: []string{f.PlayerID, f.IntoID},
	}
}

func mapCreated(f event.MapCreated, published time.Time) content {
	return ofMap(kindMap, f.MapID, published)
}
func mapUpdated(f event.MapUpdated, published time.Time) content {
	return ofMap(kindMapUpdated, f.MapID, published)
}

func mapReassigned(f event.MapReassigned, published time.Time) content {
	return ofMap(kindMapUpdated, f.MapID, published)
}

func mapRemoved(f event.MapRemoved, published time.Time) content {
	return ofMap(kindMapRemoved, f.MapID, published)
}

func mapRestored(f event.MapRestored, published time.Time) content {
	return ofMap(kindMapRestored, f.MapID, published)
}

func mapEdited(f event.MapEdited, published time.Time) content {
	return ofMap(kindMapUpdated, f.MapID, published)
}

func mapUnranked(f event.MapUnranked, published time.Time) content {
	return ofMap(kindMapUpdated, f.MapID, published)
}

func mapRanked(f event.MapRanked, published time.Time) content {
	return ofMap(kindMapUpdated, f.MapID, published)
}

func ofMap(k kind, mapID string, at time.Time) content {
	return content{kind: k, types: typeMap, data: mapData{mapID, httpserve.TimeText(at)}, maps: []string{mapID}}
}

func notificationsAdded(f event.NotificationsAdded, published time.Time) content {
	receivers := slices.Clone(f.PlayerIDs)
	slices.SortFunc(receivers, strings.Compare)
	return content{kind: kindInbox, data: inboxData{f.Kind, timeText(f.At, published)}, receivers: receivers}
}

// knownTime returns a time, nil for one that the fact does not have, because it is from before facts had it.
func knownTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := httpserve.TimeText(t)
	return &text
}

// timeText returns the time of a fact, or of its publication where the fact has none.
func timeText(at, published time.Time) string {
	if at.IsZero() {
		at = published
	}
	return httpserve.TimeText(at)
}
