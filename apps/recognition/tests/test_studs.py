import numpy as np

from vision import studs
from vision.ldraw.parts import Assembler

DISC = b"""
3 16 0 0 0 1 0 0 0 0 1
3 16 0 0 0 0 0 1 -1 0 0
3 16 0 0 0 -1 0 0 0 0 -1
3 16 0 0 0 0 0 -1 1 0 0
"""
LIBRARY = {
    "parts/3024.dat": b"1 16 0 0 0 1 0 0 0 1 0 0 0 1 stud.dat\n1 16 0 0 0 1 0 0 0 1 0 0 0 1 4-4disc.dat",
    "p/stud.dat": b"1 16 0 -4 0 6 0 0 0 1 0 0 0 6 4-4disc.dat",
    "p/4-4disc.dat": DISC,
}


def part():
    assembler = Assembler(
        lambda name: studs.with_hollow(name, LIBRARY[name]), lambda name: name in LIBRARY
    )
    return assembler.part("3024")


class TestStuds:
    def test_have_a_hollow_below_the_wall_of_a_plate(self):
        mesh = part()

        hollow = mesh.triangles[mesh.colors == studs.HOLLOW]
        assert len(hollow) == 4
        assert 4 < hollow[..., 1].min() == hollow[..., 1].max() < 4.2  # down is positive
        assert np.abs(hollow[..., 0]).max() < 4

    def test_have_a_top_on_which_letters_lie(self):
        mesh = part()
        tops = mesh.colors == studs.TOP

        where = studs.places(mesh.triangles, tops)

        assert (mesh.triangles[tops][..., 1] == -4).all()
        assert np.allclose(np.hypot(where[tops, 1:, 0], where[tops, 1:, 1]), 1)
        assert not where[~tops].any()

    def test_leave_other_files_of_the_library_alone(self):
        assert studs.with_hollow("p/stud4.dat", DISC) == DISC

    def test_turn_the_light_of_a_hollow_to_its_middle(self):
        mesh = part()
        hollow = mesh.colors == studs.HOLLOW
        up = np.zeros_like(mesh.triangles)
        up[..., 1] = 1

        turned = studs.dished(mesh.triangles, up, hollow)

        outward = mesh.triangles[hollow, 1:] - mesh.triangles[hollow, :1]
        assert ((turned[hollow, 1:] * outward).sum(axis=2) < 0).all()
        assert (turned[~hollow] == up[~hollow]).all()

    def test_leave_a_hole_in_the_end_of_a_pin(self):
        library = {
            "parts/3623.dat": b"1 16 0 4 0 1 0 0 0 -1 0 0 0 1 stud3.dat",
            "p/stud3.dat": b"1 16 0 -4 0 4 0 0 0 1 0 0 0 4 4-4disc.dat",
            "p/4-4disc.dat": DISC,
        }
        assembler = Assembler(
            lambda name: studs.with_hollow(name, library[name]), lambda name: name in library
        )

        mesh = assembler.part("3623")

        hole = mesh.triangles[mesh.colors == studs.BORE]
        assert len(hole) == 4
        assert 8 < hole[..., 1].min() == hole[..., 1].max() < 8.2  # just below the end
        assert np.abs(hole[..., 0]).max() == 2
