//go:build !linux

package timerslack

// Relax does nothing: only Linux lets a program say how late it may wake.
func Relax() {}
