package postgres_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// model is the naive model of the store: it keeps every record in a list, and computes
// leaderboards and totals from the list at each question.
type model struct {
	accepted []modelRecord // in the order of acceptance
	maps     map[string]record.Map
	players  map[string]record.Player
	// transferred are the players whose records are another's now.
	transferred map[string]bool
	// hidden are the players whose records are hidden.
	hidden map[string]bool
	// putAside are the ends of the goals that players put aside.
	putAside map[goalKey]time.Time
}

type goalKey struct{ playerID, mapID string }

type modelRecord struct {
	record.Record
	removed bool
}

func newModel() *model {
	return &model{maps: map[string]record.Map{}, players: map[string]record.Player{},
		transferred: map[string]bool{}, hidden: map[string]bool{},
		putAside: map[goalKey]time.Time{}}
}

func (m *model) findDuplicate(r record.Record) (existing record.Record, ok bool) {
	sameFinish := func(a record.Record) bool {
		return m.maps[a.MapID].GameMapID == m.maps[r.MapID].GameMapID && a.FinishTime == r.FinishTime
	}
	for _, isDuplicate := range []func(a record.Record) bool{
		func(a record.Record) bool { return a.ReplayHash == r.ReplayHash },
		func(a record.Record) bool { return sameFinish(a) && a.FinishTimeStamp.Equal(r.FinishTimeStamp) },
		func(a record.Record) bool {
			return sameFinish(a) && r.Undated && a.PlayerID == r.PlayerID && a.MapID == r.MapID
		},
	} {
		for _, a := range m.accepted {
			if isDuplicate(a.Record) {
				return a.Record, true
			}
		}
	}
	return record.Record{}, false
}

func (m *model) submit(r record.Record) (record.Placement, error) {
	if existing, ok := m.findDuplicate(r); ok {
		return record.Placement{}, r.DuplicateProblem(existing)
	}
	r.PlayerID = m.successor(r.PlayerID)
	existing, isDuplicate := m.findDuplicate(r)
	switch {
	case m.maps[r.MapID].Removed:
		return record.Placement{}, record.ErrMapRemoved
	case m.hidden[r.PlayerID]:
		return record.Placement{}, record.ErrPlayerHidden
	case isDuplicate:
		return record.Placement{}, r.DuplicateProblem(existing)
	}
	placement := record.Placement{PlayerID: r.PlayerID, Active: true, PersonalBest: true}
	if best, ok := m.best(r.MapID, r.PlayerID); ok {
		placement.PreviousBest = best.FinishTime
		placement.PersonalBest = r.FinishTime < best.FinishTime
	}
	if fastest := m.worldRecords(r.MapID); len(fastest) > 0 {
		placement.WorldRecord = r.FinishTime < fastest[len(fastest)-1].FinishTime
		placement.EqualsWorldRecord = r.FinishTime == fastest[len(fastest)-1].FinishTime
	} else {
		placement.WorldRecord = true
	}
	if placement.WorldRecord {
		placement.PreviousWorldRecord = m.worldRecord(r.MapID)
	}
	before := m.personalBests(r.MapID)
	m.accepted = append(m.accepted, modelRecord{Record: r})
	best, _ := m.best(r.MapID, r.PlayerID)
	placement.Rank = m.rank(best)
	placement.Overtook = moved(before, m.personalBests(r.MapID), r.PlayerID)
	return placement, nil
}

// worldRecord returns the world record of a map as it is published, or nil.
func (m *model) worldRecord(mapID string) *event.WorldRecord {
	all := m.worldRecords(mapID)
	if len(all) == 0 {
		return nil
	}
	newest := all[len(all)-1]
	return &event.WorldRecord{
		RecordID: newest.ID, PlayerID: newest.Player.ID, FinishTime: int64(newest.FinishTime), At: newest.Since,
	}
}

// moved returns the other players who have another place, and had or have one of the first ten.
func moved(before, after []record.Record, changedPlayerID string) (players []event.MovedPlayer) {
	for to, row := range after {
		from := slices.IndexFunc(before, func(r record.Record) bool { return r.PlayerID == row.PlayerID })
		if from >= 0 && from != to && (from < 10 || to < 10) && row.PlayerID != changedPlayerID {
			players = append(players, event.MovedPlayer{
				PlayerID: row.PlayerID, RecordID: row.ID, FinishTime: int64(row.FinishTime), From: from + 1, To: to + 1,
			})
		}
	}
	return players
}

// currentWorldRecords returns the world records of all maps in the order of the maps' ids.
func (m *model) currentWorldRecords() (current []event.MapWorldRecord) {
	for _, id := range slices.Sorted(maps.Keys(m.maps)) {
		if worldRecord := m.worldRecord(id); worldRecord != nil {
			current = append(current, event.MapWorldRecord{MapID: id, WorldRecord: *worldRecord})
		}
	}
	return current
}

// passed returns which of the players a record has passed.
func (m *model) passed(id string, of []string) (passed []event.MovedPlayer, err error) {
	active := m.active()
	at := slices.IndexFunc(active, func(r record.Record) bool { return r.ID == id })
	if at < 0 {
		return nil, record.ErrRecordUnknown
	}
	passing, older := active[at], active[:at]
	var replaced record.Record
	for _, r := range older {
		isOwn := r.MapID == passing.MapID && r.PlayerID == passing.PlayerID
		if isOwn && (replaced.ID == "" || r.FinishTime < replaced.FinishTime) {
			replaced = r
		}
	}
	if replaced.ID != "" && replaced.FinishTime <= passing.FinishTime {
		return nil, nil
	}
	for i, row := range m.personalBests(passing.MapID) {
		isPassed := byTime(row, passing) > 0 && (replaced.ID == "" || byTime(row, replaced) < 0)
		isOlder := slices.ContainsFunc(older, func(r record.Record) bool { return r.ID == row.ID })
		if isPassed && isOlder && slices.Contains(of, row.PlayerID) {
			passed = append(passed, event.MovedPlayer{
				PlayerID: row.PlayerID, RecordID: row.ID, FinishTime: int64(row.FinishTime), From: i, To: i + 1,
			})
		}
	}
	return passed, nil
}

func (m *model) remove(id string) error {
	i := slices.IndexFunc(m.accepted, func(r modelRecord) bool { return r.ID == id })
	if m.accepted[i].removed {
		return record.ErrAlreadyRemoved
	}
	m.accepted[i].removed = true
	return nil
}

func (m *model) restore(id string) error {
	i := slices.IndexFunc(m.accepted, func(r modelRecord) bool { return r.ID == id })
	if !m.accepted[i].removed {
		return record.ErrNotRemoved
	}
	m.accepted[i].removed = false
	return nil
}

// active returns the active records in the order of acceptance.
func (m *model) active() []record.Record {
	var all []record.Record
	for _, r := range m.accepted {
		if !r.removed && !m.maps[r.MapID].Removed && !m.hidden[r.PlayerID] {
			all = append(all, r.Record)
		}
	}
	return all
}

// best returns the fastest record of a player; of equally fast ones the first.
func (m *model) best(mapID, playerID string) (best record.Record, ok bool) {
	for _, r := range m.active() {
		if r.MapID == mapID && r.PlayerID == playerID && (!ok || r.FinishTime < best.FinishTime) {
			best, ok = r, true
		}
	}
	return best, ok
}

func byTime(a, b record.Record) int {
	return cmp.Or(
		cmp.Compare(a.FinishTime, b.FinishTime), a.FinishTimeStamp.Compare(b.FinishTimeStamp), strings.Compare(a.ID, b.ID))
}

// personalBests returns the rows of a leaderboard in their order.
func (m *model) personalBests(mapID string) []record.Record {
	best := map[string]record.Record{}
	for _, r := range m.active() {
		if of, ok := best[r.PlayerID]; r.MapID == mapID && (!ok || r.FinishTime < of.FinishTime) {
			best[r.PlayerID] = r
		}
	}
	return slices.SortedFunc(maps.Values(best), byTime)
}

func (m *model) rank(r record.Record) int64 {
	return 1 + int64(slices.IndexFunc(m.personalBests(r.MapID), func(row record.Record) bool { return row.ID == r.ID }))
}

