"""What changes the catalogue: `lots`, `texts`, `starter`, `imports`."""
