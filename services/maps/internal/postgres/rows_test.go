package postgres_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

// filled returns a map whose fields all have values, which differ by n.
func filled(t *testing.T, n int) parkourmap.Map {
	t.Helper()
	var m parkourmap.Map
	fill(t, reflect.ValueOf(&m).Elem(), "Map", n)
	m.ID, m.AuthorID, m.SubmittedByID = mapID(n), playerID(n), playerID(n+1)
	m.Mode = bonkmap.ParkourModes()[n]
	return m
}

func fill(t *testing.T, v reflect.Value, name string, n int) {
	t.Helper()
	switch value := v.Addr().Interface().(type) {
	case *time.Time:
		*value = parkourmaptest.FinishedAt.Add(time.Duration(n) * time.Hour)
		return
	case *[]string:
		*value = []string{fmt.Sprint(name, n)}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint(name, n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), name, n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), name+"."+v.Type().Field(i).Name, n)
		}
	default:
		t.Fatalf("%s: values of %s are not filled", name, v.Type())
	}
}

// Every field of a map is stored when it is created and when it is updated.
func TestStore_Submit_every_field(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	check := func(want parkourmap.Map) {
		t.Helper()
		got, err := store.ByID(t.Context(), want.ID)
		require.NoError(t, err)
		assert.Equal(t, "map", want, got)
	}
	submitter := func(m parkourmap.Map) access.Attribution {
		return access.Attribution{Actor: access.Player(m.SubmittedByID, "cloudstep", []string{access.Validator})}
	}
	first := filled(t, 1)
	first.Superseded, first.RemovedAt = false, time.Time{} // of the newest version
	create(t, store, parkourmap.Candidate{Map: first, EncodedMap: "first", By: submitter(first)})
	check(first)

	second := filled(t, 2)
	second.GameMapID, second.Fingerprint, second.Mode = first.GameMapID, first.Fingerprint, first.Mode
	second.RemovedAt = time.Time{}
	var metadata parkourmap.Metadata // with all that an update may leave out
	fill(t, reflect.ValueOf(&metadata).Elem(), "Metadata", 2)
	create(t, store, parkourmap.Candidate{
		Map: second, EncodedMap: "second", Metadata: metadata, By: submitter(second),
	})
	want := second
	want.ID, want.Version, want.MapVersion, want.Superseded = first.ID, 2, first.MapVersion, false
	want.AuthorID, want.SubmittedByID, want.CreatedAt = first.AuthorID, first.SubmittedByID, first.CreatedAt
	want.Medals, want.Files.Replay, want.UnrankedReason = first.Medals, first.Files.Replay, first.UnrankedReason
	check(want)

	require.NoError(t, moderate(t.Context(), store, access.RemoveMap, first.ID, "root", "x"))
	want.Version, want.RemovedAt = 3, changedAt
	check(want)
}
