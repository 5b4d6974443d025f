package parkourmap

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
)

func TestMedalsByAuthor_defaults(t *testing.T) {
	t.Parallel()
	for frame := 1; frame <= 30*60*10; frame++ {
		if _, faults := medalsByAuthor(racetime.OfFrame(frame), RequestedMedals{}); faults != nil {
			t.Fatalf("finish time of %d frames: %v", frame, faults)
		}
	}
}

func TestMedalsByAuthor(t *testing.T) {
	t.Parallel()
	const finish = 10000
	ms := func(v int64) *int64 { return &v }
	for _, tt := range []struct {
		name   string
		wanted RequestedMedals
		want   racetime.Medals
		faults []string
	}{
		{"nothing asked gives the defaults", RequestedMedals{},
			racetime.Medals{Author: 10000, Gold: 10600, Silver: 12000, Bronze: 15000}, nil},
		{"the author time is the finish time, whatever is asked", RequestedMedals{Author: ms(1)},
			racetime.Medals{Author: 10000, Gold: 10600, Silver: 12000, Bronze: 15000}, nil},
		{"times are snapped to frames", RequestedMedals{Gold: ms(11010), Silver: ms(12020), Bronze: ms(13000)},
			racetime.Medals{Author: 10000, Gold: 11000, Silver: 12033, Bronze: 13000}, nil},
		{"one asked, the others by default", RequestedMedals{Bronze: ms(20000)},
			racetime.Medals{Author: 10000, Gold: 10600, Silver: 12000, Bronze: 20000}, nil},
		{"all the same is allowed", RequestedMedals{Gold: ms(10000), Silver: ms(10000), Bronze: ms(10000)},
			racetime.Medals{Author: 10000, Gold: 10000, Silver: 10000, Bronze: 10000}, nil},
		{"gold that is the author time once snapped", RequestedMedals{Gold: ms(9990)},
			racetime.Medals{Author: 10000, Gold: 10000, Silver: 12000, Bronze: 15000}, nil},
		{"gold faster than the author", RequestedMedals{Gold: ms(9900)}, racetime.Medals{}, []string{"medalTimes.gold"}},
		{"silver faster than gold", RequestedMedals{Gold: ms(11000), Silver: ms(10900)}, racetime.Medals{},
			[]string{"medalTimes.silver"}},
		{"bronze faster than silver by default", RequestedMedals{Bronze: ms(11000)}, racetime.Medals{},
			[]string{"medalTimes.bronze"}},
		{"a default that ends up on the wrong side", RequestedMedals{Gold: ms(13000)}, racetime.Medals{},
			[]string{"medalTimes.silver"}},
		{"no time at all", RequestedMedals{Gold: ms(0), Bronze: ms(-1)}, racetime.Medals{},
			[]string{"medalTimes.gold", "medalTimes.bronze"}},
		{"more than a day", RequestedMedals{Bronze: ms(24*60*60*1000 + 1)}, racetime.Medals{}, []string{"medalTimes.bronze"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, faults := medalsByAuthor(finish, tt.wanted)
			var fields []string
			for _, fault := range faults {
				fields = append(fields, fault.Field)
			}
			assert.Equal(t, "fields at fault", tt.faults, fields)
			if tt.faults == nil {
				assert.Equal(t, "medals", tt.want, got)
			}
		})
	}
}
