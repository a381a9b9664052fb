package terminal

import "unicode"

// keyPlaces holds the keys of a US keyboard, and each of otherLayouts what the same keys type in
// another script, in that order. A blank is a key without a letter of the script.
const keyPlaces = "qwertyuiop[]asdfghjkl;'zxcvbnm,."

var otherLayouts = [...]string{
	"йцукенгшщзхъфывапролджэячсмитьбю", // Russian
	"           ї і        є         ", // Ukrainian, where it differs
	" ςερτυθιοπ  ασδφγηξκλ  ζχψωβνμ  ", // Greek
	"  קראטוןםפ  שדגכעיחלךף זסבהנמצתץ", // Hebrew
	"ضصثقفغعهخحجدشسيبلاتنمكطئءؤر ىةوز", // Arabic
	"ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ  ㅁㄴㅇㄹㅎㅗㅓㅏㅣ  ㅋㅌㅊㅍㅠㅜㅡ  ", // Korean
}

// latinAt returns the character that the key which types r has on a US keyboard. It returns r if no
// known layout has the letter r. A capital letter gives a capital letter.
func latinAt(r rune) rune {
	lower := unicode.ToLower(r)
	for _, letters := range otherLayouts {
		place := 0
		for _, letter := range letters {
			if letter == lower && letter >= 0x80 {
				if r != lower {
					return unicode.ToUpper(rune(keyPlaces[place]))
				}
				return rune(keyPlaces[place])
			}
			place++
		}
	}
	return r
}
