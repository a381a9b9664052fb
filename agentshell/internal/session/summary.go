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

// Summary describes a session for a list. Name and First are untrusted text.
type Summary struct {
	ID    string
	At    time.Time // time of the last write
	Name  string    // that the person has given the session, or ""
	First string    // the first message of the person, at most its first 4 KiB
	// origin of First
	From  provider.Origin
	Count int // messages of the person in the conversation
}

// Summaries describes at most limit sessions of the workspace, the one that was written last first.
// It leaves out sessions in which the person has typed no message, only commands, and those that
// cannot be read. Of each session it reads only the entries up to the first message, and the last
// one.
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

// Title returns the name of the session, or else the first message, as read gives it.
func (s Summary) Title(read func(text string, from provider.Origin) string) string {
	if s.Name != "" {
		return s.Name
	}
	return read(s.First, s.From)
}

// firstMessage returns the beginning of the first message that the person has typed, or "".
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

// lastBlock is the number of bytes that are read at once from the end of a file.
const lastBlock = 8 << 10

// header is what a list needs of an entry.
type header struct {
	Time  time.Time
	Kind  string
	Count int
	Name  string
}

// lastEntry returns the header of the last complete entry. It reads backwards from the end of the
// file.
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
