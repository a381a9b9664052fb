package window

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// randomMessages returns a conversation with calls, checkpoints, reports, compactions and pictures,
// in any order.
func randomMessages(r *rand.Rand, n int) []provider.Message {
	names := []string{provider.CheckpointName, provider.RewindName, "read_file"}
	var list []provider.Message
	bytes := make([]byte, 1<<10)
	for i := range n {
		id := string(rune('a' + i%26))
		list = append(list, []provider.Message{
			user(provider.Text{Text: "say " + id}),
			user(provider.Text{Text: id, Origin: provider.Report}),
			user(provider.Compaction{Text: id, Facts: []byte(`{"checkpoint":"goal"}`)}),
			user(provider.Image{Picture: picture.Picture{Name: id, Data: bytes}}),
			assistant(call("1", names[r.IntN(3)], `{"goal":"g","report":"r"}`), call("2", names[r.IntN(3)], `{}`)),
			user(provider.ToolResult{ID: "1", Text: id, IsError: r.IntN(3) == 0}, provider.ToolResult{ID: "2"}),
		}[r.IntN(6)])
	}
	return list
}

// What a conversation knows of its messages as they join is what is found when all are read, and
// what it gave before stays as it was.
func TestAConversationKnowsWhatIsInIt(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 30 {
		messages := randomMessages(r, 60)
		n := r.IntN(len(messages))
		c := NewConversation(messages[:n])
		for i, m := range messages[n:] {
			before, copied := c.Messages(), slices.Clone(c.Messages())
			c.Add(m)
			all := provider.TrimPictures(slices.Clone(messages[:n+i+1]))
			size := 0
			for _, m := range all {
				size += m.Size()
			}
			mark, active := checkpointOf(all)
			if got, now := c.Checkpoint(); got != mark || now != active {
				t.Fatalf("seed %d: the checkpoint is %+v, %v, want %+v, %v", seed, got, now, mark, active)
			}
			from := r.IntN(len(all) + 2)
			if got, want := c.TokensFrom(from),
				MessagesTokens(all[min(from, len(all)):]); got != want || c.Size() != size {
				t.Fatalf("seed %d: %d tokens from message %d on, want %d; %d bytes, want %d", seed, got, from, want,
					c.Size(), size)
			}
			sees := r.IntN(2) == 0
			if !reflect.DeepEqual(c.Sendable(sees), provider.WithImages(all, sees)) {
				t.Fatalf("seed %d: what is sent is another conversation", seed)
			}
			if !reflect.DeepEqual(c.Messages(), all) || !reflect.DeepEqual(before, copied) {
				t.Fatalf("seed %d: the messages are others", seed)
			}
		}
	}
}
