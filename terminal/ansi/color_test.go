package ansi

import "testing"

func TestColoursAreReadAsAPersonWritesThem(t *testing.T) {
	for word, want := range map[string]Color{"default": 0, "#0a0B0c": RGB(10, 11, 12), "0": Indexed(0),
		"255": Indexed(255), "red": Indexed(1), "bright-white": Indexed(15)} {
		if got, ok := ParseColor(word); got != want || !ok {
			t.Errorf("%q is %x, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "#", "#12345", "#+12345", "#1234567", "#ggeeff", "-1", "+1", "256", "Red",
		"bright-", "bright-default", "bright-bright-red", "bright-1", "red "} {
		if got, ok := ParseColor(word); got != 0 || ok {
			t.Errorf("%q is %x, %v", word, got, ok)
		}
	}
}

func TestColoursThatAreThePersonsOwnAreNotFixed(t *testing.T) {
	for c, want := range map[Color][3]uint8{RGB(1, 2, 3): {1, 2, 3}, Indexed(16): {0, 0, 0}, Indexed(17): {0, 0, 95},
		Indexed(208): {255, 135, 0}, Indexed(231): {255, 255, 255}, Indexed(232): {8, 8, 8},
		Indexed(255): {238, 238, 238}} {
		if r, g, b, ok := c.Fixed(); [3]uint8{r, g, b} != want || !ok {
			t.Errorf("%x is %d %d %d, %v", c, r, g, b, ok)
		}
	}
	for _, c := range []Color{0, Indexed(0), Indexed(15)} {
		if _, _, _, ok := c.Fixed(); ok {
			t.Errorf("%x is fixed", c)
		}
	}
}
