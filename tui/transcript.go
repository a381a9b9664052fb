package tui

import (
	"io"
	"iter"
)

// Transcript is what was said. Blocks are committed in order: one that is not Done holds back all that follow, also plain writes.
type Transcript struct{}

// Write appends plain text. A line is final at its newline; controls are shown, not sent (see NewANSI). It waits while 1 MiB is not yet
// shown, but never while a callback runs on the loop. Any goroutine; one Write is never torn.
func (t *Transcript) Write(p []byte) (int, error) { return len(p), nil }

// Print appends final rows. Any goroutine.
func (t *Transcript) Print(lines ...Line) {}

// Append adds c at the end; it belongs to the loop from now on. Any goroutine.
func (t *Transcript) Append(c Component) *Block { return &Block{} }

// Blocks are those that are not in history yet, in order. Loop only.
func (t *Transcript) Blocks() iter.Seq[*Block] { return func(func(*Block) bool) {} }

// Stream adds a block that is written; a nil c is plain text. Any goroutine.
func (t *Transcript) Stream(c WriterComponent) *Stream { return &Stream{Block: &Block{}} }

// Block is a component's place in the transcript. At a new width it goes on after its last committed row (by End); without End it keeps the
// width at which its first row was committed.
type Block struct{}

// Component is what the block shows.
func (b *Block) Component() Component { return nil }

// Update runs f (or nil) on the loop and redraws this block; it never waits and keeps the order. False: Run has ended. Any goroutine.
func (b *Block) Update(f func()) bool { return false }

// Done makes all lines final, after all earlier Updates. Idempotent; any goroutine.
func (b *Block) Done() {}

// Rewind takes Stable back to stable lines; committed rows stay in history and are marked. Loop only.
func (b *Block) Rewind(stable int) {}

// Stream is a block that is written. Write waits as Transcript.Write does and copies p; Close is Done; Abort drops what is not committed.
type Stream struct{ *Block }

// Write appends p to the component. Any goroutine; one Write is never torn.
func (s *Stream) Write(p []byte) (int, error) { return len(p), nil }

// Close makes all lines final.
func (s *Stream) Close() error { return nil }

// Abort drops the rows that are not committed and says why in one row; "" says nothing.
func (s *Stream) Abort(reason string) error { return nil }

// NewANSI keeps SGR and CR of a producer and drops every other control.
func NewANSI(t *Transcript) io.WriteCloser { return nil }
