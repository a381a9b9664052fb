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

// Summary describes a session in a list of sessions. Name and First are untrusted.
type Summary struct {
	ID    string
	At    time.Time // when the session was last written
	Name  string    // the name that the user has given to it, or ""
	First string    // the first 4 KiB of the user's first message
	// the origin of the text First
	From  provider.Origin
	Count int // the number of the user's messages in the conversation
}

// Summaries describes at most limit sessions of the workspace, the most recently written one first.
// It skips sessions in which the user has typed no message but only commands, and those that cannot
// be read. Of each file it reads only the entries up to the first message, and the last one.
func Summaries(cfg Config, limit int) ([]Summary, error) {
	ids, err := RecentIDs(cfg)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for _, id := range ids {
		if len(list) == limit {
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
		if s.First, s.From = firstMessage(file); s.First != "" {
			last := lastEntry(file)
			s.At, s.Count, s.Name = last.Time, last.Count, head(last.Name, maxName)
			list = append(list, s)
		}
		file.Close()
	}
	return list, nil
}

// Title returns the name of the session. Without a name it returns the first message, converted by
// read.
func (s Summary) Title(read func(text string, from provider.Origin) string) string {
	if s.Name != "" {
		return s.Name
	}
	return read(s.First, s.From)
}

// firstMessage returns the beginning of the first message that the user has typed, and its origin.
// It returns "" if there is none.
func firstMessage(file io.Reader) (text string, from provider.Origin) {
	r := bufio.NewReader(file)
	for {
		line, err := r.ReadBytes('\n')
		list, _, _ := entries(line)
		for _, e := range list {
			if e.isPersons() && e.node().Origin == provider.Typed {
				return head(e.messageText(), nodeText), e.node().Origin
			}
		}
		if err != nil {
			return "", ""
		}
	}
}

// lastBlock is the number of bytes of the block that is read first from the end of a file.
const lastBlock = 8 << 10

// header holds those fields of an entry that a list of sessions needs.
type header struct {
	Time  time.Time
	Kind  string
	Count int
	Name  string
}

// lastEntry returns the header of the last complete entry. It reads the file backwards from its
// end.
func lastEntry(file *os.File) header {
	info, err := file.Stat()
	if err != nil {
		return header{}
	}
	var (
		tail   []byte
		offset = info.Size()
		end    = -1 // of tail that was looked at; -1: all of it
	)
	for offset > 0 {
		size := min(max(lastBlock, int64(len(tail))), offset) // doubling: a long entry is not copied often
		block := make([]byte, size, size+int64(len(tail)))
		if _, err := file.ReadAt(block, offset-size); err != nil && !errors.Is(err, io.EOF) {
			return header{}
		}
		offset -= size
		tail = append(block, tail...)
		if end >= 0 {
			end += int(size)
		} else {
			end = len(tail)
		}
		for {
			i := bytes.LastIndex(tail[:end], []byte(entryStart))
			if i < 0 {
				end = min(end, len(entryStart)) // one may begin before tail
				break
			}
			var h header
			if json.NewDecoder(bytes.NewReader(tail[i:])).Decode(&h) == nil && h.Kind != "" {
				return h
			}
			end = i
		}
	}
	return header{}
}
