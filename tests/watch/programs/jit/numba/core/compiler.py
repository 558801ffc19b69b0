"""The function of Numba's in which it compiles, by name and file."""


def compile_extra(make_code, inner=None):
    make_code()  # what it needs at run time
    if inner:
        inner()
    make_code()
