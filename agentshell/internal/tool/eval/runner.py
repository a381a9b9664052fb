# The loop that runs cells where there is no Jupyter kernel.
def _scrollkeep_run(bridge, forget_changed, make_display):
    import ast
    import builtins
    import inspect
    import linecache
    from os import _exit, getpid
    import queue
    import signal
    import sys
    import threading
    import traceback
    import types

    on_signal = signal.signal
    own = _scrollkeep_run.__code__.co_filename
    cells = queue.SimpleQueue()
    loops = []
    main = types.ModuleType("__main__")
    main.__builtins__ = builtins

    def figure(value):
        """figure returns the picture of a figure of matplotlib."""
        if type(value).__module__.partition(".")[0] == "matplotlib" and hasattr(value, "savefig"):
            import io

            file = io.BytesIO()
            value.savefig(file, format="png")
            return picture(file.getvalue())
        return None

    forms = (("_repr_png_", "image/png"), ("_repr_jpeg_", "image/jpeg"), ("_repr_markdown_", "text/markdown"),
             ("_repr_json_", "application/json"), ("_repr_html_", "text/html"))

    def rich(value):
        """rich returns the forms in which a value wants to be shown; {}: only as text."""
        if isinstance(value, type):
            return {}
        found = picture(value) or figure(value)
        if found:
            return found
        data = {}
        if hasattr(type(value), "_repr_mimebundle_"):
            bundle = value._repr_mimebundle_()
            data = dict(bundle[0] if isinstance(bundle, tuple) else bundle or {})
        for method, media in forms:
            if media not in data and hasattr(type(value), method):
                form = getattr(value, method)()
                form = form[0] if isinstance(form, tuple) else form
                if form is not None:
                    data[media] = form
        return {media: encoded(media, form) for media, form in data.items()}

    picture, encoded = make_display(rich, bridge.show)

    def show_result(value):
        if value is None:
            return
        main._ = value
        data = rich(value)
        if data:
            bridge.show(data)
        else:
            import pprint

            print(repr(value) if isinstance(value, str) else pprint.pformat(value, width=100))

    def wait_for(coroutine):
        import asyncio

        if not loops:
            loops.append(asyncio.new_event_loop())
            asyncio.set_event_loop(loops[0])
        task = loops[0].create_task(coroutine)
        try:
            return loops[0].run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            try:
                loops[0].run_until_complete(task)
            except (asyncio.CancelledError, KeyboardInterrupt):
                pass
            raise

    def evaluate(code, name, mode):
        code = compile(code, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        value = eval(code, main.__dict__)
        return wait_for(value) if code.co_flags & inspect.CO_COROUTINE else value

    def run(code, name):
        linecache.cache[name] = len(code), None, code.splitlines(True), name
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        evaluate(tree, name, "exec")
        if last:
            show_result(evaluate(ast.Expression(last.value), name, "eval"))

    def told(error):
        """told returns the traceback of an error, without our own frames."""
        told = traceback.TracebackException.from_exception(error)
        part, seen = told, set()
        while part and id(part) not in seen:
            seen.add(id(part))
            part.stack[:] = [frame for frame in part.stack if frame.filename != own]
            if part is told:  # what led to the cell
                start = [i for i, frame in enumerate(part.stack) if frame.filename.startswith("<cell ")]
                part.stack[:] = part.stack[start[0]:] if start else []
            part = part.__cause__ or part.__context__
        return "".join(told.format()).rstrip("\n")

    def run_cell(message):
        end = {"t": "done", "cell": message["cell"]}
        try:
            forget_changed()
            sys.modules["__main__"] = main
            state["cell"] = bridge.cell = message["cell"]
            if state["target"] == state["cell"]:  # the interrupt came before it began
                raise KeyboardInterrupt
            run(message["code"], "<cell %d>" % message["cell"])
        except KeyboardInterrupt:
            end["interrupted"] = True
        except SystemExit as error:
            if error.code not in (None, 0):
                end["error"] = "SystemExit: %s" % error.code
        except BaseException as error:
            end["error"] = told(error)
        return end

    # The handler knows which cell an interrupt is for: it may come when that has just ended.
    state = {"cell": 0, "target": 0}

    def interrupted(*_):
        if state["cell"] and state["cell"] == state["target"]:
            state["target"] = 0
            raise KeyboardInterrupt

    def interrupt(message):
        state["target"] = message["cell"]
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    def next_cell():
        """next_cell runs a cell. An interrupt that comes at its very end counts, too."""
        message = cells.get()
        try:
            end = run_cell(message)
            state["cell"] = 0
        except KeyboardInterrupt:
            end = {"t": "done", "cell": message["cell"], "interrupted": True}
            state["cell"] = 0
        bridge.cell = 0
        return end

    def finish(end):
        if getpid() != bridge.pid:
            _exit(0)
        on_signal(signal.SIGINT, interrupted)  # a cell may have changed it
        end["mark"] = bridge.place()
        bridge.send(end)
        bridge.write_mark(end["mark"])

    sys.path.insert(0, bridge.hello["dir"])
    sys.argv = [""]
    signal.signal(signal.SIGINT, interrupted)
    bridge.on = {"run": cells.put, "interrupt": interrupt}
    threading.Thread(target=bridge.listen, daemon=True).start()
    bridge.send({"t": "ready"})
    while True:
        finish(next_cell())


def _scrollkeep_main():
    bridge, forget_changed = _scrollkeep_prelude()
    if not _scrollkeep_kernel(bridge, forget_changed, _scrollkeep_display):
        _scrollkeep_run(bridge, forget_changed, _scrollkeep_display)


_scrollkeep_main()
