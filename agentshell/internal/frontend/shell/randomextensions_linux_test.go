package shell

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

var randomExtensions = flag.Int("extensions", 4, "random sessions with extensions that misbehave")

// keyTime is how long a key may take on a busy machine. The test prints how long it took.
const keyTime = 250 * time.Millisecond

// Sessions with extensions that are slow, silent, flood, crash, lie about widths or draw controls
// are on the tape as without them, and nothing of them is left.
func TestRandomExtensionsCostThemselves(t *testing.T) {
	var plain, slowest time.Duration
	most, slowestOf, keys, late := int64(0), "", 0, 0
	t.Run("none", func(t *testing.T) { plain = slices.Max(keyTimes(t, nil)) })
	for seed := range *randomExtensions {
		random := rand.New(rand.NewPCG(uint64(seed), 57))
		hows := append(extensiontest.Bad(), "well")
		chosen := []string{hows[seed%len(hows)]}
		for range random.IntN(3) {
			chosen = append(chosen, hows[random.IntN(len(hows))])
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		t.Run(fmt.Sprintf("%d %v", seed, chosen), func(t *testing.T) {
			for _, took := range keyTimes(t, chosen) {
				if keys++; took > time.Second/30 {
					late++
				}
				if took > slowest {
					slowest, slowestOf = took, t.Name()
				}
			}
			runtime.ReadMemStats(&after)
			more := (int64(after.Sys) - int64(before.Sys)) / int64(len(chosen))
			if most = max(most, more); more > 20<<20 {
				t.Errorf("%d MiB of memory more for each", more>>20)
			}
		})
	}
	t.Logf("%d sessions, %d of %d keys took more than a frame, the slowest %v in %s, %v without extensions; at most "+
		"%d KiB of memory more for each", *randomExtensions, late, keys, slowest, slowestOf, plain, most>>10)
}

// yes approves everything.
type yes struct{}

func (yes) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return approval.Yes{ID: p.ID}, nil
}

// keyTimes plays a session with extensions that behave in some ways, and returns how long each key
// took.
func keyTimes(t *testing.T, hows []string) (took []time.Duration) {
	t.Helper()
	name := fmt.Sprint(hows)
	marker := t.TempDir()
	var service *extension.Service
	if len(hows) > 0 {
		service = serviceOf(t, marker, hows)
	}
	const turns = 3
	var lines []string
	for n := range turns {
		lines = append(lines, fmt.Sprintf(`{"say":"before %d","delay_ms":0,"tool_calls":[{"id":"c%[1]d","name":"bash",`+
			`"input":{"command":"echo output-%[1]d"}}]}`, n), fmt.Sprintf(`{"say":"answer %d","delay_ms":0}`, n))
	}
	s := beginAll(t, tuitest.Config{Cols: 80, Rows: 30}, nil, nil, func(*Shell) approval.Approver { return yes{} },
		func(c *Config) { c.Programs.Extensions = service }, lines...)
	painted := make(chan struct{}, 1)
	s.Watch(func(*vt.Terminal) {
		select {
		case painted <- struct{}{}:
		default:
		}
	})
	await := func(text string) time.Duration {
		began := time.Now()
		late := time.After(20 * time.Second)
		for !strings.Contains(s.Visible(), text) {
			select {
			case <-painted:
			case <-late:
				t.Fatalf("%s: %q does not come:\n%s", name, text, s.tape())
			}
		}
		return time.Since(began)
	}
	for n := range turns {
		typed := ""
		for _, key := range fmt.Sprintf("say%d", n) {
			typed += string(key)
			s.Send([]byte(string(key)))
			took = append(took, await("› "+typed))
		}
		s.Send([]byte("\r"))
		await(fmt.Sprintf("answer %d", n))
	}
	if slowest := slices.Max(took); slowest > keyTime {
		t.Errorf("%s: a key took %v", name, slowest)
	}
	if service != nil {
		service.Close()
	}
	checkTape(t, name, s.tape(), turns)
	if left := processWith(marker); left != "" {
		t.Errorf("%s: the process %q is left", name, left)
	}
	return took
}

// serviceOf returns a service with an extension for each way to behave. Their processes have marker
// as an argument.
func serviceOf(t *testing.T, marker string, hows []string) *extension.Service {
	t.Helper()
	m, err := extension.Parse([]byte(extensiontest.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	m.Command = []string{os.Args[0], "${dir}"}
	s := extension.NewService(extension.Config{Dir: marker, Family: new(child.Family),
		Options: helper.Options{Pause: 20 * time.Millisecond}})
	t.Cleanup(s.Close)
	for i, how := range hows {
		if _, err := s.Add(extension.Source{Name: fmt.Sprintf("x%d", i), Dir: marker, Manifest: m,
			Env: []string{extensiontest.Variable + "=" + how}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// checkTape fails if what a session has shown does not stand on its tape exactly once and in order,
// or if a control does.
func checkTape(t *testing.T, name, tape string, turns int) {
	t.Helper()
	at := 0
	for n := range turns {
		for _, text := range []string{fmt.Sprintf("› say%d", n), fmt.Sprintf("before %d", n),
			fmt.Sprintf("• bash echo output-%d", n), fmt.Sprintf("answer %d", n)} {
			i := strings.Index(tape[at:], text)
			if i < 0 || strings.Count(tape, text) != 1 {
				t.Errorf("%s: %q stands %d times on the tape, or out of order:\n%s", name, text,
					strings.Count(tape, text), tape)
				return
			}
			at += i
		}
	}
	if strings.ContainsFunc(tape, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }) {
		t.Errorf("%s: a control stands on the tape:\n%q", name, tape)
	}
}

// processWith returns the command line of a process that has an argument, "" if there is none.
func processWith(argument string) string {
	for _, line := range nasty.Processes("cmdline") {
		if bytes.Contains(line, []byte("\x00"+argument+"\x00")) {
			return string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		}
	}
	return ""
}
