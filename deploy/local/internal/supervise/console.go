// Package supervise keeps programs running: it starts them again when they end, shows their output and stops them
// within a deadline.
package supervise

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// Console writes whole lines of many programs to one place, each with its program's name.
type Console struct {
	mu     sync.Mutex
	out    io.Writer
	colour bool
	width  int // of the longest name
	next   int // colour of the next name
}

// NewConsole writes to out, in colours if it is a terminal and NO_COLOR is unset. Names up to the given
// width line up.
func NewConsole(out io.Writer, width int) *Console {
	return &Console{out: out, colour: isTerminal(out) && os.Getenv("NO_COLOR") == "", width: width}
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

// Printf writes a line of the launcher itself.
func (c *Console) Printf(format string, v ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintf(c.out, format+"\n", v...)
}

// Lines returns a writer for the output of one program. It is safe for use by several goroutines.
func (c *Console) Lines(name string) *Lines {
	c.mu.Lock()
	defer c.mu.Unlock()
	prefix := fmt.Sprintf("%-*s | ", c.width, name)
	if c.colour {
		prefix = fmt.Sprintf("\x1b[%dm%s\x1b[0m", colours[c.next%len(colours)], prefix)
		c.next++
	}
	return &Lines{console: c, prefix: []byte(prefix)}
}

// Lines prefixes each line of one program.
type Lines struct {
	console *Console
	prefix  []byte

	mu      sync.Mutex
	partial []byte
}

// maxLine bounds a line, in bytes; longer ones are broken.
const maxLine = 64 << 10

// Write shows the lines that are complete and keeps the rest.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partial = append(l.partial, p...)
	for {
		line, rest, found := bytes.Cut(l.partial, []byte("\n"))
		if !found {
			if len(l.partial) < maxLine {
				return len(p), nil
			}
			line, rest = l.partial, nil
		}
		if err := l.show(line); err != nil {
			return 0, err
		}
		l.partial = append(l.partial[:0:0], rest...)
	}
}

// Printf writes a line about the program.
func (l *Lines) Printf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	if l.console.colour {
		text = "\x1b[31m" + text + "\x1b[0m"
	}
	_ = l.show([]byte(text))
}

func (l *Lines) show(line []byte) error {
	whole := make([]byte, 0, len(l.prefix)+len(line)+1)
	whole = append(whole, l.prefix...)
	whole = append(whole, line...)
	whole = append(whole, '\n')
	l.console.mu.Lock()
	defer l.console.mu.Unlock()
	_, err := l.console.out.Write(whole)
	return err
}
