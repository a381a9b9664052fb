package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// A model that says megabytes at once waits for frames, and Escape is answered within
// fifteen frames, whatever it says.
func TestAFloodWaitsForFramesAndEscapeDoesNotWaitForIt(t *testing.T) {
	const frame = 9 * time.Millisecond
	for name, say := range map[string]string{
		"paragraphs": strings.Repeat(`a paragraph of it\n\n`, 20_000),
		"one line":   strings.Repeat("words and ", 40_000),
		"quotes":     strings.Repeat(">", 400_000),
		"brackets":   strings.Repeat("[a](", 100_000),
	} {
		for _, chunk := range []int{7, 1_000_000} { // runes at a time
			synctest.Test(t, func(t *testing.T) {
				s := begin(t, tuitest.Config{Cols: 80, Rows: 12}, nil,
					fmt.Sprintf(`{"say":"%s","chunk_runes":%d,"delay_ms":0}`, say, chunk))
				s.Type("go")
				s.Send([]byte("\r"))
				<-time.After(10 * frame)
				synctest.Wait()
				if n := len(s.tape()); n < 300 || n > 12*frameBytes*2 {
					t.Errorf("%s by %d: after ten frames the tape holds %d bytes", name, chunk, n)
				}
				s.Send([]byte("\x1b[27u"))
				for n := 0; n < 15 && !strings.Contains(s.tape(), "stopped"); n++ {
					<-time.After(frame)
					synctest.Wait()
				}
				if !strings.Contains(s.tape(), "stopped") {
					t.Errorf("%s by %d: after fifteen frames nothing says that it was stopped:\n%s", name, chunk,
						s.Visible())
				}
				s.pass(time.Second)
				if n := len(s.tape()); n > 20*frameBytes*2 {
					t.Errorf("%s by %d: what came with the stop makes the tape %d bytes", name, chunk, n)
				}
			})
		}
	}
}

// A conversation that goes on is printed as fast as the screen takes it, every message once and in
// order, also while somebody types.
func TestAConversationThatGoesOnWaitsForNoFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var past []provider.Message
		for i := range 410 {
			past = append(past, provider.Message{Role: provider.User, Parts: []provider.Part{
				provider.Text{Text: fmt.Sprintf("question %d", i)}}}, provider.Message{
				Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: strings.Repeat("word ", 250) +
					fmt.Sprintf("answer %d.", i)}}})
		}
		s := begin(t, tuitest.Config{Cols: 80, Rows: 24}, nil)
		began := time.Now()
		s.Send([]byte("typed"))
		s.sh.printConversation(t.Context(), past)
		if took := time.Since(began); took > 0 {
			t.Errorf("%d messages took %v of waiting", len(past), took)
		}
		s.Settle()
		tape := strings.Join(strings.Fields(s.tape()), " ")
		for i := range 410 {
			var found bool
			if _, tape, found = strings.Cut(tape, fmt.Sprintf("question %d ", i)); found {
				_, tape, found = strings.Cut(tape, fmt.Sprintf("answer %d.", i))
			}
			if !found {
				t.Fatalf("question or answer %d is not there, or not in order", i)
			}
		}
		if strings.Contains(tape, "question") || !strings.Contains(tape, "typed") {
			t.Errorf("behind all of them stands %q", tape)
		}
	})
}
