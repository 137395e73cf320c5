import gc

from apps.core.startup import freeze_loaded_modules


def test_leaves_what_is_loaded_out_of_later_collections():
    loaded = [["something that a collection would walk"]]
    try:
        freeze_loaded_modules()

        assert not any(one is loaded for one in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(one is loaded for one in gc.get_objects())
    freeze_loaded_modules()  # as all tests have it
