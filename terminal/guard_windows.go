package terminal

// watch is not needed: a console is restored by who shares it.
type watch struct{}

// NewGuard returns a Guard that does nothing.
func NewGuard() *Guard { return &Guard{} }

func (g *Guard) start(*device) error  { return nil }
func (g *Guard) tell(*device, []byte) {}
func (g *Guard) rest()                {}
func (g *Guard) stop()                {}
