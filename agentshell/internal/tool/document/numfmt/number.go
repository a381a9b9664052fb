package numfmt

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxDecimals is the number of decimal places to which a number is computed. Workbooks have 15
// digits.
const maxDecimals = 30

// format returns v in the format of this section. v is not negative, unless it is a date.
func (s *section) format(v float64, from1904 bool) string {
	switch {
	case s.isDate:
		return s.dateText(v, from1904)
	case s.isFraction:
		return s.fractionText(v)
	}
	v *= math.Pow(100, float64(s.percentSigns))
	v /= math.Pow(1000, float64(s.thousandsScale))
	if s.has(exponent) {
		return s.exponentText(v)
	}
	whole, part := decimalDigits(v, s.decimals)
	return fillPlaces(s.tokens, whole, part, s.hasGroups, func(t token) string {
		if t.kind == general || t.kind == textValue {
			return General(v)
		}
		return ""
	})
}

// decimalDigits returns the digits of v before and after the decimal point. It first rounds v to
// the 15 digits that a workbook has, and then rounds half up to decimals places.
func decimalDigits(v float64, decimals int) (whole, part string) {
	decimals = min(decimals, maxDecimals)
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if exact, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 14, 64), 64); err == nil {
		text = strconv.FormatFloat(exact, 'f', -1, 64)
	}
	whole, part, _ = strings.Cut(text, ".")
	if len(part) <= decimals {
		return whole, part + strings.Repeat("0", decimals-len(part))
	}
	up := part[decimals] >= '5'
	digits := []byte(whole + part[:decimals])
	for i := len(digits) - 1; up && i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			up = false
		} else {
			digits[i] = '0'
		}
	}
	if up {
		digits = append([]byte("1"), digits...)
	}
	n := len(digits) - decimals
	return string(digits[:n]), string(digits[n:])
}

// fillPlaces puts the digits of a number into the digit places of tokens. whole and part are the
// digits before and after the point. Literals are copied, and other returns the text of any other
// token.
func fillPlaces(tokens []token, whole, part string, grouped bool, other func(token) string) string {
	var b strings.Builder
	whole = strings.TrimLeft(whole, "0")
	places := countWholePlaces(tokens) // that are still to come
	begun, behind := false, 0
	for _, t := range tokens {
		switch {
		case t.kind == literal:
			b.WriteString(t.text)
		case t.kind == point:
			places = 0
			begun = true
			b.WriteByte('.')
		case t.kind == digit && places > 0:
			if !begun && len(whole) > places {
				writeDigits(&b, whole, places, grouped)
			}
			begun = true
			places--
			writePlace(&b, t.text, whole, places, grouped)
		case t.kind == digit:
			writeDecimal(&b, t.text, part, behind)
			behind++
		default:
			b.WriteString(other(t))
		}
	}
	return b.String()
}

// countWholePlaces returns the number of digit places before the decimal point.
func countWholePlaces(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if t.kind == point || t.kind == exponent {
			break
		}
		if t.kind == digit {
			n++
		}
	}
	return n
}

// writeDigits writes the first digits of whole, for which the format has no places. The last keep
// digits are left for the places.
func writeDigits(b *strings.Builder, whole string, keep int, grouped bool) {
	for left := len(whole) - 1; left >= keep; left-- {
		writePlace(b, "0", whole, left, grouped)
	}
}

// writePlace writes one digit of whole: the one with left digits to its right. If whole has no such
// digit, it writes what the place shows instead: 0, a blank or nothing.
func writePlace(b *strings.Builder, place, whole string, left int, grouped bool) {
	switch {
	case left < len(whole):
		b.WriteByte(whole[len(whole)-1-left])
	case place == "#":
		return
	case place == "?":
		b.WriteByte(' ')
		return
	default:
		b.WriteByte('0')
	}
	if grouped && left > 0 && left%3 == 0 {
		b.WriteByte(',')
	}
}

func writeDecimal(b *strings.Builder, place, part string, at int) {
	switch {
	case at < len(part) && (place == "0" || strings.Trim(part[at:], "0") != ""):
		b.WriteByte(part[at])
	case place == "0":
		b.WriteByte('0')
	case place == "?":
		b.WriteByte(' ')
	}
}

// exponentText returns v in scientific notation. If the format has several digit places before the
// point, the exponent is a multiple of their number.
func (s *section) exponentText(v float64) string {
	places, power := max(1, countWholePlaces(s.tokens)), 0
	scaled := func() (whole, part string) { return decimalDigits(v*math.Pow(10, float64(-power)), s.decimals) }
	whole, part := decimalDigits(0, s.decimals)
	if v != 0 {
		power = int(math.Floor(math.Log10(v)))
		power -= ((power % places) + places) % places
		if whole, part = scaled(); len(whole) > places {
			power += places
			whole, part = scaled()
		}
	}
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == exponent })
	sign, width, end := "+", 0, ""
	if power < 0 {
		sign = "-"
	} else if strings.HasSuffix(s.tokens[at].text, "-") {
		sign = ""
	}
	for _, t := range s.tokens[at+1:] {
		switch t.kind {
		case digit:
			width++
		case literal:
			end += t.text
		}
	}
	text := fillPlaces(s.tokens[:at], whole, part, s.hasGroups, func(token) string { return "" })
	return fmt.Sprintf("%sE%s%0*d%s", text, sign, width, max(power, -power), end)
}

// fractionText returns v as an integer and a fraction. The format gives the denominator, or the
// number of its digits.
func (s *section) fractionText(v float64) string {
	slash := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == literal && t.text == "/" })
	given, places := "", 0
	for _, t := range s.tokens[slash+1:] {
		if t.kind == digit {
			places++
		}
		if t.text != "" && strings.Trim(t.text, "0123456789") == "" {
			given += t.text
		}
	}
	numerator := slash
	for numerator > 0 && s.tokens[numerator-1].kind == digit {
		numerator--
	}
	mixed := countWholePlaces(s.tokens[:numerator]) > 0 // a whole number stands before the fraction
	whole, part := math.Modf(v)
	if !mixed {
		whole, part = 0, v
	}
	n, d := nearestFraction(part, int(math.Pow10(min(places, 4)))-1)
	if fixed, err := strconv.Atoi(given); err == nil && fixed > 0 {
		n, d = math.Round(part*float64(fixed)), float64(fixed)
	}
	if mixed && n == d {
		whole, n = whole+1, 0
	}
	switch {
	case mixed && n == 0:
		return General(whole)
	case mixed && whole != 0:
		return fmt.Sprintf("%s %s/%s", General(whole), General(n), General(d))
	}
	return General(n) + "/" + General(d)
}

// nearestFraction returns the fraction n/d nearest to v, with d at most limit.
func nearestFraction(v float64, limit int) (n, d float64) {
	n, d = math.Round(v), 1
	for i := 2; i <= max(limit, 1); i++ {
		if m := math.Round(v * float64(i)); math.Abs(m/float64(i)-v) < math.Abs(n/d-v)-1e-12 {
			n, d = m, float64(i)
		}
	}
	return n, d
}
