package bench

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"capzone.dev/e2e/site"
)

// progressSQL gives a player 5,000 personal bests, once.
//
//go:embed progress.sql
var progressSQL string

// searchByProgress reads from the maps service itself, because the gateway combines requests for the same page.
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
		medians, err := b.compare(ctx, readsAs(player.Token, service, 16, personal...), reads(service, 16, plain...))
		if err != nil {
			return err
		}
		slower := medians[1].rate / medians[0].rate
		b.add("search of 100,000 maps by progress, "+part.name+", 5,000 personal bests, beside all maps",
			rate(medians[0]), rate(medians[1]), "≤ 2 times", slower, slower <= 2)
	}
	return nil
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
