//go:build !unix

package mcp

import "os/exec"

func alone(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
