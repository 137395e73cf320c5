import gc

from apps.core.startup import collect_garbage_less


def test_leaves_what_is_loaded_out_of_later_collections():
    loaded = [["something that a collection would walk"]]
    try:
        collect_garbage_less()

        assert not any(one is loaded for one in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(one is loaded for one in gc.get_objects())
    collect_garbage_less()  # as all tests have it
