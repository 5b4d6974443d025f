package e2e_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

// mapCase is a submission that is refused, and how it differs from a good one.
type mapCase struct {
	name   string
	change func(t *testing.T, s *site.MapSubmission, m *bonkmap.Map, player string)
	status int
	code   string
}

func TestSubmitMap_refused(t *testing.T) {
	t.Parallel()
	author := newPlayer(t)
	cases := []mapCase{
		{"no replay", fileReplaced(nil), 400, "replay_missing"},
		{"a replay of 5 MB and more", fileReplaced(bytes.Repeat([]byte("x"), 5<<20+1)), 413, "replay_too_large"},
		{"a picture in place of the replay", fileReplaced(picture()), 422, "replay_invalid"},
		{"a text that is no replay", fileReplaced([]byte("Dear sirs,\nplease find my map attached.\n")), 422,
			"replay_invalid"},
		{"half a replay", func(_ *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) {
			s.Replay = s.Replay[:len(s.Replay)*2/3]
		}, 422, "replay_invalid"},
		{"a replay that was not validated", replayChanged(func(r *lbreplay.Replay) { r.Validated = false }), 422,
			"replay_not_validated"},
		{"a label that contradicts the data", relabelled("Map Name", "Another Map"), 422, "replay_disagrees"},
		{"another player's replay", replayChanged(func(r *lbreplay.Replay) { r.PlayerName = "somebody else" }), 403,
			"replay_not_yours"},
		{"a replay without map data", withoutData, 422, "map_data_missing"},
		{"a map without an id", mapChanged(func(m *bonkmap.Map) { m.ID = -1 }), 422, "map_id_missing"},
		{"a map with the id 0", mapChanged(func(m *bonkmap.Map) { m.ID = 0 }), 422, "map_id_missing"},
		{"a map without a name", mapChanged(func(m *bonkmap.Map) { m.Name = "" }), 422, "map_name_invalid"},
		{"a football map", mapChanged(func(m *bonkmap.Map) { m.Mode = "f" }), 422, "map_mode_unsupported"},
		{"a map of no mode", mapChanged(func(m *bonkmap.Map) { m.Mode = bonkmap.NoMode }), 422, "map_mode_unsupported"},
		{"a map without a finish", mapChanged(func(m *bonkmap.Map) { m.CapZones = nil }), 422, "map_finish_missing"},
		{"a record of no time at all", replayChanged(func(r *lbreplay.Replay) { r.FinishTime = 0 }), 422, "finish_time_missing"},
		{"a run from the future", replayChanged(func(r *lbreplay.Replay) { r.Timestamp = time.Now().Add(time.Hour) }), 422,
			"replay_from_future"},
		{"no picture", imageReplaced(nil), 400, "image_missing"},
		{"a picture of more than 1 MB", imageReplaced(append(bytes.Clone(picture()), make([]byte, 1<<20)...)), 413,
			"image_too_large"},
		{"a picture that is a script",
			imageReplaced([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)),
			415, "image_type_invalid"},
		{"a picture that is a GIF",
			imageReplaced([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")), 415, "image_type_invalid"},
		{"half a picture", imageReplaced(picture()[:len(picture())/2]), 422, "image_broken"},
		{"a picture of 5000 by 10", imageReplaced(pngOf(5000, 10)), 422, "image_dimensions"},
		{"another author's map", mapChanged(func(m *bonkmap.Map) { m.Author = "the real author" }), 403,
			"not_author_or_validator"},
		{"medals that fall", metadataChanged(func(m *api.MapMetadata) {
			m.MedalTimes = &api.RequestedMedalTimes{Gold: new(60_000), Silver: new(50_000), Bronze: new(70_000)}
		}), 422, "metadata_refused"},
		{"a gold time below the author's", metadataChanged(func(m *api.MapMetadata) {
			m.MedalTimes = &api.RequestedMedalTimes{Gold: new(30_000)}
		}), 422, "metadata_refused"},
		{"eleven tags", metadataChanged(func(m *api.MapMetadata) { m.Tags = new(strings.Split("a b c d e f g h i j k", " ")) }),
			422, "metadata_refused"},
		{"a tag of 25 characters", metadataChanged(func(m *api.MapMetadata) { m.Tags = &[]string{strings.Repeat("x", 25)} }),
			422, "metadata_refused"},
		{"a description of 2,001 characters", metadataChanged(func(m *api.MapMetadata) {
			m.Description = new(strings.Repeat("é", 2001))
		}), 422, "metadata_refused"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newMap(author.Player.Name)
			s := submission(t, m, author.Player.Name)
			c.change(t, &s, m, author.Player.Name)
			_, err := author.SubmitMap(t.Context(), s)
			refused(t, err, c.status, c.code)
			if found, err := newVisitor().SearchMaps(t.Context(),
				api.SearchMapsParams{AuthorID: author.Player.ID}); err != nil ||
				found.Pagination.Total != 0 {
				t.Errorf("it is in the catalogue: %+v %v", found.Data, err)
			}
		})
	}
	t.Run("metadata that is no JSON", func(t *testing.T) {
		s := submission(t, newMap(author.Player.Name), author.Player.Name)
		var f site.Form
		f.File("replayFile", "run.lbReplay", s.Replay)
		f.File("mapImage", "map.png", s.Image)
		f.Field("metadata", "{tags: short}")
		refusal(t, send(t, author, f.Request(http.MethodPost, "/maps/submit")), http.StatusBadRequest, "metadata_malformed")
	})
	t.Run("the first fault is reported", func(t *testing.T) {
		s := submission(t, newMap("the real author"), "somebody else")
		s.Image, s.Metadata.Tags = nil, &[]string{strings.Repeat("x", 25)}
		_, err := author.SubmitMap(t.Context(), s)
		refused(t, err, http.StatusForbidden, "replay_not_yours")
	})
	t.Run("none of them became a run", func(t *testing.T) {
		runs, err := newVisitor().Records(t.Context(), api.ListRecordsParams{Player: author.Player.ID})
		if err != nil || runs.Pagination.Total != 0 {
			t.Errorf("%+v %v", runs.Data, err)
		}
	})
}

func TestSubmitMap_twice(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
	_, err := author.SubmitMap(t.Context(), submission(t, m, author.Player.Name))
	if p := refused(t, err, http.StatusConflict, "map_exists"); p.ID() != entry.ID {
		t.Errorf("the existing map is %q, want %s", p.ID(), entry.ID)
	}
}

func TestSubmitMap_concurrently(t *testing.T) {
	t.Parallel()
	author := newPlayer(t)
	s := submission(t, newMap(author.Player.Name), author.Player.Name)
	entered := atOnce(20, func() (string, error) {
		entry, err := author.SubmitMap(t.Context(), s)
		return entry.ID, err
	})
	if len(entered.made) != 1 {
		t.Fatalf("%d maps were made: %v", len(entered.made), entered.problems)
	}
	for _, err := range entered.problems {
		if p := refused(t, err, http.StatusConflict, "map_exists"); p.ID() != entered.made[0] {
			t.Errorf("the existing map is %q, want %s", p.ID(), entered.made[0])
		}
	}
	found, err := newVisitor().SearchMaps(t.Context(), api.SearchMapsParams{AuthorID: author.Player.ID})
	if err != nil || found.Pagination.Total != 1 {
		t.Errorf("%d maps are found: %v", found.Pagination.Total, err)
	}
}

func TestSubmitMap_medal_times(t *testing.T) {
	t.Parallel()
	author := newPlayer(t)
	s := submission(t, newMap(author.Player.Name), author.Player.Name)
	s.Metadata = api.MapMetadata{
		Description: new("  First line.\nSecond <b>line</b>.  "),
		Tags:        &[]string{" Short ", "SHORT", "", "für Anfänger"},
		MedalTimes:  &api.RequestedMedalTimes{Author: new(1), Gold: new(41_270), Silver: new(50_000), Bronze: new(50_000)},
	}
	entry, err := author.SubmitMap(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := api.MedalTimes{Author: ms(40_000), Gold: ms(41_267), Silver: ms(50_000), Bronze: ms(50_000)}
	if diff := cmp.Diff(want, entry.MedalTimes); diff != "" {
		t.Errorf("medals (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"short", "für anfänger"}, entry.Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if !strings.Contains(entry.Description, "First line.\nSecond <b>line</b>.") {
		t.Errorf("description: %q", entry.Description)
	}
}

func TestSubmitMap_by_a_validator(t *testing.T) {
	t.Parallel()
	validator := withRole(t, "validator")
	absent := account()
	m := newMap(absent.Name)
	s := submission(t, m, validator.Player.Name)

	t.Run("but sets no medals", func(t *testing.T) {
		greedy := s
		greedy.Metadata.MedalTimes = &api.RequestedMedalTimes{Gold: new(50_000)}
		// The maps service learns the role by an event, which may arrive later than the token.
		eventually.WaitFor(t, "the role of the validator in the maps service", func() bool {
			_, err := validator.SubmitMap(t.Context(), greedy)
			var p *site.Problem
			return errors.As(err, &p) && p.Status == http.StatusForbidden && p.Code == "medals_not_author"
		})
	})
	entry, err := validator.SubmitMap(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if entry.Author.Name != absent.Name || entry.SubmittedBy.ID != validator.Player.ID ||
		entry.MedalTimes != (api.MedalTimes{}) {
		t.Errorf("entered as %+v", entry)
	}
	placeholder, err := newVisitor().PlayerByID(t.Context(), entry.Author.ID)
	if err != nil || placeholder.Registered {
		t.Errorf("the author's profile: %+v %v", placeholder, err)
	}
	found, err := newVisitor().SearchPlayers(t.Context(), api.SearchPlayersParams{Name: absent.Name})
	if err != nil || len(found.Data) != 0 {
		t.Errorf("who never logged in is found: %+v %v", found.Data, err)
	}

	t.Run("who takes the map over at the first login", func(t *testing.T) {
		author := loggedIn(t, absent)
		if author.Player.ID != entry.Author.ID {
			t.Errorf("the author has the _id %s, the map's author %s", author.Player.ID, entry.Author.ID)
		}
		eventually.WaitFor(t, "the author to be found", func() bool {
			found, err := newVisitor().SearchPlayers(t.Context(), api.SearchPlayersParams{Name: absent.Name})
			return err == nil && len(found.Data) == 1 && found.Data[0].ID == entry.Author.ID && found.Data[0].Registered
		})
	})
}

func TestMedia(t *testing.T) {
	t.Parallel()
	author := newPlayer(t)
	s := submission(t, newMap(author.Player.Name), author.Player.Name)
	s.Image = jpegOf(1200, 700)
	entry, err := author.SubmitMap(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{entry.ImageURL, entry.ThumbnailURL} {
		servedPicture(t, path)
	}
	if entry.ImageURL == entry.ThumbnailURL {
		t.Error("there is one size only")
	}
}

// servedPicture checks that a picture is there, as WebP that may be kept permanently.
func servedPicture(t *testing.T, path string) {
	t.Helper()
	answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true})
	if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "image/webp" ||
		!bytes.HasPrefix(answer.Body, []byte("RIFF")) {
		t.Errorf("%s: %d %s, %d bytes", path, answer.Status, answer.Header.Get("Content-Type"), len(answer.Body))
	}
	if got := answer.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("%s: Cache-Control: %q", path, got)
	}
}

// results are what became of several tries at once.
type results struct {
	made     []string // ids
	problems []error
}

// atOnce tries the same several times at once.
func atOnce(count int, try func() (id string, err error)) results {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		all   results
	)
	start := make(chan struct{})
	for range count {
		group.Go(func() {
			<-start
			id, err := try()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				all.problems = append(all.problems, err)
			} else {
				all.made = append(all.made, id)
			}
		})
	}
	close(start)
	group.Wait()
	return all
}

// How a submission differs from a good one.

type mapChange = func(t *testing.T, s *site.MapSubmission, m *bonkmap.Map, player string)

func fileReplaced(file []byte) mapChange {
	return func(_ *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) { s.Replay = file }
}

func imageReplaced(file []byte) mapChange {
	return func(_ *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) { s.Image = file }
}

func metadataChanged(change func(*api.MapMetadata)) mapChange {
	return func(_ *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) { change(&s.Metadata) }
}

func replayChanged(change func(*lbreplay.Replay)) mapChange {
	return func(t *testing.T, s *site.MapSubmission, m *bonkmap.Map, player string) {
		t.Helper()
		s.Replay = replay(t, m, player, 40_000, change)
	}
}

func mapChanged(change func(*bonkmap.Map)) mapChange {
	return func(t *testing.T, s *site.MapSubmission, m *bonkmap.Map, player string) {
		t.Helper()
		change(m)
		s.Replay = replay(t, m, player, 40_000)
	}
}

func relabelled(label, value string) mapChange {
	return func(t *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) {
		t.Helper()
		s.Replay = withLabel(t, s.Replay, label, value)
	}
}

func withoutData(t *testing.T, s *site.MapSubmission, _ *bonkmap.Map, _ string) {
	t.Helper()
	s.Replay = withLabel(t, s.Replay, "Map Data", "")
}

// withLabel is the file with another value in one line.
func withLabel(t *testing.T, file []byte, label, value string) []byte {
	t.Helper()
	lines := strings.Split(string(file), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, label+":") {
			lines[i] = label + ": " + value
			return []byte(strings.Join(lines, "\n"))
		}
	}
	t.Fatalf("the replay has no line %s", label)
	return nil
}
