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

// noKeyPage is the text that offerDemo prints, with places for addresses, files and keys.
const noKeyPage = `agentshell needs a model: on a server of your own, or with a provider's key.

  A server of your own needs no key. %s

       %s

     To keep it: provider = "openai" and base_url = "..."
     in %s

  A key comes from a provider:

%s
     Put it into the environment: export %s=...
     Or let a program print it: key_command = ["pass", "show", "%s"]

agentshell doctor says what is found here, and what is missing.
Without a model you can play the demo: no network, in a workspace made for it.
`

// offerDemo prints how the user can get access to a model, and asks whether to play the demo
// instead. If chosen is true, only the key for s is explained, else that of every provider. The
// terminal must not be in raw mode.
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
	about, command := localServerText(findLocalServers(ctx, commonLocalServers))
	PrintLine(p.Stdout, noKeyPage, about, command, file, keyPlaces.String(), s.keyName, s.name)
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

// localServerText returns a text about the local model servers that were found, and a command that
// starts agentshell with one.
func localServerText(found []localServer) (about, command string) {
	if len(found) == 0 {
		var names []string
		for _, l := range commonLocalServers {
			names = append(names, l.name)
		}
		return "None answers here at the usual address of\n  " + strings.Join(names, ", ") + ". Start one, or name " +
			"its address:", "OPENAI_BASE_URL=" + commonLocalServers[0].url + " agentshell"
	}
	var lines []string
	for _, l := range found {
		lines = append(lines, l.name+" runs here with "+firstNames(l.models))
	}
	return strings.Join(lines, ",\n  ") + ". To ask it:", fmt.Sprintf("OPENAI_BASE_URL=%s agentshell --model %s",
		found[0].url, found[0].models[0])
}

// oneByteAtATime makes a scanner read single bytes, so that it reads nothing beyond its line. What
// follows belongs to the shell.
type oneByteAtATime struct{ io.Reader }

func (r oneByteAtATime) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(1, len(b))]) }
