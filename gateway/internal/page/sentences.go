package page

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/language"
)

// files has the site's translations of the sentences below, which npm run extract writes from its catalogues.
//
//go:embed sentences/*.json
var files embed.FS

// translations are the sentences of the languages other than English, by their ids.
var translations = readTranslations()

func readTranslations() map[locale]map[string]string {
	all := map[locale]map[string]string{}
	for _, l := range language.All() {
		text, err := files.ReadFile("sentences/" + string(l) + ".json")
		if err != nil { // English has none
			continue
		}
		var sentences map[string]string
		if err := json.Unmarshal(text, &sentences); err != nil {
			panic(fmt.Sprintf("sentences/%s.json: %v", l, err))
		}
		all[locale(l)] = sentences
	}
	return all
}

// text is a sentence of the pages' heads and feeds in ICU's form, with its id in the catalogues.
type text struct{ id, english string }

func sentence(id, english string) text { return text{id, english} }

var (
	textDescription = text{"config.description", ""} // English is in index.html
	textLoading     = sentence("page.loading", "Loading authentication...")
	textNoScript    = sentence("page.no_script", "{site} needs JavaScript. Questions: {contact}")
	textMapSearch   = sentence("page.map_search", "Map Search")
	textAllMaps     = sentence("page.all_maps", "Every parkour map that has been finished. Pick one and see who was fastest.")
	textListed      = sentence("page.listed_maps", "Maps without a replay")
	textListedMaps  = sentence("page.listed_maps_about",
		"Maps of the game that still need a replay from their author or a validator.")
	textRankings      = sentence("page.rankings", "Rankings")
	textRankingsAbout = sentence("page.rankings_about",
		"The players with the most points, world records, medals and finished maps.")
	textFirstByPoints = sentence("page.first_by_points", "First by points: {player} with {points}.")
	textFormula       = sentence("page.formula", "How points work")
	textFormulaAbout  = sentence("page.formula_about",
		"The formula of points with examples and a calculator, so that every point can be checked by hand.")
	textMap         = sentence("page.map", "{mode} map by {author}.")
	textMapVersion  = sentence("page.map_version", "{mode} map by {author}, version {version}.")
	textNoRecords   = sentence("page.no_records", "No records yet.")
	textRecords     = sentence("page.records", "{count, plural, one {# record.} other {# records.}}")
	textWorldRecord = sentence("page.world_record", "World record: {time} by {player}.")
	textLeaderboard = sentence("page.leaderboard", "{map}: Leaderboard")
	textMapPicture  = sentence("page.map_picture", "The map {map} by {author}.")
	textPlayer      = sentence("page.player", "{records, plural, one {# record} other {# records}} and "+
		"{maps, plural, one {# map} other {# maps}} on {site}.")
	textLevel         = sentence("page.level", "Level {level}.")
	textPlayerPicture = sentence("page.player_picture", "The player {player}.")
	textRankPoints    = sentence("page.rank_points", "Rank {rank} with {points} points.")
	textRecord        = sentence("page.record", "{time} by {player} on {map}")
	textRecordPicture = sentence("page.record_picture", "The record {record}.")
	textSetOn         = sentence("page.set_on", "Set on {date}.")
	textRank          = sentence("page.rank", "Rank {rank}.")
	textVersus        = sentence("page.versus", "{player} vs. {opponent}")
	textScore         = sentence("page.score",
		"{wins} : {losses} on {maps, plural, one {# map} other {# maps}} that both have finished.")
	textNewWorldRecords = sentence("page.new_world_records", "New world records")
	textNewMaps         = sentence("page.new_maps", "New maps")
	textFirstRecord     = sentence("page.first_record", "The first record on the map.")
	textRecordBefore    = sentence("page.record_before", "The world record was {time} before.")
	textPlacePoints     = sentence("page.place_points", "Place {place} now, worth {points} points.")
	textPlace           = sentence("page.place", "Place {place} now.")
)

var textMedals = map[racetime.Medal]text{
	racetime.Author: sentence("page.author_medal", "Author medal."),
	racetime.Gold:   sentence("page.gold_medal", "Gold medal."),
	racetime.Silver: sentence("page.silver_medal", "Silver medal."),
	racetime.Bronze: sentence("page.bronze_medal", "Bronze medal."),
}

// values are what a sentence has in the places of its names: texts, and numbers for plurals.
type values map[string]any

// say returns a sentence in a language.
func (l locale) say(t text, v values) string {
	return l.format(cmp.Or(translations[l][t.id], t.english), v, "")
}

// format fills in a pattern: {name}, and {name, plural, one {…} other {…}} with # for the number.
func (l locale) format(pattern string, v values, number string) string {
	var b strings.Builder
	for pattern != "" {
		i := strings.IndexAny(pattern, "{#")
		if i < 0 {
			b.WriteString(pattern)
			break
		}
		b.WriteString(pattern[:i])
		if pattern[i] == '#' {
			b.WriteString(number)
			pattern = pattern[i+1:]
			continue
		}
		end := closing(pattern[i:])
		b.WriteString(l.argument(pattern[i+1:i+end], v))
		pattern = pattern[i+end+1:]
	}
	return b.String()
}

func (l locale) argument(argument string, v values) string {
	name, rest, isPlural := strings.Cut(argument, ", plural,")
	if !isPlural {
		return fmt.Sprint(v[name])
	}
	n, _ := v[name].(int)
	forms := map[string]string{}
	for rest = strings.TrimSpace(rest); rest != ""; {
		form, after, _ := strings.Cut(rest, "{")
		end := closing("{" + after)
		forms[strings.TrimSpace(form)] = after[:end-1]
		rest = strings.TrimSpace(after[end:])
	}
	form, ok := forms[l.plural(n)]
	if !ok {
		form = forms["other"]
	}
	return l.format(form, v, strconv.Itoa(n))
}

// closing returns the index of the bracket that closes the one with which a pattern begins, or its length.
func closing(pattern string) int {
	depth := 0
	for i, r := range pattern {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return len(pattern)
}

var pluralForms = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

// plural returns the form of the plural that a number of things has.
func (l locale) plural(n int) string {
	return pluralForms[plural.Cardinal.MatchPlural(language.Language(l).Tag(), n, 0, 0, 0, 0)]
}

// decimal returns a number with one decimal.
func (l locale) decimal(number float64) string {
	text := strconv.FormatFloat(number, 'f', 1, 64)
	if l != english {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// day returns a day in UTC.
func (l locale) day(at time.Time) string {
	layouts := map[locale]string{english: "2 January 2006", "es": "2/1/2006", "de": "2.1.2006", "pl": "2.01.2006"}
	return at.UTC().Format(layouts[l])
}
