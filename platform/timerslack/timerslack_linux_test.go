package timerslack

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// relaxedProgram has the test's program be one that relaxes its timers.
const relaxedProgram = "TEST_RELAXED_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(relaxedProgram) == "" {
		os.Exit(m.Run())
	}
	Relax()
	tellSlack()
}

// tellSlack tells the process and what its threads were given.
func tellSlack() {
	const threads = 8
	var slacks [threads]int
	var together, done sync.WaitGroup
	together.Add(threads)
	for i := range threads {
		done.Go(func() {
			runtime.LockOSThread()
			together.Done()
			together.Wait() // each has a thread of its own
			slacks[i], _ = current()
		})
	}
	done.Wait()
	fmt.Println(os.Getpid(), slacks, os.Args[1:])
}

func TestAServingProcessMayWakeLate(t *testing.T) {
	t.Parallel()
	if _, err := current(); err != nil {
		t.Skipf("the system does not know how late a thread may wake: %v", err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "an argument")
	command.Env = append(os.Environ(), relaxedProgram+"=1")
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%d [%s] [an argument]\n", command.Process.Pid, strings.TrimSpace(strings.Repeat("1000000 ", 8)))
	if string(output) != want {
		t.Errorf("the program says %q, want %q: the same process, in which every thread may wake late", output, want)
	}
}
