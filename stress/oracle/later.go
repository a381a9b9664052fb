package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Change describes a change that ghostty has made since the pinned version of its core, and that
// terminal/vt has followed. With it the comparison leaves out exactly the difference that is known.
type Change struct {
	Name         string
	Commit, Date string // hash and day of the change in ghostty's repository
	// Example is output that leads to different screens on the pinned core and on a later one.
	Example string
	// Tell returns the program in such words that the pinned core does what a later one does; nil:
	// no rewriting is needed.
	Tell func(Program) Program
	// Avoid returns the program without the operations that no rewriting helps for; both emulators
	// play the result. nil: nothing is left out.
	Avoid func(Program) Program
}

// Changes returns the changes of ghostty that terminal/vt has followed, those of text first.
func Changes() []Change {
	return slices.Concat(textChanges(), pictureChanges())
}

// noWidth is a pattern for characters that take no column, and for replacement characters, which
// may be a piece of one.
const noWidth = `[\p{M}\p{Cf}\p{Zl}\p{Zp}\x{115f}\x{1160}-\x{11ff}\x{2065}\x{3164}\x{d7b0}-\x{d7ff}\x{ffa0}` +
	`\x{fff0}-\x{fff8}\x{fffd}\x{e0000}-\x{e0fff}]`

func textChanges() []Change {
	return []Change{
		{
			Name: "a mark behind a full row joins its last character", Commit: "c20fcfa1b", Date: "2026-05-04",
			Example: "\x1b[?2027l012345678e\u0301",
			Avoid:   where(`\x1b\[\?2027[lr]`, replace(noWidth, "")),
		},
		{
			Name: "a variation selector looks at the character before it", Commit: "3f11e695d", Date: "2026-05-06",
			Example: "\U0001f3f4\u200d\u2620\ufe0f",
			Avoid:   soloVariations,
		},
		{
			Name: "EL 2 ends the soft wrap of its row", Commit: "bfd40c84b", Date: "2026-08-05",
			Example: "abcdefghijkl\x1b[1;1H\x1b[2K",
			Tell:    replace(`\x1b\[(\??)0*2K`, "\x1b[${1}K$0"),
		},
		{
			Name: "TBC in a column without a tab stop sets none", Commit: "bed20eb36", Date: "2026-08-18",
			Example: "\x1b[5G\x1b[0g\r\tx",
			Tell:    replace(`\x1b\[(0+g|0*2W)`, "\x1bH$0"),
		},
	}
}

// soloVariations returns the program with only those variation selectors that directly follow the
// first character of a cluster.
func soloVariations(p Program) Program {
	re := regexp.MustCompile(`([ -~][#*0-9\x{a9}\x{ae}\x{203c}-\x{3299}\x{1f004}-\x{1f1e5}\x{1f200}-\x{1f3fa}` +
		`\x{1f400}-\x{1faff}])?([\x{fe0e}\x{fe0f}])[\x{fe0e}\x{fe0f}]*`)
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops { // a selector that is cut into pieces loses the first
		p.Ops[i].Bytes = strings.TrimSuffix(strings.TrimSuffix(p.Ops[i].Bytes, "\xef\xb8"), "\xef")
	}
	return rewrite(p, re, func(m []string) string {
		if m[1] == "" {
			return ""
		}
		return m[1] + m[2]
	})
}

// black is the rest of a graphics command that sends a black image of 8 by 16 pixels, one cell: its
// keys but a and i, and its data.
var black = "f=24,s=8,v=16;" + strings.Repeat("A", 8*16*4)

// pictures is a pattern for the graphics commands that show an image: the keys, and the data if
// there are any.
const pictures = `\x1b_G(a=[Tp][^;\x1b]*)((?:;[^\x1b]*)?\x1b\\)`

