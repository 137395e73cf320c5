import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { download } from "@/shared/api/download";
import type { Schema } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";

/** What can be done with an invoice: its PDF, and its credit note. */
export function InvoiceFile({ invoice }: { invoice: Schema<"InvoiceRow"> }) {
  const client = useQueryClient();
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => download(`invoices/${invoice.id}/file`, `invoice-${invoice.number}.pdf`),
  });
  const cancel = useMutation({
    mutationFn: () => api.post("invoices/{id}/cancel", { path: { id: invoice.id } }),
    onSuccess: () => invalidate(client, "books"),
  });
  return (
    <span className="flex justify-end gap-1 whitespace-nowrap">
      <Button
        size="sm"
        loading={print.isPending}
        aria-label={`PDF of ${invoice.number}`}
        onClick={() => print.mutate()}
      >
        PDF
      </Button>
      {invoice.kind === "invoice" && invoice.cancelled_by === null && (
        <DestructiveButton
          size="sm"
          variant="ghost"
          aria-label={`Cancel ${invoice.number}`}
          action={{
            label: "Issue a credit note",
            done: "Credit note issued",
            confirm: `Invoice ${invoice.number} stays as it is; a credit note with the next number cancels it. Its orders can be invoiced again.`,
            run: () => cancel.mutateAsync(),
          }}
        />
      )}
    </span>
  );
}
