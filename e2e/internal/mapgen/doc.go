// Package mapgen generates parkour maps for demonstrations, samples and tests, which must not use the
// maps of real authors.
//
// [Generate] generates a map from a seed, always the same one from the same seed: a course with the obstacles
// of its mode, with platforms, walls, deadly parts, spawns and a capture zone for its finish, in one of
// several colour themes. [MapName] and [PlayerName] invent names to go with them.
package mapgen
