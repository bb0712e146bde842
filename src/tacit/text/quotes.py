"""Where rows of CSV end: a line end within quotes belongs to its cell."""

from __future__ import annotations

from tacit.jit import compiled

NEW_CELL, PLAIN, QUOTED, CLOSED = 0, 1, 2, 3
_LINE_END, _QUOTE = 10, 34


@compiled()
def row_end(codes, start, least, mark, state):  # type: ignore[no-untyped-def]
    """The place after the first row end at ``least`` or later, or the length where there is none.

    ``state[0]`` says what stands before ``start`` and is left as what stands before the place returned: the
    rules are those of Python's csv module. ``mark`` is the byte between cells.

    >>> import numpy as np
    >>> row_end(np.frombuffer(b'a,"b\\nc"\\nd', np.uint8), 0, 0, ord(","), np.zeros(1, np.int64))
    8
    """
    now = state[0]
    for at in range(start, len(codes)):
        code = codes[at]
        if now == QUOTED:
            if code == _QUOTE:
                now = CLOSED
        elif code == _LINE_END:
            now = NEW_CELL
            if at >= least:
                state[0] = now
                return at + 1
        elif code == mark:
            now = NEW_CELL
        elif code == _QUOTE and now != PLAIN:
            now = QUOTED
        else:
            now = PLAIN
    state[0] = now
    return len(codes)
