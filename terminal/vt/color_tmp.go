package vt

type colors struct{}

func (t *Terminal) colorOperation(number, body string, bel bool) {}
func (t *Terminal) kittyColors(body string, bel bool)            {}

var capabilities = map[string]string{}

type images struct{}

func (im *images) deleteVisible(s *screen) {}

type apc struct{}

func (t *Terminal) apcStart()       {}
func (t *Terminal) apcPut(b []byte) {}
func (t *Terminal) apcEnd()         {}
