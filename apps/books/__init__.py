"""The books of a seller: cost and margin of sales, VAT by rule, invoices, files for accounting."""
