//go:build unix

// Package cputime tells tests what work has cost, whatever else the machine is
// doing. It imports no other package of the project.
package cputime

import (
	"syscall"
	"time"
)

// Used is the processor's time that the process has used so far, the system's
// included.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for arguments that do not exist
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