func (m *model) leaderboard(q leaderboard.Leaderboard) leaderboard.RankedList {
	var rows []record.Record
	for _, r := range m.personalBests(q.MapID) {
		if q.PlayerID == "" || q.PlayerID == r.PlayerID {
			rows = append(rows, r)
		}
	}
	list := m.page(rows, q.Page)
	all := m.personalBests(q.MapID)
	if q.Neighbours > 0 {
		list = leaderboard.RankedList{Total: int64(len(all))}
		if len(rows) > 0 {
			own := int(m.rank(rows[0])) - 1
			from := max(own-q.Neighbours, 0)
			list = m.page(all, leaderboard.Page{Offset: from, Limit: own + q.Neighbours + 1 - from})
			list.HasNext = false
		}
	}
	for i := range list.Records {
		r := &list.Records[i]
		r.Rank = m.rank(r.Record)
		r.ReplayHash = "" // a leaderboard does not have it
		if r.Rank > 1 {
			r.Gap = &record.Gap{ToAbove: r.FinishTime - all[r.Rank-2].FinishTime, ToFirst: r.FinishTime - all[0].FinishTime}
		}
	}
	return list
}

// followed returns the rows of players on a leaderboard.
func (m *model) followed(mapID string, playerIDs []string, page leaderboard.Page) leaderboard.RankedList {
	rows := slices.DeleteFunc(m.personalBests(mapID), func(r record.Record) bool {
		return !slices.Contains(playerIDs, r.PlayerID)
	})
	list := m.page(rows, page)
	list.HasNext = false
	for i := range list.Records {
		r := &list.Records[i]
		r.Rank, r.ReplayHash = m.rank(r.Record), ""
		if at := page.Offset + i; at > 0 {
			r.Gap = &record.Gap{ToAbove: r.FinishTime - rows[at-1].FinishTime, ToFirst: r.FinishTime - rows[0].FinishTime}
		}
	}
	return list
}

func (m *model) list(q leaderboard.List) leaderboard.RankedList {
	var all []record.Record
	for _, r := range m.active() {
		if q.PlayerID == "" || q.PlayerID == r.PlayerID {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b record.Record) int {
		order := byTime(a, b)
		if q.Sort.By == leaderboard.ByUpdated {
			order = cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
		}
		if q.Sort.Descending {
			return -order
		}
		return order
	})
	return m.page(all, q.Page)
}

func (m *model) get(id string) (record.RankedRecord, error) {
	for _, r := range m.active() {
		if r.ID == id {
			return m.entry(r), nil
		}
	}
	return record.RankedRecord{}, record.ErrRecordUnknown
}

func (m *model) entry(r record.Record) record.RankedRecord {
	best, _ := m.best(r.MapID, r.PlayerID)
	player, fastest := m.players[r.PlayerID], m.fastest(r.MapID)
	entry := record.RankedRecord{
		Record: r, Of: int64(len(m.personalBests(r.MapID))),
		Map: record.Map{ID: r.MapID, Name: m.maps[r.MapID].Name, Medals: m.maps[r.MapID].Medals},
		Player: record.Player{
			ID: r.PlayerID, Name: player.Name, SkinColor: player.SkinColor, SkinImageURL: player.SkinImageURL,
		},
		PersonalBest: best.ID == r.ID, IsWorldRecord: fastest.ID == r.ID,
		EqualsWorldRecord: fastest.ID != r.ID && fastest.FinishTime == r.FinishTime,
	}
	if entry.PersonalBest {
		entry.Rank = m.rank(r)
	}
	return entry
}

// fastest returns the fastest active record of a map; of equally fast ones the first.
func (m *model) fastest(mapID string) (fastest record.Record) {
	for _, r := range m.active() {
		if r.MapID == mapID && (fastest.ID == "" || r.FinishTime < fastest.FinishTime) {
			fastest = r
		}
	}
	return fastest
}

// worldRecords returns the world records of a map in the order of their acceptance.
func (m *model) worldRecords(mapID string) []leaderboard.WorldRecord {
	var all []leaderboard.WorldRecord
	for _, r := range m.active() {
		if r.MapID != mapID || len(all) > 0 && r.FinishTime >= all[len(all)-1].FinishTime {
			continue
		}
		since := r.CreatedAt
		if len(all) > 0 && since.Before(all[len(all)-1].Since) {
			since = all[len(all)-1].Since
		}
		all = append(all, leaderboard.WorldRecord{
			ID: r.ID, Player: m.entry(r).Player, FinishTime: r.FinishTime, Since: since,
		})
	}
	return all
}

