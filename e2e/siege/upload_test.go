package siege_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

// invented are players who are the authors of maps, with files that the site accepts.
var invented = world.New(31, world.Size{Players: 12, Maps: 12, Records: 60})

// author returns the author of a map, logged in, and what they submit.
func author(t *testing.T, number int) (*site.Visitor, site.MapSubmission) {
	t.Helper()
	m := &invented.Maps[number]
	v := newVisitor()
	_, err := v.Login(t.Context(), invented.Players[m.Submitter].Account)
	require.NoError(t, err)
	return v, invented.Submission(m)
}

// TestUploads_that_are_held_open runs before the costly pictures, whose memory a process releases slowly.
func TestUploads_that_are_held_open(t *testing.T) {
	forgetMemory("maps")
	attackers := []*site.Visitor{newPlayer(t), newPlayer(t)}
	submitter, honest := author(t, 2)
	readWhile(t, patience, func(ctx context.Context) {
		ctx, stop := context.WithTimeout(ctx, 6*time.Second)
		defer stop()
		var group sync.WaitGroup
		for _, v := range attackers {
			request := fmt.Sprintf("POST /api/v1/maps/submit HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
				"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 6000000\r\n\r\n--b\r\n"+
				"Content-Disposition: form-data; name=\"replayFile\"; filename=\"r\"\r\n\r\n%s", v.Token, strings.Repeat("x",
				4_000_000))
			for range 100 {
				group.Go(func() { holdOne(ctx, newAddress(), request) })
			}
		}
		_, err := submitter.SubmitMap(t.Context(), honest)
		if problem := (*site.Problem)(nil); err != nil && (!errors.As(err, &problem) || problem.Code != "map_exists") {
			t.Errorf("another player's map meanwhile: %v", err)
		}
		group.Wait()
	})
	held := memory(t, "maps")
	t.Logf("maps held %d MiB", held)
	// The uploads in flight and their garbage. All 200 at once would be 800 MiB.
	if held > 384 {
		t.Errorf("maps held %d MiB, want at most three quarters of its container's 512", held)
	}
}

// costlyPicture is a small file with as many pixels as a map's image may have.
func costlyPicture(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 4096, 4096))))
	return file.Bytes()
}

func TestPictures_that_are_costly(t *testing.T) {
	attacker, submission := author(t, 0)
	submission.Image = costlyPicture(t)
	visitor, honest := author(t, 1)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 4 {
		other := *attacker // a visitor is not safe for concurrent use
		group.Go(func() { _, _ = other.SubmitMap(ctx, submission) })
	}
	began := time.Now()
	_, err := visitor.SubmitMap(t.Context(), honest)
	if problem := (*site.Problem)(nil); errors.As(err, &problem) && problem.Code == "map_exists" {
		err = nil
	}
	took := time.Since(began)
	t.Logf("another player's map was accepted after %s", took)
	if err != nil || took > patience {
		t.Errorf("another player's map: %v after %s, want at most %s", err, took, patience)
	}
	stop()
	group.Wait()
}
