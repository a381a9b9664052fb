# How display shows values.
def _scrollkeep_display(rich, show):
    """_scrollkeep_display installs display. rich returns the forms in which a value wants to be shown,
    none if only as text, and show shows forms."""
    import base64
    import builtins
    import json

    pictures = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))

    def encoded(media, value):
        return base64.b64encode(value).decode() if isinstance(value, (bytes, bytearray)) else value

    def picture(data):
        if isinstance(data, (bytes, bytearray)):
            for head, media in pictures:
                if bytes(data[:4]).startswith(head):
                    return {media: encoded(media, data)}
        return None

    def as_json(value):
        try:
            return {"application/json": json.loads(json.dumps(value, default=str, allow_nan=False))}
        except (ValueError, TypeError, RecursionError):
            return None

    def display(*values, **_):
        """display shows values: pictures, Markdown, tables, JSON for dictionaries and lists, else text."""
        for value in values:
            data = picture(value) or rich(value)
            if not data and isinstance(value, dict) and value.get("type") == "image" and "data" in value:
                data = {value.get("mimeType", "image/png"): encoded("", value["data"])}
            if not data and isinstance(value, dict) and value.get("type") == "markdown" and "text" in value:
                data = {"text/markdown": str(value["text"])}
            if not data and isinstance(value, (dict, list, tuple)):
                data = as_json(value)
            if data:
                show(data)
            else:
                print(value)

    builtins.display = display
    return picture, encoded


