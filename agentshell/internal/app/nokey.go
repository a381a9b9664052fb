package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

const noKeyPage = `agentshell needs a key to ask a model.

  1. Get one from a provider:
%s
  2. Put it into the environment, and start again in your project:

       export %s=...
       agentshell

     Or let a program print it: key_command = ["pass", "show", "%s"]
     in %s

%sWithout a key you can play the demo: no network, in a workspace made for it.
`

// offerDemo shows how to get a key for s, or for any provider if none was chosen, and asks whether
// to play the demo instead. The terminal is not in raw mode.
func (p Host) offerDemo(ctx context.Context, s service, chosen bool) bool {
	var keyPlaces strings.Builder
	for _, known := range services {
		if known.name == s.name || !chosen {
			fmt.Fprintf(&keyPlaces, "       %-10s %s\n", known.name, known.keyPage)
		}
	}
	file := "the config file"
	if dir := config.Dir(p.getenv); dir != "" {
		file = filepath.Join(dir, "config.toml")
	}
	localText := ""
	for _, l := range findLocalServers(ctx, commonLocalServers) {
		localText += fmt.Sprintf(
			"%s runs here with %s. To ask it:\n\n       OPENAI_BASE_URL=%s agentshell --model %s\n\n",
			l.name, firstNames(l.models), l.url, l.models[0])
	}
	PrintLine(p.Stdout, noKeyPage, keyPlaces.String(), s.keyName, s.name, file, localText)
	_, _ = io.WriteString(p.Stdout, "Press Enter to play it, q to quit: ")
	answer := make(chan string, 1)
	go func() {
		defer close(answer)
		if s := bufio.NewScanner(oneByteAtATime{p.stdin}); s.Scan() {
			answer <- strings.TrimSpace(s.Text())
		}
	}()
	select {
	case text, ok := <-answer:
		return ok && (text == "" || strings.EqualFold(text, "demo") || strings.EqualFold(text, "y"))
	case <-ctx.Done():
		_, _ = io.WriteString(p.Stdout, "\n")
		return false
	}
}

// oneByteAtATime keeps a scanner from reading beyond its line. What follows belongs to the shell.
type oneByteAtATime struct{ io.Reader }

func (r oneByteAtATime) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(1, len(b))]) }
