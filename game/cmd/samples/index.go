package main

import (
	"bytes"
	"fmt"
	"strings"

	"capzone.dev/game/mapgen"
	"capzone.dev/game/racetime"
)

// writeIndex writes the samples' README.
func writeIndex(course mapgen.Course) ([]byte, error) {
	authorTime, err := racetime.Parse(runs[0].finish)
	if err != nil {
		return nil, err
	}
	medals := racetime.DefaultMedals(authorTime).Snapped()

	var b bytes.Buffer
	fmt.Fprintf(&b, `# Samples to try the site with

<!-- Written by game/cmd/samples. Change it there and run "go generate ./..." in game/. -->

Everything here was drawn and invented for this project: one map and six replays on it, by five players.

![%[1]s](%[2]s)

**%[1]s** by `+"`%[3]s`"+`, %[4]s, number %[5]d in the game. Tags that suit it: %[6]s.
With the default medal times: author %[7]s, gold %[8]s, silver %[9]s, bronze %[10]s.

| file | player | time | what it is |
|---|---|---|---|
`, course.Map.Name, imageFile, author, course.Map.Mode, course.Map.ID, strings.Join(course.Tags, ", "),
		racetime.Format(medals.Author), racetime.Format(medals.Gold),
		racetime.Format(medals.Silver), racetime.Format(medals.Bronze))
	for _, r := range runs {
		fmt.Fprintf(&b, "| [`%s`](%s) | `%s` | %s | %s |\n", r.file, r.file, r.player, r.finish, r.remark)
	}
	fmt.Fprintf(&b, `
A replay belongs to the player it names, and the site accepts it from nobody else. So:

1. Log in as `+"`%[1]s`"+` and submit the map: replay `+"`%[2]s`"+`, image `+"`%[3]s`"+`.
2. Log in as one of the others, say `+"`%[4]s`"+`, and submit that player's replay.
3. Look at the map's leaderboard.

Sending a file twice, or another player's, is worth a try, too. [The formats](../formats.md) are explained next door.
`, author, runs[0].file, imageFile, runs[1].player)
	return b.Bytes(), nil
}
