package session_test

import (
	"runtime"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/internal/work"
)

// Of three thousand messages each costs at most three times what one of a hundred does, in time and
// in memory.
func TestALongSessionCostsAsMuchAMessageAsAShortOne(t *testing.T) {
	jobs := map[string]func(cfg session.Config, l *session.Log) error{
		"tree": func(_ session.Config, l *session.Log) error { _, _, err := l.Tree(); return err },
		"left": func(_ session.Config, l *session.Log) error { _, err := l.LeftBehind("3"); return err },
		"replay": func(cfg session.Config, l *session.Log) error {
			_, _, err := session.ReadConversation(cfg, l.ID())
			return err
		},
	}
	fewCfg, few := long(t, 100)
	manyCfg, many := long(t, 3000)
	for name, job := range jobs {
		cost := func(cfg session.Config, l *session.Log, n float64) (ns, bytes float64) {
			once := func() {
				if err := job(cfg, l); err != nil {
					t.Fatal(err)
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			once()
			runtime.ReadMemStats(&after)
			return float64(work.Of(t, once)) / n, float64(after.TotalAlloc-before.TotalAlloc) / n
		}
		fewTime, fewBytes := cost(fewCfg, few, 100)
		manyTime, manyBytes := cost(manyCfg, many, 3000)
		t.Logf("%s: %.0f ns and %.0f bytes a message of 100, %.0f ns and %.0f bytes of 3,000", name, fewTime, fewBytes,
			manyTime, manyBytes)
		// A quadratic cost would be thirty times as much. The bound on time is wide: other
		// processes empty the caches of this one.
		if manyTime > 10*fewTime || manyBytes > 3*fewBytes {
			t.Errorf("%s: a message of 3,000 takes %.1f times as long and %.1f times as much memory as one of 100",
				name, manyTime/fewTime, manyBytes/fewBytes)
		}
	}
}
