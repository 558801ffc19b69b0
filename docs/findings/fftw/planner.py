"""What the scripts of this folder share: FFTW's functions, found in libfftw3.so.3."""

import ctypes
import ctypes.util

fftw = ctypes.CDLL(ctypes.util.find_library("fftw3") or "libfftw3.so.3")
MEASURE, ESTIMATE, WISDOM_ONLY = 0, 1 << 6, 1 << 21
FORWARD = -1

fftw.fftw_plan_dft_1d.restype = ctypes.c_void_p
fftw.fftw_plan_dft_2d.restype = ctypes.c_void_p
fftw.fftw_plan_many_dft.restype = ctypes.c_void_p
fftw.fftw_malloc.restype = ctypes.c_void_p
fftw.fftw_malloc.argtypes = [ctypes.c_size_t]
fftw.fftw_cost.restype = ctypes.c_double
fftw.fftw_cost.argtypes = [ctypes.c_void_p]
fftw.fftw_execute.argtypes = [ctypes.c_void_p]
fftw.fftw_sprint_plan.restype = ctypes.c_void_p
fftw.fftw_sprint_plan.argtypes = [ctypes.c_void_p]
fftw.fftw_export_wisdom_to_string.restype = ctypes.c_void_p
version = ctypes.c_char_p(ctypes.addressof(ctypes.c_char.in_dll(fftw, "fftw_version"))).value.decode()


def array(count):
    """`count` complex numbers, aligned as FFTW likes them: 1, 1, 1, ..."""
    memory = (ctypes.c_double * (2 * count)).from_address(fftw.fftw_malloc(16 * count))
    memory[:] = [1.0] * (2 * count)
    return memory


def plan_row(count, flags=MEASURE, source=None, target=None, stride=1):
    """A plan for `count` numbers that lie `stride` apart in the target; None where there is none."""
    source = source if source is not None else array(count)
    target = target if target is not None else array(count * stride)
    sizes = (ctypes.c_int * 1)(count)
    plan = fftw.fftw_plan_many_dft(1, sizes, 1, source, None, 1, 0, target, None, stride, 0, FORWARD,
                                   ctypes.c_uint(flags))
    return plan


def plan_plane(rows, cols, flags=MEASURE):
    return fftw.fftw_plan_dft_2d(rows, cols, array(rows * cols), array(rows * cols), FORWARD,
                                 ctypes.c_uint(flags))


def text(plan):
    return " ".join(ctypes.string_at(fftw.fftw_sprint_plan(plan)).decode().split())


def wisdom():
    return ctypes.string_at(fftw.fftw_export_wisdom_to_string()).decode()


def import_wisdom(content):
    """True where FFTW takes it."""
    return fftw.fftw_import_wisdom_from_string(content.encode()) != 0


def import_file(name):
    return fftw.fftw_import_wisdom_from_filename(str(name).encode()) != 0


def export_file(name):
    return fftw.fftw_export_wisdom_to_filename(str(name).encode()) != 0
