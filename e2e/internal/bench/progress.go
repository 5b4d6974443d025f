package bench

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/site"
)

// progressSQL gives a player 5,000 personal bests, once.
//
//go:embed progress.sql
var progressSQL string

// searchByProgress measures searches by progress among many and fewer maps. It reads from the maps service itself,
// because the gateway combines requests for the same page.
func (b *bench) searchByProgress(ctx context.Context) error {
	service, err := b.serviceAddress("maps")
	if err != nil {
		return err
	}
	player := site.New(b.gateway).Visitor()
	if _, err := player.Login(ctx, writers.Players[0].Account); err != nil {
		return err
	}
	if err := b.play(ctx, player.Player.ID); err != nil {
		return fmt.Errorf("personal bests: %w", err)
	}
	if err := b.compareProgress(ctx, player.Token, service, "100,000 maps"); err != nil {
		return err
	}
	if err := b.inMaps(ctx, fewMapsSQL); err != nil {
		return fmt.Errorf("supersede maps: %w", err)
	}
	err = b.compareProgress(ctx, player.Token, service, "20,000 maps")
	return errors.Join(err, b.inMaps(context.WithoutCancel(ctx), allMapsSQL))
}

const (
	// fewMapsSQL leaves about 20,000 maps in searches, among them those that progressSQL has played. The trigger that
	// counts tags would update the same few rows 80,000 times in one transaction.
	fewMapsSQL = `alter table maps disable trigger count_tags;
		update maps set superseded = true where not superseded and (game_map_id - 2) % 19 > 3;
		alter table maps enable trigger count_tags`
	allMapsSQL = `alter table maps disable trigger count_tags;
		update maps set superseded = false where superseded;
		alter table maps enable trigger count_tags`
)

// compareProgress compares searches by progress with searches of all maps. The goals name the maps.
func (b *bench) compareProgress(ctx context.Context, token, service, maps string) error {
	const search = basePath + "/maps/search?limit=12&page=%d%s"
	for _, part := range []struct {
		name    string
		queries []string
	}{
		{"filtered", []string{
			"progress=unplayed", "progress=played", "progress=belowGold", "progress=notFirst", "progress=near",
		}},
		{"sorted by the next medal", []string{"sortBy=toNextMedal"}},
		{"sorted by rank", []string{"sortBy=myRank"}},
	} {
		var personal, plain []string
		for page := 1; page <= 10; page++ {
			for _, query := range part.queries {
				personal = append(personal, fmt.Sprintf(search, page, "&"+query))
			}
			plain = append(plain, fmt.Sprintf(search, page, ""))
		}
		medians, err := b.compare(ctx, readsAs(token, service, 16, personal...), reads(service, 16, plain...))
		if err != nil {
			return err
		}
		slower := medians[1].rate / medians[0].rate
		b.add("search of "+maps+" by progress, "+part.name+", beside all maps",
			rate(medians[0]), rate(medians[1]), "≤ 2 times", slower, slower <= 2)
	}
	return nil
}

// inMaps executes a statement in the database of the maps service.
func (b *bench) inMaps(ctx context.Context, statement string) error {
	database, err := b.running.Database("maps")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum (analyze) maps, map_stats")
	return err
}

// play gives the player personal bests.
func (b *bench) play(ctx context.Context, playerID string) error {
	database, err := b.running.Database("records")
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	literal := "'" + playerID + "'" // several statements have no parameters
	if _, err := conn.Exec(ctx, strings.ReplaceAll(progressSQL, "@player", literal)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum (analyze) maps, records, personal_bests, world_records, rank_counts")
	return err
}
