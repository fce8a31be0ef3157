import os

from inference.lazy import Lazy


def test_a_lazy_object_is_made_anew_in_a_forked_child():
    lazy = Lazy(lambda: [os.getpid()])
    mine = lazy.get()
    child = os.fork()
    if child == 0:
        os._exit(0 if lazy.get() == [os.getpid()] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert lazy.get() is mine
