"""A page of plots, each with its table below it: one HTML file without script or request."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.plots.primitives import INK, MUTED, PAPER, RULE, Cell, Plot, clean, number_text

STYLE = (
    "body{{font:100%/1.5 system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;margin:0 auto;max-width:44rem}}"
    "main{{padding:0 1rem}}"
    "img{{width:100%;height:auto;display:block}}figure{{margin:0}}.scroll{{overflow-x:auto}}summary{{min-height:44px}}"
    "table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}th,td{{padding:.25rem .6rem;text-align:left;"
    "border-bottom:1px solid {rule}}}td.n{{text-align:right}}"
)
COLOURS = "body{{background:{paper};color:{ink}}}th,figcaption{{color:{muted}}}a{{color:inherit}}"


def style() -> str:
    """The page's colours in the light and in the dark."""
    light, dark = (COLOURS.format(paper=PAPER[n], ink=INK[n], muted=MUTED[n]) for n in (0, 1))
    return STYLE.format(rule=RULE[0]) + light + f"@media(prefers-color-scheme:dark){{{dark}}}"


def page(title: str, plots: Sequence[Plot], remarks: Sequence[str] = ()) -> str:
    """All plots with their tables; the pictures are beside the page as NAME.svg, and the tables as NAME.csv."""
    head = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escaped(title)}</title>\n<style>{style()}</style>'
    )
    body = [f"<h1>{escaped(title)}</h1>", *(f"<p>{escaped(remark)}</p>" for remark in remarks), *map(section, plots)]
    return "\n".join([head, "<main>", *body, "</main>", ""])


def section(plot: Plot) -> str:
    """One plot and its table."""
    heads = "".join(f'<th scope="col">{escaped(head)}</th>' for head in plot.heads)
    rows = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in plot.rows)
    return (
        f"<section>\n<h2>{escaped(plot.title)}</h2>\n"
        f'<figure><img src="{plot.name}.svg" alt="{escaped(plot.description)}">'
        f"<figcaption>{escaped(plot.description)}</figcaption></figure>\n"
        f'<details><summary>The table (<a href="{plot.name}.csv">CSV</a>)</summary>\n<div class="scroll" tabindex="0">'
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div></details>\n</section>"
    )


def cell(value: Cell) -> str:
    """A cell of a table."""
    if isinstance(value, str):
        return f"<td>{escaped(value)}</td>"
    return f'<td class="n">{number_text(float(f"{value:.6g}")) if isinstance(value, float) else value}</td>'


def escaped(text: str) -> str:
    """A text as HTML."""
    return escape(clean(text))
