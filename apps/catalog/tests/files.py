"""Small catalogue files for tests, written as the catalogues write them."""

import gzip
import zipfile
from pathlib import Path

COLORS = (
    "Color ID\tColor Name\tRGB\tType\tParts\tIn Sets\tWanted\tFor Sale\tYear From\tYear To\n\n"
    "0\t(Not Applicable)\t\tN/A\t5869\t1\t1\t1\t1954\t2025\n"
    "5\tRed\tb30006\tSolid\t9000\t1\t1\t1\t1950\t2025\n"
    "11\tBlack\t212121\tSolid\t9000\t1\t1\t1\t1957\t2025\n"
    "3\tYellow\tFFE001\tSolid\t9000\t1\t1\t1\t1957\t2025\n"
    "1\tWhite\tFFFFFF\tSolid\t9000\t1\t1\t1\t1949\t2025\n"
    "\n"
)
CATEGORIES = (
    "Category ID\tCategory Name\n\n5\tBrick\n26\tPlate\n67\tTown\n400\tClassic Town\n"
    "401\tSupplemental\n402\tChip &#39;n&#39; Dale\n\n"
)
ITEM_HEADER = "Category ID\tCategory Name\tNumber\tName\tAlternate Item Number\tWeight (in Grams)\tDimensions\n\n\n"
PARTS = (
    ITEM_HEADER + "5\tBrick\t3001\tBrick 2 x 4\t\t2.32\t2 x 4 x 1\n"
    "26\tPlate\t4073\tPlate, Round 1 x 1\t \t0.14\t1 x 1 x 0\n"
    "26\tPlate\t2569\tAntenna Whip 8H\t25699, 47094\t0.41\t? x ? x ?\n"
    "5\tBrick\t970c01\tHips and White Legs\t\t1.5\t? x ? x ?\n"
    "5\tBrick\t970c03\tHips and Yellow Legs\t\t?\t? x ? x ?\n\n"
)
SETS = (
    "Category ID\tCategory Name\tNumber\tName\tYear Released\tWeight (in Grams)\tDimensions\n\n\n"
    "67\tTown / Classic Town / Supplemental\t6329-1\tTruck Stop Café {Cafe}\t1998\t475\t33.5 x 24 x 6\n"
    "67\tTown\t4117463-1\tToys &#34;R&#34; Us Bundle\t?\t?\t? x ? x ?\n\n"
)
GEAR = (
    "Category ID\tCategory Name\tNumber\tName\tYear Released\tWeight (in Grams)\tDimensions\n\n\n"
    "67\tTown\t850001\tKey Chain\t2005\t10\t? x ? x ?\n"
)
CODES = (
    "Item No\tColor\tCode\n3001\tRed\t300121\n3001\tBlack\t300126\n4073\tRed\t614121\n"
    "4073\tYellow\t614124\n970c01\tRed\t4000001\n970c03\tRed\t4000002\n"
)
CONTENTS = (
    "Type\tItem No\tItem Name\tQty\tColor ID\tExtra?\tAlternate?\tMatch ID\tCounterpart?\n\n"
    "P\t3001\tBrick 2 x 4\t10\t5\tN\tN\t0\tN\t\n"
    "P\t4073\tPlate, Round\t4\t5\tY\tN\t0\tN\t\n"
    "P\t4073\tPlate, Round\t2\t3\tN\tY\t7\tN\t\n"
    "P\t970c01\tHips\t1\t5\tN\tN\t0\tY\t\n"
)
RB_COLORS = (
    "id,name,rgb,is_trans,num_parts,num_sets,y1,y2\r\n-1,[Unknown],0033B2,False,17,2,2000,2000\r\n"
    "0,Black,05131D,False,1,1,1957,2026\r\n4,Red,C91A09,False,1,1,1950,2026\r\n"
    "14,Yellow,F2CD37,False,1,1,,\r\n9999,[No Color/Any Color],05131D,False,1,1,1958,2026\r\n"
)
RB_COLORS_2017 = "id,name,rgb,is_trans\n0,Black,05131D,f\n4,Red,C91A09,f\n41,Trans-Blue,AABBCC,t\n"
RB_THEMES = "id,name,parent_id\r\n1,Technic,\r\n3,Competition,1\r\n67,Classic Town,\r\n"
RB_PART_CATEGORIES = 'id,name\r\n11,Bricks\r\n4,"Duplo, Quatro and Primo"\r\n'
RB_PARTS = (
    "part_num,name,part_cat_id,part_material\r\n3001,Brick 2 x 4,11,Plastic\r\n"
    "6141,Plate Round 1 x 1,11,Plastic\r\n970c27,Hips and White Legs,11,Plastic\r\n"
    "970c01,Hips and Yellow Legs,11,Plastic\r\n970c03,Hips and Black Legs,11,Plastic\r\n"
    '3626cpr0001,"Head with ""Grin"" print",11,Plastic\r\n50746,Slope 30 1 x 1,11,Plastic\r\n'
    "54200,Slope 30 1 x 1 x 2/3,11,Plastic\r\n"
)
RB_ELEMENTS = (
    "element_id,part_num,color_id,design_id\r\n300121,3001,4,3001\r\n300126,3001,0,\r\n"
    "614121,6141,4,\r\n614124,6141,14,\r\n4000001,970c27,4,\r\n4000002,970c01,4,\r\n"
    "4999999,54200,4,\r\n"
)
RB_RELATIONS = "rel_type,child_part_num,parent_part_num\r\nM,50746,54200\r\nP,3626cpr0001,3001\r\n"
RB_SETS = (
    "set_num,name,year,theme_id,num_parts,img_url\r\n"
    "6329-1,Truck Stop Cafe,1999,67,120,https://cdn.example.org/6329-1.jpg\r\n"
    "850001-1,Key Chain,2005,67,0,\r\n0011-2,Town Mini-Figures,1979,67,12,\r\n"
)
RB_MINIFIGS = (
    "fig_num,name,num_parts,img_url\r\nfig-000001, Toy Store Employee ,4,\r\n"
    "fig-000002,PS Vita\u200e,4,\r\n"
)
RB_INVENTORIES = (
    "id,version,set_num\r\n1,1,6329-1\r\n2,2,6329-1\r\n3,1,0011-2\r\n4,1,fig-000001\r\n"
)
RB_INVENTORY_PARTS = (
    "inventory_id,part_num,color_id,quantity,is_spare,img_url\r\n1,3001,4,10,False,\r\n"
    "1,6141,4,4,True,\r\n1,6141,4,2,False,\r\n4,970c01,4,1,f,\r\n"
)
RB_INVENTORY_MINIFIGS = "inventory_id,fig_num,quantity\r\n1,fig-000001,2\r\n"
RB_INVENTORY_SETS = "inventory_id,set_num,quantity\r\n3,6329-1,1\r\n"

