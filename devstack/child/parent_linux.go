package child

import "syscall"

// endWithParent makes Linux terminate the process when its parent ends.
func endWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGTERM }
