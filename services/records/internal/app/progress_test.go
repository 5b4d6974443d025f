package app_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/services/records/internal/httpapi"
)

func checkProgress(t *testing.T, b *bundle) {
	t.Helper()
	played, empty, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	best := b.submitted(ann, played, 45_000).Record
	b.submitted(b.newPlayer("Bob"), played, 44_000)
	b.publish(empty.MapState)
	const path = "/api/v1/records/progress?maps="
	a := b.get(path+empty.ID+","+newID()+","+played.ID, b.bearer(ann)...)
	want := []httpapi.MapProgress{
		{Map: empty.ID, NextMedal: &httpapi.NextMedal{Medal: "bronze", FinishTime: 60_000}},
		{
			Map: played.ID, NextMedal: &httpapi.NextMedal{Medal: "gold", FinishTime: 42_400}, WorldRecord: new(int64(44_000)),
			Best: &httpapi.ProgressBest{
				UnderscoreId: best.UnderscoreId, FinishTime: 45_000, Rank: 2, Medal: new(httpapi.Medal("silver")),
				ToNextMedal: new(int64(2600)), ToWorldRecord: 1000,
			},
		},
	}
	assert.Equal(t, "progress", want, servicetest.Data[[]httpapi.MapProgress](t, a))
	b.wantPrivate(a)
	b.wantCodes(map[string]string{path: "malformed_request", path + "nobody": "maps_invalid"}, b.bearer(ann)...)
	b.wantCodes(map[string]string{path + played.ID: "token_missing"})
}
