"""Small BSX files for tests."""

from django.core.files.uploadedfile import SimpleUploadedFile


def item(number="3001", kind="P", color=5, qty=3, price="0.125", condition="N", more=""):
    """One <Item> with the tags that matter here."""
    return (
        f"<Item><ItemID>{number}</ItemID><ItemTypeID>{kind}</ItemTypeID><ColorID>{color}</ColorID>"
        f"<ItemName>Brick 2 x 4</ItemName><ItemTypeName>Part</ItemTypeName>"
        f"<ColorName>Red</ColorName><CategoryID>5</CategoryID><CategoryName>Brick</CategoryName>"
        f"<Status>I</Status><Qty>{qty}</Qty><Price>{price}</Price>"
        f"<Condition>{condition}</Condition>{more}</Item>"
    )


def bsx(*items, currency="EUR", after=""):
    """A whole file of these items."""
    said = f' Currency="{currency}"' if currency else ""
    text = f"<BrickStoreXML><Inventory{said}>{''.join(items)}</Inventory>{after}</BrickStoreXML>"
    return text.encode()


def upload(content, name="Summer lot.bsx"):
    return SimpleUploadedFile(name, content)
