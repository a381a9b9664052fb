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

// words is how many words the program of TestAStreamThroughResizes streams, in paragraphs of 20 to
// 170.
const words = 2500

// thumb is a cluster that tmux measures otherwise than those who know clusters. One stands behind
// every ninth word.
const thumb = "\U0001f44d\U0001f3fd"

// stream is that program: paragraphs that grow word by word, each of them many rows; every other
// one is shorter, and one line, final as a whole, that the terminal wraps.
func stream() error {
	app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working"}, &tui.Editor{Placeholder: "draft"})}
	app.Main = func(ctx context.Context) error {
		for i, n := 0, 0; i < words; n++ {
			var how tui.WriterComponent = &tui.Prose{}
			last := min(words, i+20+n*53%150)
			if n%2 == 1 { // its rows are live until its end, and have to fit
				how, last = nil, min(words, i+10+n%16)
			}
			p := app.Transcript().Stream(how)
			for ; i < last; i++ {
				fmt.Fprintf(p, "w%05d ", i)
				if i%9 == 8 {
					fmt.Fprint(p, thumb+" ")
				}
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

// Each resize comes long after the one before it, and so unannounced, into a stream of long
// soft-wrapped paragraphs. In a burst some are followed by another one at once, of which tmux tells
// late.
func TestAStreamThroughResizes(t *testing.T) {
	need.Program(t, "tmux")
	t.Run("tmux", func(t *testing.T) { streamThrough(t, &tmux{socket: filepath.Join(t.TempDir(), "s")}, once) })
	t.Run("tmux-bursts", func(t *testing.T) {
		streamThrough(t, &tmux{socket: filepath.Join(t.TempDir(), "s")}, bursts)
	})
	t.Run("kitty", func(t *testing.T) {
		if !need.Required("kitty-stream") { // which runs it
			need.Missing(t, "kitty-stream",
				"in 0.26, which does not tell what it has taken, a row of the footer may be left in a line that the "+
					"terminal wraps; 0.48 passes unless the machine is busy")
		}
		needKitty(t)
		streamThrough(t, &kitty{}, once)
	})
	t.Run("vte", func(t *testing.T) {
		need.Program(t, "Xvfb")
		streamThrough(t, &vte{}, ticks)
	})
}

// manner is how the window changes, and what is required then.
type manner int

const (
	once manner = iota // each word once
	// Some sizes come right after another; they may push live rows out before anybody hears of it,
	// so that each word is there at least once.
	bursts
	// VTE takes its input in ticks: the frame that is on its way at a change meets another grid.
	// Each word is there, and at three of four changes nothing is there twice.
	ticks
)

func streamThrough(t *testing.T, term terminal, how manner) {
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
		if how == bursts && rng.IntN(2) == 0 {
			term.resize(t, 40+rng.IntN(80), 12+rng.IntN(30))
			<-time.After(time.Duration(30+rng.IntN(100)) * time.Millisecond)
		}
		term.resize(t, 40+rng.IntN(80), 12+rng.IntN(30))
	}
	tape := term.tape(t)
	// A row with a cluster ends by itself, maybe in the middle of a word: what counts are the
	// letters.
	letters := strings.NewReplacer(" ", "", "\n", "", "\U0001f44d", "", "\U0001f3fd", "").Replace(tape)
	next, again, torn, places, right := 0, 0, 0, 0, true
	word := regexp.MustCompile(`^w\d{5}`)
	for letters = letters[max(0, strings.Index(letters, "w00000")):]; letters != "" &&
		!strings.HasPrefix(letters, "tapedone"); {
		was := right
		switch s := word.FindString(letters); {
		case s == fmt.Sprintf("w%05d", next):
			next, letters, right = next+1, letters[len(s):], true
			continue
		case s != "":
			again, letters = again+1, letters[len(s):]
		default:
			torn, letters = torn+1, letters[1:]
			t.Logf("torn before %.20q, after word %d", letters, next-1)
		}
		if right = false; was {
			places++
		}
	}
	thumbs := strings.Count(tape, "\U0001f44d")
	t.Logf("%d resizes, %d words in order, %d again, %d torn, in %d places, %d clusters", resizes, next, again, torn,
		places, thumbs)
	if next != words || thumbs < words/9 || how == once && (again > 0 || torn > 0 || thumbs > words/9) ||
		how == ticks && places > resizes/4 {
		name := filepath.Join(os.TempDir(), "scrollkeep-stream-"+strings.ReplaceAll(t.Name(), "/", "-"))
		_ = os.WriteFile(name, []byte(tape), 0o600)
		t.Errorf("of %d words; the tape is in %s", words, name)
	}
}
