package vt

// maxAPC is the most bytes of the payload of one kitty graphics command; a longer command is
// ignored (apc.zig defaultMaxBytes).
const maxAPC = 65 << 20

// apc collects the bytes of an APC string. Only those of kitty graphics, which begin with 'G', are
// used.
type apc struct {
	started    bool // The first byte has come.
	isGraphics bool
	data       []byte
}

func (t *Terminal) apcStart() { t.apc = apc{data: t.apc.data[:0]} }

func (t *Terminal) apcPut(b []byte) {
	a := &t.apc
	if !a.started {
		a.started = true
		a.isGraphics = b[0] == 'G' && !t.config.Personality.NoKittyGraphics
		b = b[1:]
	}
	if !a.isGraphics {
		return
	}
	if len(a.data)+len(b) > maxAPC {
		a.isGraphics, a.data = false, nil
		return
	}
	a.data = append(a.data, b...)
}

func (t *Terminal) apcEnd() {
	a := &t.apc
	if a.isGraphics {
		t.traffic.count(a.data)
		if cmd, ok := parseGraphics(a.data); ok {
			t.runGraphics(&cmd)
		}
	}
	if cap(a.data) > 1<<20 {
		a.data = nil
	}
	a.isGraphics = false
}
