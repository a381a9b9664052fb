package nested_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nested"
	"github.com/scrollkeep/scrollkeep/stress/soak"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

const (
	playVariable = "SCROLLKEEP_NESTED"
	withControl  = "2" // its value, 1 for the program alone
	seed         = 51
	controlEnd   = "control-end"
)

// TestMain is the program in the terminal if the environment says so: first the text as plain rows,
// the control, then rows of a shell, then the text as Markdown that streams above a status row.
func TestMain(m *testing.M) {
	if os.Getenv(playVariable) == "" {
		os.Exit(m.Run())
	}
	text := soak.Markdown(seed, textRows)
	if os.Getenv(playVariable) == withControl {
		for _, r := range text {
			fmt.Println(r.Plain)
		}
	}
	fmt.Println(controlEnd)
	fmt.Println(strings.Join(soak.Greeting(), "\n"))
	if err := stream(text); err != nil {
		fmt.Println(err)
	}
	fmt.Println(soak.End)
	os.Exit(0)
}

// textRows is the number of rows of the text: some screens.
const textRows = 200

// stream shows text as it comes from a model, once the first key was typed.
func stream(text soak.Text) error {
	app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working"})}
	typed := make(chan tui.Key, 100)
	app.OnEvent = func(ev tui.Event) bool {
		if k, ok := ev.(tui.Key); ok {
			typed <- k
		}
		return true
	}
	app.Main = func(ctx context.Context) error {
		select { // the sizes and widths of the terminal are known by then
		case k := <-typed:
			if !k.Is("g") {
				return fmt.Errorf("the first key is %q", k.Text())
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		out := app.Transcript().Stream(&markdown.Document{})
		for piece := range slices.Chunk([]rune(text.Source()), 40) {
			fmt.Fprint(out, string(piece))
			select {
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := out.Close(); err != nil {
			return err
		}
		select {
		case k := <-typed:
			return fmt.Errorf("a key that nobody has typed: %q", k.Text())
		default:
			return nil
		}
	}
	return app.Run(context.Background())
}

// In each terminal that is a program in a terminal the first key arrives as itself, and a text
// stands there as the terminal keeps the same rows of a program without a live region.
func TestATextStandsInTerminalsOfPrograms(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range nested.Programs() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			term := nested.New(t, p)
			value := withControl
			if p.StopsAtWraps {
				value = "1"
			}
			term.Start(playVariable+"="+value+" "+self, soak.Cols, soak.Rows)
			term.Wait("working")
			term.Send("g")
			term.Wait(soak.End)
			tape := term.Tape()
			for !p.ScreenOnly && !strings.Contains(tape, soak.End) { // it is told ten times a second
				tape = term.Tape()
			}
			text := soak.Markdown(seed, textRows)
			plain, own, _ := strings.Cut(tape, controlEnd)
			limit, control := soak.Limit{}, soak.Count{}
			switch {
			case p.ScreenOnly:
				text, own = text.On(tape), tape
			case !p.StopsAtWraps:
				control = soak.Check(text, plain, false)
				control.Shell = 0 // its rows come behind the control
				limit.AsControl = true
			}
			got := soak.Check(text, own, false)
			if p.ScreenOnly {
				got.Shell = 0 // its rows have left the screen
			}
			if over := limit.Exceeds(got, control); over != "" {
				t.Errorf("%s: %s; the control: %v\n%s", p.Version(), over, control, own)
			}
		})
	}
}