func (m *model) commonMaps(firstID, secondID string) (common []leaderboard.CommonMap) {
	for _, of := range m.maps {
		first, firstOK := m.best(of.ID, firstID)
		second, secondOK := m.best(of.ID, secondID)
		if firstOK && secondOK && !of.Superseded {
			common = append(common, leaderboard.CommonMap{
				Map:    record.Map{ID: of.ID, Name: of.Name, Mode: of.Mode},
				First:  leaderboard.CommonRecord{ID: first.ID, FinishTime: first.FinishTime},
				Second: leaderboard.CommonRecord{ID: second.ID, FinishTime: second.FinishTime},
			})
		}
	}
	return common
}

func (m *model) progress(playerID string, mapIDs []string) (list []leaderboard.Progress) {
	for _, id := range mapIDs {
		of, known := m.maps[id]
		if !known || of.Removed {
			continue
		}
		p := leaderboard.Progress{MapID: id, Medals: of.Medals, WorldRecord: m.fastest(id).FinishTime}
		if best, ok := m.best(id, playerID); ok {
			p.RecordID, p.FinishTime, p.Rank = best.ID, best.FinishTime, m.rank(best)
		} else {
			for _, older := range m.maps {
				_, played := m.best(older.ID, playerID)
				isOlder := older.GameMapID == of.GameMapID && older.MapVersion < of.MapVersion
				p.PlayedOlderVersion = p.PlayedOlderVersion || played && isOlder
			}
		}
		list = append(list, p)
	}
	return list
}

// rowAbove returns the row above a record on its leaderboard.
func (m *model) rowAbove(id string) (above leaderboard.OtherRecord) {
	entry, err := m.get(id)
	if err != nil || entry.Rank < 2 {
		return leaderboard.OtherRecord{}
	}
	row := m.entry(m.personalBests(entry.MapID)[entry.Rank-2])
	return leaderboard.OtherRecord{ID: row.ID, Player: row.Player, FinishTime: row.FinishTime}
}

// playerRecords counts what the statistics of a player are made from.
func (m *model) playerRecords(playerID string, since, now time.Time) leaderboard.PlayerRecords {
	of := leaderboard.PlayerRecords{Maps: map[string]int{}, Months: map[string]int{}}
	for _, r := range m.active() {
		if r.PlayerID == playerID && !r.CreatedAt.Before(since) {
			of.Months[r.CreatedAt.Format("2006-01")]++
		}
	}
	for id, on := range m.maps {
		if on.Removed {
			continue
		}
		reigns := m.reigns(id, playerID)
		if len(reigns) > 0 {
			of.WorldRecords.Ever++
		}
		of.Lost = append(of.Lost, m.lost(id, playerID)...)
		for _, reign := range reigns {
			if reign.Until.IsZero() {
				of.WorldRecords.Now++
			}
			longest := of.WorldRecords.LongestReign
			difference := reign.Duration(now) - longest.Duration(now)
			if longest.RecordID == "" || difference > 0 ||
				difference == 0 && cmp.Or(reign.From.Compare(longest.From), strings.Compare(reign.RecordID, longest.RecordID)) < 0 {
				of.WorldRecords.LongestReign = reign
			}
		}
		if on.Superseded {
			continue
		}
		of.Maps[on.Mode]++
		if best, ok := m.best(id, playerID); ok {
			standing := leaderboard.Standing{
				Map:      record.Map{ID: id, Name: on.Name, Mode: on.Mode, Medals: on.Medals},
				RecordID: best.ID, FinishTime: best.FinishTime, Rank: m.rank(best), Players: int64(len(m.personalBests(id))),
			}
			of.Standings = append(of.Standings, standing)
		}
	}
	slices.SortFunc(of.Lost, func(a, b leaderboard.LostWorldRecord) int {
		return cmp.Or(b.Until.Compare(a.Until), strings.Compare(b.BrokenBy.ID, a.BrokenBy.ID))
	})
	of.Lost = of.Lost[:min(len(of.Lost), leaderboard.MaxLostWorldRecords)]
	return of
}

// lost returns the world records of a player on a map that another player has broken.
func (m *model) lost(mapID, playerID string) (all []leaderboard.LostWorldRecord) {
	var last leaderboard.WorldRecord
	var from time.Time
	for _, w := range m.worldRecords(mapID) {
		if last.Player.ID == playerID && w.Player.ID != playerID {
			all = append(all, leaderboard.LostWorldRecord{
				Reign: leaderboard.Reign{
					Map: record.Map{ID: mapID, Name: m.maps[mapID].Name}, RecordID: last.ID, From: from, Until: w.Since,
				},
				FinishTime: last.FinishTime, BrokenBy: w,
			})
		}
		if w.Player.ID != last.Player.ID {
			from = w.Since
		}
		last = w
	}
	return all
}

