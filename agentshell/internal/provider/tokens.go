package provider

// Tokens returns about how many tokens text takes. It goes by bytes: providers do not tell how they
// cut, and a little too much is better than too little. English and code take a token for three or
// four bytes, other alphabets for two or three, and of Chinese, Japanese and Korean each character
// takes one or more.
func Tokens(text string) int {
	tenths := 0
	for _, r := range text {
		tenths += tenthTokens(r)
	}
	return (tenths + 9) / 10
}

// TokenBytes returns the length, in bytes, of the longest beginning of text that takes at most so
// many tokens.
func TokenBytes(text string, tokens int) int {
	tenths := 0
	for i, r := range text {
		if tenths += tenthTokens(r); (tenths+9)/10 > tokens {
			return i
		}
	}
	return len(text)
}

func tenthTokens(r rune) int {
	switch {
	case r < 0x80:
		return 3
	case r < 0x800:
		return 7
	case r < 0x10000:
		return 13
	}
	return 25
}
