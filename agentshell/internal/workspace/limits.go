package workspace

// Limits in bytes (FS-43).
const (
	MaxRead     = 4 << 20  // what a read or the diff tool returns of one file
	MaxPath     = 4096     // a path in a request
	MaxProposal = 10 << 20 // base or new bytes of a proposal
)
