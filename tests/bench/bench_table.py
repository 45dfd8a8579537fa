"""Tables of text for scripts/bench and what it calls. In: rows of cells, the headings first. Out:
lines on stdout."""


def print_table(rows, left=1, indent=""):
    """The first `left` columns begin at the left, the others, figures, end at the right. The last
    cell of a row that is shorter than the first runs on over the columns that it lacks."""
    count = len(rows[0])
    widths = [max(len(row[i]) for row in rows if len(row) == count or i < len(row) - 1)
              for i in range(count)]
    for row in rows:
        cells = [cell.ljust(width) if i < left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print(indent + "  ".join(cells).rstrip(), flush=True)
