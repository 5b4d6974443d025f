package lbreplay_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

func TestParse_disagreements(t *testing.T) {
	_, data := skyline(t)
	cases := []struct {
		name, labels string
		want         []lbreplay.Disagreement
	}{
		{"no labels", "", nil},
		{"the same in every label", "Map Name: Skyline Run\nMap Author: cloudstep\nGame Mode: Classic\nMap ID: 912044",
			nil},
		{"more space in the name", "Map Name: Skyline    Run", nil},
		{"the author's name in capitals", "Author: CloudStep", nil},
		{"a mode in another spelling", "Mode: CLASSIC", nil},
		{"labels for unknown values", "Map Name: Unknown\nGame Mode: View v1.3.0+", nil},
		{"another name", "Map Name: Skyline Walk", []lbreplay.Disagreement{
			{Subject: lbreplay.SubjectMapName, Line: 1, Label: "Skyline Walk", Data: "Skyline Run"},
		}},
		{"the name in capitals", "Map Name: SKYLINE RUN", []lbreplay.Disagreement{
			{Subject: lbreplay.SubjectMapName, Line: 1, Label: "SKYLINE RUN", Data: "Skyline Run"},
		}},
		{"mode, author and id", "Mode: Death Arrows\nMap Author: riverfox\nMap ID: 5\nMap: Rooftops",
			[]lbreplay.Disagreement{
				{Subject: lbreplay.SubjectMapName, Line: 4, Label: "Rooftops", Data: "Skyline Run"},
				{Subject: lbreplay.SubjectMapAuthor, Line: 2, Label: "riverfox", Data: "cloudstep"},
				{Subject: lbreplay.SubjectMapID, Line: 3, Label: "5", Data: "912044"},
				}},
		{"id and mode that do not exist", "Map ID: first\nMode: Hoverboard", []lbreplay.Disagreement{
			{Subject: lbreplay.SubjectMapID, Line: 1, Label: "first", Data: "912044"},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.labels+"\nMap Data: "+data)
			if diff := cmp.Diff(c.want, r.Disagreements); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
			if got := fmt.Sprint(r.MapName, r.MapAuthor, r.MapID, r.GameMode); got != fmt.Sprint("Skyline Run",
				"cloudstep",
				912_044, "Classic") {
				t.Errorf("the data does not win: %s", got)
			}
		})
	}
}

func TestParse_trims_decoded_names(t *testing.T) {
	m, _ := skyline(t)
	m.Name = " Skyline Run \n"
	data, err := bonkmap.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	r := parse(t, "Map Name: Skyline Run\nMap Data: "+data)
	if r.MapName != "Skyline Run" || len(r.Disagreements) != 0 {
		t.Errorf("the map is %q, disagreements %v", r.MapName, r.Disagreements)
	}
}
