package workspace

// Limits in bytes (FS-43).
const (
	MaxRead     = 4 << 20  // bytes of one file that a read or the diff tool returns
	MaxPath     = 4096     // bytes of a path in a request
	MaxProposal = 10 << 20 // bytes of the base, or of the new text, of a proposal
)