// reigns returns the reigns of a player on a map.
func (m *model) reigns(mapID, playerID string) (reigns []leaderboard.Reign) {
	var holder string
	for _, w := range m.worldRecords(mapID) {
		if w.Player.ID == holder {
			continue
		}
		if holder == playerID {
			reigns[len(reigns)-1].Until = w.Since
		}
		if holder = w.Player.ID; holder == playerID {
			reigns = append(reigns, leaderboard.Reign{
				Map: record.Map{ID: mapID, Name: m.maps[mapID].Name}, RecordID: w.ID, From: w.Since,
			})
		}
	}
	return reigns
}

// improvements returns the records of a player on a map that were faster than all before them.
func (m *model) improvements(playerID, mapID string) (all []leaderboard.Improvement) {
	previous := 0
	for _, r := range m.active() {
		if r.MapID != mapID || r.PlayerID != playerID || previous > 0 && r.FinishTime >= previous {
			continue
		}
		all = append(all, leaderboard.Improvement{
			BestRecord:   leaderboard.BestRecord{ID: r.ID, FinishTime: r.FinishTime, CreatedAt: r.CreatedAt},
			PreviousBest: previous,
		})
		previous = r.FinishTime
	}
	return all
}

func (m *model) improvedMaps(playerID string, p leaderboard.Page) leaderboard.ImprovedMaps {
	var improved []leaderboard.ImprovedMap
	for id, on := range m.maps {
		if all := m.improvements(playerID, id); len(all) > 1 {
			improved = append(improved, leaderboard.ImprovedMap{
				Map:       record.Map{ID: id, Name: on.Name, Mode: on.Mode, MapVersion: on.MapVersion},
				FirstTime: all[0].FinishTime, Best: all[len(all)-1].BestRecord, Improvements: len(all) - 1,
			})
		}
	}
	slices.SortFunc(improved, func(a, b leaderboard.ImprovedMap) int {
		return cmp.Or(b.Best.CreatedAt.Compare(a.Best.CreatedAt), strings.Compare(b.Best.ID, a.Best.ID))
	})
	from := min(p.Offset, len(improved))
	return leaderboard.ImprovedMaps{Maps: improved[from:min(from+p.Limit, len(improved))], Total: int64(len(improved))}
}

// successor returns the player whom a player was merged into.
func (m *model) successor(playerID string) string {
	for m.players[playerID].MergedInto != "" {
		playerID = m.players[playerID].MergedInto
	}
	return playerID
}

// listed returns the maps that are neither removed nor superseded.
func (m *model) listed() (listed []record.Map) {
	for _, of := range m.maps {
		if !of.Removed && !of.Superseded {
			listed = append(listed, of)
		}
	}
	return listed
}

func (m *model) candidates(playerID string, now time.Time) (candidates []leaderboard.Candidate) {
	for _, of := range m.listed() {
		best, ok := m.best(of.ID, playerID)
		if !ok {
			continue
		}
		c := leaderboard.Candidate{
			MapID: of.ID, Medals: of.Medals, FinishTime: best.FinishTime,
			PutAside: m.putAside[goalKey{playerID, of.ID}].After(now),
		}
		if rank := m.rank(best); rank > 1 {
			c.Above = m.personalBests(of.ID)[rank-2].FinishTime
		}
		candidates = append(candidates, c)
	}
	return candidates
}

// completed returns goals with what CompleteGoals adds to them.
func (m *model) completed(playerID string, goals []leaderboard.Goal) []leaderboard.Goal {
	completed := slices.Clone(goals)
	for i := range completed {
		g := &completed[i]
		best, _ := m.best(g.Map.ID, playerID)
		g.Map.Name, g.Map.Mode, g.Rank = m.maps[g.Map.ID].Name, m.maps[g.Map.ID].Mode, m.rank(best)
		if g.Target.Medal == racetime.NoMedal {
			g.Target.Rank = 1
			for _, row := range m.personalBests(g.Map.ID) {
				if row.FinishTime <= g.Target.FinishTime {
					g.Target.Rank++
				}
			}
		}
	}
	return completed
}

