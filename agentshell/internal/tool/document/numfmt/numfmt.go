// Package numfmt shows the values of a workbook's cells as their number formats say: "0.00",
// "#,##0;(#,##0)", "yyyy-mm-dd hh:mm" (ECMA-376, part 1, 18.8.30 and 18.8.31). Names of months and
// days are English. Colours, languages and what fills a column's width are left out.
package numfmt

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// builtinCodes holds the codes of the built-in formats by their number. Dates whose format depends
// on the system's language (14, 22 and the East Asian ones) are shown with the year first.
var builtinCodes = [...]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
	9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
	18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
	27: "yyyy-mm-dd", 28: "yyyy-mm-dd", 29: "yyyy-mm-dd", 30: "yyyy-mm-dd", 31: "yyyy-mm-dd",
	32: "h:mm", 33: "h:mm:ss", 34: "h:mm", 35: "h:mm:ss", 36: "yyyy-mm-dd",
	37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
	41: `#,##0;(#,##0);"-";@`, 42: `$#,##0;$(#,##0);$"-";@`,
	43: `#,##0.00;(#,##0.00);"-";@`, 44: `$#,##0.00;$(#,##0.00);$"-";@`,
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
	50: "yyyy-mm-dd", 51: "yyyy-mm-dd", 52: "yyyy-mm-dd", 53: "yyyy-mm-dd", 54: "yyyy-mm-dd",
	55: "yyyy-mm-dd", 56: "yyyy-mm-dd", 57: "yyyy-mm-dd", 58: "yyyy-mm-dd",
}

// Builtin returns the code of the built-in format with a number. It returns "", which shows values
// as they are, if there is none.
func Builtin(id int) string {
	if id < 0 || id >= len(builtinCodes) {
		return ""
	}
	return builtinCodes[id]
}

// Format formats the values of cells. The zero Format shows values as they are.
type Format struct {
	sections []section
	// From1904 says that dates count from 1904 on, as in workbooks of old Macintoshes.
	From1904 bool
}

// Parse parses the code of a number format.
func Parse(code string) Format {
	if code == "" {
		return Format{}
	}
	var f Format
	for _, tokens := range splitSections(code) {
		f.sections = append(f.sections, newSection(tokens))
	}
	return f
}

// Text formats a text: by the fourth section, or by a last section that contains @. Without one it
// returns text as it is.
func (f Format) Text(text string) string {
	n := len(f.sections)
	if n == 0 || n < 4 && !f.sections[n-1].has(textValue) {
		return text
	}
	var b strings.Builder
	for _, t := range f.sections[min(n, 4)-1].tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case textValue:
			b.WriteString(text)
		}
	}
	return strings.TrimSpace(b.String())
}

// Number formats a number.
func (f Format) Number(v float64) string {
	if len(f.sections) == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return General(v)
	}
	s, absolute := f.chooseSection(v)
	if s == nil {
		return General(v)
	}
	sign := ""
	if v < 0 && !s.isDate {
		if v = -v; !absolute {
			sign = "-"
		}
	}
	return strings.TrimSpace(sign + s.format(v, f.From1904))
}

// chooseSection returns the section that formats v, or nil if there is none. absolute says that the
// section shows a negative number without a minus sign.
func (f Format) chooseSection(v float64) (s *section, absolute bool) {
	numbers := f.sections[:min(len(f.sections), 3)]
	if n := len(numbers); n > 1 && n == len(f.sections) && numbers[n-1].has(textValue) {
		numbers = numbers[:n-1]
	}
	if slices.ContainsFunc(numbers, func(s section) bool { return s.compare != "" }) {
		for i := range numbers {
			if s := &numbers[i]; s.meetsCondition(v) {
				return s, s.compare != "" && s.compare[0] == '<' && s.compareValue <= 0
			}
		}
		return nil, false
	}
	switch {
	case v < 0 && len(numbers) > 1:
		return &numbers[1], true
	case v == 0 && len(numbers) > 2:
		return &numbers[2], false
	}
	return &numbers[0], false
}

// General formats a number without a format: with up to 15 digits, as many as workbooks have.
func General(v float64) string {
	if a := math.Abs(v); a != 0 && (a >= 1e21 || a < 1e-9) {
		return strings.Replace(strconv.FormatFloat(v, 'G', 15, 64), "E-0", "E-", 1)
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64)
	if err != nil {
		r = v
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
