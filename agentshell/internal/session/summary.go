package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Summary is a session for a list. First is what the person said first, untrusted text.
type Summary struct {
	ID    string
	At    time.Time // of the last write
	First string    // at most its first 4 KiB
	From  provider.Origin
	Count int // of the person's messages in the conversation, as [Log.Count] has it
}

// Summaries describes the sessions of the workspace, the one that was written last first, most at a
// time; one in which nothing was said, or that cannot be read, is left out. Of each it reads the
// entries up to what was said first, and the last one.
func Summaries(cfg Config, most int) ([]Summary, error) {
	ids, err := Recent(cfg)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for _, id := range ids {
		if len(list) == most {
			break
		}
		path, err := cfg.path(id)
		if err != nil {
			return nil, err
		}
		file, err := regular.Open(path)
		if err != nil {
			continue
		}
		s := Summary{ID: id}
		if s.First, s.From = first(file); s.First != "" {
			s.At, s.Count = last(file)
			list = append(list, s)
		}
		file.Close()
	}
	return list, nil
}

// first returns what the person said first, "" for nothing.
func first(file io.Reader) (said string, from provider.Origin) {
	r := bufio.NewReader(file)
	for {
		line, err := r.ReadBytes('\n')
		list, _, _ := entries(line)
		for _, e := range list {
			if e.asks() {
				return head(e.wording(), nodeText), e.node().Origin
			}
		}
		if err != nil {
			return "", ""
		}
	}
}

// lastBlock is how much of a file's end is read at a time, in bytes.
const lastBlock = 8 << 10

// last returns what the last whole entry says of time and count. It reads backwards, as far as that
// one begins.
func last(file *os.File) (at time.Time, count int) {
	info, err := file.Stat()
	if err != nil {
		return at, 0
	}
	var (
		tail []byte
		from = info.Size()
		end  = -1 // of tail that was looked at; -1: all of it
	)
	for from > 0 {
		n := min(max(lastBlock, int64(len(tail))), from) // doubling: a long entry is not copied often
		block := make([]byte, n, n+int64(len(tail)))
		if _, err := file.ReadAt(block, from-n); err != nil && !errors.Is(err, io.EOF) {
			return at, 0
		}
		from -= n
		tail = append(block, tail...)
		if end >= 0 {
			end += int(n)
		} else {
			end = len(tail)
		}
		for {
			i := bytes.LastIndex(tail[:end], []byte(entryStart))
			if i < 0 {
				end = min(end, len(entryStart)) // one may begin before tail
				break
			}
			var e struct {
				Time  time.Time
				Kind  string
				Count int
			}
			if json.NewDecoder(bytes.NewReader(tail[i:])).Decode(&e) == nil && e.Kind != "" {
				return e.Time, e.Count
			}
			end = i
		}
	}
	return at, 0
}
