package provider

// Tokens returns an estimate of the number of tokens in text, rather too high than too low. It
// depends only on the characters' encoding, since providers do not publish their tokenizers:
// English and code take a token for three or four bytes, other alphabets for two or three, and each
// Chinese, Japanese or Korean character takes one or more.
func Tokens(text string) int {
	tenths := 0
	for _, r := range text {
		tenths += tenthTokens(r)
	}
	return (tenths + 9) / 10
}

// TokenBytes returns the length in bytes of the longest prefix of text that takes at most the given
// number of tokens, by the estimate of [Tokens].
func TokenBytes(text string, tokens int) int {
	tenths := 0
	for i, r := range text {
		if tenths += tenthTokens(r); (tenths+9)/10 > tokens {
			return i
		}
	}
	return len(text)
}

// tenthTokens returns the estimated cost of one character in tenths of a token.
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
