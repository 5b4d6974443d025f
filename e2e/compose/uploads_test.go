package compose

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/http"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/internal/load"
	"capzone.dev/e2e/internal/world"
	"capzone.dev/e2e/site"
)

const (
	uploads = 64
	// uploadTimeout is longer than the gateway waits for an answer to an upload.
	uploadTimeout = 45 * time.Second
	// patience is how long a page may take on a busy machine.
	patience = 5 * time.Second
)

// TestUploads_LargeImages has players upload 64 maps at once, with images of 4096×4096 pixels. Each is accepted or
// answered 503 with a time to try again, and is accepted then (four of them are tried). Meanwhile others read, submit
// records and submit a map with a usual image.
func TestUploads_LargeImages(t *testing.T) {
	usual, others := prepareUploads(t)
	large := largeImage(t)
	services := running.containers(t, "maps", "gateway")
	tr := users.Start(t, capzone)
	tr.AwaitServed("the traffic to begin")
	tr.TakeCounts()

	outcomes := make(chan outcome, uploads)
	for _, m := range others {
		m.submission.Image = large
		go func() { outcomes <- m.submit(t.Context()) }()
	}
	began := time.Now()
	load.Await(t, "another player's map to be accepted", func() bool {
		o := usual.submit(t.Context())
		if o.err != nil && !o.isDeferred() {
			t.Errorf("another player's map: %v", o.err)
		}
		return o.err == nil
	})
	t.Logf("another player's map was accepted after %.1f s", time.Since(began).Seconds())
	var deferred []upload
	reasons := map[string]int{}
	for range uploads {
		switch o := <-outcomes; {
		case o.isDeferred():
			deferred = append(deferred, o.upload)
			reasons[o.problem().Code]++
		case o.err != nil:
			t.Errorf("after %.1f s: %v", o.took.Seconds(), o.err)
		}
	}
	counts := tr.TakeCounts()
	tr.Stop()
	t.Logf(
		"%d of %d maps were accepted within %.1f s, the others were answered 503: %v",
		uploads-len(deferred),
		uploads,
		time.Since(began).Seconds(),
		reasons,
	)
	if len(deferred) == uploads {
		t.Error("no map was accepted")
	}
	t.Logf(
		"meanwhile %d requests of others were served, the slowest in %.2f s",
		counts.Served,
		counts.Slowest.Seconds(),
	)
	if len(counts.Failures) > 0 || len(counts.Deferred) > 0 || counts.Slowest > patience {
		t.Errorf(
			"the slowest of the others' requests took %s, these failed: %v\nand these were deferred: %v",
			counts.Slowest,
			counts.Failures,
			counts.Deferred,
		)
	}
	for i, c := range running.containers(t, "maps", "gateway") {
		if !c.State.StartedAt.Equal(services[i].State.StartedAt) {
			t.Errorf("%s was started again", c.service())
		}
	}
	for _, u := range deferred[:min(4, len(deferred))] {
		load.Await(t, "the map to be accepted", func() bool { return u.submit(t.Context()).err == nil })
	}
}

// upload is a map of a player who is logged in.
type upload struct {
	player     *site.Visitor
	submission site.MapSubmission
}

// outcome is the answer to an upload.
type outcome struct {
	upload upload
	err    error
	took   time.Duration
}

func (u upload) submit(ctx context.Context) outcome {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	player := *u.player // a visitor is not safe for concurrent use
	began := time.Now()
	_, err := player.SubmitMap(ctx, u.submission)
	return outcome{u, err, time.Since(began)}
}

// isDeferred reports whether the site asked to try again later.
func (o outcome) isDeferred() bool {
	p := o.problem()
	return p != nil && p.Status == http.StatusServiceUnavailable && p.RetryAfter > 0
}

// problem returns the site's refusal, or nil.
func (o outcome) problem() *site.Problem {
	var problem *site.Problem
	if !errors.As(o.err, &problem) {
		return nil
	}
	return problem
}

// prepareUploads logs players in. It returns the map of one of them, and 64 maps of the others, all with usual images.
func prepareUploads(t *testing.T) (usual upload, others []upload) {
	t.Helper()
	const authors = 33
	// A fifth of the players are authors. The first maps have the names of those that the community has.
	invented := world.New(32, world.Size{Players: 5 * authors, Maps: len(users.Maps) + uploads + authors})
	visitors := make([]*site.Visitor, authors)
	var logins errgroup.Group
	logins.SetLimit(4)
	for i := range visitors {
		visitors[i] = capzone.Visitor()
		logins.Go(func() error {
			_, err := visitors[i].Login(t.Context(), invented.Players[i].Account)
			return err
		})
	}
	if err := logins.Wait(); err != nil {
		t.Fatal(err)
	}
	first := &invented.Maps[len(users.Maps)]
	for i := len(users.Maps) + 1; len(others) < uploads; i++ {
		if m := &invented.Maps[i]; m.Submitter != first.Submitter {
			others = append(others, upload{visitors[m.Submitter], invented.Submission(m)})
		}
	}
	return upload{visitors[first.Submitter], invented.Submission(first)}, others
}

// largeImage is a small file with as many pixels as a map's image may have.
func largeImage(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 4096, 4096))); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
