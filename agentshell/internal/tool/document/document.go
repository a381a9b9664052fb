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

// These constants limit the work for one document, mostly in bytes.
const (
	MaxFile        = 64 << 20  // MaxFile limits a file that is opened.
	MaxText        = 4 << 20   // MaxText limits the text of a document, and an unpacked member.
	maxUnpackBytes = 512 << 20 // maxUnpackBytes limits the bytes that are unpacked to find a member.
	maxRepackBytes = 128 << 20 // maxRepackBytes limits an unpacked tar.gz into which a member is written.
	// maxBzipBytes limits an unpacked tar.bz2 into which a member is written, because bzip2 is
	// slow.
	maxBzipBytes = 16 << 20
	maxMembers   = 100_000 // maxMembers is the number of members of an archive.
)

// These are the errors for files that exceed a limit.
var (
	ErrTooLarge = errors.New("it unpacks to more than the limit")
	ErrMembers  = errors.New("it has more than 100,000 members")
)

// limitedReader is a reader that fails with ErrTooLarge if r has more than left bytes. It also
// fails when its context ends.
type limitedReader struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (b *limitedReader) Read(p []byte) (int, error) {
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

// readAll reads r to its end. It fails with ErrTooLarge if r has more than limit bytes.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(&limitedReader{ctx, r, limit})
}
