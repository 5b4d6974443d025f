package supervise

import (
	"os/exec"
	"runtime"
	"sync"
)

// starter starts all programs from one thread that lasts as long as this process. Linux ends a program
// together with the thread that started it (see attributes), and Go's threads come and go.
var starter threadStarter

type threadStarter struct {
	once     sync.Once
	requests chan startRequest
}

type startRequest struct {
	command *exec.Cmd
	result  chan error
}

func (s *threadStarter) start(command *exec.Cmd) error {
	s.once.Do(func() {
		s.requests = make(chan startRequest)
		go s.serve()
	})
	request := startRequest{command, make(chan error)}
	s.requests <- request
	return <-request.result
}

func (s *threadStarter) serve() {
	runtime.LockOSThread() // never unlocked
	for request := range s.requests {
		request.result <- request.command.Start()
	}
}
