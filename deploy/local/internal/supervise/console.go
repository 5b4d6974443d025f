// Package supervise keeps programs running: it starts them again when they end, shows their output and stops them
// within a deadline.
package supervise

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
)

// Console writes whole lines of many programs to one place, each with its program's name.
type Console struct {
	*log.Logger // for lines of the launcher itself

	colour bool
	next   int // colour of the next name
}

// NewConsole writes to out, in colours if it is a terminal and NO_COLOR is unset.
func NewConsole(out io.Writer) *Console {
	return &Console{Logger: log.New(out, "", 0), colour: isTerminal(out) && os.Getenv("NO_COLOR") == ""}
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colours are ANSI colours that are legible on light and dark backgrounds; red is for problems.
var colours = []int{36, 32, 35, 34, 33, 96, 92, 95, 94, 93}

// Lines returns a writer for the output of one program. It is called for one program after the other.
func (c *Console) Lines(name string) *Lines {
	prefix := fmt.Sprintf("%-15s | ", name) // "notifications.2"
	if c.colour {
		prefix = fmt.Sprintf("\x1b[%dm%s\x1b[0m", colours[c.next%len(colours)], prefix)
		c.next++
	}
	return &Lines{console: c, prefix: prefix}
}

// Lines prefixes each line of one program.
type Lines struct {
	console *Console
	prefix  string
	partial []byte // the line that the program has not ended
}

// Write shows the lines that are complete and keeps the rest. There are no writes at the same time: exec copies the
// output of one process in one goroutine, and the program has one process at a time.
func (l *Lines) Write(p []byte) (int, error) {
	lines := bytes.SplitAfter(append(l.partial, p...), []byte("\n"))
	for _, line := range lines[:len(lines)-1] {
		l.console.Print(l.prefix + string(line))
	}
	l.partial = lines[len(lines)-1]
	return len(p), nil
}

// Printf writes a line about the program.
func (l *Lines) Printf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	if l.console.colour {
		text = "\x1b[31m" + text + "\x1b[0m"
	}
	l.console.Print(l.prefix + text)
}