BRICKLINK = {
    "colors.txt": COLORS,
    "categories.txt": CATEGORIES,
    "Parts.txt": PARTS,
    "Sets.txt": SETS,
    "Gear.txt": GEAR,
    "codes.txt": CODES,
}
REBRICKABLE = {
    "colors.csv": RB_COLORS,
    "themes.csv": RB_THEMES,
    "part_categories.csv": RB_PART_CATEGORIES,
    "parts.csv": RB_PARTS,
    "elements.csv": RB_ELEMENTS,
    "part_relationships.csv": RB_RELATIONS,
    "sets.csv": RB_SETS,
    "minifigs.csv": RB_MINIFIGS,
    "inventories.csv": RB_INVENTORIES,
    "inventory_parts.csv": RB_INVENTORY_PARTS,
    "inventory_minifigs.csv": RB_INVENTORY_MINIFIGS,
    "inventory_sets.csv": RB_INVENTORY_SETS,
}


def write_files(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files into a folder; `.gz` and `.zip` names are packed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        raw = text.encode() if isinstance(text, str) else text
        if name.endswith(".gz"):
            raw = gzip.compress(raw)
        (folder / name).write_bytes(raw)
    return folder


def write_zip(path: Path, files: dict[str, str]) -> Path:
    """Write files into a zip."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path
