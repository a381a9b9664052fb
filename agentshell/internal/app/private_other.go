//go:build !linux

package app

// hideMemory does nothing on this system, where no way is known to keep other processes of the user
// from reading the environment of agentshell.
func hideMemory() {}
