package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// drive runs a conversation that another program leads. The function feed writes the program's
// lines, and may wait between them.
func drive(ctx context.Context, t *testing.T, m *script.Model,
	feed func(w io.Writer)) (records []map[string]any, code int) {
	t.Helper()
	in, w := io.Pipe()
	go func() {
		feed(w)
		w.Close()
	}()
	var out, errs bytes.Buffer
	d := headless.Driven{Stdin: in, Stdout: &out, Stderr: &errs, Session: "s"}
	code = d.Run(ctx, agent.New(agent.Config{Model: m, Tools: tools{}, Policy: allow("ok")}))
	for line := range strings.Lines(out.String()) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		records = append(records, r)
	}
	if errs.Len() > 0 {
		t.Errorf("standard error: %s", &errs)
	}
	return records, code
}

// short returns a summary of records: their types, and the important fields of some.
func short(records []map[string]any) string {
	var all []string
	for _, r := range records {
		s, _ := r["type"].(string)
		for _, key := range []string{"delta", "reason", "line"} {
			if v, ok := r[key]; ok {
				b, _ := json.Marshal(v)
				s += " " + string(b)
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, "\n")
}

func TestAProgramDrivesAConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, code := drive(t.Context(), t, model(t, `{"expect":"one","say":"first","chunk_runes":99,"delay_ms":0}`,
			`{"expect":"two","say":"second","chunk_runes":99,"delay_ms":0}`), func(w io.Writer) {
			io.WriteString(w, `{"type":"message","text":"one"}`+"\nnot json\n"+`{"type":"dance"}`+"\n"+
				`{"type":"message","text":"two","more":1}`+"\n"+`{"type":"message","text":" "}`+"\n"+
				`{"type":"message","text":"two"} {}`+"\n")
			synctest.Wait()
			io.WriteString(w, `{"type":"message","text":"two"}`+"\n")
		})
		var bad, rest []string // the first turn runs while the bad lines are read
		for l := range strings.SplitSeq(short(got), "\n") {
			if strings.HasPrefix(l, "bad_line ") {
				bad = append(bad, l)
				continue
			}
			rest = append(rest, l)
		}
		if code != 0 || strings.Join(bad, ", ") != "bad_line 2, bad_line 3, bad_line 4, bad_line 5, bad_line 6" ||
			strings.Join(rest, ", ") != `session, text "first", end "done", text "second", end "done"` {
			t.Errorf("code %d, got\n%s", code, short(got))
		}
	})
}

func TestAnInterruptEndsTheTurnAndNotTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, code := drive(t.Context(), t, model(t, `{"say":"a long answer","chunk_runes":1,"delay_ms":1000}`,
			`{"say":"again","chunk_runes":99,"delay_ms":0}`), func(w io.Writer) {
			io.WriteString(w, `{"type":"message","text":"one"}`+"\n"+`{"type":"message","text":"dropped"}`+"\n")
			<-time.After(2500 * time.Millisecond)
			io.WriteString(w, `{"type":"interrupt"}`+"\n")
			synctest.Wait()
			io.WriteString(w, `{"type":"message","text":"two"}`+"\n")
		})
		s := short(got)
		if code != 130 || strings.Count(s, "end ") != 2 || !strings.Contains(s, `end "interrupted"`) ||
			!strings.HasSuffix(s, "text \"again\"\nend \"done\"") {
			t.Errorf("code %d\n%s", code, s)
		}
	})
}

func TestADrivenConversationEndsByItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for cause, want := range map[error]int{agent.ErrTime: 5, context.Canceled: 130} {
			ctx, stop := context.WithCancelCause(t.Context())
			long := model(t, `{"say":"a long answer","chunk_runes":1,"delay_ms":1000}`)
			got, code := drive(ctx, t, long, func(w io.Writer) {
				io.WriteString(w, `{"type":"message","text":"one"}`+"\n"+`{"type":"message","text":"never"}`+"\n")
				<-time.After(2500 * time.Millisecond)
				stop(cause)
			})
			if s := short(got); code != want || strings.Count(s, "end ") != 1 {
				t.Errorf("%v: code %d\n%s", cause, code, s)
			}
		}
	})
}
