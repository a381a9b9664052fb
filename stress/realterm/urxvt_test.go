//go:build terminals

package realterm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// urxvt under Xvfb: a key asks an extension of ours, in urxvt's own language, to select history and
// screen, which joins soft wraps and has all of what stands in a cell. What its print-pipe gets is
// rows, and its lines have one character for each cell.
type urxvt struct {
	frame
	file string
}

const urxvtTape = `sub on_user_command {
	my ($self, $order) = @_;
	my ($row, $file) = ($self->top_row, $self->x_resource("tape-file"));
	$self->selection_beg($row, 0);
	$self->selection_end($self->nrow - 1, $self->ncol);
	$self->selection_make(0);
	open my $out, ">:utf8", "$file.new" or die;
	print $out $self->selection;
	close $out;
	rename "$file.new", $file;
}
`

func (u *urxvt) start(t *testing.T, command string) {
	dir := home(t, map[string]string{"perl/tape": urxvtTape})
	u.file = filepath.Join(dir, "tape")
	u.frame = frame{show: display(t), class: "urxvt", cell: [2]int{6, 13}}
	opened(t, environ(dir, "DISPLAY="+u.show), "urxvt", "-fn", "fixed", "-b", "0", "+sb", "-geometry", "80x24", "-sl",
		"20000", "--perl-lib", filepath.Join(dir, "perl"), "-pe", "tape",
		// Without history urxvt cuts all rows at a narrower width, with a row of it it wraps them
		// anew.
		"-xrm", "URxvt.tape-file: "+u.file, "-xrm", "URxvt.keysym.F12: perl:tape:all", "-e", "sh",
		script(t, "seq 50\n"+command))
	u.seen(t)
}

func (u *urxvt) tape(t *testing.T) string {
	_ = os.Remove(u.file)
	var out []byte
	eventually(t, "urxvt's tape", func() bool {
		u.press(t, "key", "--clearmodifiers", "F12")
		var err error
		out, err = os.ReadFile(u.file)
		return err == nil
	})
	return apart.Replace(string(out))
}

// apart takes letters apart that urxvt and foot put together, those of the workloads.
var apart = strings.NewReplacer("é", "e\u0301", "ñ", "n\u0303", "ü", "u\u0308", "ô", "o\u0302", "å", "a\u030a",
	"ẹ", "e\u0323")
