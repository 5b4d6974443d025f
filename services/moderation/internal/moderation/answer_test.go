package moderation

import "testing"

// Who has decided does not answer an appeal where another moderator can.
func TestAnsweredBy(t *testing.T) {
	t.Parallel()
	d := Decision{ByID: "mod", Subject: Subject{PlayerID: "ann"}}
	for _, tt := range []struct {
		moderators []string
		want       string
	}{
		{[]string{"mod", "other"}, "mod"}, {[]string{"ann", "mod", "other"}, "mod"},
		{[]string{"mod"}, ""}, {[]string{"ann", "mod"}, ""}, {nil, ""},
	} {
		if got := barredModerator(d, tt.moderators); got != tt.want {
			t.Errorf("moderators %v: %q, want %q", tt.moderators, got, tt.want)
		}
	}
}
