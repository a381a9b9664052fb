package session

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// What of pictures is kept in a log, in bytes of their files: a larger one, and each further one,
// is kept by name and sum only.
const (
	maxPicture  = 1 << 20
	maxPictures = 32 << 20 // of one session, where Config names no bound
)

// storedPicture is a picture in the log. Data may be missing.
type storedPicture struct {
	Name   string `json:"name"`
	Media  string `json:"media"`
	W      int    `json:"w"`
	H      int    `json:"h"`
	Shrunk string `json:"shrunk,omitempty"`
	SHA256 string `json:"sha256"`
	Data   []byte `json:"data,omitempty"`
}

// store returns p as the log keeps it. A file that holds a key is kept without its bytes.
func (l *Log) store(p picture.Picture) storedPicture {
	sum := sha256.Sum256(p.Data)
	s := storedPicture{Name: p.Name, Media: p.Media, W: p.W, H: p.H, Shrunk: p.Shrunk,
		SHA256: hex.EncodeToString(sum[:])}
	if l.cfg.Secrets.Contains(p.Data) {
		return s
	}
	if n := len(p.Data); n <= maxPicture && l.pictures+n <= cmp.Or(l.cfg.Pictures, maxPictures) {
		l.pictures += n
		s.Data = p.Data
	}
	return s
}

// picture returns what was stored, if its bytes were, and are the same.
func (s *storedPicture) picture() (picture.Picture, bool) {
	sum := sha256.Sum256(s.Data)
	ok := len(s.Data) > 0 && hex.EncodeToString(sum[:]) == s.SHA256
	return picture.Picture{Name: s.Name, Media: s.Media, W: s.W, H: s.H, Shrunk: s.Shrunk, Data: s.Data}, ok
}

// lost returns the line that stands for a picture that was not kept.
func (s *storedPicture) lost() string {
	return "[picture " + s.Name + " was not kept in the session log]"
}

// images takes the pictures of a stored part back; what was not kept is a line of text.
func images(stored []storedPicture) (list []picture.Picture, lost string) {
	for i := range stored {
		if p, ok := stored[i].picture(); ok {
			list = append(list, p)
		} else {
			lost += "\n" + stored[i].lost()
		}
	}
	return list, lost
}

// keptBytes returns how many bytes of pictures entries hold.
func keptBytes(entries []entry) (n int) {
	for _, e := range entries {
		for _, p := range e.Parts {
			for i := range p.Images {
				n += len(p.Images[i].Data)
			}
		}
		for _, m := range e.Messages {
			n += keptBytes([]entry{{Parts: m.Parts}})
		}
	}
	return n
}

// encode is encode with the pictures.
func (l *Log) encode(parts []provider.Part) []part {
	list := encode(parts)
	for at, p := range parts {
		switch p := p.(type) {
		case provider.Image:
			list[at].Images = append(list[at].Images, l.store(p.Picture))
		case provider.ToolResult:
			for _, img := range p.Images {
				list[at].Images = append(list[at].Images, l.store(img))
			}
		}
	}
	return list
}
