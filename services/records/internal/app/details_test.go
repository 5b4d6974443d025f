package app_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/services/records/internal/httpapi"
)

func checkDetails(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, bob := b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	first := b.submitted(ann, m, 50_000).Record.UnderscoreId
	second, best := b.submitted(bob, m, 45_000).Record.UnderscoreId, b.submitted(ann, m, 41_000).Record.UnderscoreId
	for id, want := range map[string]string{
		first:  "50000 by Ann, rank none, then 1, after none and none, behind none",
		second: "45000 by Bob, rank 2, then 1, after none and 50000, behind {" + best + " 41000 4000 Ann 1}",
		best:   "41000 by Ann, rank 1, then 1, after 50000 and 45000, behind none",
	} {
		d := read[httpapi.RecordDetails](b, "/api/v1/records/"+id)
		behind := "none"
		if n := d.NextAbove; n != nil {
			behind = fmt.Sprint(struct {
				ID              string
				FinishTime, Gap int64
				Name            string
				Rank            int64
			}{n.UnderscoreId, n.FinishTime, n.Gap, n.Player.Name, n.Rank})
		}
		got := fmt.Sprintf("%d by %s, rank %v, then %v, after %v and %v, behind %s", d.FinishTime, d.Player.Name,
			orNone(d.Rank), orNone(d.RankAtSubmission), orNone(d.PreviousBest), orNone(d.PreviousWorldRecord), behind)
		if diff := cmp.Diff(want, got); diff != "" || d.WorldRecord.UnderscoreId != best || d.MapVersion != 1 ||
			!d.NewestVersion {
			t.Errorf("details %+v (-want +got):\n%s", d, diff)
		}
	}
}
