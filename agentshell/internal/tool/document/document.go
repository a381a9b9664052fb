// Package document makes text of files that are not text: archives, notebooks, databases, PDF and
// Office documents; and it changes parts of archives and databases.
//
// Everything in it is from bytes to bytes and bounded: whatever a file says of itself, no call
// takes more memory than the limits here allow. Only [RowChange.Commit] writes anything anywhere.
// The text may hold any character; whoever shows it makes controls harmless.
package document

import (
	"context"
	"errors"
	"io"
)

// Limits in bytes, where nothing else is said.
const (
	MaxFile    = 64 << 20  // of a file that is opened here
	MaxText    = 4 << 20   // of the text or member that a call gives
	maxUnpack  = 512 << 20 // that are unpacked on the way to a member
	maxRepack  = 128 << 20 // of a packed tar that a member is written into
	maxBzip    = 16 << 20  // of one that is packed by bzip2, which takes its time
	maxMembers = 100_000   // members of an archive
)

// Errors of files that are more than the limits allow.
var (
	ErrTooLarge = errors.New("it unpacks to more than the limit")
	ErrMembers  = errors.New("it has more than 100,000 members")
)

// bounded reads at most left bytes, then fails with ErrTooLarge; it ends with its context.
type bounded struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		// The end may be exactly here.
		var one [1]byte
		if n, err := b.r.Read(one[:]); n == 0 && err != nil {
			return 0, err
		}
		return 0, ErrTooLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// readAll reads at most limit bytes, else it fails with ErrTooLarge.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(&bounded{ctx, r, limit})
}
