"""Pure rules of stock: no Django, no clock."""
