package postgres_test

import "testing"

func TestStore_Add_numbers_notifications(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	first, second, third, fourth := lost(anna, ben, 1), lost(ben, cloe, 2), lost(anna, cloe, 3), lost(anna, ben, 4)
	f.add(t, first, second, third)
	f.add(t, fourth)
	f.wantStored(t, row(first, 1), row(third, 2), row(fourth, 3), row(second, 1))
}
