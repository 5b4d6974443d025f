package game_test

import (
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

type object = map[string]any

// mapFacts puts a map into the words of the cases.
func mapFacts(m *bonkmap.Map) object {
	capZones, spawns := []object{}, []object{}
	for _, z := range m.CapZones {
		capZones = append(capZones, object{"name": z.Name, "seconds": z.Seconds, "fixture": z.Fixture, "kind": z.Kind})
	}
	for _, s := range m.Spawns {
		spawns = append(spawns, object{"name": s.Name, "x": s.Position.X, "y": s.Position.Y})
	}
	var remix any
	if original, is := m.Remix(); is {
		remix = object{"id": original.ID, "name": original.Name, "author": original.Author}
	}
	facts := object{
		"version": m.Version, "name": m.Name, "author": m.Author, "databaseId": m.ID,
		"databaseVersion": m.DatabaseVersion,
		"modeCode":        string(m.Mode), "mode": m.Mode.String(), "parkour": m.Mode.Parkour(),
		"contributors": append([]string{}, m.Contributors...), "remix": remix, "published": m.Published,
		"votes": []uint32{m.VotesUp, m.VotesDown},
		"settings": object{
			"respawnOnDeath": m.Settings.RespawnOnDeath, "playersDontMeet": m.Settings.PlayersDontMeet,
			"playersCanFly": m.Settings.PlayersCanFly, "physicsQuality": m.Settings.PhysicsQuality,
			"gridSize": m.Settings.EditorGridPixels,
		},
		"pixelsPerMetre": m.PixelsPerMetre,
		"counts": object{
			"shapes": len(m.Shapes), "fixtures": len(m.Fixtures), "bodies": len(m.Bodies),
			"spawns": len(m.Spawns), "capZones": len(m.CapZones), "joints": len(m.Joints),
		},
		"drawOrder": append([]int{}, m.DrawOrder...), "capZones": capZones, "spawns": spawns, "firstShape": nil,
		"finishIsAmbiguous": m.FinishIsAmbiguous(), "physicsFingerprint": m.PhysicsFingerprint().String(),
	}
	if len(m.Shapes) > 0 {
		facts["firstShape"] = shapeFacts(m.Shapes[0])
	}
	return facts
}

func shapeFacts(shape bonkmap.Shape) object {
	pair := func(p bonkmap.Point) []float64 { return []float64{p.X, p.Y} }
	switch s := shape.(type) {
	case bonkmap.Box:
		return object{
			"kind": "box", "width": s.Width, "height": s.Height, "centre": pair(s.Centre), "angle": s.Angle,
			"shrinks": s.Shrinks,
		}
	case bonkmap.Circle:
		return object{"kind": "circle", "radius": s.Radius, "centre": pair(s.Centre), "shrinks": s.Shrinks}
	case bonkmap.Polygon:
		vertices := [][]float64{}
		for _, v := range s.Vertices {
			vertices = append(vertices, pair(v))
		}
		return object{"kind": "polygon", "scale": s.Scale, "angle": s.Angle, "centre": pair(s.Centre),
			"vertices": vertices}
	default:
		return nil
	}
}

// replayFacts puts a replay into the words of the cases. Map data is named by the case of the map
// that it is.
func replayFacts(file []byte, r *lbreplay.Replay, maps map[string]string) object {
	var mapData any
	for name, encoded := range maps {
		if encoded == r.MapData && r.Map != nil {
			mapData = name
		}
	}
	disagreements, unknown := []object{}, []object{}
	for _, d := range r.Disagreements {
		disagreements = append(disagreements, object{"subject": d.Subject, "line": d.Line, "label": d.Label,
			"data": d.Data})
	}
	for line := range lbreplay.UnknownLines(file) {
		unknown = append(unknown, object{"line": line.Number, "label": line.Label, "value": line.Value})
	}
	labelMode := ""
	if r.LabelMode != bonkmap.NoMode {
		labelMode = r.LabelMode.String()
	}
	return object{
		"mapName": r.MapName, "mapAuthor": r.MapAuthor, "mapId": r.MapID, "gameMode": r.GameMode, "labelMode": labelMode,
		"finishTime": r.FinishTime, "playerName": r.PlayerName, "playerLevel": r.PlayerLevel,
		"playerSkin": r.PlayerSkin,
		"validated":  r.Validated, "replayVersion": r.ReplayVersion, "gameVersion": r.GameVersion,
		"timestamp": r.Timestamp.Format("2006-01-02T15:04:05.000Z"), "timestampMissing": r.TimestampMissing,
		"timestampFault": string(r.TimestampFault),
		"mapData":        mapData, "disagreements": disagreements, "unknown": unknown,
	}
}
