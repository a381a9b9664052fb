package provider

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Seer is a Model that knows whether it accepts pictures.
type Seer interface{ Sees() bool }

// Sees reports whether m accepts pictures. A model that is no [Seer] does not.
func Sees(m Model) bool {
	s, ok := m.(Seer)
	return ok && s.Sees()
}

// HasPictures reports whether a user's message or a tool's result among messages contains a picture
// whose data is still there.
func HasPictures(messages []Message) bool {
	has := func(p picture.Picture) bool { return len(p.Data) > 0 }
	return slices.ContainsFunc(messages, func(m Message) bool {
		return m.Role == User && slices.ContainsFunc(m.Parts, func(p Part) bool {
			switch p := p.(type) {
			case Image:
				return has(p.Picture)
			case ToolResult:
				return slices.ContainsFunc(p.Images, has)
			}
			return false
		})
	})
}

// The limits of all pictures in one request; only the newest ones are sent. Providers accept about
// 100 pictures and 32 MB, but each picture costs as much as a page or two of text, with every
// request.
const (
	MaxImages     = 20
	MaxImageBytes = 16 << 20
)

// WithImages returns messages for a request to a model: only the newest pictures stay, or none if
// sees is false. Each other picture is replaced by a line of text that describes it. The given
// slice is not changed; it is returned itself if no picture is removed.
func WithImages(messages []Message, sees bool) []Message {
	count, bytes := 0, 0
	keep := func(p picture.Picture) bool {
		count++
		bytes += len(p.Data)
		return sees && count <= MaxImages && bytes <= MaxImageBytes && len(p.Data) > 0
	}
	why := "; this model cannot see pictures]"
	if sees {
		why = "; an older picture, not sent again]"
	}
	list, copied := messages, false
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role != User {
			continue
		}
		own := false
		change := func(j int, part Part) {
			if !copied {
				list, copied = slices.Clone(messages), true
			}
			if !own {
				list[i].Parts, own = slices.Clone(messages[i].Parts), true
			}
			list[i].Parts[j] = part
		}
		for j := len(messages[i].Parts) - 1; j >= 0; j-- {
			switch part := messages[i].Parts[j].(type) {
			case Image:
				if !keep(part.Picture) {
					change(j, Text{Text: "[" + part.Line() + why, Origin: Aside})
				}
			case ToolResult:
				if len(part.Images) == 0 {
					continue
				}
				var kept []picture.Picture
				for k := len(part.Images) - 1; k >= 0; k-- {
					if keep(part.Images[k]) {
						kept = append([]picture.Picture{part.Images[k]}, kept...)
					} else {
						part.Text += "\n[" + part.Images[k].Line() + why
					}
				}
				part.Images = kept
				change(j, part)
			}
		}
	}
	return list
}

// TrimPictures drops the data of the pictures that [WithImages] would no longer send, so that old
// pictures do not use memory. It changes the slice messages in place, but copies the parts of each
// message that it changes.
func TrimPictures(messages []Message) []Message {
	count, bytes := 0, 0
	old := func(p picture.Picture) bool {
		count++
		bytes += len(p.Data)
		return (count > MaxImages || bytes > MaxImageBytes) && len(p.Data) > 0
	}
	for i := len(messages) - 1; i >= 0; i-- {
		copied := false
		change := func(j int, part Part) {
			if !copied {
				messages[i].Parts, copied = slices.Clone(messages[i].Parts), true
			}
			messages[i].Parts[j] = part
		}
		for j := len(messages[i].Parts) - 1; j >= 0; j-- {
			switch part := messages[i].Parts[j].(type) {
			case Image:
				if old(part.Picture) {
					part.Data = nil
					change(j, part)
				}
			case ToolResult:
				for k := len(part.Images) - 1; k >= 0; k-- {
					if old(part.Images[k]) {
						part.Images = slices.Clone(part.Images)
						part.Images[k].Data = nil
						change(j, part)
					}
				}
			}
		}
	}
	return messages
}
