"""Print an invoice or credit note as PDF, with the head and the words of packing slips."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from apps.books.models import Invoice, InvoiceKind
from apps.books.rules.tax import WITH_TAX, cents
from apps.orders.providers.paper_pdf import Document, pages_pdf, side_by_side, table, text
from apps.orders.rules.papers import tongue_named
from apps.orders.services.papers import Seller, head_of

#: The sums below the lines in their order, by the words of papers.
_SUMS: Final = ("shipping", "insurance", "fees", "credit", "vat", "tax", "refunded")
#: Rules that a sentence on the invoice names.
_NOTES: Final = ("small", "margin", "outside")


def invoices_pdf(invoices: Sequence[Invoice]) -> bytes:
    """Return the PDF of invoices, each on pages of its own and each time of the same content."""
    papers = [_paper(one) for one in invoices]
    tongue = tongue_named(invoices[0].content["language"])
    title = ", ".join(name for name, _ in papers)
    return pages_pdf([paper for _, paper in papers], title=title, is_letter=tongue.is_letter)


def _paper(invoice: Invoice) -> tuple[str, Document]:
    """Return what an invoice is called, and its pages."""
    content: dict[str, Any] = invoice.content
    tongue = tongue_named(content["language"])
    words = tongue.words
    is_credit = invoice.kind == InvoiceKind.CREDIT
    sign = -1 if is_credit else 1
    kind = words["credit_note" if is_credit else "invoice"]

    def amount(value: str) -> str:
        return tongue.money(sign * cents(Decimal(value)), invoice.currency)

    facts = [
        (words["invoice_date"], tongue.day(invoice.issued_on)),
        *((words["cancels"], one.number) for one in (invoice.cancels,) if one),
    ]
    for order in content["orders"]:
        facts.append((words["order"], order["number"]))
        if order["day"]:
            facts.append((words["order_date"], tongue.day(dt.date.fromisoformat(order["day"]))))
    rows = [
        [
            text(tongue.count(line["pieces"]), right=True),
            text(f"{line['name']}\n{line['number']}"),
            text(line["color"]),
            text(words.get(line["condition"], line["condition"])),
            text(tongue.money(Decimal(line["price"]), invoice.currency), right=True),
            text(amount(line["sum"]), right=True),
        ]
        for line in content["lines"]
    ]
    head = [
        text(words["qty"], 8, right=True),
        *(text(words[name], 8) for name in ("item", "color", "condition")),
        *(text(words[name], 8, right=True) for name in ("each", "sum")),
    ]
    sums = [(words["sum"], content["sums"].get("goods", "0"))]
    sums += [(words[name], content["sums"][name]) for name in _SUMS if name in content["sums"]]
    story = [
        *head_of(Seller(**content["seller"]), words, title=f"{kind} {invoice.number}"),
        side_by_side(
            [
                [text(words["bill_to"], 8), text(invoice.buyer, 11)],
                [text(f"{name}: {value}") for name, value in facts],
            ],
            (95, 85),
        ),
        text(" ", 6),
        table(head, rows, (16, 78, 34, 18, 17, 17)),
        text(" ", 4),
        *(text(f"{name}: {amount(value)}", right=True) for name, value in sums),
        text(f"{words['total']}: {amount(content['total'])}", 11, bold=True, right=True),
    ]
    for row in content["taxes"]:
        if row["rule"] in WITH_TAX:
            percent = tongue.count(Decimal(row["percent"]))
            story.append(
                text(
                    f"{words['vat']} {row['country']} {percent} %: {amount(row['tax'])}"
                    f" ({words['net']} {amount(row['net'])})",
                    right=True,
                )
            )
    rules = {row["rule"] for row in content["taxes"]}
    story += [text(words[rule]) for rule in _NOTES if rule in rules]
    return f"{kind} {invoice.number}", Document(
        story, f"{invoice.number} – {words['page']} {{page}}"
    )
