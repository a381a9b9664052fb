package terminal

// guardProcess is empty on Windows: every process that shares a console can restore it.
type guardProcess struct{}

// NewGuard returns a Guard that does nothing.
func NewGuard() *Guard { return &Guard{} }

func (g *Guard) start(*device) error { return nil }
func (g *Guard) arm(*device, []byte) {}
func (g *Guard) disarm()             {}
func (g *Guard) stop()               {}