// pictureChanges returns the changes of ghostty in kitty's graphics protocol.
func pictureChanges() []Change {
	place := func(keys string) string { return gfx("a=T,i=1,C=1," + keys + black) }
	return []Change{
		{
			Name: "ranges of deletes", Commit: "d866fa455", Date: "2026-08-05",
			Example: place("") + gfx("a=d,d=r,x=2,y=3"),
			Tell:    replace(`\x1b_Ga=d,d=r,x=1,y=2\x1b\\`, gfx("a=d,d=i,i=1")+gfx("a=d,d=i,i=2")),
			Avoid:   replace(`\x1b_Ga=d,d=[rR],x=([02-9],|1,y=[^2])[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "a delete at a cell looks at its column", Commit: "8524cb593", Date: "2026-08-05",
			Example: gfx("a=T,i=1,C=1,c=2,r=2,"+black) + "\x1b[2;5H" + gfx("a=d,d=c"),
			Avoid:   replace(`\x1b_Ga=d,d=[cCpPqQ][^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "a picture with an id that is taken deletes the old one", Commit: "b8222f4a8", Date: "2026-08-09",
			Example: place("") + gfx("a=t,i=1,"+black),
			Tell:    replace(`\x1b_Ga=[tT],([^;\x1b]*,)?i=([0-9]+)`, gfx("a=d,d=I,i=$2")+"$0"),
		},
		{
			Name: "the cursor stays beside the last row of a picture", Commit: "afb61e1b6", Date: "2026-08-18",
			Example: "\x1b[3;1H" + gfx("a=T,i=1,r=4,"+black),
			Avoid: func(p Program) Program {
				p = replace(`,C=[0-9]`, "")(p)
				return replace(pictures, "\x1b_G${1},C=1$2")(p)
			},
		},
		{
			Name: "only what is on the grid is deleted as visible", Commit: "f8b40a023", Date: "2026-08-18",
			Example: place("") + "\n\n\n\n\n\n\n\x1b[2J",
			Avoid: where(`\x1b_G`, replace(`\x1b_Ga=d(,d=[aA])?\x1b\\|\x1b\[\??0*(2|22)J|\x1b\[\?3[hlr]`,
				"")),
		},
		{
			Name: "an id that names no placement frees no picture", Commit: "306a16903", Date: "2026-08-18",
			Example: gfx("a=t,i=1,"+black) + gfx("a=d,d=I,i=1,p=4") + gfx("a=p,i=1"),
			Avoid:   replace(`\x1b_Ga=d,d=[IN],[^\x1b]*p=[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "a query is loaded", Commit: "cfc5a9650", Date: "2026-08-18",
			Example: gfx("a=q,i=1,s=3,v=3;AAAA"),
			Avoid:   replace(`\x1b_Ga=q,[^\x1b]*[,=]3;[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "a delete ends the pieces of a picture", Commit: "e5747cf0b", Date: "2026-08-18",
			Example: gfx("a=t,m=1,i=5,f=24,s=1,v=2;AAAA") + gfx("a=d,d=i,i=9") + gfx("m=0;AAAA"),
			Avoid:   replace(`\x1b_Ga=t,m=1,[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "an offset ends within its cell", Commit: "c5a3c7e2e", Date: "2026-08-18",
			Example: place("X=30,Y=20,"),
			Tell: func(p Program) Program {
				return rewrite(p, regexp.MustCompile(`,([XY])=([0-9]+)`), func(m []string) string {
					n, _ := strconv.Atoi(m[2])
					return "," + m[1] + "=" + strconv.Itoa(min(n, map[string]int{"X": 7, "Y": 15}[m[1]]))
				})
			},
		},
		{
			Name: "a source is the part of it that is in the picture", Commit: "52190a5d8", Date: "2026-08-18",
			Example: place("x=4,y=8,w=30,h=40,"),
			Avoid:   replace(`,x=[0-9]+,y=[0-9]+,w=[0-9]+,h=[0-9]+`, ""),
		},
		{
			Name: "an id and a number exclude each other", Commit: "83145c0a3", Date: "2026-08-18",
			Example: gfx("a=p,i=1,I=2"),
			Avoid:   replace(`\x1b_G(a=.,)?i=1,I=[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "a picture with a number gets the lowest id", Commit: "6b23c584c", Date: "2026-08-20",
			Example: gfx("a=t,I=4," + black),
			Avoid:   replace(`\x1b_Ga=[tT],I=[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "other values are taken as kitty takes them", Commit: "242723223", Date: "2026-08-20",
			Example: gfx("a=T,i=1,C=1,U=3," + black),
			Avoid:   replace(`,U=[2-9]`, ""),
		},
		{
			Name: "pictures scroll and are cut within margins", Commit: "90bce0d2d", Date: "2026-08-20",
			Example: "\x1b[2;3r\x1b[2;1H" + place("r=2,") + "\x1b[S",
			Avoid:   where(`\x1b_G`, replace(`\x1b\[[0-9;]*r|\x1b\[\?69[hsr]`, "")),
		},
		{
			Name: "placements beside others", Commit: "33ca9e5dd", Date: "2026-08-20",
			Example: place("p=1,") + gfx("a=p,i=1,p=2,P=1,Q=1,H=2,V=1"),
			Avoid:   replace(`\x1b_Ga=p,[^\x1b]*P=[^\x1b]*\x1b\\`, ""),
		},
		{
			Name: "frames of an animation", Commit: "d2ffeb5ba", Date: "2026-08-21",
			Example: place("") + gfx("a=f,i=1,f=24,s=1,v=1;AAAA"),
			Avoid:   replace(`\x1b_Ga=[fac],[^\x1b]*\x1b\\`, ""),
		},
	}
}

// gfx returns the escape sequence of a kitty graphics command.
func gfx(command string) string { return "\x1b_G" + command + "\x1b\\" }

// replace returns a function that replaces all matches of pattern in a program's output by the text
// with.
func replace(pattern, with string) func(Program) Program {
	re := regexp.MustCompile(pattern)
	return func(p Program) Program {
		p.Ops = slices.Clone(p.Ops)
		for i := range p.Ops {
			p.Ops[i].Bytes = re.ReplaceAllString(p.Ops[i].Bytes, with)
		}
		return p
	}
}

// rewrite returns the program with all matches of re in its output replaced by the result of with.
func rewrite(p Program, re *regexp.Regexp, with func(match []string) string) Program {
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		p.Ops[i].Bytes = re.ReplaceAllStringFunc(p.Ops[i].Bytes, func(s string) string {
			return with(re.FindStringSubmatch(s))
		})
	}
	return p
}

// where returns a function that applies change to programs whose output matches pattern, and
// returns others unchanged.
func where(pattern string, change func(Program) Program) func(Program) Program {
	re := regexp.MustCompile(pattern)
	return func(p Program) Program {
		if !slices.ContainsFunc(p.Ops, func(o Op) bool { return re.MatchString(o.Bytes) }) {
			return p
		}
		return change(p)
	}
}

// avoid returns the program as both emulators play it: without the operations that the changes
// leave out.
func avoid(p Program, changes []Change) Program {
	for _, c := range changes {
		if c.Avoid != nil {
			p = c.Avoid(p)
		}
	}
	return p
}

// tell returns the program as the pinned core plays it: with the operations that the changes
// rewrite.
func tell(p Program, changes []Change) Program {
	for _, c := range changes {
		if c.Tell != nil {
			p = c.Tell(p)
		}
	}
	return p
}
