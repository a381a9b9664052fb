# What cells of Python have besides Python itself. The channel to the host is descriptor 3 (out) and
# 4 (in), a JSON object a line. Everything stands in one function, so that no name of it can be
# changed by a cell.
def _scrollkeep_prelude():
    import sys

    if sys.path[:1] == [""]:  # a file of the workspace must not stand for a module of Python
        del sys.path[0]

    import builtins
    import os
    import threading
    from json import dumps, loads
    from os import _exit, getpid
    from os import write as write_bytes

    for fd in (3, 4):
        os.set_inheritable(fd, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)

    class Bridge:
        """Bridge talks to the host. Replies come by a thread of its own."""

        def __init__(self):
            self.pid = getpid()
            self.source = os.fdopen(4, "rb")
            self.lock = threading.Lock()
            self.waiting = {}
            self.calls = 0
            self.cell = 0  # 0: none runs
            self.on = {}
            self.hello = loads(self.source.readline())
            self.mark = self.hello["mark"].encode()
            self.marks = 0
            self.placing = threading.RLock()  # held while a place is marked

        def send(self, message):
            if getpid() != self.pid:  # a fork of a cell
                return
            data = (dumps(message) + "\n").encode()
            with self.lock:
                while data:
                    data = data[write_bytes(3, data):]

        def place(self):
            """place marks the present place in the output, and returns the number of the mark."""
            for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
                try:
                    stream.flush()
                except Exception:
                    pass
            self.marks += 1
            return self.marks

        def write_mark(self, number):
            data = b"\x1e%s:%d\x1e" % (self.mark, number)
            try:
                while data:
                    data = data[write_bytes(1, data):]
            except OSError:
                self.send({"t": "unmarked", "mark": number})

        def show(self, data):
            with self.placing:
                number = self.place()
                self.send({"t": "show", "cell": self.cell, "mark": number, "data": data})
                self.write_mark(number)

        def listen(self):
            for line in self.source:
                message = loads(line)
                if message["t"] != "reply":
                    self.on[message["t"]](message)
                    continue
                waiting = self.waiting.pop(message["id"], None)
                if waiting:
                    waiting[1] = message
                    waiting[0].set()
            _exit(0)

        def call(self, name, args):
            cell = self.cell
            if not cell or getpid() != self.pid:
                raise RuntimeError(name + "() works only while a cell runs, and not in a fork of it")
            waiting = [threading.Event(), None]
            with self.lock:
                self.calls += 1
                number = self.calls
                self.waiting[number] = waiting
            self.send({"t": "call", "cell": cell, "id": number, "name": name, "args": args})
            waiting[0].wait()
            reply = waiting[1]
            if reply.get("error"):
                raise ToolError(reply["error"])
            return reply.get("value")

    bridge = Bridge()

    class ToolError(Exception):
        """ToolError is why a call of the host failed."""

    ToolError.__module__, ToolError.__qualname__ = "builtins", "ToolError"

    class Tool:
        """Tool calls the tools of the session: tool.NAME(key=value) or tool.NAME({...})."""

        def __getattr__(self, name):
            def call(args=None, **more):
                return bridge.call("tool", {"name": name, "args": dict(args or {}, **more)})

            call.__name__ = name
            return call

    def without_none(**args):
        return {k: v for k, v in args.items() if v is not None}

    def read(path, offset=None, limit=None):
        """read returns the text of a file of the workspace; offset counts lines from 1."""
        return bridge.call("read", without_none(path=str(path), offset=offset, limit=limit))

    def write(path, content):
        """write writes a file of the workspace, as the tool write_file does."""
        return bridge.call("write", {"path": str(path), "content": content})

    def append(path, content):
        """append writes a file of the workspace with more text at its end."""
        return bridge.call("append", {"path": str(path), "content": content})

    def tree(path=".", max_depth=3, hidden=False):
        """tree returns the names below a folder of the workspace, one a line."""
        return bridge.call("tree", {"path": str(path), "depth": max_depth, "hidden": hidden})

    def diff(a, b):
        """diff returns the difference of two files of the workspace."""
        return bridge.call("diff", {"a": str(a), "b": str(b)})

    def output(*ids):
        """output returns what agents and earlier outputs gave, by their ids."""
        texts = [bridge.call("output", {"id": str(i)}) for i in ids]
        return texts[0] if len(ids) == 1 else texts

    def env(key=None, value=None):
        """env returns all variables, or one, which it sets where a value is given."""
        if key is None:
            return dict(os.environ)
        if value is not None:
            os.environ[key] = str(value)
        return os.environ.get(key)

    def sort(text, reverse=False, unique=False):
        """sort returns the lines of a text in order."""
        lines = text.splitlines()
        return "\n".join(sorted(set(lines) if unique else lines, reverse=reverse))

    def uniq(text, count=False):
        """uniq returns the lines of a text without those that equal the one before."""
        import itertools

        groups = [(line, len(list(same))) for line, same in itertools.groupby(text.splitlines())]
        return "\n".join("%d %s" % (n, line) if count else line for line, n in groups)

    def counter(items, limit=None, reverse=False):
        """counter returns [item, count] for each item, or line of a text, the most frequent first."""
        import collections

        counts = collections.Counter(items.splitlines() if isinstance(items, str) else items)
        pairs = sorted(counts.items(), key=lambda p: p[1], reverse=not reverse)
        return [list(p) for p in pairs[:limit]]

    def completion(prompt, *, model="default", system=None, schema=None):
        """completion returns one answer of a model, which knows nothing of the conversation."""
        return bridge.call("completion", without_none(prompt=prompt, model=model, system=system, schema=schema))

    def agent(prompt, *, agent_type="task", model=None, label=None, schema=None):
        """agent lets an agent work, and returns its result."""
        return bridge.call("agent", without_none(prompt=prompt, agentType=agent_type, model=model, label=label,
                                                 schema=schema))

    def settled(value):
        """settled waits for what a thunk or a stage returned, if it has to be awaited."""
        import inspect

        if not inspect.isawaitable(value):
            return value
        import asyncio

        async def wait():
            return await value

        return asyncio.run(wait())

    def parallel(thunks):
        """parallel calls functions side by side, and returns their results in order."""
        from concurrent.futures import ThreadPoolExecutor

        thunks = list(thunks)
        if not thunks:
            return []
        pool = ThreadPoolExecutor(min(len(thunks), bridge.hello["width"] or len(thunks)))
        try:
            return [f.result() for f in [pool.submit(lambda t=t: settled(t())) for t in thunks]]
        finally:
            pool.shutdown(wait=False, cancel_futures=True) if sys.version_info >= (3, 9) else pool.shutdown(wait=False)

    def pipeline(items, *stages):
        """pipeline leads each item through the stages, items side by side."""

        def through(item):
            for stage in stages:
                item = settled(stage(item))
            return item

        return parallel([lambda i=i: through(i) for i in items])

    def no_input(*_):
        raise RuntimeError("Kernel requested stdin; interactive input is not supported.")

    for helper in (read, write, append, tree, diff, output, env, sort, uniq, counter, completion, agent, parallel,
                   pipeline, ToolError):
        setattr(builtins, helper.__name__, helper)
    builtins.tool = Tool()
    builtins.input = no_input

    def fresh_imports():
        """fresh_imports makes imports from the workspace read its files: a compiled copy may be
        older. It returns a function that forgets them all once one has changed."""
        import importlib
        import importlib.machinery as machinery

        seen = {}
        root = os.path.realpath(bridge.hello["dir"])

        def state(path):
            """state returns what is in a file: its time says too little within a few milliseconds."""
            try:
                with open(path, "rb") as file:
                    return hash(file.read())
            except OSError:
                return None

        class Fresh(machinery.SourceFileLoader):
            def path_stats(self, path):
                raise OSError("no compiled copy is used")

            def get_data(self, path):
                data = super().get_data(path)
                seen[path] = self.name, hash(bytes(data))
                return data

        loaders = ((machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
                   (Fresh, machinery.SOURCE_SUFFIXES),
                   (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES))

        def hook(path):
            real = os.path.realpath(path or ".")
            packages = {"site-packages", "dist-packages"} & set(real.split(os.sep))
            if packages or not (real + os.sep).startswith(root + os.sep) or not os.path.isdir(real):
                raise ImportError
            return machinery.FileFinder(path, *loaders)

        sys.path_hooks.insert(0, hook)
        sys.path_importer_cache.clear()

        def forget_changed():
            importlib.invalidate_caches()
            if any(state(path) != known for path, (_, known) in seen.items()):
                for name, _ in seen.values():
                    sys.modules.pop(name, None)
                seen.clear()

        return forget_changed

    return bridge, fresh_imports()
