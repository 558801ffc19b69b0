"""The function of Numba's in which it loads what it kept, by name and file."""


def load_overload(make_code):
    make_code()
