package terminal

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

func TestPictureErrorsAreReadAndNothingElse(t *testing.T) {
	for in, want := range map[string]PictureError{
		"\x1b_Gi=31;ENOENT:no such image\x1b\\":                {31, "ENOENT:no such image"},
		"\x1b_Gi=16777215,p=3;EINVAL\x1b\\":                    {16777215, "EINVAL"},
		"\x1b_GI=3,i=7;E" + strings.Repeat("x", 90) + "\x1b\\": {7, "E" + strings.Repeat("x", 63)},
		"\x1b_Gi=31;OK\x1b\\":                                  {},
		"\x1b_Gi=16777247;ENOENT:no such image\x1b\\":          {},
		"\x1b_Gi=0;ENOENT\x1b\\":                               {},
		"\x1b_Gi=99999999999;ENOENT\x1b\\":                     {},
		"\x1b_Gi=5;E\x1b\\":                                    {5, "E"},
		"\x1b_Gi=5;E\x07\x1b\\":                                {},
		"\x1b_Xi=5;ENOENT\x1b\\":                               {},
		"\x1b_G\x1b\\":                                         {},
		"\x1b^Gi=5;ENOENT\x1b\\":                               {},
	} {
		var buf stdinbuf.Buffer
		for tok := range buf.Feed([]byte(in)) {
			got, ok := pictureError(tok)
			if ok != (want != PictureError{}) || ok && got != want {
				t.Errorf("%q: %+v %v", in, got, ok)
			}
		}
	}
}
