"""The reader of the library against what archives and models may hold."""

import io
import tarfile
import zipfile

import pytest
from PIL import Image

from vision.ldraw import library as provider
from vision.ldraw.drawing import draw
from vision.ldraw.library import Library, NotALibrary
from vision.ldraw.parts import MOST_TRIANGLES, Assembler, Broken, TooLarge
from vision.ldraw.tests.small_library import FILES, UNIT, box, write_folder, write_tar, write_zip


@pytest.fixture
def opened():
    """Open libraries, and close them after the test."""
    libraries = []

    def open_(source):
        libraries.append(Library.open(source))
        return libraries[-1]

    yield open_
    for library in libraries:
        library.close()


def assembler(**files: str) -> Assembler:
    known = {f"parts/{name}.dat": text.encode() for name, text in files.items()}
    return Assembler(known.__getitem__, known.__contains__)


@pytest.mark.parametrize("write", [write_folder, write_zip, write_tar])
def test_folder_zip_and_tar_hold_the_same(write, tmp_path, opened):
    library = opened(write(tmp_path / "library"))
    assert library.part_numbers() == ["3001", "3003", "3626p01"]
    assert library.read("parts/3001.dat").decode() == FILES["parts/3001.dat"]
    assert library.head("parts/3001.dat", 7) == b"0 Brick"
    assert library.refused == []


@pytest.mark.parametrize(
    "path",
    ["../parts/evil.dat", "ldraw/../../parts/evil.dat", "/parts/evil.dat", "..\\parts\\e.dat"],
)
def test_paths_that_climb_are_refused_and_told(path, tmp_path, opened):
    archive = write_zip(tmp_path / "library.zip")
    with zipfile.ZipFile(archive, "a") as more:
        more.writestr(path, box("Evil"))
    library = opened(archive)
    assert library.refused == [path]
    assert "evil" not in library.part_numbers()
    assert not [file for file in tmp_path.rglob("*") if "evil" in file.name]


def test_links_lead_nowhere(tmp_path, opened):
    path = write_tar(tmp_path / "library.tar.xz")
    with tarfile.open(tmp_path / "linked.tar", "w") as archive, tarfile.open(path) as first:
        for member in first:
            archive.addfile(member, first.extractfile(member))
        link = tarfile.TarInfo("ldraw/parts/passwd.dat")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    library = opened(tmp_path / "linked.tar")
    assert library.refused == ["ldraw/parts/passwd.dat"]
    folder = write_folder(tmp_path / "folder")
    (folder / "parts" / "passwd.dat").symlink_to("/etc/passwd")
    assert opened(folder).refused == ["parts/passwd.dat"]


def test_a_file_that_is_too_large_is_left_out(tmp_path, monkeypatch, opened):
    monkeypatch.setattr(provider, "LARGEST_FILE", 10_000)
    files = FILES | {"parts/huge.dat": "0 Huge\n" * 2_000}
    assert opened(write_zip(tmp_path / "a.zip", files)).refused == ["ldraw/parts/huge.dat"]


def test_what_is_no_library_says_so(tmp_path):
    with pytest.raises(NotALibrary, match="no file or folder"):
        Library.open(tmp_path / "nothing")
    (tmp_path / "text.zip").write_text("not an archive")
    with pytest.raises(NotALibrary, match="cannot be read"):
        Library.open(tmp_path / "text.zip")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(NotALibrary, match="no LDraw parts"):
        Library.open(tmp_path / "empty.zip")
    cut = write_tar(tmp_path / "cut.tar.xz").read_bytes()
    (tmp_path / "cut.tar.xz").write_bytes(cut[: len(cut) // 2])
    with pytest.raises(NotALibrary, match="cannot be read"):
        Library.open(tmp_path / "cut.tar.xz")


def alpha_of(layers):
    return Image.open(io.BytesIO(layers.shape)).getchannel("A")


def test_a_part_that_contains_itself_is_broken():
    parts = assembler(a=f"0 A\n{UNIT} b.dat\n", b=f"0 B\n{UNIT} a.dat\n")
    with pytest.raises(Broken, match="contains itself"):
        parts.digest("a")
    with pytest.raises(Broken, match="contains itself"):
        parts.part("a")


def test_a_bomb_of_references_is_refused_before_it_grows():
    files = {"f0": box("Box")}
    for level in range(1, 12):
        files[f"f{level}"] = "0 More\n" + f"{UNIT} f{level - 1}.dat\n" * 10
    with pytest.raises(TooLarge, match=f"{MOST_TRIANGLES:,}"):
        assembler(**files).part("f11")


def test_nested_too_deeply():
    files = {f"f{n}": f"0 Deep\n{UNIT} f{n + 1}.dat\n" for n in range(60)}
    with pytest.raises(Broken, match="too deeply"):
        assembler(**files).part("f0")


def test_missing_files_are_named_and_the_rest_is_drawn():
    parts = assembler(a=box("Box") + f"\n{UNIT} s\\gone.dat\n")
    assert parts.missing("a") == ["s/gone.dat"]
    assert len(parts.part("a").triangles) == 12


def test_lines_that_cannot_be_read_are_left_out():
    odd = (
        "3 16 0 0 0 1 1\n4 x 1 2 3\n3 16 nan 0 0 1 0 0 0 1 0\n3 16 1e300 0 0 1 0 0 0 1 0\n1 16 a\n"
    )
    parts = assembler(a=box("Box") + "\n" + odd)
    assert len(parts.part("a").triangles) == 12


def test_nothing_to_see():
    with pytest.raises(Broken, match="no surface"):
        assembler(a="0 Nothing\n2 24 0 0 0 1 1 1\n").part("a")
    with pytest.raises(Broken, match="no extent"):
        draw(assembler(a="0 Dot\n3 16 1 1 1 1 1 1 1 1 1\n").part("a"), title="Dot", colors={})


def test_faces_over_each_other_by_the_thousand_are_refused():
    sheet = "4 16 -9 0 -9 9 0 -9 9 0 9 -9 0 9\n"
    with pytest.raises(Broken, match="over each other"):
        draw(assembler(a="0 Stack\n" + sheet * 2_000).part("a"), title="Stack", colors={})


def test_a_part_of_100_000_triangles_has_a_picture():
    # A field of bumps, 224 by 224 squares of two triangles.
    bumps = (
        f"4 16 {x} {x * z % 5} {z} {x + 1} {(x + 1) * z % 5} {z} "
        f"{x + 1} {(x + 1) * (z + 1) % 5} {z + 1} {x} {x * (z + 1) % 5} {z + 1}"
        for x in range(224) for z in range(224)
    )  # fmt: skip
    part = assembler(a="0 Field\n" + "\n".join(bumps)).part("a")
    assert len(part.triangles) >= 100_000

    layers = draw(part, title="Field", colors={})

    assert alpha_of(layers).getbbox() is not None


@pytest.mark.parametrize(
    "text",
    [
        box("Box"),
        # A hose: hundreds of short pieces, far longer than wide.
        "0 Hose Flexible\n" + "".join(
            f"4 16 {n} 0 0 {n + 1} 0 0 {n + 1} 2 0 {n} 2 0\n" for n in range(600)
        ),
        "0 Sheet\n4 16 -9 0 -9 9 0 -9 9 0 9 -9 0 9\n",
    ],
)  # fmt: skip
def test_boxes_hoses_and_sheets_have_a_picture(text):
    layers = draw(assembler(a=text).part("a"), title="x", colors={})

    assert alpha_of(layers).getbbox() is not None
    assert layers.own_colors == b""
