package session

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Limits on the pictures in a log, in bytes. Of a picture beyond them, only the name and a hash are
// stored.
const (
	maxPicture  = 1 << 20
	maxPictures = 32 << 20 // the bytes of all pictures in one session, if Config sets no limit
)

// storedPicture is a picture as the log stores it. Data may be missing.
type storedPicture struct {
	Name   string `json:"name"`
	Media  string `json:"media"`
	W      int    `json:"w"`
	H      int    `json:"h"`
	Shrunk string `json:"shrunk,omitempty"`
	SHA256 string `json:"sha256"`
	Data   []byte `json:"data,omitempty"`
}

// storePicture returns p in the form of the log. If the file contains one of the user's API keys,
// its bytes are not stored.
func (l *Log) storePicture(p picture.Picture) storedPicture {
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

// picture returns the stored picture, and whether its bytes are stored and undamaged.
func (s *storedPicture) picture() (picture.Picture, bool) {
	sum := sha256.Sum256(s.Data)
	ok := len(s.Data) > 0 && hex.EncodeToString(sum[:]) == s.SHA256
	return picture.Picture{Name: s.Name, Media: s.Media, W: s.W, H: s.H, Shrunk: s.Shrunk, Data: s.Data}, ok
}

// lostLine returns the text that replaces a picture whose bytes were not stored.
func (s *storedPicture) lostLine() string {
	return "[picture " + s.Name + " was not kept in the session log]"
}

// decodePictures returns stored pictures, and a line of text for each one whose bytes are missing.
func decodePictures(stored []storedPicture) (list []picture.Picture, lost string) {
	for i := range stored {
		if p, ok := stored[i].picture(); ok {
			list = append(list, p)
		} else {
			lost += "\n" + stored[i].lostLine()
		}
	}
	return list, lost
}

// pictureBytes returns the total number of bytes of the pictures in entries.
func pictureBytes(entries []entry) (n int) {
	for _, e := range entries {
		for _, p := range e.Parts {
			for i := range p.Images {
				n += len(p.Images[i].Data)
			}
		}
		for _, m := range e.Messages {
			n += pictureBytes([]entry{{Parts: m.Parts}})
		}
	}
	return n
}

// encode returns the parts of a message in the form of the log, with their pictures.
func (l *Log) encode(parts []provider.Part) []part {
	list := encode(parts)
	for at, p := range parts {
		switch p := p.(type) {
		case provider.Image:
			list[at].Images = append(list[at].Images, l.storePicture(p.Picture))
		case provider.ToolResult:
			for _, img := range p.Images {
				list[at].Images = append(list[at].Images, l.storePicture(img))
			}
		}
	}
	return list
}