// easiest returns the easiest listed maps, without those that are left out.
func (m *model) easiest(isLeftOut func(mapID string) bool) (maps []record.Map) {
	type ease struct {
		enough         bool
		share, fastest int
	}
	of := map[string]ease{}
	for _, on := range m.listed() {
		if isLeftOut(on.ID) {
			continue
		}
		maps = append(maps, record.Map{ID: on.ID, Name: on.Name, Mode: on.Mode, Medals: on.Medals})
		rows, bronze := m.personalBests(on.ID), 0
		for _, row := range rows {
			if on.Medals.Of(row.FinishTime) != racetime.NoMedal {
				bronze++
			}
		}
		e := ease{enough: len(rows) >= 5, fastest: math.MaxInt}
		if len(rows) > 0 {
			e.share, e.fastest = bronze*100/len(rows), rows[0].FinishTime
		}
		of[on.ID] = e
	}
	slices.SortFunc(maps, func(a, b record.Map) int {
		x, y := of[a.ID], of[b.ID]
		if x.enough != y.enough {
			if x.enough {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.share, x.share), cmp.Compare(x.fastest, y.fastest), strings.Compare(a.ID, b.ID))
	})
	return maps[:min(len(maps), leaderboard.MaxGoals)]
}

// easiestUnplayed also leaves out the maps that a hidden player has finished.
func (m *model) easiestUnplayed(playerID string, now time.Time) []record.Map {
	played := func(mapID string) bool {
		return slices.ContainsFunc(m.accepted, func(r modelRecord) bool {
			return r.MapID == mapID && r.PlayerID == playerID && !r.removed
		})
	}
	unplayed := m.easiest(func(mapID string) bool {
		return played(mapID) || m.putAside[goalKey{playerID, mapID}].After(now)
	})
	if len(unplayed) == 0 {
		return m.easiest(played)
	}
	return unplayed
}

func (m *model) page(all []record.Record, p leaderboard.Page) leaderboard.RankedList {
	list := leaderboard.RankedList{Total: int64(len(all)), HasNext: p.Offset+p.Limit < len(all)}
	from := min(p.Offset, len(all))
	for _, r := range all[from:min(from+p.Limit, len(all))] {
		list.Records = append(list.Records, m.entry(r))
	}
	return list
}

// counts returns the active records of each map and each player that ever had one.
func (m *model) counts() (maps, players map[string]int64) {
	maps, players = map[string]int64{}, map[string]int64{}
	for id := range m.transferred {
		players[id] = 0
	}
	for _, r := range m.accepted {
		maps[r.MapID], players[r.PlayerID] = 0, 0
	}
	for _, r := range m.active() {
		maps[r.MapID]++
		players[r.PlayerID]++
	}
	return maps, players
}

// merge merges a player into another one who was not merged.
func (m *model) merge(tombstone record.Player) {
	if m.players[tombstone.ID].Removed {
		return
	}
	m.players[tombstone.ID] = tombstone
	if m.hidden[tombstone.ID] {
		into := tombstone.MergedInto
		for m.players[into].MergedInto != "" {
			into = m.players[into].MergedInto
		}
		delete(m.hidden, tombstone.ID)
		m.hidden[into] = true
	}
	for i, r := range m.accepted {
		for m.players[m.accepted[i].PlayerID].MergedInto != "" {
			m.transferred[r.PlayerID] = true
			m.accepted[i].PlayerID = m.players[m.accepted[i].PlayerID].MergedInto
		}
	}
	for key, until := range m.putAside {
		if into := m.successor(key.playerID); into != key.playerID {
			delete(m.putAside, key)
			m.setAside(into, key.mapID, until)
		}
	}
}

// setAside puts a map aside. The later end stays.
func (m *model) setAside(playerID, mapID string, until time.Time) {
	key := goalKey{m.successor(playerID), mapID}
	if until.After(m.putAside[key]) {
		m.putAside[key] = until
	}
}

// hide hides or shows whom a player was merged into, or the player.
func (m *model) hide(playerID string, hidden bool) error {
	playerID = m.successor(playerID)
	switch {
	case hidden && m.hidden[playerID]:
		return record.ErrAlreadyHidden
	case !hidden && !m.hidden[playerID]:
		return record.ErrNotHidden
	}
	m.hidden[playerID] = hidden
	return nil
}
