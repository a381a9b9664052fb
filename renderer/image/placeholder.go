package image

import "unicode/utf8"

// placeholder is the character of the cells in which the terminal shows an image (kitty since 0.28,
// ghostty).
const placeholder = '\U0010EEEE'

// rowMarks holds the combining characters that stand for the row numbers of an image, in order.
// They are the ones of kitty's list (rowcolumn-diacritics.txt: Unicode 6.0, class 230, without
// decomposition) that take two bytes, since tmux 3.3a keeps nine bytes of a cell.
const rowMarks = "" +
	"\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357" +
	"\u035b\u0363\u0364\u0365\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f\u0483\u0484" +
	"\u0485\u0486\u0487\u0592\u0593\u0594\u0595\u0597\u0598\u0599\u059c\u059d\u059e\u059f\u05a0\u05a1" +
	"\u05a8\u05a9\u05ab\u05ac\u05af\u05c4\u0610\u0611\u0612\u0613\u0614\u0615\u0616\u0617\u0657\u0658" +
	"\u0659\u065a\u065b\u065d\u065e\u06d6\u06d7\u06d8\u06d9\u06da\u06db\u06dc\u06df\u06e0\u06e1\u06e2" +
	"\u06e4\u06e7\u06e8\u06eb\u06ec\u0730\u0732\u0733\u0735\u0736\u073a\u073d\u073f\u0740\u0741\u0743" +
	"\u0745\u0747\u0749\u074a\u07eb\u07ec\u07ed\u07ee\u07ef\u07f0\u07f1\u07f3"

// MaxRows is the most rows of an image: each needs a combining character of its own.
const MaxRows = len(rowMarks) / 2

// Placeholder returns the text of one row of an image that is cols columns wide. row is from 0 to
// [MaxRows]-1. The text has to be printed in the colour of the image's id ([ID.Color]). Its first
// cell names the row and stands for column 0. Each other cell continues the one before it and needs
// no combining character.
func Placeholder(row, cols int) string {
	b := make([]byte, 0, 4*cols+2)
	for i := range cols {
		b = utf8.AppendRune(b, placeholder)
		if i == 0 {
			b = append(b, rowMarks[2*row:2*row+2]...)
		}
	}
	return string(b)
}
