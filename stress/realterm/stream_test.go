//go:build terminals

package realterm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/tui"
)

// words is how many words the program of TestAStreamThroughResizes streams, in paragraphs of 20 to 170.
const words = 2500

// stream is that program: paragraphs that grow word by word, each of them many rows that the terminal wraps.
func stream() error {
	app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working"}, &tui.Editor{Placeholder: "draft"})}
	app.Main = func(ctx context.Context) error {
		for i, n := 0, 0; i < words; n++ {
			p := app.Transcript().Stream(&tui.Prose{})
			for last := min(words, i+20+n*53%150); i < last; i++ {
				fmt.Fprintf(p, "w%05d ", i)
				select {
				case <-time.After(8 * time.Millisecond):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			p.Close()
		}
		<-time.After(1500 * time.Millisecond)
		return nil
	}
	if err := app.Run(context.Background()); err != nil {
		return err
	}
	fmt.Println("tape done")
	return nil
}

// Each resize comes long after the one before it, and so unannounced, into a stream of long soft-wrapped paragraphs.
func TestAStreamThroughResizes(t *testing.T) {
	need.Program(t, "tmux")
	t.Run("tmux", func(t *testing.T) { streamThrough(t, &tmux{socket: filepath.Join(t.TempDir(), "s")}) })
	t.Run("vte", func(t *testing.T) {
		need.Program(t, "Xvfb")
		streamThrough(t, &vte{})
	})
}

func streamThrough(t *testing.T, term terminal) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SCROLLKEEP_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("SCROLLKEEP_SEED=%d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	term.start(t, "SCROLLKEEP_STREAM=1 "+self)
	resizes := 0
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(term.tape(t), "tape done"); resizes++ {
		if time.Now().After(end) {
			t.Fatalf("the program does not end; the tape is\n%s", term.tape(t))
		}
		<-time.After(time.Duration(1200+rng.IntN(500)) * time.Millisecond)
		term.resize(t, 40+rng.IntN(80), 12+rng.IntN(30))
	}
	tape := term.tape(t)
	next, again, torn := 0, 0, 0
	word := regexp.MustCompile(`^w(\d{5})$`)
	for _, s := range strings.Fields(tape) {
		switch {
		case s == fmt.Sprintf("w%05d", next):
			next++
		case word.MatchString(s):
			again++
		case strings.HasPrefix(s, "w0"):
			torn++
			t.Logf("torn: %q", s)
		}
	}
	t.Logf("%d resizes, %d words in order, %d again, %d torn", resizes, next, again, torn)
	if next != words || again > 0 || torn > 0 {
		name := filepath.Join(os.TempDir(), "scrollkeep-stream-"+strings.ReplaceAll(t.Name(), "/", "-"))
		_ = os.WriteFile(name, []byte(tape), 0o600)
		t.Errorf("of %d words; the tape is in %s", words, name)
	}
}
