package shell

// showRunning handles /sessions: it lists the sessions of the workspace that run now.
func (sh *Shell) showRunning() {
	if sh.cfg.Running == nil {
		sh.addBlock(notice, problem("Other sessions are not known here."))
		return
	}
	sh.addBlock(notice, paragraphs(false, sh.cfg.Running()...))
}
